import type { RpcHandler } from '@nolo/kit/rpc';
import type { ChatServiceService } from '@nolo/proto/chat';
import { conversationNotFound } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';
import { readMove } from './moveCursors.ts';

export function moveCursor({ cursorQueue, wake }: Dependencies): RpcHandler<typeof ChatServiceService.moveCursor> {
  return async (request) => {
    const { conversationId, move } = readMove(request);
    const cursors = await cursorQueue.move(conversationId, move);
    if (!cursors) throw conversationNotFound();
    if (cursors.moved) wake();
    return { readSeq: cursors.readSeq, unreadCount: cursors.unreadCount };
  };
}
