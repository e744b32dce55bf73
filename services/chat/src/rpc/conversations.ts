import { parseActorId, parseId, type UserId } from '@nolo/kit/ids';
import { clampPageSize } from '@nolo/kit/pages';
import type { RpcHandler } from '@nolo/kit/rpc';
import type { ChatServiceDefinition } from '@nolo/proto/chat';
import type { Change } from '@nolo/proto/messages';
import type { MessageActionServiceDefinition } from '@nolo/proto/messageActions';
import { limits, memberRoles } from '@nolo/rules';
import { parseConversationId } from '../domain/parseIds.ts';
import { memberAsSeenBy } from '../domain/conversation.ts';
import { clampSeq, takeFitting, readListCursor, writeListCursor } from '../domain/cursor.ts';
import { checkDisappearingTimer, mayModerate } from '../domain/annotations.ts';
import type * as ports from '../domain/ports.ts';
import {
  conversationNotFound,
  createChatError,
  messageBlocked,
  messageRequestRefused,
  notAdmin,
  replacementRefused,
} from '../errors.ts';
import type { Dependencies } from './dependencies.ts';
import { withChangeEpoch } from './prepareEpoch.ts';
import {
  toProtoConversation,
  toProtoMember,
  toProtoMessage,
  toProtoConversationMeta,
  toProtoConversationSettings,
} from './replies.ts';

export function getConversation({
  conversations,
}: Dependencies): RpcHandler<typeof ChatServiceDefinition.methods.getConversation> {
  return async (request) => {
    const actorId = parseActorId(request.actorId);
    // Clients that show the conversation need the receipts of all members, up to the size at which everyone receives
    // them.
    const view = await conversations.find(
      actorId,
      parseConversationId(request.conversationId),
      limits.receiptsToAllMembers,
    );
    if (!view) throw conversationNotFound();
    return toProtoConversation(view, actorId);
  };
}

export function hasAccepted({
  conversations,
}: Dependencies): RpcHandler<typeof ChatServiceDefinition.methods.hasAccepted> {
  return async (request) => {
    const otherId = parseId<UserId>(request.otherUserId ?? '');
    const actorId = parseActorId(request.actorId ?? '');
    if (otherId === undefined) return { accepted: false, refusal: undefined };
    return conversations.standing(actorId, otherId);
  };
}

export function listCallees({
  groupCalls,
  clock,
}: Dependencies): RpcHandler<typeof ChatServiceDefinition.methods.listCallees> {
  return async ({ actorId, conversationId }) => ({
    callees: await groupCalls.callees(
      parseConversationId(conversationId ?? ''),
      parseActorId(actorId ?? ''),
      limits.groupCallRingMembers,
      clock.now(),
    ),
  });
}

/** The reply is the same for a block in either direction and for a nonexistent person. */
const unavailable = () => createChatError('forbidden', 'user_unavailable', 'You cannot message this person.');

export function getOrCreateDirect({
  conversations,
  clock,
  wake,
}: Dependencies): RpcHandler<typeof ChatServiceDefinition.methods.getOrCreateDirect> {
  return async (request) => {
    const actorId = parseActorId(request.actorId);
    const otherId = parseId<UserId>(request.otherUserId);
    if (!otherId) throw unavailable();
    if (otherId === actorId) {
      throw createChatError('invalid', 'conversation_with_self', 'You cannot start a conversation with yourself.');
    }
    const replaces = request.replaces === undefined ? undefined : parseConversationId(request.replaces);
    const replaced = replaces && (await conversations.replaceDirect(actorId, otherId, replaces, clock.now()));
    if (replaced === 'not_sealed' || replaced === 'request') throw replacementRefused(replaced);
    const direct = await conversations.getOrCreateDirect(actorId, otherId, clock.now());
    if (!direct) throw unavailable();
    if (direct.created || replaced) wake();
    const view = await conversations.find(actorId, direct.id);
    if (!view) throw conversationNotFound();
    return { conversation: toProtoConversation(view, actorId), created: direct.created };
  };
}

const defaultPageSize = 50;

export function listConversations({
  conversations,
}: Dependencies): RpcHandler<typeof ChatServiceDefinition.methods.listConversations> {
  return async (request) => {
    const actorId = parseActorId(request.actorId);
    const limit = clampPageSize(request.limit, defaultPageSize, limits.conversationsPerPage);
    // Reads one extra row to detect whether there is a next page.
    const type = request.type === 'direct' || request.type === 'group' ? request.type : undefined;
    const place = readListCursor(request.cursor);
    // Pinned conversations are on the first page, however old their last message.
    const pinned = place ? [] : await conversations.listPinned(actorId, limits.pinnedConversationsPerUser, type);
    const views = await conversations.list(actorId, place, limit + 1, type);
    const page = takeFitting(views.slice(0, limit), ({ lastMessage }) => lastMessage);
    const last = page.at(-1);
    return {
      conversations: [...pinned, ...page].map((view) => toProtoConversation(view, actorId)),
      nextCursor: last && views.length > page.length ? writeListCursor(last) : undefined,
    };
  };
}

const defaultChangeCount = 200;

function toProtoChange(change: ports.StoredChange, viewerShares: boolean): Change {
  if (change.kind === 'message') {
    const { message } = change;
    return { changeSeq: message.changeSeq, what: { $case: 'message', value: toProtoMessage(message) } };
  }
  if (change.kind === 'conversation') {
    return {
      changeSeq: change.changeSeq,
      what: { $case: 'conversation', value: toProtoConversationMeta(change.meta) },
    };
  }
  const member = memberAsSeenBy(change.member, viewerShares);
  return { changeSeq: member.changeSeq, what: { $case: 'member', value: toProtoMember(member) } };
}

export function listChanges({
  conversations,
}: Dependencies): RpcHandler<typeof ChatServiceDefinition.methods.listChanges> {
  return async (request) => {
    const page = await conversations.changes(
      parseActorId(request.actorId),
      parseConversationId(request.conversationId),
      clampSeq(request.since),
      clampPageSize(request.limit, defaultChangeCount, limits.changesPerPage),
    );
    if (!page) throw conversationNotFound();
    const some = takeFitting(page.changes, (change) => (change.kind === 'message' ? change.message : null));
    const hasMore = page.hasMore || some.length < page.changes.length;
    const changes = some.map((change) => toProtoChange(change, page.viewerShares));
    return {
      changes,
      // If more follow, the client is complete only up to the last change here, otherwise up to the counter.
      changeSeq: hasMore ? (changes.at(-1)?.changeSeq ?? page.lastChangeSeq) : page.lastChangeSeq,
      hasMore,
      settings: toProtoConversationSettings(page.settings),
    };
  };
}

export function joinMeetingConversation({
  meetingMembers,
  clock,
  wake,
}: Dependencies): RpcHandler<typeof ChatServiceDefinition.methods.joinMeetingConversation> {
  return async (request) => {
    const userId = parseActorId(request.userId);
    const conversationId = parseConversationId(request.conversationId);
    const role = memberRoles.find((one) => one === request.role) ?? 'member';
    if (!(await meetingMembers.join(conversationId, userId, role, clock.now()))) {
      throw createChatError('forbidden', 'banned', 'You were removed from this meeting.');
    }
    wake();
    return {};
  };
}

export function setTimer({
  conversations,
  timers,
  epochs,
  clock,
  wake,
}: Dependencies): RpcHandler<typeof MessageActionServiceDefinition.methods.setTimer> {
  return async (request) => {
    const actorId = parseActorId(request.actorId);
    const conversationId = parseConversationId(request.conversationId);
    const seconds = checkDisappearingTimer(request.seconds);
    const before = await conversations.find(actorId, conversationId);
    if (!before) throw conversationNotFound();
    if (!mayModerate(before.type, before.myRole)) throw notAdmin();
    const outcome = await withChangeEpoch(epochs, { userId: actorId, conversationId, epoch: request.epoch }, (epoch) =>
      timers.set(actorId, conversationId, seconds, clock.now(), epoch),
    );
    if (outcome === 'blocked') throw messageBlocked();
    if (outcome === 'request_limit' || outcome === 'messages_not_allowed') throw messageRequestRefused(outcome);
    if (outcome) wake();
    const after = await conversations.find(actorId, conversationId);
    if (!after) throw conversationNotFound();
    return toProtoConversation(after, actorId);
  };
}

export function updateConversationSettings({
  settings,
  clock,
  wake,
}: Dependencies): RpcHandler<typeof MessageActionServiceDefinition.methods.updateConversationSettings> {
  return async (request) => {
    const { archived, pinned, mutedUntil, mutedExceptMentions, unmute, markedUnread, accepted } = request;
    const outcome = await settings.change(
      parseActorId(request.actorId),
      parseConversationId(request.conversationId),
      {
        ...(archived === undefined ? {} : { archived }),
        ...(pinned === undefined ? {} : { pinned }),
        ...(unmute ? { mutedUntil: null } : mutedUntil === undefined ? {} : { mutedUntil }),
        ...(mutedExceptMentions === undefined ? {} : { mutedExceptMentions }),
        ...(markedUnread === undefined ? {} : { markedUnread }),
        ...(accepted && { accepted }),
      },
      clock.now(),
    );
    if (!outcome) throw conversationNotFound();
    if (outcome === 'full') {
      throw createChatError('conflict', 'too_many_pinned', 'Too many pinned conversations. Unpin one first.', {
        max: limits.pinnedConversationsPerUser,
      });
    }
    if (outcome.changed) wake();
    return toProtoConversationSettings(outcome.settings);
  };
}

export function getPreferences({
  preferences,
}: Dependencies): RpcHandler<typeof ChatServiceDefinition.methods.getPreferences> {
  return async (request) => preferences.find(parseActorId(request.actorId));
}

export function updatePreferences({
  preferences,
  wake,
}: Dependencies): RpcHandler<typeof ChatServiceDefinition.methods.updatePreferences> {
  return async (request) => {
    const actorId = parseActorId(request.actorId);
    const { shareReceipts, keepArchived } = request;
    if (shareReceipts === undefined && keepArchived === undefined) return preferences.find(actorId);
    const changed = await preferences.change(actorId, {
      ...(shareReceipts !== undefined && { shareReceipts }),
      ...(keepArchived !== undefined && { keepArchived }),
    });
    wake();
    return changed;
  };
}
