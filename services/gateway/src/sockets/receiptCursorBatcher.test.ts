import { AppError } from '@nolo/kit/errors';
import { packError } from '@nolo/kit/rpc';
import type { MoveCursorsReply, MoveCursorsRequest } from '@nolo/proto/receipts';
import { createReceiptCursorBatcher } from './receiptCursorBatcher.ts';

const { jest } = import.meta;

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['setImmediate'] });
});
afterEach(() => {
  jest.useRealTimers();
});

const none = Buffer.alloc(0);
const away = packError(new AppError('unavailable', 'storage_unavailable', 'Away.'));

const turn = () => new Promise(setImmediate);

/** Creates a chat in which everyone is in conversation "a" and every cursor moves as requested. */
function startChat(outcome: 'stored' | 'refused' = 'stored') {
  const calls: MoveCursorsRequest['moves'][] = [];
  const moveCursors = ({ moves }: MoveCursorsRequest): Promise<MoveCursorsReply> => {
    calls.push(moves);
    if (outcome === 'refused') return Promise.reject(new Error('away'));
    const cursors = moves
      .filter(({ conversationId }) => conversationId === 'a')
      .map(({ actorId, conversationId, readSeq = 0 }) => ({
        actorId,
        conversationId,
        readSeq,
        unreadCount: 0,
        error: actorId === 'unlucky' ? away : none,
      }));
    return Promise.resolve({ cursors });
  };
  return { calls, chat: { moveCursors } as Parameters<typeof createReceiptCursorBatcher>[0] };
}

test("batches moves within a moment into one call, keeps each person's furthest, and answers each", async () => {
  const { calls, chat } = startChat();
  const gatherer = createReceiptCursorBatcher(chat);
  const answers = [
    gatherer.move('alice', [
      { conversationId: 'a', readSeq: 3 },
      { conversationId: 'b', deliveredSeq: 7 },
    ]),
    gatherer.move('bob', [{ conversationId: 'a', readSeq: 2 }]),
    gatherer.move('alice', [{ conversationId: 'a', readSeq: 1, deliveredSeq: 5 }]),
  ];
  await jest.advanceTimersByTimeAsync(250);
  expect(calls).toEqual([
    [
      { actorId: 'alice', conversationId: 'a', deliveredSeq: 5, readSeq: 3 },
      { actorId: 'alice', conversationId: 'b', deliveredSeq: 7, readSeq: 0 },
      { actorId: 'bob', conversationId: 'a', deliveredSeq: 0, readSeq: 2 },
    ],
  ]);
  const alice = { actorId: 'alice', conversationId: 'a', readSeq: 3, unreadCount: 0, error: none };
  expect(await Promise.all(answers)).toEqual([[alice], [{ ...alice, actorId: 'bob', readSeq: 2 }], [alice]]);
});

test('moves just after a call are collected for the next', async () => {
  const { calls, chat } = startChat();
  const gatherer = createReceiptCursorBatcher(chat);
  await gatherer.move('alice', [{ conversationId: 'a', readSeq: 1 }]);
  const later = ['bob', 'cem'].map((who) => gatherer.move(who, [{ conversationId: 'a', readSeq: 1 }]));
  await jest.advanceTimersByTimeAsync(249);
  await turn();
  expect(calls).toHaveLength(1);
  await jest.advanceTimersByTimeAsync(1);
  expect((await Promise.all(later)).flat()).toHaveLength(2);
  expect(calls.map((moves) => moves.length)).toEqual([1, 2]);
});

test('a failed move does not affect the others in the call', async () => {
  const { chat } = startChat();
  const gatherer = createReceiptCursorBatcher(chat);
  const [unlucky, alice] = ['unlucky', 'alice'].map((who) => gatherer.move(who, [{ conversationId: 'a', readSeq: 1 }]));
  const outcomes = Promise.allSettled([unlucky]);
  await jest.advanceTimersByTimeAsync(250);
  expect(await outcomes).toMatchObject([{ status: 'rejected', reason: { code: 'storage_unavailable' } }]);
  expect(await alice).toMatchObject([{ actorId: 'alice', readSeq: 1 }]);
});

test('a call has a maximum size, and further moves go in parallel', async () => {
  const { calls, chat } = startChat();
  const gatherer = createReceiptCursorBatcher(chat);
  const all = Array.from({ length: 4_000 }, (_, index) =>
    gatherer.move(`${index}`, [{ conversationId: 'a', readSeq: 1 }]),
  );
  await jest.advanceTimersByTimeAsync(250);
  expect((await Promise.all(all)).flat()).toHaveLength(4_000);
  expect(Math.max(...calls.map((moves) => moves.length))).toBeLessThanOrEqual(2_000);
  expect(calls).toHaveLength(2);
});

test('a failed call rejects only its own moves', async () => {
  const { chat } = startChat('refused');
  const gatherer = createReceiptCursorBatcher(chat);
  const refused = gatherer.move('alice', [{ conversationId: 'a', readSeq: 1 }]).catch((error: Error) => error.message);
  await jest.advanceTimersByTimeAsync(250);
  expect(await refused).toBe('away');
});

test('collected moves are sent before shutdown', async () => {
  const { calls, chat } = startChat();
  const gatherer = createReceiptCursorBatcher(chat);
  await gatherer.move('alice', [{ conversationId: 'a', readSeq: 1 }]);
  const moved = gatherer.move('alice', [{ conversationId: 'a', readSeq: 2 }]);
  await gatherer.stop();
  expect(calls).toHaveLength(2);
  expect(await moved).toHaveLength(1);
  expect(jest.getTimerCount()).toBe(0);
});
