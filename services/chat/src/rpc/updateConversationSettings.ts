import type { RpcHandler } from '@nolo/kit/rpc';
import type { MarkServiceService } from '@nolo/proto/marks';
import { limits } from '@nolo/rules';
import { actorFrom, conversationFrom } from '../domain/actor.ts';
import { conversationNotFound, failChat } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';
import { toSettingsReply } from './replies.ts';

export function updateConversationSettings({
  settings,
  clock,
  wake,
}: Dependencies): RpcHandler<typeof MarkServiceService.updateConversationSettings> {
  return async ({ archived, pinned, mutedUntil, unmute, markedUnread, ...request }) => {
    const outcome = await settings.change(
      actorFrom(request.actorId),
      conversationFrom(request.conversationId),
      {
        ...(archived === undefined ? {} : { archived }),
        ...(pinned === undefined ? {} : { pinned }),
        ...(unmute ? { mutedUntil: null } : mutedUntil === undefined ? {} : { mutedUntil }),
        ...(markedUnread === undefined ? {} : { markedUnread }),
      },
      clock.now(),
    );
    if (!outcome) throw conversationNotFound();
    if (outcome === 'full') {
      throw failChat('conflict', 'too_many_pinned', 'As many conversations are pinned as can be.', {
        max: limits.pinnedConversationsPerUser,
      });
    }
    if (outcome.changed) wake();
    return toSettingsReply(outcome.settings);
  };
}
