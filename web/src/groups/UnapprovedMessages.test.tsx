/** @jest-environment jsdom */
import type { UnapprovedMessage } from '@nolo/api';
import { jest } from '@jest/globals';
import { act, cleanup, configure, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { boundOf, rowHashOf, sealText } from '../../../packages/client/tests/reversingConversations.ts';
import { setUpSealedChat } from '../../../packages/client/tests/sealedChat.ts';
import { ChatContext } from '../chat/context/chatContext.ts';
import { sessionStore } from '../session/session.ts';
import { testChat } from '../testing/ChatTestProviders.tsx';
import { testUser } from '../testing/testMeeting.ts';
import { UnapprovedMessages } from './UnapprovedMessages.tsx';

// The first test loads the code of sealed conversations.
configure({ asyncUtilTimeout: 10_000 });
const user = userEvent.setup({ delay: null, pointerEventsCheck: 0 });
const file = '/objects/3f0e1d6c-8a57-4a8e-9b6d-0d7c2f1a5b4e';

/** Returns a draft of Ben as the server lists it. */
function draftOf(id: string, content: string, messageType: 'text' | 'file' | 'voice' = 'text'): UnapprovedMessage {
  const fields = { messageType, mentions: [], clientMessageId: `client-of-${id}`, hasLink: true };
  return {
    ...fields,
    id,
    conversationId: 'c1',
    senderId: 'you',
    sender: { ...testUser('Ben'), id: 'you' },
    content: '',
    encryption: 'epochs',
    sealed: sealText({ n: 0, content, bound: boundOf(fields), salt: 0 }),
    seal: {
      epoch: 0,
      deviceId: 'device',
      version: 0,
      place: 0,
      own: [],
      targetRow: null,
      rowHash: rowHashOf(id),
      origin: null,
      hasLink: true,
      deletion: null,
      annotations: [],
      held: true,
      draftId: null,
      draftOrigin: null,
    },
    fileUrl: null,
    fileName: null,
    fileSize: null,
    mediaInfo: null,
    previewUrl: null,
    linkPreview: null,
    createdAt: '2026-12-01T00:00:00.000Z',
  };
}

const link = draftOf('held-1', JSON.stringify({ v: 1, text: 'see https://example.com' }));
const plan = draftOf(
  'held-2',
  JSON.stringify({ v: 1, text: '', fileUrl: file, fileName: 'plan.pdf', fileSize: 2048 }),
  'file',
);

const originalFetch = globalThis.fetch;
let listed: readonly UnapprovedMessage[];
let stop: () => void;
let decisions: { method: string; path: string; body: unknown }[];

beforeEach(() => {
  [listed, decisions] = [[], []];
  sessionStore.setState({ user: { ...testUser('Me'), id: 'me' } as never });
  AbortSignal.timeout ??= () => new AbortController().signal;
  AbortSignal.any ??= ([first]) => first as AbortSignal;
  globalThis.fetch = jest.fn((path: unknown, init?: RequestInit) => {
    if (init?.method !== undefined && init.method !== 'GET')
      decisions.push({
        method: init.method,
        path: String(path),
        body: JSON.parse((init.body as string | undefined) ?? '{}'),
      });
    const text = () => Promise.resolve(JSON.stringify(init?.method === 'GET' ? listed : {}));
    return Promise.resolve({
      ok: true,
      status: 200,
      headers: new Headers(),
      text,
      json: async () => listed,
    } as Response);
  }) as typeof fetch;
});
afterEach(() => {
  cleanup();
  stop();
  globalThis.fetch = originalFetch;
});

async function show(drafts: readonly UnapprovedMessage[], { mayDecide = true, isClosed = false } = {}) {
  listed = drafts;
  const sealed = setUpSealedChat();
  if (isClosed) sealed.sealing.keys.clear();
  const engine = await sealed.start(sealed.create());
  const { chat, wrapper: Wrapper } = testChat();
  render(
    <Wrapper>
      <ChatContext value={{ ...chat, engine }}>
        <UnapprovedMessages id="c1" count={drafts.length} mayDecide={mayDecide} />
      </ChatContext>
    </Wrapper>,
  );
  stop = () => engine.stop();
  return sealed;
}

test('an admin reads a sealed message, and approves it with one that this device seals', async () => {
  const { server } = await show([link]);
  expect(await screen.findByText('see https://example.com')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Approve the message from Ben' }));
  await waitFor(() => expect(server.decisions).toEqual([{ heldId: 'held-1', approve: true }]));
  expect(server.messages[0]).toMatchObject({ senderId: 'me', seal: { draftId: 'held-1' } });
  expect(decisions).toEqual([]);
});

test('an admin sees the file of a sealed message, and discards it without a seal', async () => {
  const { sealing } = await show([plan]);
  const download = await screen.findByRole('link', { name: /plan\.pdf/ });
  expect(download.getAttribute('href')).toContain(file);
  await user.click(screen.getByRole('button', { name: 'Discard the message from Ben' }));
  await waitFor(() => expect(decisions).toMatchObject([{ body: { approve: false } }]));
  expect(sealing.drafts).toEqual([]);
});

test('an admin can play a sealed voice message', async () => {
  await show([
    draftOf('held-3', JSON.stringify({ v: 1, text: '', voiceMessageUrl: file, voiceMessageDuration: 3 }), 'voice'),
  ]);
  const note = await screen.findByRole('group', { name: /Voice/ });
  expect(within(note).getByRole('button', { name: 'Play' })).toHaveProperty('disabled', false);
});

test('a message whose key is missing waits, cannot be approved, and opens once the key arrives', async () => {
  const { sealing } = await show([link], { isClosed: true });
  expect(await screen.findByText('Waiting for the key')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Approve the message from Ben' })).toBeNull();
  expect(screen.getByRole('button', { name: 'Discard the message from Ben' })).toBeTruthy();
  await act(async () => {
    sealing.keys.add(0);
    sealing.notify();
  });
  expect(await screen.findByText('see https://example.com')).toBeTruthy();
});

test('a message that is not what its author sealed is refused', async () => {
  await show([{ ...link, mentions: ['you'] }]);
  expect(await screen.findByText(/isn’t what the sender signed/)).toBeTruthy();
  expect(screen.queryByText(/example\.com/)).toBeNull();
  expect(screen.queryByRole('button', { name: 'Approve the message from Ben' })).toBeNull();
});

test('authors see their own messages that wait, without decisions', async () => {
  await show([link], { mayDecide: false });
  const card = screen.getByRole('region', { name: /^Your messages waiting for approval/ });
  expect(await within(card).findByText('see https://example.com')).toBeTruthy();
  expect(within(card).queryByRole('button', { name: /^(Approve|Discard)/ })).toBeNull();
});

test('authors withdraw what waits', async () => {
  await show([link], { mayDecide: false });
  await user.click(await screen.findByRole('button', { name: /^Withdraw the message from / }));
  await waitFor(() =>
    expect(decisions).toMatchObject([{ method: 'DELETE', path: expect.stringMatching(/\/held\/held-1$/) }]),
  );
});

test('a message that answers another one quotes it, without a link to it', async () => {
  await show([{ ...link, replyTo: { seq: 1, messageId: 'm1', senderId: 'me' } }]);
  const card = screen.getByRole('region', { name: /^Messages to approve/ });
  expect((await within(card).findByRole('blockquote')).textContent).toContain('You');
  expect(await within(card).findByText('see https://example.com')).toBeTruthy();
});
