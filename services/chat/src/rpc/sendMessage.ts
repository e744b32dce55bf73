import type { ConversationId } from '@nolo/kit/ids';
import type { RpcHandler } from '@nolo/kit/rpc';
import { sampledTraceparent } from '@nolo/kit/tracing';
import type { ChatServiceService } from '@nolo/proto/chat';
import type * as proto from '@nolo/proto/conversation';
import {
  conversationNotFound,
  failChat,
  filesRefused,
  messageBlocked,
  messageRejected,
  tooManyHeld,
} from '../errors.ts';
import { actorFrom, conversationFrom } from '../domain/actor.ts';
import { checkDraft, type Draft } from '../domain/message.ts';
import type { Dependencies } from './dependencies.ts';
import { toHeldReply, toMessageReply } from './replies.ts';

const clientMessageIdReused = () =>
  failChat(
    'conflict',
    'client_message_id_reused',
    'This client message id belongs to a message in another conversation.',
  );

export function sendMessage({
  sendQueue,
  held,
  clock,
  onStored,
  wake,
}: Dependencies): RpcHandler<typeof ChatServiceService.sendMessage> {
  /** The first time it begins to wait; again it is told what became of it. */
  const waitForApproval = async (conversationId: ConversationId, draft: Draft): Promise<proto.Message> => {
    const sent =
      draft.clientMessageId === null ? undefined : await held.findSent(draft.senderId, draft.clientMessageId);
    if (sent === 'rejected') throw messageRejected();
    if (sent && sent.conversationId !== conversationId) throw clientMessageIdReused();
    if (sent) return toHeldReply(sent);
    const outcome = await held.hold(conversationId, draft, clock.now());
    if (outcome.kind === 'full') throw tooManyHeld();
    wake();
    return toHeldReply(outcome.held);
  };

  return async (request) => {
    const actorId = actorFrom(request.actorId);
    const conversationId = conversationFrom(request.conversationId);
    const traceparent = sampledTraceparent();
    const draft = checkDraft(actorId, request);
    const outcome = await sendQueue.send(conversationId, traceparent === undefined ? draft : { ...draft, traceparent });
    switch (outcome.kind) {
      case 'stored':
        onStored(outcome.message.messageType);
        wake();
        return toMessageReply(outcome.message);
      case 'repeated':
        return toMessageReply(outcome.message);
      case 'reused':
        throw clientMessageIdReused();
      case 'blocked':
        throw messageBlocked();
      case 'not_member':
        throw conversationNotFound();
      case 'files_refused':
        throw filesRefused();
      case 'needs_approval':
        return waitForApproval(conversationId, draft);
    }
  };
}
