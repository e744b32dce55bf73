import { isAppError } from '@nolo/kit/errors';
import { parseActorId, type ConversationId, parseId } from '@nolo/kit/ids';
import { clampPageSize } from '@nolo/kit/pages';
import { packError, logOutgoingError, type RpcHandler } from '@nolo/kit/rpc';
import { runInSpan, getSampledTraceparent } from '@nolo/kit/tracing';
import type { ChatServiceDefinition } from '@nolo/proto/chat';
import type { SendMessageRequest, SendResult } from '@nolo/proto/messages';
import type * as proto from '@nolo/proto/conversation';
import { limits } from '@nolo/rules';
import { checkFiles } from '../domain/checkFiles.ts';
import { clampSeq, takeFitting } from '../domain/cursor.ts';
import { checkDraft, createSystemDraft, type MessageDraft, type StoredMessage } from '../domain/message.ts';
import { parseConversationId, parseMessageId } from '../domain/parseIds.ts';
import type { AppendOutcome } from '../domain/ports.ts';
import { checkSeal, findReplyTarget } from '../domain/seals.ts';
import {
  approvalRequired,
  conversationNotFound,
  conversationReplaced,
  createChatError,
  encryptionRequired,
  epochStale,
  filesRefused,
  messageBlocked,
  messageNotFound,
  messageRejected,
  messageRequestRefused,
  messageWithdrawn,
  sealRefused,
  tooManyUnapprovedMessages,
} from '../errors.ts';
import type { Dependencies } from './dependencies.ts';
import { createFirstMessageGuard } from './plainMessages.ts';
import { toProtoUnapprovedMessage, toProtoMessage } from './replies.ts';

/** Message that is validated and can be stored, or was stored earlier. */
type Prepared =
  | { readonly conversationId: ConversationId; readonly draft: MessageDraft }
  | { readonly conversationId: ConversationId; readonly sent: StoredMessage };

const clientMessageIdReused = () =>
  createChatError(
    'conflict',
    'client_message_id_reused',
    'This client message id belongs to a message in another conversation.',
  );

/** Checks the seal of a draft and adds it. */
async function withSeal(
  { sealing }: Pick<Dependencies, 'sealing'>,
  conversationId: ConversationId,
  draft: MessageDraft,
  sealed: NonNullable<SendMessageRequest['sealed']>,
): Promise<MessageDraft> {
  // Drafts are approved together with the decision on them.
  if (sealed.draftId !== undefined) throw sealRefused('target');
  const subject = { conversationId, userId: draft.senderId, clientMessageId: draft.clientMessageId ?? '' };
  const target =
    draft.replyToSeq === null
      ? null
      : ({ kind: 0, of: await findReplyTarget(sealing, subject, draft.replyToSeq) } as const);
  const { messageType: type, mentions, fileIds, hasLink } = draft;
  const seal = await checkSeal(sealing, sealed, { ...subject, type, version: 0, mentions, fileIds, hasLink, target });
  return { ...draft, seal };
}

/** Validates a message before its turn; this may involve other services. */
async function prepare(
  dependencies: Dependencies,
  refuseFirstPlain: ReturnType<typeof createFirstMessageGuard>,
  request: SendMessageRequest,
): Promise<Prepared> {
  const actorId = parseActorId(request.actorId);
  const conversationId = parseConversationId(request.conversationId);
  const traceparent = getSampledTraceparent();
  const checked = checkDraft(actorId, request);
  const draft = traceparent === undefined ? checked : { ...checked, traceparent };
  if (!request.sealed) await refuseFirstPlain(actorId, conversationId);
  if (draft.fileIds.length === 0 && !request.sealed) return { conversationId, draft };
  try {
    const withFiles = draft.fileIds.length === 0 ? draft : await checkFiles(dependencies, draft);
    if (!request.sealed) return { conversationId, draft: withFiles };
    return { conversationId, draft: await withSeal(dependencies, conversationId, withFiles, request.sealed) };
  } catch (error) {
    // The message was sent earlier, and since then its files or the message it refers to went; the first result counts.
    const mayBeGone = isAppError(error) && ['file_not_found', 'seal_refused'].includes(error.code);
    const sent =
      mayBeGone && draft.clientMessageId !== null
        ? await dependencies.messages.findSent(actorId, draft.clientMessageId)
        : undefined;
    if (sent?.conversationId !== conversationId) throw error;
    return { conversationId, sent };
  }
}

type RefusedOutcome = Exclude<AppendOutcome, { readonly kind: 'stored' | 'repeated' }>;

/** Returns the error of a message that was not stored. */
export function toSendError(outcome: RefusedOutcome): Error {
  switch (outcome.kind) {
    case 'reused':
      return clientMessageIdReused();
    case 'blocked':
      return messageBlocked();
    case 'not_member':
      return conversationNotFound();
    case 'files_refused':
      return filesRefused();
    case 'request_limit':
    case 'messages_not_allowed':
      return messageRequestRefused(outcome.kind);
    case 'needs_approval':
      return approvalRequired();
    case 'not_held':
      return sealRefused('held');
    case 'encryption_required':
      return encryptionRequired();
    case 'conversation_replaced':
      return conversationReplaced();
    case 'epoch_stale':
      return epochStale(outcome.n, outcome.reason);
  }
}

/** Creates the ordered part of sending. */
function createSend(dependencies: Dependencies) {
  const { messages, sendQueue, unapprovedMessages, clock, onStored, onRefusedStranger, wake } = dependencies;

  /** Returns the answer to a draft that was held before, whatever became of it. */
  const findHeld = async (conversationId: ConversationId, draft: MessageDraft): Promise<proto.Message | undefined> => {
    const { senderId, clientMessageId } = draft;
    const sent = clientMessageId === null ? undefined : await unapprovedMessages.findSent(senderId, clientMessageId);
    if (sent === undefined) return undefined;
    if (sent === 'rejected') throw messageRejected();
    if (sent === 'withdrawn') throw messageWithdrawn();
    if ('approvedAs' in sent) {
      const approved = await messages.find(senderId, sent.approvedAs);
      if (!approved) throw messageNotFound();
      return toProtoMessage(approved);
    }
    if (sent.conversationId !== conversationId) throw clientMessageIdReused();
    return toProtoUnapprovedMessage(sent);
  };

  /** Holds a message for approval. A repeat returns its current state. */
  const waitForApproval = async (conversationId: ConversationId, draft: MessageDraft): Promise<proto.Message> => {
    const sent = await findHeld(conversationId, draft);
    if (sent) return sent;
    if (draft.seal && !draft.seal.held) throw approvalRequired();
    const outcome = await unapprovedMessages.hold(conversationId, draft, clock.now());
    if (outcome.kind === 'full') throw tooManyUnapprovedMessages();
    wake();
    return toProtoUnapprovedMessage(outcome.message);
  };

  const send = async (prepared: Prepared): Promise<proto.Message> => {
    if ('sent' in prepared) return toProtoMessage(prepared.sent);
    const { conversationId, draft } = prepared;
    const outcome = await sendQueue.send(conversationId, draft);
    switch (outcome.kind) {
      case 'stored':
        onStored(outcome.message.messageType);
        wake();
        return toProtoMessage(outcome.message);
      case 'repeated':
        return toProtoMessage(outcome.message);
      case 'needs_approval':
        return waitForApproval(conversationId, draft);
      case 'request_limit':
      case 'messages_not_allowed':
        onRefusedStranger(outcome.kind);
        throw toSendError(outcome);
      case 'epoch_stale':
      case 'not_held': {
        // A draft of an earlier epoch may have been decided since.
        const sent = draft.seal?.held ? await findHeld(conversationId, draft) : undefined;
        if (sent) return sent;
        throw toSendError(outcome);
      }
      default:
        throw toSendError(outcome);
    }
  };

  return send;
}

const sealCodes: readonly string[] = ['encryption_required', 'epoch_stale', 'seal_refused'];

/** Runs work that stores something sealed. Counts refusals that are about the seal, or its absence. */
export async function countingSealRefusals<T>(
  { onSealRefused }: Pick<Dependencies, 'onSealRefused'>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isAppError(error) && sealCodes.includes(error.code)) {
      const reason = error.details?.['reason'];
      onSealRefused(error.code, typeof reason === 'string' ? reason : '');
    }
    throw error;
  }
}

export function sendMessage(dependencies: Dependencies): RpcHandler<typeof ChatServiceDefinition.methods.sendMessage> {
  const send = createSend(dependencies);
  const refuseFirstPlain = createFirstMessageGuard(dependencies);
  return (request) =>
    countingSealRefusals(dependencies, async () => send(await prepare(dependencies, refuseFirstPlain, request)));
}

const maxMessagesPerCall = 32;

export function sendMessages(
  dependencies: Dependencies,
): RpcHandler<typeof ChatServiceDefinition.methods.sendMessages> {
  const send = createSend(dependencies);
  const refuseFirstPlain = createFirstMessageGuard(dependencies);
  return async ({ messages, traceparents }, context) => {
    if (messages.length > maxMessagesPerCall) {
      throw createChatError(
        'invalid',
        'message_invalid',
        `At most ${maxMessagesPerCall} messages can be sent in one call.`,
      );
    }
    const last = new Map<string, Promise<unknown>>();
    /** Keeps one person's messages in order, even if files have to be checked; other people's do not wait. */
    const inTurn = (message: SendMessageRequest): Promise<Prepared> => {
      const before = last.get(message.actorId);
      const ready = prepare(dependencies, refuseFirstPlain, message);
      // The result is awaited in its turn; until then a rejection must not count as unhandled.
      ready.catch(() => undefined);
      const turn = before ? before.then(() => ready) : ready;
      last.set(
        message.actorId,
        turn.catch(() => undefined),
      );
      return turn;
    };
    const results = messages.map(async (message, index): Promise<SendResult> => {
      const work = () => countingSealRefusals(dependencies, async () => send(await inTurn(message)));
      // Each message continues the trace of its own request; the call belongs to that of the first.
      const parent = traceparents[index];
      try {
        const value = await (parent ? runInSpan('send message', { parent }, work) : work());
        return { outcome: { $case: 'message', value } };
      } catch (error) {
        return { outcome: { $case: 'error', value: packError(logOutgoingError(error, context.log)) } };
      }
    });
    return { results: await Promise.all(results) };
  };
}

/** Adds a system message through the normal path, so it is numbered and delivered like any other. */
export function addSystemMessage({
  sendQueue,
  onRefusedStranger,
  wake,
}: Dependencies): RpcHandler<typeof ChatServiceDefinition.methods.addSystemMessage> {
  return async (request) => {
    const clientMessageId = parseId(request.clientMessageId);
    if (!clientMessageId) throw createChatError('invalid', 'message_invalid', 'The client message id must be a UUID.');
    const outcome = await sendQueue.send(
      parseConversationId(request.conversationId),
      createSystemDraft({
        senderId: parseActorId(request.actorId),
        clientMessageId,
        content: request.content,
        quiet: request.quiet,
      }),
    );
    if (outcome.kind === 'blocked') throw messageBlocked();
    if (outcome.kind === 'request_limit' || outcome.kind === 'messages_not_allowed') {
      onRefusedStranger(outcome.kind);
      throw messageRequestRefused(outcome.kind);
    }
    if (outcome.kind !== 'stored' && outcome.kind !== 'repeated') throw conversationNotFound();
    if (outcome.kind === 'stored') wake();
    return toProtoMessage(outcome.message);
  };
}

export function getMessage({ messages }: Dependencies): RpcHandler<typeof ChatServiceDefinition.methods.getMessage> {
  return async (request) => {
    const message = await messages.find(parseActorId(request.actorId), parseMessageId(request.messageId));
    if (!message) throw messageNotFound();
    return toProtoMessage(message);
  };
}

const defaultPageSize = 50;

export function listMessages({
  messages,
}: Dependencies): RpcHandler<typeof ChatServiceDefinition.methods.listMessages> {
  return async (request) => {
    const page = await messages.page(parseActorId(request.actorId), parseConversationId(request.conversationId), {
      before: request.before === undefined ? undefined : clampSeq(request.before),
      after: request.after === undefined ? undefined : clampSeq(request.after),
      limit: clampPageSize(request.limit, defaultPageSize, limits.messagesPerPage),
    });
    if (!page) throw conversationNotFound();
    // Messages farthest in the reading direction are left for the next page.
    const upwards = request.before === undefined && request.after !== undefined;
    const nearest = upwards ? page.messages : page.messages.toReversed();
    const some = takeFitting(nearest, (message) => message);
    return {
      messages: (upwards ? some : some.reverse()).map(toProtoMessage),
      hasMore: page.hasMore || some.length < page.messages.length,
    };
  };
}

const conversationsAtOnce = 100;
const messagesAtOnce = 500;

/** Exports messages page by page, so that a long history is never held in memory and no transaction stays open. */
export function exportMessages({
  members,
  messages,
}: Dependencies): RpcHandler<typeof ChatServiceDefinition.methods.exportMessages> {
  return async function* (request) {
    const actorId = parseActorId(request.actorId);
    let after: ConversationId | undefined;
    for (;;) {
      const conversations = await members.conversationsOf(actorId, after, conversationsAtOnce);
      for (const conversationId of conversations) {
        let seq = 0;
        for (;;) {
          const page = await messages.readable(actorId, conversationId, seq, messagesAtOnce);
          for (const message of page) yield toProtoMessage(message);
          const last = page.at(-1);
          if (!last || page.length < messagesAtOnce) break;
          seq = last.seq;
        }
      }
      after = conversations.at(-1);
      if (!after || conversations.length < conversationsAtOnce) return;
    }
  };
}
