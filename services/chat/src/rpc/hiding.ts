import { parseActorId } from '@nolo/kit/ids';
import type { RpcHandler } from '@nolo/kit/rpc';
import type { MessageActionServiceDefinition } from '@nolo/proto/messageActions';
import { parseConversationId, parseMessageId } from '../domain/parseIds.ts';
import { conversationNotFound, messageNotFound } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';
import { toProtoMessage, toProtoConversationSettings } from './replies.ts';

export function hideMessage({
  hiding,
  clock,
  wake,
}: Dependencies): RpcHandler<typeof MessageActionServiceDefinition.methods.hideMessage> {
  return async (request) => {
    const hidden = await hiding.hide(parseActorId(request.actorId), parseMessageId(request.messageId), clock.now());
    if (!hidden) throw messageNotFound();
    wake();
    return toProtoMessage(hidden);
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
      parseConversationId(request.conversationId),
      request.fromList,
      clock.now(),
    );
    if (!settings) throw conversationNotFound();
    wake();
    return toProtoConversationSettings(settings);
  };
}
