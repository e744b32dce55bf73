import { packError, reportError, type RpcHandler } from '@nolo/kit/rpc';
import type { ChatServiceService, MoveCursorRequest, MovedCursor } from '@nolo/proto/chat';
import { tooManyCursors } from '../errors.ts';
import { actorFrom, conversationFrom } from '../domain/actor.ts';
import { clampSeq } from '../domain/cursor.ts';
import type { Dependencies } from './dependencies.ts';

const mostMoves = 2_000;
const noError = Buffer.alloc(0);

export function readMove({ actorId, conversationId, deliveredSeq = 0, readSeq = 0 }: MoveCursorRequest) {
  return {
    conversationId: conversationFrom(conversationId),
    move: { userId: actorFrom(actorId), delivered: clampSeq(deliveredSeq), read: clampSeq(readSeq) },
  };
}

export function moveCursors({ cursorQueue, wake }: Dependencies): RpcHandler<typeof ChatServiceService.moveCursors> {
  return async (request, { log }) => {
    if (request.moves.length > mostMoves) throw tooManyCursors();
    let anyMoved = false;
    const results = request.moves.map(readMove).map(async ({ conversationId, move }): Promise<MovedCursor[]> => {
      const about = { actorId: move.userId, conversationId };
      try {
        const cursors = await cursorQueue.move(conversationId, move);
        if (!cursors) return [];
        anyMoved ||= cursors.moved;
        return [{ ...about, readSeq: cursors.readSeq, unreadCount: cursors.unreadCount, error: noError }];
      } catch (error) {
        return [{ ...about, readSeq: 0, unreadCount: 0, error: packError(reportError(error, log)) }];
      }
    });
    const cursors = (await Promise.all(results)).flat();
    if (anyMoved) wake();
    return { cursors };
  };
}
