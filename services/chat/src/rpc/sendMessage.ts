import { isAppError } from '@nolo/kit/errors';
import type { ConversationId } from '@nolo/kit/ids';
import type { RpcHandler } from '@nolo/kit/rpc';
import { sampledTraceparent } from '@nolo/kit/tracing';
import type { ChatServiceService, SendMessageRequest } from '@nolo/proto/chat';
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
import { checkFiles } from '../domain/checkFiles.ts';
import { checkDraft, type Draft, type Message } from '../domain/message.ts';
import type { Dependencies } from './dependencies.ts';
import { toHeldReply, toMessageReply } from './replies.ts';

/** A message that was looked at and can be stored, or one that was stored before. */
export type Prepared =
  | { readonly conversationId: ConversationId; readonly draft: Draft }
  | { readonly conversationId: ConversationId; readonly sent: Message };

const clientMessageIdReused = () =>
  failChat(
    'conflict',
    'client_message_id_reused',
    'This client message id belongs to a message in another conversation.',
  );

/** Sending in two steps, of which the first may have to ask others and the second decides about the order. */
export function createSending(dependencies: Dependencies) {
  const { sendQueue, held, messages, clock, onStored, wake } = dependencies;

  const prepare = async (request: SendMessageRequest): Promise<Prepared> => {
    const actorId = actorFrom(request.actorId);
    const conversationId = conversationFrom(request.conversationId);
    const traceparent = sampledTraceparent();
    const checked = checkDraft(actorId, request);
    const draft = traceparent === undefined ? checked : { ...checked, traceparent };
    if (draft.fileIds.length === 0) return { conversationId, draft };
    try {
      return { conversationId, draft: await checkFiles(dependencies, draft) };
    } catch (error) {
      // Sent before, and its files are gone by now: the first answer holds.
      const isGone = isAppError(error) && error.code === 'file_not_found';
      const sent =
        isGone && draft.clientMessageId !== null ? await messages.findSent(actorId, draft.clientMessageId) : undefined;
      if (sent?.conversationId !== conversationId) throw error;
      return { conversationId, sent };
    }
  };

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

  const send = async (prepared: Prepared): Promise<proto.Message> => {
    if ('sent' in prepared) return toMessageReply(prepared.sent);
    const { conversationId, draft } = prepared;
    const outcome = await sendQueue.send(conversationId, draft);
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

  return { prepare, send };
}

export function sendMessage(dependencies: Dependencies): RpcHandler<typeof ChatServiceService.sendMessage> {
  const { prepare, send } = createSending(dependencies);
  return async (request) => send(await prepare(request));
}
