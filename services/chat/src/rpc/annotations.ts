import { parseActorId, type UserId } from '@nolo/kit/ids';
import { clampPageSize } from '@nolo/kit/pages';
import type { RpcHandler } from '@nolo/kit/rpc';
import type { Message, NewSealed } from '@nolo/proto/conversation';
import type { MessageActionServiceDefinition, PinMessageRequest, SetReactionRequest } from '@nolo/proto/messageActions';
import { limits } from '@nolo/rules';
import { parseConversationId, parseMessageId } from '../domain/parseIds.ts';
import { takeFitting, readStarCursor, writeStarCursor } from '../domain/cursor.ts';
import type { MessageWithRights } from '../domain/annotationPorts.ts';
import type { StoredMessage } from '../domain/message.ts';
import { checkSealedAnnotation, type SealTarget, type StoredSealedAnnotation } from '../domain/seals.ts';
import { checkEmoji, checkAnnotatable, checkPin, checkReaction } from '../domain/annotations.ts';
import {
  conversationNotFound,
  createChatError,
  encryptionRequired,
  messageBlocked,
  messageNotFound,
  messageRequestRefused,
} from '../errors.ts';
import type { Dependencies } from './dependencies.ts';
import { toSendError } from './messages.ts';
import { toProtoMessage } from './replies.ts';

const tooManyReactions = () =>
  createChatError('conflict', 'too_many_reactions', 'This message cannot have more reactions.');

const targetOf = ({ id, seal }: StoredMessage): SealTarget => ({ messageId: id, rowHash: seal?.rowHash ?? null });

/** Returns true if the actor's sealed annotation is this one, byte for byte. */
const hasAnnotation = (
  { seal }: StoredMessage,
  { kind, userId, sealed }: Pick<StoredSealedAnnotation, 'kind' | 'userId'> & { readonly sealed: Uint8Array },
): boolean =>
  seal?.annotations.some((one) => one.kind === kind && one.userId === userId && one.sealed.equals(sealed)) ?? false;

type SealedReactionRequest = Pick<SetReactionRequest, 'clientMessageId'> & { readonly sealed: NewSealed };

/** Stores a sealed reaction, which also may take away the one before. */
async function reactSealed(
  { annotations, clock, sealing, wake }: Pick<Dependencies, 'annotations' | 'clock' | 'sealing' | 'wake'>,
  userId: UserId,
  place: MessageWithRights,
  request: SealedReactionRequest,
): Promise<Message> {
  const { message } = place;
  const kind = 'reaction';
  if (hasAnnotation(message, { kind, userId, sealed: request.sealed.sealed })) return toProtoMessage(message);
  checkReaction(place);
  const { conversationId } = message;
  const reaction = await checkSealedAnnotation(sealing, request, {
    conversationId,
    userId,
    kind,
    of: targetOf(message),
  });
  const changed = await annotations.reactSealed(userId, message, reaction, clock.now());
  if (!changed) {
    const now = await annotations.find(userId, message.id);
    if (!now) throw messageNotFound();
    checkReaction(now);
    throw tooManyReactions();
  }
  if ('kind' in changed) throw toSendError(changed);
  wake();
  return toProtoMessage(changed);
}

export function setReaction(
  dependencies: Dependencies,
): RpcHandler<typeof MessageActionServiceDefinition.methods.setReaction> {
  const { annotations, clock, wake } = dependencies;
  return async (request) => {
    const actorId = parseActorId(request.actorId);
    const messageId = parseMessageId(request.messageId);
    const emoji = request.emoji ? checkEmoji(request.emoji) : null;
    const place = await annotations.find(actorId, messageId);
    if (!place) throw messageNotFound();
    const { sealed, clientMessageId } = request;
    if (sealed) return reactSealed(dependencies, actorId, place, { sealed, clientMessageId });
    if (place.isSealed) throw encryptionRequired();
    // Removing an own reaction is always possible; a tombstone has none.
    if (emoji !== null) checkReaction(place);
    const changed = await annotations.react(actorId, messageId, emoji, clock.now());
    if (changed) {
      wake();
      return toProtoMessage(changed);
    }
    const now = await annotations.find(actorId, messageId);
    if (!now) throw messageNotFound();
    if (now.isSealed) throw encryptionRequired();
    if (emoji === null) return toProtoMessage(now.message);
    checkReaction(now);
    if (!now.message.reactions.some((reaction) => reaction.userId === actorId && reaction.emoji === emoji)) {
      throw tooManyReactions();
    }
    return toProtoMessage(now.message);
  };
}

export function pinMessage({
  annotations,
  clock,
  sealing,
  wake,
}: Dependencies): RpcHandler<typeof MessageActionServiceDefinition.methods.pinMessage> {
  /** Returns the sealed pin. Unpinning is not sealed. */
  const readPin = async (userId: UserId, { message, isSealed }: MessageWithRights, request: PinMessageRequest) => {
    const { sealed, clientMessageId, pinned } = request;
    if (!pinned || (!sealed && !isSealed)) return undefined;
    if (!sealed) throw encryptionRequired();
    const { conversationId } = message;
    const subject = { conversationId, userId, kind: 'pin', of: targetOf(message) } as const;
    return checkSealedAnnotation(sealing, { sealed, clientMessageId }, subject);
  };

  return async (request) => {
    const actorId = parseActorId(request.actorId);
    const messageId = parseMessageId(request.messageId);
    const place = await annotations.find(actorId, messageId);
    if (!place) throw messageNotFound();
    checkPin(place, request.pinned);
    if (place.message.pinnedAt && request.pinned) return toProtoMessage(place.message);
    const sealed = await readPin(actorId, place, request);
    const changed = await annotations.pin(actorId, place.message, request.pinned, clock.now(), sealed);
    if (changed === 'full') {
      throw createChatError('conflict', 'too_many_pinned', 'Too many pinned messages. Unpin one first.', {
        max: limits.pinnedPerConversation,
      });
    }
    if (changed === 'blocked') throw messageBlocked();
    if (changed === 'request_limit' || changed === 'messages_not_allowed') throw messageRequestRefused(changed);
    if (changed && 'kind' in changed) throw toSendError(changed);
    if (changed) {
      wake();
      return toProtoMessage(changed);
    }
    const now = await annotations.find(actorId, messageId);
    if (!now) throw messageNotFound();
    checkPin(now, request.pinned);
    return toProtoMessage(now.message);
  };
}

export function starMessage({
  annotations,
  clock,
  wake,
}: Dependencies): RpcHandler<typeof MessageActionServiceDefinition.methods.starMessage> {
  return async (request) => {
    const actorId = parseActorId(request.actorId);
    const place = await annotations.find(actorId, parseMessageId(request.messageId));
    if (!place) throw messageNotFound();
    if (request.starred) checkAnnotatable(place);
    const changed = await annotations.star(actorId, place.message, request.starred, clock.now());
    if (changed === 'full') {
      throw createChatError('conflict', 'too_many_stars', 'Too many starred messages. Unstar one first.', {
        max: limits.starsPerUser,
      });
    }
    if (changed) wake();
    return {};
  };
}

const defaultPageSize = 50;

export function listStarred({
  annotations,
}: Dependencies): RpcHandler<typeof MessageActionServiceDefinition.methods.listStarred> {
  return async (request) => {
    const limit = clampPageSize(request.limit, defaultPageSize, limits.starsPerPage);
    // Reads one extra row to detect whether there is a next page.
    const stars = await annotations.starred(parseActorId(request.actorId), readStarCursor(request.cursor), limit + 1);
    const page = takeFitting(stars.slice(0, limit), ({ message }) => message);
    const last = page.at(-1);
    return {
      starred: page.map(({ message, starredAt }) => ({ message: toProtoMessage(message), starredAt })),
      nextCursor:
        last && stars.length > page.length
          ? writeStarCursor({ starredAt: last.starredAt, id: last.message.id })
          : undefined,
    };
  };
}

export function listPinned({
  annotations,
}: Dependencies): RpcHandler<typeof MessageActionServiceDefinition.methods.listPinned> {
  return async (request) => {
    const messages = await annotations.pinned(
      parseActorId(request.actorId),
      parseConversationId(request.conversationId),
    );
    if (!messages) throw conversationNotFound();
    return { messages: takeFitting(messages, (message) => message).map(toProtoMessage) };
  };
}
