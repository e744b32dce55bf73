import type { RpcHandler } from '@nolo/kit/rpc';
import type { MarkServiceService } from '@nolo/proto/marks';
import { actorFrom, messageFrom } from '../domain/actor.ts';
import { checkEmoji, checkReaction } from '../domain/marks.ts';
import { failChat, messageNotFound } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';
import { toMessageReply } from './replies.ts';

export function setReaction({ marks, clock, wake }: Dependencies): RpcHandler<typeof MarkServiceService.setReaction> {
  return async (request) => {
    const actorId = actorFrom(request.actorId);
    const messageId = messageFrom(request.messageId);
    const emoji = request.emoji === '' ? null : checkEmoji(request.emoji);
    const place = await marks.find(actorId, messageId);
    if (!place) throw messageNotFound();
    // Taking one's own back is possible always; a tombstone has none.
    if (emoji !== null) checkReaction(place);
    const changed = await marks.react(actorId, messageId, emoji, clock.now());
    if (changed) {
      wake();
      return toMessageReply(changed);
    }
    const now = await marks.find(actorId, messageId);
    if (!now) throw messageNotFound();
    if (emoji === null) return toMessageReply(now.message);
    checkReaction(now);
    if (!now.message.reactions.some((reaction) => reaction.userId === actorId && reaction.emoji === emoji)) {
      throw failChat('conflict', 'too_many_reactions', 'This message has as many reactions as it can have.');
    }
    return toMessageReply(now.message);
  };
}
