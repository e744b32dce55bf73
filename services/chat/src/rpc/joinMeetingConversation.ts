import type { RpcHandler } from '@nolo/kit/rpc';
import type { ChatServiceService } from '@nolo/proto/chat';
import { memberRoles } from '@nolo/rules';
import { actorFrom, conversationFrom } from '../domain/actor.ts';
import { failChat } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';

export function joinMeetingConversation({
  meetingMembers,
  clock,
  wake,
}: Dependencies): RpcHandler<typeof ChatServiceService.joinMeetingConversation> {
  return async (request) => {
    const userId = actorFrom(request.userId);
    const conversationId = conversationFrom(request.conversationId);
    const role = memberRoles.find((one) => one === request.role) ?? 'member';
    if (!(await meetingMembers.join(conversationId, userId, role, clock.now()))) {
      throw failChat('forbidden', 'banned', 'You were removed from this meeting.');
    }
    wake();
    return {};
  };
}
