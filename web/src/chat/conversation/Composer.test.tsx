/** @jest-environment jsdom */
import { File } from 'node:buffer';
import type { Message, Self } from '@nolo/api';
import { jest } from '@jest/globals';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useRef } from 'react';
import { featureStore } from '../../session/features.ts';
import { sessionStore } from '../../session/session.ts';
import { clearAllAttachments, pendingAttachmentsStore } from '../media/pendingAttachmentsStore.ts';
import { testChat } from '../../testing/ChatTestProviders.tsx';
import { Composer } from './Composer.tsx';
import type { ComposerMode } from './useComposerMode.ts';
import { useComposerMode } from './useComposerMode.ts';

afterEach(() => {
  cleanup();
  localStorage.clear();
  featureStore.getState().setFeatures({});
  clearAllAttachments();
});

async function setUp(chat = testChat()) {
  const row = await chat.server.api.getConversation('c1');
  const conversation = { ...row, otherUser: await chat.server.api.getUser('you') };
  let composing: ComposerMode | undefined;
  const onEditLast = jest.fn<(begin: (message: Message) => void) => void>();
  const send = jest.spyOn(chat.engine, 'send');
  function Example() {
    composing = useComposerMode();
    const current = composing;
    const input = useRef<HTMLTextAreaElement>(null);
    return (
      <Composer
        conversation={conversation}
        name="Amara"
        composing={current}
        input={input}
        onEditLast={() => onEditLast(current.edit)}
      />
    );
  }
  render(<Example />, { wrapper: chat.wrapper });
  const box = () => screen.getByRole<HTMLTextAreaElement>('textbox');
  return { ...chat, onEditLast, send, box, user: userEvent.setup(), composing: () => composing! };
}

test('Enter sends the trimmed text; Shift and Enter breaks the line', async () => {
  const { user, box, send } = await setUp();
  await user.type(box(), ' one{Shift>}{Enter}{/Shift}two {Enter}');
  expect(send).toHaveBeenCalledWith('c1', 'one\ntwo');
  expect(box().value).toBe('');
});

test('blank text is not sent', async () => {
  const { user, box, send } = await setUp();
  await user.type(box(), '  {Enter}');
  await user.click(screen.getByRole('button', { name: 'Send' }));
  expect(send).not.toHaveBeenCalled();
});

test('Enter belongs to the input method while it composes', async () => {
  const { user, box, send } = await setUp();
  await user.type(box(), 'にほん');
  fireEvent.keyDown(box(), { key: 'Enter', isComposing: true });
  fireEvent.keyDown(box(), { key: 'Enter', keyCode: 229 });
  expect(send).not.toHaveBeenCalled();
});

test('a draft waits where it was left, and appears in no other conversation', async () => {
  const first = await setUp();
  await first.user.type(first.box(), 'half a');
  cleanup();
  expect((await setUp()).box().value).toBe('half a');
});

test('arrow up edits the last message; Escape restores the draft', async () => {
  const chat = testChat();
  const { user, box, onEditLast, engine } = await setUp(chat);
  const stored = chat.server.store('me', 'teh bay', null);
  onEditLast.mockImplementation((begin) => begin(stored));
  const edit = jest.spyOn(engine, 'edit').mockResolvedValue();

  await user.type(box(), '{ArrowUp}');
  expect(screen.getAllByText('Editing message')).toHaveLength(1);
  expect(box().value).toBe('teh bay');
  await user.keyboard('{Escape}');
  expect(box().value).toBe('');

  await user.keyboard('{ArrowUp}');
  await user.clear(box());
  await user.keyboard('the bay{Enter}');
  expect(edit).toHaveBeenCalledWith(
    'm1',
    'the bay',
    { hasLink: false, mentions: [] },
    expect.objectContaining({ id: 'm1' }),
  );
});

test('arrow up with Alt is left to switching chats', async () => {
  const { user, box, onEditLast } = await setUp();
  await user.type(box(), '{Alt>}{ArrowUp}{/Alt}');
  expect(onEditLast).not.toHaveBeenCalled();
});

test('the caption of a picture can be removed, as pictures need none', async () => {
  const chat = testChat();
  const { user, box, composing, engine } = await setUp(chat);
  const edit = jest.spyOn(engine, 'edit').mockResolvedValue();
  act(() => composing().edit({ ...chat.server.store('me', 'The saddle', null), messageType: 'image' }));
  expect(box().placeholder).toBe('Add a caption...');
  await user.clear(box());
  await user.keyboard('{Enter}');
  expect(edit).toHaveBeenCalledWith('m1', '', { hasLink: false, mentions: [] }, expect.objectContaining({ id: 'm1' }));
});

test('a reply shows what it answers, is sent with the text, and is cancelled by Escape', async () => {
  const chat = testChat();
  const { user, box, send, composing } = await setUp(chat);
  const stored = chat.server.store('you', 'Shall we?', null);
  act(() => composing().reply(stored));
  expect(screen.getByText(/Replying to/)).toBeTruthy();
  expect(screen.getByText('Shall we?')).toBeTruthy();
  await user.type(box(), 'We shall{Enter}');
  expect(send).toHaveBeenCalledWith('c1', 'We shall', { replyTo: { seq: 1, messageId: 'm1', senderId: 'you' } });
  expect(screen.queryByText('Shall we?')).toBeNull();

  act(() => composing().reply(stored));
  await user.type(box(), '{Escape}');
  expect(screen.queryByText('Shall we?')).toBeNull();
});

test('a flag sent with the text marks that it has a link', async () => {
  const { user, box, send } = await setUp();
  await user.type(box(), 'See https://example.org{Enter}');
  expect(send).toHaveBeenCalledWith('c1', 'See https://example.org', { hasLink: true });
});

/** jsdom's own files cannot be read piece by piece, unlike those of browsers. */
const picture = (name: string) => new File(['picture'], name, { type: 'text/plain' });

test('attaching and recording are not offered if the installation supports neither', async () => {
  await setUp();
  expect(screen.queryByRole('button', { name: 'Attach' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Record a voice message' })).toBeNull();
});

test('a voice message is offered while the field is empty', async () => {
  sessionStore.getState().signedIn({ id: 'me' } as Self);
  featureStore.getState().setFeatures({ files: true, voiceNotes: true });
  const { user, box } = await setUp();
  expect(screen.getByRole('button', { name: 'Record a voice message' })).toBeTruthy();
  await user.type(box(), 'words');
  expect(screen.getByRole('button', { name: 'Send' })).toBeTruthy();
});

test('pasted files wait above the text field, which edits the caption of the selected one', async () => {
  // jsdom does not show files.
  URL.createObjectURL = () => 'blob:file';
  sessionStore.getState().signedIn({ id: 'me' } as Self);
  featureStore.getState().setFeatures({ files: true });
  const { user, box, send } = await setUp();
  await user.type(box(), 'The saddle');
  fireEvent.paste(box(), { clipboardData: { files: [picture('a.txt'), picture('b.txt')], getData: () => '' } });
  const second = await screen.findByRole('button', { name: /Write a caption for b\.txt/ });
  expect(box().value).toBe('The saddle');
  await user.click(second);
  expect(box().value).toBe('');
  await user.type(box(), 'The top');
  await user.click(screen.getByRole('button', { name: 'Send 2 files' }));
  await waitFor(() => expect(pendingAttachmentsStore.getState().byConversation['c1']).toBeUndefined(), {
    timeout: 10_000,
  });
  const sent = send.mock.calls.map(([, content, extras]) => [content, extras?.media?.name]);
  expect(sent).toEqual([
    ['The saddle', 'a.txt'],
    ['The top', 'b.txt'],
  ]);
  expect(send.mock.calls[1]?.[2]?.media?.after).toBe(send.mock.calls[0]?.[4]);
  expect(box().value).toBe('');
});
