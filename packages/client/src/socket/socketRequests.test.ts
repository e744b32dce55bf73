import { fakeTimers, settlePromises } from '../../tests/fakeTimers.ts';
import { createSocketConnection } from './socketRequests.ts';

function setUp() {
  const clock = fakeTimers();
  const written: { type: string; id?: string; data: object }[] = [];
  const socket = createSocketConnection({ timers: clock.timers, write: (frame) => written.push(frame) });
  return { clock, written, socket };
}

test('an answer finds its request in any order', async () => {
  const { socket, written } = setUp();
  socket.setOpen(true);
  const first = socket.request('ping', {});
  const second = socket.request('ping', {});
  const [one, two] = written;
  socket.receive({ type: 'ack', id: two!.id!, data: { which: 2 } });
  socket.receive({ type: 'ack', id: one!.id!, data: { which: 1 } });
  await expect(first).resolves.toEqual({ which: 1 });
  await expect(second).resolves.toEqual({ which: 2 });
});

test('a refusal rejects with the code and the time to wait from the server', async () => {
  const { socket, written } = setUp();
  socket.setOpen(true);
  const request = socket.request('ping', {});
  socket.receive({
    type: 'error',
    id: written[0]!.id!,
    data: { code: 'media_unavailable', message: 'Wait.', retryAfterMs: 2_000 },
  });
  await expect(request).rejects.toMatchObject({
    code: 'media_unavailable',
    retryAfterMs: 2_000,
    isConnectionFailure: false,
  });
});

test('requests are rejected at once while the connection is down or when it breaks', async () => {
  const { socket, clock } = setUp();
  await expect(socket.request('ping', {})).rejects.toMatchObject({ code: 'disconnected', isConnectionFailure: true });
  socket.setOpen(true);
  const request = socket.request('ping', {});
  socket.setOpen(false);
  await expect(request).rejects.toMatchObject({ code: 'disconnected' });
  expect(clock.pending).toBe(0);
});

test('a missing answer times out, and a late one is dropped', async () => {
  const { socket, clock, written } = setUp();
  socket.setOpen(true);
  const request = socket.request('ping', {}, 500);
  const outcome = request.catch((error: unknown) => error);
  await clock.advance(500);
  expect(await outcome).toMatchObject({ code: 'timeout' });
  socket.receive({ type: 'ack', id: written[0]!.id!, data: {} });
  await settlePromises();
});

test('frames go to the listeners for their type, until they unsubscribe', () => {
  const { socket } = setUp();
  const receivedIds: string[] = [];
  const end = socket.subscribe('conversation_created', ({ conversationId }) => receivedIds.push(conversationId));
  socket.receive({ type: 'conversation_created', data: { conversationId: 'a' } });
  socket.receive({ type: 'contacts_changed', data: {} });
  end();
  socket.receive({ type: 'conversation_created', data: { conversationId: 'b' } });
  expect(receivedIds).toEqual(['a']);
});

test('watchers are notified of each change once', () => {
  const { socket } = setUp();
  const changes: boolean[] = [];
  socket.onChange((open) => changes.push(open));
  socket.setOpen(true);
  socket.setOpen(true);
  socket.setOpen(false);
  expect(changes).toEqual([true, false]);
});
