/** @jest-environment jsdom */
import type { Meeting } from '@nolo/api';
import { jest } from '@jest/globals';
import { cleanup, configure, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { useLocation } from 'react-router-dom';
import { testChat } from '../testing/ChatTestProviders.tsx';
import { testMeeting } from '../testing/testMeeting.ts';
import { toasts } from '../ui/toasts.ts';
import type { MeetingDialogRequest } from './MeetingDialogs.tsx';
import { MeetingDialogs } from './MeetingDialogs.tsx';
import type { MeetingDialogOrigin } from './meetingForm.ts';

interface RecordedRequest {
  method: string;
  path: string;
  body: Record<string, unknown>;
}

const requests: RecordedRequest[] = [];
let answer: () => Response;
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

beforeEach(() => {
  requests.length = 0;
  user = userEvent.setup(quick);
  toasts.setState({ toasts: [] });
  AbortSignal.timeout ??= () => new AbortController().signal;
  AbortSignal.any ??= ([first]) => first as AbortSignal;
  globalThis.fetch = jest.fn((path: unknown, init?: RequestInit) => {
    requests.push({
      method: init?.method ?? 'GET',
      path: String(path),
      body: JSON.parse(typeof init?.body === 'string' ? init.body : '{}') as Record<string, unknown>,
    });
    return Promise.resolve(answer());
  }) as typeof fetch;
});
afterEach(async () => {
  cleanup();
  // A closed dialog leaves the history a moment later. During the next test, that would close its dialog.
  await waitFor(() => expect((history.state as { overlays?: number } | null)?.overlays ?? 0).toBe(0));
  globalThis.fetch = originalFetch;
});

function show(entry: MeetingDialogOrigin, first: MeetingDialogRequest) {
  let path = '';
  function Example() {
    const [dialog, setDialog] = useState<MeetingDialogRequest | null>(first);
    const { pathname, hash } = useLocation();
    path = pathname + hash;
    return <MeetingDialogs entry={entry} dialog={dialog} onChange={setDialog} />;
  }
  render(<Example />, { wrapper: testChat().wrapper });
  return { user, path: () => path };
}

const lastToast = () => {
  const [entry] = toasts.getState().toasts;
  return entry && { kind: entry.kind, title: entry.title, description: entry.description };
};
const press = (name: string) => user.click(screen.getByRole('button', { name }));

describe('creating a meeting', () => {
  test('a missing name is reported in the words of the meetings screen', async () => {
    show('screen', { kind: 'create' });
    await press('Create Meeting');
    expect(screen.getByText('Meeting Name Required: Please enter a name for your meeting')).toBeTruthy();
    expect(lastToast()).toBeUndefined();
    expect(requests).toEqual([]);
  });

  test('a missing name is reported in the words of the dialog from the sidebar', async () => {
    show('sidebar', { kind: 'create' });
    await user.type(screen.getByRole('textbox', { name: 'Meeting name' }), '   ');
    await press('Create Meeting');
    expect(screen.getByText('Meeting name is required')).toBeTruthy();
  });

  test('an instant meeting is created as requested, and entered', async () => {
    answer = () => json(201, testMeeting({ roomCode: 'XYZ789' }));
    const { path } = show('screen', { kind: 'create' });
    await user.type(screen.getByRole('textbox', { name: 'Meeting name' }), ' Planning ');
    await press('Create Meeting');
    await waitFor(() => expect(path()).toBe('/meeting/XYZ789'));
    expect(requests[0]).toMatchObject({
      method: 'POST',
      path: '/api/meetings/create',
      body: { name: 'Planning', maxParticipants: 50, settings: { requireAuth: true, maxParticipants: 50 } },
    });
    expect(lastToast()).toMatchObject({ kind: 'success', title: 'Meeting Created!' });
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test('a scheduled meeting stays on its page and offers what to share', async () => {
    const scheduledAt = new Date(Date.now() + 86_400_000).toISOString();
    answer = () => json(201, testMeeting({ roomCode: 'XYZ789', scheduledAt }));
    const { path } = show('screen', { kind: 'create' });
    await user.type(screen.getByRole('textbox', { name: 'Meeting name' }), 'Planning');
    await user.click(screen.getByRole('radio', { name: 'Schedule' }));
    await press('Schedule Meeting');
    await screen.findByRole('dialog', { name: 'Share meeting' });
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Room code' }).value).toBe('XYZ789');
    expect(requests[0]?.body).toMatchObject({ duration: 60, recurrence: 'none' });
    expect(lastToast()?.title).toBe('Meeting Created!');
    expect(path()).toBe('/');
  });

  test('a reduction by the plan is reported', async () => {
    answer = () => json(201, testMeeting({ maxParticipants: 4 }));
    show('screen', { kind: 'create' });
    await user.type(screen.getByRole('textbox', { name: 'Meeting name' }), 'Planning');
    await press('Create Meeting');
    await waitFor(() => expect(lastToast()?.description).toBe('Your meetings can have up to 4 people.'));
  });

  test('a number out of range opens the options and shows the range', async () => {
    show('screen', { kind: 'create' });
    await user.type(screen.getByRole('textbox', { name: 'Meeting name' }), 'Planning');
    await press('More options');
    const maxParticipantsInput = screen.getByRole('spinbutton', { name: 'Max participants' });
    await user.clear(maxParticipantsInput);
    await user.type(maxParticipantsInput, '101');
    await press('More options');
    await press('Create Meeting');
    expect(screen.getByText('Max participants must be between 2 and 100')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'More options' }).getAttribute('aria-expanded')).toBe('true');
    expect(requests).toEqual([]);
  });

  test.each([
    [409, { code: 'too_many_meetings', message: 'You have too many meetings.' }, 'You have too many meetings.'],
    [500, {}, 'Failed to create meeting room'],
  ])('a refusal with %d shows the server’s words, or the catalogue’s', async (status, body, title) => {
    answer = () => json(status, body);
    show('screen', { kind: 'create' });
    await user.type(screen.getByRole('textbox', { name: 'Meeting name' }), 'Planning');
    await press('Create Meeting');
    const dialog = within(screen.getByRole('dialog'));
    expect((await dialog.findByRole('alert')).textContent).toBe(title);
    expect(lastToast()).toBeUndefined();
  });

  test('editing sends only what changed', async () => {
    answer = () => json(200, testMeeting({ name: 'Review' }));
    show('screen', { kind: 'edit', meeting: testMeeting() });
    const name = screen.getByRole('textbox', { name: 'Meeting name' });
    await user.clear(name);
    await user.type(name, 'Review');
    await press('Save');
    await waitFor(() => expect(lastToast()?.title).toBe('Meeting saved'));
    expect(requests[0]).toEqual({ method: 'PATCH', path: '/api/meetings/ABC234', body: { name: 'Review' } });
  });
});

describe('joining a meeting', () => {
  test('a missing code is reported in the words of the meetings screen and of the sidebar', async () => {
    show('screen', { kind: 'join' });
    await press('Join Meeting');
    expect(screen.getByText('Room Code Required: Please enter a meeting room code')).toBeTruthy();
    cleanup();
    show('sidebar', { kind: 'join' });
    await press('Join Meeting');
    expect(screen.getByText('Meeting code is required')).toBeTruthy();
    expect(lastToast()).toBeUndefined();
    expect(requests).toEqual([]);
  });

  test('the code is put in upper case while it is typed, and leads to the meeting', async () => {
    answer = () => json(200, { access: 'enter', name: 'Planning', roomCode: 'ABC234', status: 'live' });
    const { path } = show('screen', { kind: 'join' });
    const code = screen.getByRole<HTMLInputElement>('textbox', { name: 'Room code' });
    await user.type(code, ' abc234');
    expect(code.value).toBe('ABC234');
    await user.keyboard('{Enter}');
    await waitFor(() => expect(path()).toBe('/meeting/ABC234'));
    expect(requests[0]).toMatchObject({ method: 'POST', path: '/api/meetings/join/ABC234', body: {} });
  });

  test('a pasted invite link becomes its code and keeps its token', async () => {
    answer = () => json(200, { access: 'enter', name: 'Planning', roomCode: 'ABC234', status: 'live' });
    const { path } = show('sidebar', { kind: 'join' });
    const code = screen.getByRole<HTMLInputElement>('textbox', { name: 'Room code' });
    await user.click(code);
    await user.paste('https://nolo.example/meeting/abc234#invite=aB-c_9');
    expect(code.value).toBe('ABC234');
    expect(screen.getByText('This invite link lets you in directly.')).toBeTruthy();
    await press('Join Meeting');
    await waitFor(() => expect(path()).toBe('/meeting/ABC234#invite=aB-c_9'));
    expect(requests[0]?.body).toEqual({ inviteToken: 'aB-c_9' });
  });

  test.each([
    [404, { code: 'meeting_not_found', message: 'Meeting not found' }, 'Meeting not found'],
    [500, {}, 'Failed to join meeting'],
  ])('a refusal with %d stays in the dialog', async (status, body, words) => {
    answer = () => json(status, body);
    show('screen', { kind: 'join' });
    await user.type(screen.getByRole('textbox', { name: 'Room code' }), 'zzzzzz');
    await press('Join Meeting');
    await screen.findByText(words);
    expect(lastToast()).toBeUndefined();
  });
});

describe('sharing a meeting', () => {
  const copied: string[] = [];
  const clipboard = (writeText: (text: string) => Promise<void>) =>
    Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText } });
  const share = (meeting: Meeting = testMeeting()) => show('screen', { kind: 'share', meeting });

  test('link and code are copied, each with its own words', async () => {
    share();
    clipboard((text) => Promise.resolve(void copied.push(text)));
    await press('Copy link');
    await waitFor(() =>
      expect(lastToast()).toMatchObject({ title: 'Copied!', description: 'Meeting link copied to clipboard' }),
    );
    await press('Copy code');
    await waitFor(() => expect(lastToast()?.description).toBe('Room code copied to clipboard'));
    expect(copied).toEqual([`${location.origin}/meeting/ABC234`, 'ABC234']);
  });

  test('a clipboard that refuses is reported', async () => {
    share();
    clipboard(() => Promise.reject(new Error('denied')));
    await press('Copy link');
    expect((await screen.findByRole('alert')).textContent).toBe('Failed to copy link');
    expect(lastToast()).toBeUndefined();
  });

  test('the system’s share sheet is offered only if there is one', () => {
    share();
    expect(screen.queryByRole('button', { name: 'Share...' })).toBeNull();
    cleanup();
    Object.defineProperty(navigator, 'share', { configurable: true, value: () => Promise.resolve() });
    share();
    expect(screen.getByRole('button', { name: 'Share...' })).toBeTruthy();
    Reflect.deleteProperty(navigator, 'share');
  });

  test('an invite link is shown once created, and can be revoked', async () => {
    answer = () => json(201, { url: 'https://nolo.example/meeting/ABC234#invite=aB-c_9' });
    show('screen', { kind: 'invite', meeting: testMeeting() });
    await press('Create link');
    const link = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Invite link' });
    expect(link.value).toContain('#invite=aB-c_9');
    answer = () => json(204, null);
    await press('Revoke link');
    await screen.findByText('No invite link is active.');
    expect(requests.map(({ method }) => method)).toEqual(['POST', 'DELETE']);
  });
});

test('cancelling a recurring meeting warns that all its dates are cancelled', async () => {
  answer = () => json(200, testMeeting({ status: 'cancelled' }));
  show('screen', { kind: 'cancel', meeting: testMeeting({ type: 'recurring', recurrence: 'weekly' }) });
  expect(screen.getByText(/None of its dates/)).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Keep meeting' })).toBeTruthy();
  await press('Cancel meeting');
  await waitFor(() => expect(lastToast()?.title).toBe('Meeting cancelled'));
  expect(requests[0]).toMatchObject({ method: 'DELETE', path: '/api/meetings/ABC234' });
});
