import type { ConversationId, UserId } from '@nolo/kit/ids';
import { createReceiptCursorQueue } from './receiptCursorQueue.ts';
import type { ReceiptCursorMove, MemberReceiptCursors } from './ports.ts';

const { jest } = import.meta;

const [one, other] = ['one', 'other'] as ConversationId[];
const [alice, bob, carol] = ['alice', 'bob', 'carol'] as UserId[];
if (!one || !other || !alice || !bob || !carol) throw new Error('unreachable');
const now = () => new Date(0);

/** Returns a store that replies when the test decides; `strangers` are not members. */
function slowStore({ isLarge = false, strangers = [] as UserId[] } = {}) {
  const calls: {
    id: string;
    moves: readonly ReceiptCursorMove[];
    answer: () => void;
    refuse: (error: Error) => void;
  }[] = [];
  const move = (id: ConversationId, moves: readonly ReceiptCursorMove[]) =>
    new Promise<MemberReceiptCursors[]>((resolve, reject) => {
      const known = moves.filter(({ userId }) => !strangers.includes(userId));
      const answer = () =>
        resolve(known.map(({ userId, read }) => ({ userId, readSeq: read, unreadCount: 0, moved: true, isLarge })));
      calls.push({ id, moves, answer, refuse: reject });
    });
  return { calls, move };
}

/** Waits for the queue, which lets one turn of the event loop pass before each batch. */
const settle = async () => {
  await new Promise(setImmediate);
  await new Promise(setImmediate);
};
const to = (userId: UserId, read: number, delivered = 0): ReceiptCursorMove => ({ userId, delivered, read });

test("moves that arrive during a statement are batched into the next, keeping each person's furthest", async () => {
  const { calls, move } = slowStore({ strangers: [carol] });
  const queue = createReceiptCursorQueue(move, now);
  const first = queue.move(one, to(alice, 1));
  await settle();
  const later = [to(bob, 2), to(alice, 3), to(alice, 2, 5), to(carol, 9)].map((one_) => queue.move(one, one_));
  const elsewhere = queue.move(other, to(bob, 7));
  await settle();
  expect(calls.map(({ id, moves }) => [id, moves])).toEqual([
    [one, [to(alice, 1)]],
    [other, [to(bob, 7)]],
  ]);
  calls.forEach(({ answer }) => answer());
  expect((await first)?.readSeq).toBe(1);
  expect((await elsewhere)?.readSeq).toBe(7);
  await settle();
  expect(calls[2]?.moves).toEqual([to(bob, 2), to(alice, 3, 5), to(carol, 9)]);
  calls[2]?.answer();
  expect((await Promise.all(later)).map((cursors) => cursors?.readSeq)).toEqual([2, 3, 3, undefined]);
});

test('a large group pauses between two statements', async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate'] });
  try {
    const { calls, move } = slowStore({ isLarge: true });
    const queue = createReceiptCursorQueue(move, now, { gatherMs: 500 });
    void queue.move(one, to(alice, 1));
    await settle();
    calls[0]?.answer();
    await settle();
    const gathered = [queue.move(one, to(bob, 1)), queue.move(one, to(carol, 1))];
    await settle();
    expect(calls).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(500);
    await settle();
    expect(calls[1]?.moves).toEqual([to(bob, 1), to(carol, 1)]);
    calls[1]?.answer();
    expect(await Promise.all(gathered)).toHaveLength(2);
    // All timers must have ended.
    await jest.advanceTimersByTimeAsync(500);
    expect(jest.getTimerCount()).toBe(0);
  } finally {
    jest.useRealTimers();
  }
});

test('a failed statement rejects only its own moves, and the next one continues', async () => {
  const { calls, move } = slowStore();
  const queue = createReceiptCursorQueue(move, now);
  const refused = queue.move(one, to(alice, 1));
  await settle();
  calls[0]?.refuse(new Error('gone'));
  await expect(refused).rejects.toThrow('gone');
  const next = queue.move(one, to(alice, 2));
  await settle();
  calls[1]?.answer();
  expect((await next)?.readSeq).toBe(2);
});
