/** @jest-environment jsdom */
import { act, cleanup, render, renderHook, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { testChat } from '../../testing/ChatTestProviders.tsx';
import { toasts } from '../../ui/toasts.ts';
import { DeleteMessagesDialog } from './DeleteMessagesDialog.tsx';
import { useComposerMode } from './useComposerMode.ts';
import { toMessageRights } from './useMessageActions.ts';

afterEach(() => {
  cleanup();
  toasts.getState().dismiss();
});

const getToastTitle = () => toasts.getState().toasts.find(({ open }) => open)?.title;

test('a message that could not be deleted reports it, and stays', async () => {
  const { server, engine, wrapper } = testChat();
  const message = server.store('me', 'Hello', null);
  let closed = false;
  render(<DeleteMessagesDialog messages={[message]} forMe={false} onClose={() => (closed = true)} />, { wrapper });
  server.failNextRequest({ status: 0 });
  await userEvent.click(screen.getByRole('button', { name: 'Delete' }));
  expect((await screen.findByRole('alert')).textContent).toBe('Failed to delete message');
  expect(getToastTitle()).toBeUndefined();
  expect(closed).toBe(false);
  expect((await engine.internals.core.api.listMessages('c1', {})).items.map(({ content }) => content)).toEqual([
    'Hello',
  ]);
});

test('an edit that could not be saved reports it, and the text stays to be sent again', async () => {
  const { server, wrapper } = testChat();
  const message = server.store('me', 'Hello', null);
  const { result } = renderHook(useComposerMode, { wrapper });
  act(() => result.current.edit(message));
  server.failNextRequest({ status: 0 });
  await act(async () => expect(await result.current.save('Hello all', {})).toBe(false));
  expect(getToastTitle()).toBe('Failed to edit message');
  expect(result.current.edited).toBe(message);
  await act(async () => expect(await result.current.save('Hello all', {})).toBe(true));
  expect(result.current.edited).toBeNull();
});

test('the author of an approved message deletes it, and nobody edits it', () => {
  const { server, engine } = testChat();
  const message = server.store('me', 'https://a.example', null);
  const conversation = engine.store.getState().conversations['c1']!;
  const group = { ...conversation, type: 'group', myRole: 'member' } as const;
  const rightsOf = (approved: object) =>
    toMessageRights({ ...message, ...approved }, group, 'me', Date.parse(message.createdAt));
  expect(rightsOf({})).toMatchObject({ edit: true, remove: true });
  const opening = { state: 'open', rowHash: 'row', sentAt: 0, late: false, outOfOrder: false, pinnedBy: null };
  expect(rightsOf({ opening: { ...opening, approvedBy: 'you' } })).toMatchObject({ edit: false, remove: true });
  const approvedByMe = { senderId: 'you', opening: { ...opening, approvedBy: 'me' } };
  expect(rightsOf(approvedByMe)).toMatchObject({ edit: false, remove: false });
});
