import { newId, type ConversationId } from '@nolo/kit/ids';
import { createLog } from '@nolo/kit/log';
import { sendContended } from '../errors.ts';
import type { MemberReceiptCursors } from '../domain/ports.ts';
import { moveCursors } from './receipts.ts';

const [calm, crowded] = [newId<ConversationId>(), newId<ConversationId>()];
const actorId = newId();

const moves = (...ids: string[]) => ({
  moves: ids.map((conversationId) => ({ actorId, conversationId, deliveredSeq: 0, readSeq: 3 })),
});

const call = moveCursors({
  cursorQueue: {
    move: (id, { userId }): Promise<MemberReceiptCursors> =>
      id === crowded
        ? Promise.reject(sendContended())
        : Promise.resolve({ userId, readSeq: 3, unreadCount: 0, moved: false, isLarge: false }),
  },
} as Parameters<typeof moveCursors>[0]);
const context = { log: createLog({ service: 'test', level: 'silent' }) } as Parameters<typeof call>[1];

test('a cursor that cannot be moved does not affect the others', async () => {
  const { cursors } = await call(moves(calm, crowded), context);
  expect(cursors.map(({ conversationId, readSeq, error }) => [conversationId, readSeq, error !== undefined])).toEqual([
    [calm, 3, false],
    [crowded, 0, true],
  ]);
});
