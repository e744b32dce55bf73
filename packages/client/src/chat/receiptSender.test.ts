import { limits } from '@nolo/rules';
import type { ChatCore } from './chatCore.ts';
import { createReceiptSender } from './receiptSender.ts';
import type { ReceiptCursors } from './ports.ts';

/** Creates rows with `memberCount` members and last message `lastSeq`. The test controls the time. */
function underTest({ memberCount = 2, lastSeq = 9, deliveredSeq = 0 } = {}) {
  let now = 0;
  let timers: { at: number; run: () => void }[] = [];
  const sentMoves: { over: 'socket' | 'http'; cursors: ReceiptCursors[] }[] = [];
  const socket = {
    isOpen: true,
    refuse: false,
    request: (_type: string, { cursors }: { cursors: ReceiptCursors[] }) => {
      if (socket.refuse) return Promise.reject(new Error('away'));
      sentMoves.push({ over: 'socket', cursors });
      return Promise.resolve({});
    },
  };
  const core = {
    selfId: 'me',
    api: {
      moveCursors: (cursors: ReceiptCursors[]) => {
        sentMoves.push({ over: 'http', cursors });
        return Promise.resolve();
      },
    },
    row: (id: string) =>
      id === 'none' ? undefined : { lastSeq, memberCount, members: [{ userId: 'me', deliveredSeq }] },
    timers: {
      now: () => now,
      after: (ms: number, run: () => void) => {
        const timer = { at: now + ms, run };
        timers.push(timer);
        return () => {
          timers = timers.filter((one) => one !== timer);
        };
      },
    },
  };
  const cursors = createReceiptSender(
    core as unknown as ChatCore,
    socket as unknown as Parameters<typeof createReceiptSender>[1],
  );
  const pass = async (ms: number) => {
    now += ms;
    const due = timers.filter(({ at }) => at <= now);
    timers = timers.filter(({ at }) => at > now);
    for (const { run } of due) run();
    await new Promise(setImmediate);
  };
  return { cursors, socket, pass, sentMoves };
}

const move = (conversationId: string, deliveredSeq: number, readSeq: number) => ({
  conversationId,
  deliveredSeq,
  readSeq,
});

test('simultaneous cursors go in one call, and later reads a little after it', async () => {
  const { cursors, pass, sentMoves } = underTest();
  for (const id of ['a', 'b', 'none']) cursors.arrived(id);
  cursors.read('a', 5);
  await pass(100);
  expect(sentMoves).toEqual([{ over: 'socket', cursors: [move('a', 9, 5), move('b', 9, 0)] }]);
  cursors.read('a', 6);
  cursors.read('a', 8);
  await pass(500);
  expect(sentMoves).toHaveLength(1);
  await pass(100);
  expect(sentMoves[1]?.cursors).toEqual([move('a', 9, 8)]);
});

test('a delivered cursor waits longer than a read one, and is sent along with it', async () => {
  const { cursors, pass, sentMoves } = underTest();
  cursors.read('b', 1);
  await pass(100);
  cursors.arrived('a');
  await pass(1_000);
  expect(sentMoves).toHaveLength(1);
  cursors.read('b', 2);
  await pass(100);
  expect(sentMoves[1]?.cursors).toEqual([move('a', 9, 0), move('b', 0, 2)]);
  cursors.read('b', 3);
  cursors.arrived('c');
  await pass(600);
  expect(sentMoves).toHaveLength(3);
});

test('cursors that were sent, or that the server knows, are not sent again', async () => {
  const { cursors, pass, sentMoves } = underTest({ deliveredSeq: 9 });
  cursors.arrived('a');
  await pass(10_000);
  expect(sentMoves).toEqual([]);
  cursors.read('a', 3);
  await pass(10_000);
  cursors.read('a', 3);
  cursors.read('a', 2);
  await pass(10_000);
  expect(sentMoves).toHaveLength(1);
});

test('a large group gets no delivered cursors', async () => {
  const { cursors, pass, sentMoves } = underTest({ memberCount: limits.receiptsToAllMembers + 1 });
  cursors.arrived('a');
  await pass(10_000);
  expect(sentMoves).toEqual([]);
});

test('conversations beyond the limit of one call take turns', async () => {
  const { cursors, pass, sentMoves } = underTest();
  for (let index = 0; index < limits.cursorsAtOnce + 1; index += 1) cursors.arrived(`c${index}`);
  await pass(100);
  await pass(2_000);
  expect(sentMoves.map((call) => call.cursors.length)).toEqual([limits.cursorsAtOnce, 1]);
});

test('cursors without a socket go over HTTP, and lost ones are sent when the connection is back', async () => {
  const { cursors, socket, pass, sentMoves } = underTest();
  socket.isOpen = false;
  cursors.read('a', 1);
  await pass(100);
  expect(sentMoves).toEqual([{ over: 'http', cursors: [move('a', 0, 1)] }]);
  socket.isOpen = true;
  socket.refuse = true;
  cursors.read('a', 2);
  await pass(2_000);
  socket.refuse = false;
  await pass(60_000);
  expect(sentMoves).toHaveLength(1);
  cursors.sendWaiting();
  await pass(100);
  expect(sentMoves[1]).toEqual({ over: 'socket', cursors: [move('a', 0, 2)] });
});
