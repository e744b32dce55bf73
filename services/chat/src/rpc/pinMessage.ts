import type { RpcHandler } from '@nolo/kit/rpc';
import type { MarkServiceService } from '@nolo/proto/marks';
import { limits } from '@nolo/rules';
import { actorFrom, messageFrom } from '../domain/actor.ts';
import { checkPin } from '../domain/marks.ts';
import { failChat, messageNotFound } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';
import { toMessageReply } from './replies.ts';

export function pinMessage({ marks, clock, wake }: Dependencies): RpcHandler<typeof MarkServiceService.pinMessage> {
  return async (request) => {
    const actorId = actorFrom(request.actorId);
    const messageId = messageFrom(request.messageId);
    const place = await marks.find(actorId, messageId);
    if (!place) throw messageNotFound();
    checkPin(place, request.pinned);
    const changed = await marks.pin(actorId, place.message, request.pinned, clock.now());
    if (changed === 'full') {
      throw failChat('conflict', 'too_many_pinned', 'As many messages are pinned as can be.', {
        max: limits.pinnedPerConversation,
      });
    }
    if (changed) {
      wake();
      return toMessageReply(changed);
    }
    const now = await marks.find(actorId, messageId);
    if (!now) throw messageNotFound();
    checkPin(now, request.pinned);
    return toMessageReply(now.message);
  };
}
