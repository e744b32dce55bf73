import { fakeTimers, settlePromises } from '../../tests/fakeTimers.ts';
import { createSocketConnection } from './socketRequests.ts';

function setUp() {
  const clock = fakeTimers();
  const written: { type: string; id?: string; data: object }[] = [];
  const socket = createSocketConnection({ timers: clock.timers, write: (frame) => written.push(frame) });
  return { clock, written, socket };
}

test('an answer finds its request, whatever the order', async () => {
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

test('a refusal rejects with the server’s code and time to wait', async () => {
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

test('what is asked while the line is away, or when it breaks, is rejected at once', async () => {
  const { socket, clock } = setUp();
  await expect(socket.request('ping', {})).rejects.toMatchObject({ code: 'disconnected', isConnectionFailure: true });
  socket.setOpen(true);
  const request = socket.request('ping', {});
  socket.setOpen(false);
  await expect(request).rejects.toMatchObject({ code: 'disconnected' });
  expect(clock.pending).toBe(0);
});

test('an answer that does not come in time is a timeout, and a late one is nobody’s', async () => {
  const { socket, clock, written } = setUp();
  socket.setOpen(true);
  const request = socket.request('ping', {}, 500);
  const outcome = request.catch((error: unknown) => error);
  await clock.advance(500);
  expect(await outcome).toMatchObject({ code: 'timeout' });
  socket.receive({ type: 'ack', id: written[0]!.id!, data: {} });
  await settlePromises();
});

test('frames go to those who asked for their type, as long as they want', () => {
  const { socket } = setUp();
  const receivedIds: string[] = [];
  const end = socket.subscribe('conversation_created', ({ conversationId }) => receivedIds.push(conversationId));
  socket.receive({ type: 'conversation_created', data: { conversationId: 'a' } });
  socket.receive({ type: 'contacts_changed', data: {} });
  end();
  socket.receive({ type: 'conversation_created', data: { conversationId: 'b' } });
  expect(receivedIds).toEqual(['a']);
});

test('watchers hear each change once', () => {
  const { socket } = setUp();
  const changes: boolean[] = [];
  socket.onChange((open) => changes.push(open));
  socket.setOpen(true);
  socket.setOpen(true);
  socket.setOpen(false);
  expect(changes).toEqual([true, false]);
});
