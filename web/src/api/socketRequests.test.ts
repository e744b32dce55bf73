import { fakeTimers, settle } from '../../tests/fakeTimers.ts';
import { createSocketLine } from './socketRequests.ts';

function setUp() {
  const clock = fakeTimers();
  const written: { type: string; id?: string; data: object }[] = [];
  const line = createSocketLine({ timers: clock.timers, write: (frame) => written.push(frame) });
  return { clock, written, line };
}

test('an answer finds its request, whatever the order', async () => {
  const { line, written } = setUp();
  line.setOpen(true);
  const first = line.request('ping', {});
  const second = line.request('ping', {});
  const [one, two] = written;
  line.receive({ type: 'ack', id: two!.id!, data: { which: 2 } });
  line.receive({ type: 'ack', id: one!.id!, data: { which: 1 } });
  await expect(first).resolves.toEqual({ which: 1 });
  await expect(second).resolves.toEqual({ which: 2 });
});

test('a refusal rejects with the server’s code and time to wait', async () => {
  const { line, written } = setUp();
  line.setOpen(true);
  const asked = line.request('ping', {});
  line.receive({
    type: 'error',
    id: written[0]!.id!,
    data: { code: 'media_unavailable', message: 'Wait.', retryAfterMs: 2_000 },
  });
  await expect(asked).rejects.toMatchObject({ code: 'media_unavailable', retryAfterMs: 2_000, offTheLine: false });
});

test('what is asked while the line is away, or when it breaks, is rejected at once', async () => {
  const { line, clock } = setUp();
  await expect(line.request('ping', {})).rejects.toMatchObject({ code: 'disconnected', offTheLine: true });
  line.setOpen(true);
  const asked = line.request('ping', {});
  line.setOpen(false);
  await expect(asked).rejects.toMatchObject({ code: 'disconnected' });
  expect(clock.pending).toBe(0);
});

test('an answer that does not come in time is a timeout, and a late one is nobody’s', async () => {
  const { line, clock, written } = setUp();
  line.setOpen(true);
  const asked = line.request('ping', {}, 500);
  const outcome = asked.catch((error: unknown) => error);
  await clock.advance(500);
  expect(await outcome).toMatchObject({ code: 'timeout' });
  line.receive({ type: 'ack', id: written[0]!.id!, data: {} });
  await settle();
});

test('frames go to those who asked for their type, as long as they want', () => {
  const { line } = setUp();
  const heard: string[] = [];
  const end = line.subscribe('conversation_created', ({ conversationId }) => heard.push(conversationId));
  line.receive({ type: 'conversation_created', data: { conversationId: 'a' } });
  line.receive({ type: 'contacts_changed', data: {} });
  end();
  line.receive({ type: 'conversation_created', data: { conversationId: 'b' } });
  expect(heard).toEqual(['a']);
});

test('watchers hear each change once', () => {
  const { line } = setUp();
  const changes: boolean[] = [];
  line.onChange((open) => changes.push(open));
  line.setOpen(true);
  line.setOpen(true);
  line.setOpen(false);
  expect(changes).toEqual([true, false]);
});
