import type { RpcHandler } from '@nolo/kit/rpc';
import type { ChatServiceService, MoveCursorRequest } from '@nolo/proto/chat';
import { tooManyCursors } from '../errors.ts';
import { actorFrom, conversationFrom } from '../domain/actor.ts';
import { clampSeq } from '../domain/cursor.ts';
import type { Dependencies } from './dependencies.ts';

const mostMoves = 2_000;

export function readMove({ actorId, conversationId, deliveredSeq = 0, readSeq = 0 }: MoveCursorRequest) {
  return {
    conversationId: conversationFrom(conversationId),
    move: { userId: actorFrom(actorId), delivered: clampSeq(deliveredSeq), read: clampSeq(readSeq) },
  };
}

export function moveCursors({ cursorQueue, wake }: Dependencies): RpcHandler<typeof ChatServiceService.moveCursors> {
  return async (request) => {
    if (request.moves.length > mostMoves) throw tooManyCursors();
    const results = await Promise.all(
      request.moves.map(readMove).map(async ({ conversationId, move }) => {
        const cursors = await cursorQueue.move(conversationId, move);
        return { conversationId, cursors };
      }),
    );
    if (results.some(({ cursors }) => cursors?.moved)) wake();
    return {
      cursors: results.flatMap(({ conversationId, cursors }) =>
        cursors
          ? [{ actorId: cursors.userId, conversationId, readSeq: cursors.readSeq, unreadCount: cursors.unreadCount }]
          : [],
      ),
    };
  };
}
