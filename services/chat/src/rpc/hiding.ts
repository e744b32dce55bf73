import { parseActorId } from '@nolo/kit/ids';
import type { RpcHandler } from '@nolo/kit/rpc';
import type { MessageActionServiceDefinition } from '@nolo/proto/messageActions';
import { conversationFrom, messageFrom } from '../domain/actor.ts';
import { conversationNotFound, messageNotFound } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';
import { toMessageReply, toSettingsReply } from './replies.ts';

export function hideMessage({
  hiding,
  clock,
  wake,
}: Dependencies): RpcHandler<typeof MessageActionServiceDefinition.methods.hideMessage> {
  return async (request) => {
    const hidden = await hiding.hide(parseActorId(request.actorId), messageFrom(request.messageId), clock.now());
    if (!hidden) throw messageNotFound();
    wake();
    return toMessageReply(hidden);
  };
}

export function clearConversation({
  hiding,
  clock,
  wake,
}: Dependencies): RpcHandler<typeof MessageActionServiceDefinition.methods.clearConversation> {
  return async (request) => {
    const settings = await hiding.clear(
      parseActorId(request.actorId),
      conversationFrom(request.conversationId),
      request.fromList,
      clock.now(),
    );
    if (!settings) throw conversationNotFound();
    wake();
    return toSettingsReply(settings);
  };
}
