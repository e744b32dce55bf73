import type { Message, NewMessage, UnapprovedMessageReply } from '@nolo/api';
import { ApiError } from '../http/request.ts';
import type { Conversations, SealedDraft } from '../keys/conversations/types.ts';
import type { ChatBase } from './chatBase.ts';
import { hasCode, HeldError } from './heldError.ts';
import type { ChatApi, HeldBack, SealedApi, SealedNewMessage, SealedRequest, UnsentMessage } from './ports.ts';
import type { CloseArrived } from './rowGate.ts';
import type { RowOpener } from './rowOpener.ts';
import { findNewestSeen, findRepliedMessage, sortedIds, targetOf, toSealedContent } from './sealedDrafts.ts';
import { fileIdsOf } from './sealedFiles.ts';
import type { Standings } from './standings.ts';

/** Maximum epochs that other devices may begin while a message is sealed, before it waits. */
export const maxSealings = 5;

/** Refusals after which the same content is sealed again. */
export const isSealedInVain = (error: unknown): boolean =>
  hasCode(error, 'epoch_stale') || hasCode(error, 'epoch_refused');

/**
 * Runs what asks the port. A device without keys is a reason to wait, and never one to send plain text. What no admin
 * could approve is too large.
 */
export async function orHeld<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    if (hasCode(error, 'not_ready')) throw new HeldError({ state: 'blocked', reason: 'keys' });
    if (hasCode(error, 'too_large')) throw new ApiError(0, { code: 'message_too_large' }, 'message_too_large');
    throw error;
  }
}

/** Returns the fields of a message that are beside its seal, as the seal binds them. */
function boundFieldsOf(message: NewMessage) {
  const { messageType = 'text', fileUrl, fileSize, voiceMessageUrl, previewUrl, hasLink, linkPreview } = message;
  return {
    messageType,
    ...(fileUrl !== undefined && { fileUrl }),
    ...(fileSize !== undefined && { fileSize }),
    ...(voiceMessageUrl !== undefined && { voiceMessageUrl }),
    ...(previewUrl !== undefined && { previewUrl }),
    mentions: sortedIds(message.mentions),
    hasLink: hasLink === true || (linkPreview ?? null) !== null,
  };
}

/** Messages that this tab sends, and their places in memory and on the device. */
interface Unsent {
  readonly own: Map<string, UnsentMessage>;
  readonly taken: Map<string, UnsentMessage>;
  store(message: UnsentMessage): Promise<void>;
}

/** Keeps what was sealed with its message, here and on the device, or removes it. */
async function keepRequest(
  { own, store, taken }: Unsent,
  { clientMessageId: id = '' }: NewMessage,
  request: SealedRequest | undefined,
): Promise<void> {
  const known = taken.get(id);
  if (!known) return;
  const { request: _, ...rest } = known;
  const message = request ? { ...rest, request } : rest;
  taken.set(id, message);
  if (own.has(id)) own.set(id, message);
  await store(message);
}

interface SealedSendingParts {
  readonly opener: RowOpener;
  readonly standings: Standings;
  /** Port to the server with the rows of its answers as they were sent, which the keys acknowledge. */
  readonly served: Pick<ChatApi, 'sendMessage'>;
  readonly sealedApi: Pick<SealedApi, 'commitEpoch'>;
  readonly close: CloseArrived;
}

/** Sends messages, sealed where their conversation is. */
export function createSealedSending(
  core: ChatBase,
  port: Conversations,
  { opener, standings, served, sealedApi, close }: SealedSendingParts,
) {
  const toDraft = async (message: NewMessage, isHeld: boolean, written?: UnsentMessage) => {
    const { conversationId, clientMessageId = '', replyToSeq } = message;
    const fields = boundFieldsOf(message);
    const replied =
      replyToSeq === undefined ? undefined : await findRepliedMessage(core, opener, conversationId, replyToSeq);
    const replyTo = replied ? targetOf(replied) : null;
    return {
      kind: 'message',
      conversation: await standings.factsOf(conversationId),
      clientMessageId,
      content: toSealedContent(toMessageFields(message), message.forwarded === true),
      messageType: fields.messageType,
      mentions: fields.mentions,
      fileIds: fileIdsOf(fields),
      hasLink: fields.hasLink,
      seen: findNewestSeen(core, conversationId),
      replyTo,
      ...(written && { writtenAt: written.tappedAt ?? written.createdAt }),
      ...(isHeld && { held: true }),
    } satisfies SealedDraft;
  };

  const seal = async (
    message: NewMessage,
    isHeld: boolean,
    written?: UnsentMessage,
  ): Promise<SealedRequest | undefined> => {
    const draft = await toDraft(message, isHeld, written);
    const result = await orHeld(port.seal(draft));
    if (result.state === 'sealed') {
      const { sealed, epoch } = result;
      return { sealed, epoch, replyToSeq: draft.replyTo ? (message.replyToSeq ?? null) : null };
    }
    if (result.state !== 'plain') {
      standings.prepare(message.conversationId).catch(() => undefined);
      throw new HeldError(result);
    }
    // The server says that it is sealed and shows no epoch of it.
    if (standings.isKnownSealed(message.conversationId)) throw new HeldError({ state: 'blocked', reason: 'refused' });
    return undefined;
  };

  const post = async (message: NewMessage, { sealed, epoch, replyToSeq }: SealedRequest) => {
    const { conversationId, clientMessageId } = message;
    const body: SealedNewMessage = {
      conversationId,
      clientMessageId,
      encryption: 'epochs',
      sealed,
      ...boundFieldsOf(message),
      ...(replyToSeq !== null && { replyToSeq }),
    };
    if (!epoch) return served.sendMessage(body);
    const { message: stored } = await sealedApi.commitEpoch(conversationId, epoch, body);
    return stored ?? served.sendMessage(body);
  };

  const sendPlain = async (message: NewMessage): Promise<Message | UnapprovedMessageReply | undefined> => {
    try {
      return await core.api.sendMessage(message);
    } catch (error) {
      if (!hasCode(error, 'encryption_required')) throw error;
      await standings.lookAgain(message.conversationId);
      return undefined;
    }
  };

  /**
   * Sends a message, and seals it first where that is due. The sealed bytes are stored before they are sent, and
   * removed after a refusal. Rejects with `HeldError` while the conversation takes nothing.
   */
  const sendNow = async (message: NewMessage, unsent: Unsent): Promise<Message | UnapprovedMessageReply> => {
    const keep = (kept?: SealedRequest) => keepRequest(unsent, message, kept);
    const written = unsent.taken.get(message.clientMessageId ?? '');
    let request = written?.request;
    let isHeld = false;
    for (let sealings = 0; sealings <= maxSealings; sealings++) {
      if (!request) {
        const isSealing = await standings.isSealing(message.conversationId);
        const sealed = isSealing ? await seal(message, isHeld, written) : undefined;
        if (!sealed) {
          const answer = await sendPlain(message);
          if (answer) return answer;
          continue;
        }
        request = sealed;
        await keep(request);
      }
      try {
        const answer = await post(message, request);
        if ('held' in answer) return answer;
        // Later messages name this one. They are sealed after this task, in its order, so nothing waits for it here.
        void port.acknowledged(message.conversationId, answer).catch(() => undefined);
        return close(answer);
      } catch (error) {
        // The outbox sends the same bytes again until there is a definite answer.
        if (core.failureOf(error).passing) throw error;
        request = undefined;
        await keep();
        if (hasCode(error, 'approval_required')) isHeld = true;
        else if (!isSealedInVain(error)) throw error;
        // The first header has to say if somebody wrote unsealed before it.
        else if (!standings.isKnownSealed(message.conversationId)) await standings.reload(message.conversationId);
      }
    }
    // Other devices begin epochs all the time. The outbox tries again later.
    throw new ApiError(0, { code: 'epoch_stale' }, 'epoch_stale');
  };

  /** Sends a message, or says why the conversation does not take it now. */
  return (...message: Parameters<typeof sendNow>): Promise<Message | UnapprovedMessageReply | HeldBack> =>
    sendNow(...message).catch((error: unknown) => {
      if (error instanceof HeldError) return { heldBy: error.state };
      throw error;
    });
}

/** Returns the fields of the envelope of a new message. */
function toMessageFields(message: NewMessage) {
  const { content, fileName, voiceMessageDuration, voiceMessageTranscription, mediaInfo, linkPreview, extra } = message;
  const { fileUrl, fileSize, voiceMessageUrl, previewUrl } = message;
  return {
    content,
    fileUrl,
    fileSize,
    voiceMessageUrl,
    previewUrl,
    fileName: fileName ?? null,
    voiceMessageDuration: voiceMessageDuration ?? null,
    voiceMessageTranscription: voiceMessageTranscription ?? null,
    mediaInfo: mediaInfo ?? null,
    linkPreview: linkPreview ?? null,
    extra,
  };
}
