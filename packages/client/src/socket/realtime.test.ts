import { fakeTimers } from '../../tests/fakeTimers.ts';
import type { SocketHandlers } from '../ports.ts';
import { createRealtime, reconnectDelay, type RealtimeStatus } from './realtime.ts';

function setUp() {
  const clock = fakeTimers();
  const statuses: RealtimeStatus[] = [];
  const refused: boolean[] = [];
  const sent: string[] = [];
  const sockets: SocketHandlers[] = [];
  const realtime = createRealtime({
    timers: clock.timers,
    openSocket: (handlers) => {
      sockets.push(handlers);
      return { send: (text) => sent.push(text), close: () => {} };
    },
    onStatus: (status) => statuses.push(status),
    onFrame: () => {},
    onRefused: (certain) => refused.push(certain),
  });
  const hello = () =>
    sockets.at(-1)!.onFrame({ type: 'hello', data: { userId: 'me', sessionId: 's', pingIntervalMs: 25_000 } });
  return { clock, statuses, refused, sent, sockets, realtime, hello };
}

test('the delay doubles from one second, is capped at thirty, and carries a fifth of jitter', () => {
  expect([1, 2, 3, 4, 5, 6].map((attempt) => reconnectDelay(attempt, 0.5))).toEqual([
    1_000, 2_000, 4_000, 8_000, 16_000, 30_000,
  ]);
  expect(reconnectDelay(1, 0)).toBe(800);
  expect(reconnectDelay(1, 1)).toBeCloseTo(1_200);
});

test('a connection waits after five failed attempts, retries every thirty seconds, and reconnects', async () => {
  const { clock, statuses, sockets, realtime, hello } = setUp();
  realtime.start();
  hello();
  for (let failure = 1; failure <= 6; failure++) {
    sockets.at(-1)!.onClose(1006);
    if (failure <= 5) await clock.advance(reconnectDelay(failure, 0.5));
  }
  expect(statuses).toEqual(['connecting', 'open', 'reconnecting', 'waiting']);
  const before = sockets.length;
  await clock.advance(30_000);
  expect(sockets).toHaveLength(before + 1);
  hello();
  expect(statuses.at(-1)).toBe('open');
});

test('a server that shuts down sends clients to another at once, at the cost of no attempt', async () => {
  const { clock, statuses, refused, sockets, realtime, hello } = setUp();
  realtime.start();
  hello();
  sockets[0]!.onClose(4012);
  await clock.advance(500);
  expect(sockets).toHaveLength(2);
  hello();
  sockets[1]!.onClose(4012);
  await clock.advance(500);
  expect(sockets).toHaveLength(3);
  // Closed by a failure, the first one.
  sockets[2]!.onClose(1006);
  await clock.advance(reconnectDelay(1, 0.5));
  expect(sockets).toHaveLength(4);
  expect(statuses).not.toContain('waiting');
  expect(refused).toEqual([false]);
});

test('Retry connects at once', () => {
  const { sockets, realtime, hello } = setUp();
  realtime.start();
  hello();
  sockets[0]!.onClose(1006);
  realtime.retryNow();
  expect(sockets).toHaveLength(2);
});

test('a session ended by the server is not reconnected', async () => {
  const { clock, statuses, refused, sockets, realtime, hello } = setUp();
  realtime.start();
  hello();
  sockets[0]!.onClose(4001);
  await clock.advance(120_000);
  expect(sockets).toHaveLength(1);
  expect(statuses.at(-1)).toBe('stopped');
  expect(refused).toEqual([true]);
});

test('an unanswered ping reveals a half-open connection', async () => {
  const { clock, statuses, sent, realtime, hello } = setUp();
  realtime.start();
  hello();
  await clock.advance(25_000);
  expect(sent.map((text) => (JSON.parse(text) as { type: string }).type)).toEqual(['ping']);
  await clock.advance(10_000);
  expect(statuses.at(-1)).toBe('reconnecting');
});

test('stop cancels everything that was scheduled', () => {
  const { clock, realtime, hello } = setUp();
  realtime.start();
  hello();
  realtime.stop();
  expect(clock.pending).toBe(0);
});
