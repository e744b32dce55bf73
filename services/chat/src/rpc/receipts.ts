import { parseActorId } from '@nolo/kit/ids';
import { packError, logOutgoingError, type RpcHandler } from '@nolo/kit/rpc';
import type { ChatServiceDefinition } from '@nolo/proto/chat';
import type { MoveCursorRequest, MovedCursor } from '@nolo/proto/receipts';
import { parseConversationId } from '../domain/parseIds.ts';
import { clampSeq } from '../domain/cursor.ts';
import { conversationNotFound, tooManyCursors } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';

export function moveCursor({
  cursorQueue,
  wake,
}: Dependencies): RpcHandler<typeof ChatServiceDefinition.methods.moveCursor> {
  return async (request) => {
    const { conversationId, move } = readMove(request);
    const cursors = await cursorQueue.move(conversationId, move);
    if (!cursors) throw conversationNotFound();
    if (cursors.moved) wake();
    return { readSeq: cursors.readSeq, unreadCount: cursors.unreadCount };
  };
}

const maxMovesPerCall = 2_000;

function readMove({ actorId, conversationId, deliveredSeq = 0, readSeq = 0 }: MoveCursorRequest) {
  return {
    conversationId: parseConversationId(conversationId),
    move: { userId: parseActorId(actorId), delivered: clampSeq(deliveredSeq), read: clampSeq(readSeq) },
  };
}

export function moveCursors({
  cursorQueue,
  wake,
}: Dependencies): RpcHandler<typeof ChatServiceDefinition.methods.moveCursors> {
  return async (request, { log }) => {
    if (request.moves.length > maxMovesPerCall) throw tooManyCursors();
    let anyMoved = false;
    const results = request.moves.map(readMove).map(async ({ conversationId, move }): Promise<MovedCursor[]> => {
      const about = { actorId: move.userId, conversationId };
      try {
        const cursors = await cursorQueue.move(conversationId, move);
        if (!cursors) return [];
        anyMoved ||= cursors.moved;
        return [{ ...about, readSeq: cursors.readSeq, unreadCount: cursors.unreadCount }];
      } catch (error) {
        return [{ ...about, readSeq: 0, unreadCount: 0, error: packError(logOutgoingError(error, log)) }];
      }
    });
    const cursors = (await Promise.all(results)).flat();
    if (anyMoved) wake();
    return { cursors };
  };
}

export function setTyping({
  members,
  sendFrame,
}: Dependencies): RpcHandler<typeof ChatServiceDefinition.methods.setTyping> {
  return async (request) => {
    const actorId = parseActorId(request.actorId);
    const conversationId = parseConversationId(request.conversationId);
    const recipients = await members.typingAudience(actorId, conversationId);
    if (!recipients) throw conversationNotFound();
    if (recipients.length > 0) {
      await sendFrame({
        recipients,
        frame: { type: request.typing ? 'typing_start' : 'typing_stop', data: { conversationId, userId: actorId } },
        scope: conversationId,
      });
    }
    return {};
  };
}
