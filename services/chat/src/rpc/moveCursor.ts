import type { RpcHandler } from '@nolo/kit/rpc';
import type { ChatServiceService } from '@nolo/proto/chat';
import { conversationNotFound } from '../errors.ts';
import { actorFrom, conversationFrom } from '../domain/actor.ts';
import { clampSeq } from '../domain/cursor.ts';
import type { Dependencies } from './dependencies.ts';

export function moveCursor({ members, clock, wake }: Dependencies): RpcHandler<typeof ChatServiceService.moveCursor> {
  return async (request) => {
    const cursors = await members.moveCursor(
      actorFrom(request.actorId),
      conversationFrom(request.conversationId),
      { delivered: clampSeq(request.deliveredSeq ?? 0), read: clampSeq(request.readSeq ?? 0) },
      clock.now(),
    );
    if (!cursors) throw conversationNotFound();
    if (cursors.moved) wake();
    return { readSeq: cursors.readSeq, unreadCount: cursors.unreadCount };
  };
}
