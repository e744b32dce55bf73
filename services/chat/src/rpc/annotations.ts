import { parseActorId } from '@nolo/kit/ids';
import { clampPageSize } from '@nolo/kit/pages';
import type { RpcHandler } from '@nolo/kit/rpc';
import type { MessageActionServiceDefinition } from '@nolo/proto/messageActions';
import { limits } from '@nolo/rules';
import { parseConversationId, parseMessageId } from '../domain/parseIds.ts';
import { takeFitting, readStarCursor, writeStarCursor } from '../domain/cursor.ts';
import { checkEmoji, checkAnnotatable, checkPin, checkReaction } from '../domain/annotations.ts';
import {
  conversationNotFound,
  createChatError,
  messageBlocked,
  messageNotFound,
  messageRequestRefused,
} from '../errors.ts';
import type { Dependencies } from './dependencies.ts';
import { toProtoMessage } from './replies.ts';

export function setReaction({
  annotations,
  clock,
  wake,
}: Dependencies): RpcHandler<typeof MessageActionServiceDefinition.methods.setReaction> {
  return async (request) => {
    const actorId = parseActorId(request.actorId);
    const messageId = parseMessageId(request.messageId);
    const emoji = request.emoji ? checkEmoji(request.emoji) : null;
    const place = await annotations.find(actorId, messageId);
    if (!place) throw messageNotFound();
    // Removing an own reaction is always possible; a tombstone has none.
    if (emoji !== null) checkReaction(place);
    const changed = await annotations.react(actorId, messageId, emoji, clock.now());
    if (changed) {
      wake();
      return toProtoMessage(changed);
    }
    const now = await annotations.find(actorId, messageId);
    if (!now) throw messageNotFound();
    if (emoji === null) return toProtoMessage(now.message);
    checkReaction(now);
    if (!now.message.reactions.some((reaction) => reaction.userId === actorId && reaction.emoji === emoji)) {
      throw createChatError('conflict', 'too_many_reactions', 'This message cannot have more reactions.');
    }
    return toProtoMessage(now.message);
  };
}

export function pinMessage({
  annotations,
  clock,
  wake,
}: Dependencies): RpcHandler<typeof MessageActionServiceDefinition.methods.pinMessage> {
  return async (request) => {
    const actorId = parseActorId(request.actorId);
    const messageId = parseMessageId(request.messageId);
    const place = await annotations.find(actorId, messageId);
    if (!place) throw messageNotFound();
    checkPin(place, request.pinned);
    const changed = await annotations.pin(actorId, place.message, request.pinned, clock.now());
    if (changed === 'full') {
      throw createChatError('conflict', 'too_many_pinned', 'Too many pinned messages. Unpin one first.', {
        max: limits.pinnedPerConversation,
      });
    }
    if (changed === 'blocked') throw messageBlocked();
    if (changed === 'request_limit' || changed === 'messages_not_allowed') throw messageRequestRefused(changed);
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
