/** @jest-environment jsdom */
import type { GroupChat, GroupPreview } from '@nolo/api';
import { jest } from '@jest/globals';
import { act, cleanup, configure, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { useLocation } from 'react-router-dom';
import { sessionStore } from '../session/session.ts';
import { toasts } from '../ui/toasts.ts';
import { testChat } from '../testing/ChatTestProviders.tsx';
import { testUser } from '../testing/testMeeting.ts';
import type { GroupDialogOrigin } from './useCreateGroup.ts';
import type { GroupDialogState } from './GroupDialogs.tsx';
import { GroupDialogs } from './GroupDialogs.tsx';
import { GroupJoinScreen } from './GroupJoinScreen.tsx';

interface RecordedRequest {
  method: string;
  path: string;
  body: Record<string, unknown>;
}

const requests: RecordedRequest[] = [];
let answers: (requests: RecordedRequest) => Response;
let user: ReturnType<typeof userEvent.setup>;

const json = (status: number, body: unknown) =>
  ({
    ok: status < 400,
    status,
    statusText: '',
    headers: new Headers(),
    text: () => Promise.resolve(JSON.stringify(body)),
    json: () => Promise.resolve(body),
  }) as Response;

// A modal dialog hides nothing that these tests query, and checking that takes most of the time.
const quick = { delay: null, pointerEventsCheck: 0 } as const;
configure({ defaultHidden: true });

const originalFetch = globalThis.fetch;
/** The checksum is odd, so it is a group's code. */
const code = '222223';
const made: Partial<GroupChat> = { id: 'g1', name: 'Hikers', roomCode: code, isPublic: false };

beforeEach(() => {
  requests.length = 0;
  user = userEvent.setup(quick);
  toasts.setState({ toasts: [] });
  sessionStore.setState({ user: { ...testUser('Me'), id: 'me' } as never });
  AbortSignal.timeout ??= () => new AbortController().signal;
  AbortSignal.any ??= ([first]) => first as AbortSignal;
  answers = ({ path }) => json(path.includes('/contacts') || path.includes('/search') ? 200 : 404, []);
  globalThis.fetch = jest.fn((path: unknown, init?: RequestInit) => {
    const one = {
      method: init?.method ?? 'GET',
      path: String(path),
      body: JSON.parse(typeof init?.body === 'string' ? init.body : '{}') as Record<string, unknown>,
    };
    requests.push(one);
    return Promise.resolve(answers(one));
  }) as typeof fetch;
});
afterEach(() => {
  cleanup();
  globalThis.fetch = originalFetch;
});

function show(entry: GroupDialogOrigin, first: GroupDialogState) {
  let path = '';
  let open: (dialog: GroupDialogState) => void = () => {};
  function Example() {
    const [dialog, setDialog] = useState<GroupDialogState | null>(first);
    const { pathname, hash } = useLocation();
    path = pathname + hash;
    open = setDialog;
    return <GroupDialogs entry={entry} dialog={dialog} onChange={setDialog} />;
  }
  render(<Example />, { wrapper: testChat().wrapper });
  return { path: () => path, open: (dialog: GroupDialogState) => act(() => open(dialog)) };
}

const lastToast = () => {
  const [entry] = toasts.getState().toasts;
  return entry && { kind: entry.kind, title: entry.title, description: entry.description };
};
const press = (name: string) => user.click(screen.getByRole('button', { name }));
const posted = (path: string) => requests.find((one) => one.method === 'POST' && one.path === path);

describe('Create Group', () => {
  test('a name and a member are required, each with the words of the specification', async () => {
    show('desktop', { kind: 'group' });
    await press('Create Group');
    expect(screen.getByText('Please enter a group name')).toBeTruthy();
    await user.type(screen.getByRole('textbox', { name: 'Group name' }), 'Hikers');
    await press('Create Group');
    expect(screen.getByText('Please select at least one member')).toBeTruthy();
    expect(lastToast()).toBeUndefined();
    expect(posted('/api/groups')).toBeUndefined();
  });

  test('a found person is selected, the creator is not offered, and the new group can be shared', async () => {
    answers = ({ path }) => {
      if (path.startsWith('/api/users/search')) return json(200, [{ ...testUser('Me'), id: 'me' }, testUser('Amara')]);
      if (path === '/api/groups') return json(201, { ...made, skipped: [], invited: [] });
      return json(path.includes('/contacts') ? 200 : 404, []);
    };
    show('desktop', { kind: 'group' });
    await user.type(screen.getByRole('textbox', { name: 'Group name' }), ' Hikers ');
    await user.type(screen.getByRole('searchbox', { name: 'Search people' }), 'am');
    const found = await screen.findByRole('checkbox', { name: 'Amara' }, { timeout: 3_000 });
    expect(screen.queryByRole('checkbox', { name: 'Me' })).toBeNull();
    await user.click(found);
    expect(screen.getByText('1 person chosen')).toBeTruthy();
    await press('Create Group');
    const share = await screen.findByRole('dialog', { name: 'Share group chat' });
    expect(posted('/api/groups')?.body).toEqual({ name: 'Hikers', memberIds: ['amara'] });
    expect(within(share).getByDisplayValue(code)).toBeTruthy();
    expect(within(share).getByDisplayValue(`${location.origin}/group-chat/${code}`)).toBeTruthy();
  });

  test('people may be chosen when it opens, and can be taken out', async () => {
    answers = ({ path }) =>
      path === '/api/groups' ? json(201, made) : json(path.includes('/contacts') ? 200 : 404, []);
    const people = ['Amara', 'Ben'].map((name) => testUser(name));
    show('desktop', { kind: 'group', people });
    expect(screen.getByText('2 people chosen')).toBeTruthy();
    await press('Remove Ben');
    await user.type(screen.getByRole('textbox', { name: 'Group name' }), 'Hikers');
    await press('Create Group');
    await screen.findByRole('dialog', { name: 'Share group chat' });
    expect(posted('/api/groups')?.body).toEqual({ name: 'Hikers', memberIds: ['amara'] });
  });
});

describe('Create Group Chat', () => {
  test('a name is required', async () => {
    show('desktop', { kind: 'room' });
    await press('Create Group Chat');
    expect(screen.getByText('Room name required: Please enter a name for your group chat room')).toBeTruthy();
    expect(lastToast()).toBeUndefined();
  });

  test('a maximum that is not a number becomes 100, and private means approval', async () => {
    answers = ({ path }) => (path === '/api/group-chats/create' ? json(201, made) : json(404, {}));
    show('desktop', { kind: 'room' });
    await user.type(screen.getByRole('textbox', { name: 'Room name' }), 'Hikers');
    const max = screen.getByRole('textbox', { name: 'Max members' });
    await user.clear(max);
    await user.type(max, 'many');
    await user.click(screen.getByRole('radio', { name: 'Private' }));
    await press('Create Group Chat');
    await screen.findByRole('dialog', { name: 'Share group chat' });
    expect(posted('/api/group-chats/create')?.body).toMatchObject({
      name: 'Hikers',
      maxMembers: 100,
      isPublic: false,
      settings: { requireApproval: true, moderationEnabled: false },
    });
  });

  test('a refusal uses the words of where the dialog was opened, which stays open', async () => {
    answers = () => json(409, { code: 'group_invalid', message: 'The name is taken by somebody.' });
    const mobile = show('mobile', { kind: 'room' });
    await user.type(screen.getByRole('textbox', { name: 'Room name' }), 'Hikers');
    await press('Create Group Chat');
    expect((await screen.findByRole('alert')).textContent).toBe('Failed to create group chat');
    expect(lastToast()).toBeUndefined();
    mobile.open({ kind: 'room' });
    cleanup();
    show('desktop', { kind: 'room' });
    await user.type(screen.getByRole('textbox', { name: 'Room name' }), 'Hikers');
    await press('Create Group Chat');
    expect((await screen.findByRole('alert')).textContent).toBe('The name is taken by somebody.');
    expect(screen.getByRole('dialog', { name: 'Create Group Chat' })).toBeTruthy();
  });

  test('closing the dialog asks first, and then discards the input', async () => {
    const { open } = show('desktop', { kind: 'room' });
    await user.type(screen.getByRole('textbox', { name: 'Room name' }), 'Hikers');
    await press('Cancel');
    await press('Discard');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    open({ kind: 'room' });
    const name = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Room name' });
    expect(name.value).toBe('');
  });
});

describe('Join Group Chat', () => {
  const type = (text: string) => user.type(screen.getByRole('textbox', { name: 'Room code' }), text);

  test('a code is required and must have six characters', async () => {
    show('desktop', { kind: 'join' });
    await press('Join Group Chat');
    expect(screen.getByText('Room code required')).toBeTruthy();
    await type('abc');
    await press('Join Group Chat');
    expect(screen.getByText('Invalid room code: Room codes are 6 characters long')).toBeTruthy();
    expect(lastToast()).toBeUndefined();
    expect(requests).toEqual([]);
  });

  test.each([
    [200, {}],
    [409, { code: 'meeting_locked', message: 'Locked.' }],
  ])('the code of a meeting is recognised as one, whether it admits or not (%s)', async (status, body) => {
    answers = ({ path }) => (path.includes('/meetings/') ? json(status, body) : json(404, {}));
    show('desktop', { kind: 'join' });
    await type('222222');
    await press('Join Group Chat');
    expect(await screen.findByText(/code of a meeting/)).toBeTruthy();
    expect(requests.map(({ path }) => path)).toEqual(['/api/meetings/join/222222']);
  });

  test('an unknown code is not called a meeting code', async () => {
    answers = ({ path }) =>
      json(404, path.includes('/meetings/') ? { code: 'meeting_not_found' } : { code: 'conversation_not_found' });
    show('desktop', { kind: 'join' });
    await type('222222');
    await press('Join Group Chat');
    expect(await screen.findByText(/^Group Chat Not Found: No group has this code/)).toBeTruthy();
    expect(screen.queryByText(/code of a meeting/)).toBeNull();
  });

  test('a code, trimmed and in upper case, leads into the group', async () => {
    answers = ({ path }) =>
      path.includes('/join/') ? json(200, { joined: true, id: 'g1', name: 'Hikers', roomCode: code }) : json(404, {});
    const { path } = show('desktop', { kind: 'join' });
    await type(`  ${code.toLowerCase()} `);
    await press('Join Group Chat');
    await waitFor(() => expect(path()).toBe('/group-chat/g1'));
    expect(requests[0]?.path).toBe(`/api/group-chats/join/${code}`);
    expect(lastToast()).toMatchObject({ kind: 'success', title: 'Joined Hikers' });
  });

  test('a code of a group that requires approval leads to the pre-join page, with a notice', async () => {
    answers = () => json(202, { joined: false, waiting: true, name: 'Hikers', roomCode: code });
    const { path } = show('desktop', { kind: 'join' });
    await type(code);
    await press('Join Group Chat');
    await waitFor(() => expect(path()).toBe(`/group-chat/${code}`));
    expect(lastToast()).toMatchObject({ title: 'You asked to join Hikers' });
  });

  test('a refusal shows the reason', async () => {
    answers = () => json(409, { code: 'group_full', message: '' });
    show('desktop', { kind: 'join' });
    await type(code);
    await press('Join Group Chat');
    await screen.findByText('Failed to join group chat: The group is full.');
    expect(lastToast()).toBeUndefined();
  });
});

describe('the pre-join page of a group', () => {
  test('reveals nothing about the group while codes are being guessed, and offers to ask to join', async () => {
    const nameless = { name: '', pictureUrl: null, memberCount: 0, maxMembers: 500, isPublic: false };
    answers = ({ path }) =>
      path === `/api/group-chats/${code}`
        ? json(200, { ...nameless, guarded: true, membership: 'none', roomCode: code })
        : json(404, {});
    render(<GroupJoinScreen code={code} invite={undefined} />, { wrapper: testChat().wrapper });
    expect(await screen.findByRole('button', { name: 'Ask to join' })).toBeTruthy();
    expect(screen.getByRole('heading', { name: code })).toBeTruthy();
    expect(screen.queryByText(/members|Private group/)).toBeNull();
  });

  test('withdraws a request to join, and offers to ask again', async () => {
    let membership: GroupPreview['membership'] = 'waiting';
    answers = ({ method, path }) => {
      if (method === 'DELETE' && path === `/api/group-chats/join/${code}`) {
        membership = 'none';
        return json(204, undefined);
      }
      const preview = { id: 'g1', name: 'Hikers', pictureUrl: null, memberCount: 3, maxMembers: 100, isPublic: false };
      return path === `/api/group-chats/${code}`
        ? json(200, { ...preview, guarded: false, membership })
        : json(404, {});
    };
    render(<GroupJoinScreen code={code} invite={undefined} />, { wrapper: testChat().wrapper });
    await user.click(await screen.findByRole('button', { name: 'Withdraw request' }));
    expect(await screen.findByRole('button', { name: 'Ask to join' })).toBeTruthy();
    expect(requests.filter(({ method }) => method === 'DELETE')).toHaveLength(1);
    expect(lastToast()).toMatchObject({ kind: 'success', title: 'You withdrew your request to join Hikers' });
  });
});
