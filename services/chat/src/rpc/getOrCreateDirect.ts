import { parseId, type UserId } from '@nolo/kit/ids';
import type { RpcHandler } from '@nolo/kit/rpc';
import type { ChatServiceService } from '@nolo/proto/chat';
import { conversationNotFound, failChat } from '../errors.ts';
import { actorFrom } from '../domain/actor.ts';
import type { Dependencies } from './dependencies.ts';
import { toConversationReply } from './replies.ts';

/** The same answer for a block in either direction as for someone who does not exist. */
const unavailable = () => failChat('forbidden', 'user_unavailable', 'This person cannot be messaged.');

export function getOrCreateDirect({
  conversations,
  clock,
  wake,
}: Dependencies): RpcHandler<typeof ChatServiceService.getOrCreateDirect> {
  return async (request) => {
    const actorId = actorFrom(request.actorId);
    const otherId = parseId<UserId>(request.otherUserId);
    if (!otherId) throw unavailable();
    if (otherId === actorId) {
      throw failChat('invalid', 'conversation_with_self', 'A conversation needs another person.');
    }
    const direct = await conversations.getOrCreateDirect(actorId, otherId, clock.now());
    if (!direct) throw unavailable();
    if (direct.created) wake();
    const view = await conversations.find(actorId, direct.id);
    if (!view) throw conversationNotFound();
    return { conversation: toConversationReply(view, actorId), created: direct.created };
  };
}
