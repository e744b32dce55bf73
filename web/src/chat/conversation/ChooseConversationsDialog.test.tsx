/** @jest-environment jsdom */
import { jest } from '@jest/globals';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { testChat } from '../../testing/ChatTestProviders.tsx';
import { toasts } from '../../ui/toasts.ts';
import { ChooseConversationsDialog } from './ChooseConversationsDialog.tsx';

afterEach(() => {
  cleanup();
  localStorage.clear();
});

beforeAll(() => {
  globalThis.matchMedia = (media) =>
    Object.assign(new EventTarget(), { media, matches: true }) as unknown as MediaQueryList;
});

async function chooseAndSend(isConfirmed: boolean | Error) {
  const { server, engine, wrapper } = testChat();
  const { items } = await server.api.listConversations();
  // Groups, because direct conversations without a person cannot be written to.
  const conversations = items.map((row) => ({ ...row, type: 'group' as const, name: 'Walks' }));
  engine.store.setState({ conversations: Object.fromEntries(conversations.map((row) => [row.id, row])) });
  const [onSend, onClose] = [jest.fn(), jest.fn()];
  const dialog = (
    <ChooseConversationsDialog
      title="Send shared files"
      confirm={async () => {
        if (isConfirmed instanceof Error) throw isConfirmed;
        return isConfirmed;
      }}
      onSend={onSend}
      onClose={onClose}
    />
  );
  render(dialog, { wrapper });
  const user = userEvent.setup();
  await user.click(screen.getByRole('checkbox'));
  await user.click(screen.getByRole('button', { name: 'Forward' }));
  return { onSend, onClose };
}

test('a message is sent to the chosen conversations once the person confirms', async () => {
  const { onSend, onClose } = await chooseAndSend(true);
  expect([onSend.mock.calls, onClose.mock.calls.length]).toEqual([[['c1']], 1]);
});

test('the dialog stays open, with the chosen conversations, if the person cancels', async () => {
  const { onSend, onClose } = await chooseAndSend(false);
  expect([onSend.mock.calls, onClose.mock.calls]).toEqual([[], []]);
  expect(screen.getByRole<HTMLInputElement>('checkbox').checked).toBe(true);
});

test('a conversation in whose place there is another one cannot be chosen', async () => {
  const { server, engine, wrapper } = testChat();
  const { items } = await server.api.listConversations();
  const [row] = items.map((one) => ({ ...one, type: 'group' as const, name: 'Walks', isReplaced: true }));
  engine.store.setState({ conversations: { [row!.id]: row! } });
  render(<ChooseConversationsDialog title="Forward" onSend={() => undefined} onClose={() => undefined} />, { wrapper });
  expect(screen.queryByRole('checkbox')).toBeNull();
});

test('a message can be sent again if preparing it failed', async () => {
  const { onSend, onClose } = await chooseAndSend(new Error('The file is gone.'));
  expect([onSend.mock.calls, onClose.mock.calls]).toEqual([[], []]);
  expect(toasts.getState().toasts.map(({ title }) => title)).toEqual(['Failed to send message']);
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Forward' }).disabled).toBe(false);
});
