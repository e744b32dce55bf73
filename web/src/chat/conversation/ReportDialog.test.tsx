/** @jest-environment jsdom */
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { testChat } from '../../testing/ChatTestProviders.tsx';
import { ReportDialog } from './ReportDialog.tsx';

afterEach(cleanup);

test('a video is left out, which the dialog states, and its text is included', async () => {
  const user = userEvent.setup();
  const requests: unknown[] = [];
  globalThis.fetch = (async (_: string, init?: { body?: string }) => {
    requests.push(JSON.parse(init?.body ?? ''));
    const body = { id: crypto.randomUUID() };
    return {
      ok: true,
      status: 201,
      headers: new Headers(),
      json: async () => body,
      text: async () => JSON.stringify(body),
    };
  }) as unknown as typeof fetch;
  // jsdom lacks these newer static methods of `AbortSignal`.
  AbortSignal.timeout ??= () => new AbortController().signal;
  AbortSignal.any ??= () => new AbortController().signal;
  const createdAt = '2026-11-27T06:00:00.000Z';
  const status = { id: 's', senderId: 'ada', createdAt, content: 'Look!', messageType: 'text' as const };
  const none = { fileName: null, voiceMessageTranscription: null, deletedAt: null };
  let closed = false;
  render(
    <ReportDialog
      kind="status"
      targetId="s"
      reportedId="ada"
      name="Ada"
      isVideo
      messages={[{ ...none, ...status } as never]}
      onClose={() => (closed = true)}
    />,
    { wrapper: testChat().wrapper },
  );
  screen.getByText(/The video isn’t included/);
  screen.getByText('Text');
  expect(screen.queryByText('Picture')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Report' }));
  await waitFor(() => expect(closed).toBe(true));
  expect(requests).toMatchObject([{ kind: 'status', messages: [{ text: 'Look!' }] }]);
  expect(requests[0]).not.toHaveProperty('picture');
});

test('an update without text offers no text', () => {
  const silent = { id: 's', senderId: 'ada', createdAt: '2026-11-27T06:00:00.000Z', content: ' ', deletedAt: null };
  render(
    <ReportDialog
      kind="status"
      targetId="s"
      name="Ada"
      isVideo
      messages={[silent as never]}
      onClose={() => undefined}
    />,
    { wrapper: testChat().wrapper },
  );
  expect(screen.queryByRole('checkbox')).toBeNull();
  expect(screen.queryByText('Text')).toBeNull();
});

test('reporting a group blocks the person who invited to it, and shows who that is', () => {
  render(
    <ReportDialog
      kind="group"
      targetId="g"
      name="Walkers"
      blockedName="Ada"
      messages={[]}
      onBlock={async () => undefined}
      onClose={() => undefined}
    />,
    { wrapper: testChat().wrapper },
  );
  screen.getByRole('checkbox', { name: 'Block Ada as well' });
});
