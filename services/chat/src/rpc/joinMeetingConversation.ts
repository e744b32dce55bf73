import type { RpcHandler } from '@nolo/kit/rpc';
import type { ChatServiceService } from '@nolo/proto/chat';
import { actorFrom, conversationFrom } from '../domain/actor.ts';
import type { Dependencies } from './dependencies.ts';

export function joinMeetingConversation({
  conversations,
  clock,
  wake,
}: Dependencies): RpcHandler<typeof ChatServiceService.joinMeetingConversation> {
  return async (request) => {
    const userId = actorFrom(request.userId);
    const conversationId = conversationFrom(request.conversationId);
    await conversations.joinMeeting(conversationId, userId, request.role === 'owner' ? 'owner' : 'member', clock.now());
    wake();
    return {};
  };
}
