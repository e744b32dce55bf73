import type { Conversation, Message, User } from '@nolo/api';
import { isQuietCallEnd, limits, readCallSystemMessage } from '@nolo/rules';
import { createStore } from 'zustand/vanilla';
import type { ChatState, RowVersions } from './state.ts';
import { collectPeopleOfMessages, collectPeopleOfRow, withPeople } from './people.ts';
import { approverOf } from './rowOpening.ts';
import { isListed, isMessageRequest, isWaitingForAcceptance, withCleared, withLastShown } from './hiding.ts';
import { createEmptyTimeline, withMessage, type Timeline } from './timeline.ts';
import { windowWithMessage } from './window.ts';

export function createChatStore(selfId: string, opensSealed = false) {
  return createStore<ChatState>(() => ({
    selfId,
    connection: 'connecting',
    list: 'loading',
    conversations: {},
    timelines: {},
    isPresenceKnown: true,
    presence: {},
    knownUpTo: {},
    typing: {},
    people: {},
    windows: {},
    originals: {},
    optimisticUpdates: {},
    starred: {},
    unapprovedCounts: {},
    standings: {},
    seenSealed: {},
    gaps: {},
    opensSealed,
    removedFrom: null,
  }));
}

export const unknownRowVersions: RowVersions = { members: 0, memberCount: 0, meta: 0 };

export function withRowVersions(
  state: ChatState,
  id: string,
  change: Partial<RowVersions>,
): Pick<ChatState, 'knownUpTo'> {
  return { knownUpTo: { ...state.knownUpTo, [id]: { ...(state.knownUpTo[id] ?? unknownRowVersions), ...change } } };
}

/** Returns the time of the last activity in a conversation. */
export function lastActivityOf(row: Conversation): string {
  return row.lastMessage?.createdAt ?? row.createdAt;
}

/** Compares code units: times and ids are uniform ASCII, and a locale comparison would be many times slower. */
function descending(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? 1 : -1;
}

function byActivity(a: Conversation, b: Conversation): number {
  return descending(lastActivityOf(a), lastActivityOf(b)) || descending(a.id, b.id);
}

/** Returns listed conversations, latest activity first, without requests from strangers. */
export function listConversationsByActivity(conversations: ChatState['conversations']): Conversation[] {
  return (
    Object.values(conversations)
      // Meeting chats appear in their meeting.
      .filter((row) => row.type !== 'meeting' && isListed(row) && !isWaitingForAcceptance(row))
      .toSorted(byActivity)
  );
}

/** Returns requests from strangers, latest first, without blocked people. */
export function listMessageRequests(conversations: ChatState['conversations']): Conversation[] {
  return Object.values(conversations)
    .filter((row) => isMessageRequest(row) && row.otherUser?.isBlocked !== true)
    .toSorted(byActivity);
}

/** Returns conversations in list order: pinned first (latest pin at the top), and archived ones separately. */
export function listCurrentAndArchivedConversations(conversations: ChatState['conversations']): {
  current: Conversation[];
  archived: Conversation[];
} {
  const all = listConversationsByActivity(conversations);
  const current = all.filter(({ archivedAt }) => archivedAt === null);
  const pinned = current
    .filter(({ pinnedAt }) => pinnedAt !== null)
    .toSorted((a, b) => descending(a.pinnedAt ?? '', b.pinnedAt ?? ''));
  const others = current.filter(({ pinnedAt }) => pinnedAt === null);
  return { current: [...pinned, ...others], archived: all.filter(({ archivedAt }) => archivedAt !== null) };
}

/** Returns the number of requests to join a group, for its admins. */
export const countJoinRequestsForAdmin = ({ type, myRole, requestCount = 0 }: Conversation): number =>
  type === 'group' && myRole !== 'member' ? requestCount : 0;

export function withJoinRequestCount(state: ChatState, id: string, requestCount: number): Partial<ChatState> {
  return updateRow(state, id, (row) => ({ ...row, requestCount }));
}

/** Returns non-contacts whose messages the user accepted, or whom the user wrote to. */
export function listAcceptedStrangers(conversations: ChatState['conversations']): User[] {
  return Object.values(conversations).flatMap(({ type, otherUser, requestedAt, lastMessage }) => {
    const known = type === 'direct' && requestedAt === null && lastMessage !== null ? otherUser : null;
    return known && !known.isContact && !known.isBlocked ? [known] : [];
  });
}

/** Returns true during a group call. */
export const hasOngoingGroupCall = ({ group }: Conversation): boolean => (group?.callSince ?? null) !== null;

/** Returns true if a conversation is muted now. */
export function isMuted({ mutedUntil }: Pick<Conversation, 'mutedUntil'>, now: number): boolean {
  return mutedUntil !== null && Date.parse(mutedUntil) > now;
}

/** Merges members: list rows name only a few, so known members stay, and an open timeline receives their changes. */
function membersNow(known: Conversation | undefined, row: Conversation): Conversation['members'] {
  if (!known || row.type === 'direct' || hasAllMembers(row)) return row.members;
  const fresh = new Set(row.members.map(({ userId }) => userId));
  return [...row.members, ...known.members.filter(({ userId }) => !fresh.has(userId))].slice(
    0,
    getMaxNamedMembers(row),
  );
}

/** Maximum members that a row may name: all of a group small enough for shared receipts. */
export function getMaxNamedMembers({ memberCount }: Pick<Conversation, 'memberCount'>): number {
  return memberCount <= limits.receiptsToAllMembers ? limits.receiptsToAllMembers : namedMembers;
}

/** Members named by a row of a larger group. The full list loads page by page. */
const namedMembers = 5;

/** Returns true if the row has the read state of every member. */
export function hasAllMembers({ members, memberCount }: Pick<Conversation, 'members' | 'memberCount'>): boolean {
  return members.filter(({ leftAt }) => leftAt === null).length >= memberCount;
}

/** Returns true if the row could name every member but does not, as list rows do. */
export function isMissingMembers(row: Conversation): boolean {
  return row.type !== 'direct' && row.memberCount <= limits.receiptsToAllMembers && !hasAllMembers(row);
}

/** Returns true if the row equals the known one, so that nothing has to be rendered again. */
function isSameRow(known: Conversation, row: Conversation): boolean {
  return known.changeSeq === row.changeSeq && JSON.stringify(known) === JSON.stringify(row);
}

/** Adds or replaces a row from the server, unless a newer state is known. */
export function withConversation(state: ChatState, row: Conversation): Partial<ChatState> {
  const known = state.conversations[row.id];
  if (known && known.changeSeq > row.changeSeq) return {};
  const people = withPeople(state.people, [
    ...collectPeopleOfRow(row),
    ...collectPeopleOfMessages([row.lastMessage ?? {}]),
  ]);
  const next = { ...row, members: membersNow(known, row) };
  if (known && isSameRow(known, next)) return people === state.people ? {} : { people };
  const { changeSeq } = row;
  const upTo = withRowVersions(state, row.id, { members: changeSeq, memberCount: changeSeq, meta: changeSeq });
  // The conversation may have been cleared on another device.
  if (known && row.clearedSeq > known.clearedSeq) return { ...withCleared(state, next), ...upTo, people };
  return { conversations: { ...state.conversations, [row.id]: next }, ...upTo, people };
}

/** Removes a conversation that the user is no longer in, and all its data. */
export function withoutConversation(state: ChatState, id: string): Partial<ChatState> {
  const without = <T>(all: Readonly<Record<string, T>>): Readonly<Record<string, T>> => {
    const { [id]: _, ...others } = all;
    return others;
  };
  return {
    conversations: without(state.conversations),
    knownUpTo: without(state.knownUpTo),
    timelines: without(state.timelines),
    windows: without(state.windows),
    originals: without(state.originals),
    typing: without(state.typing),
    unapprovedCounts: without(state.unapprovedCounts),
    standings: without(state.standings),
    gaps: without(state.gaps),
  };
}

/** Stores the sender names in messages. */
export function withSenderNames(state: ChatState, messages: readonly Message[]): Partial<ChatState> {
  const people = withPeople(state.people, collectPeopleOfMessages(messages));
  return people === state.people ? {} : { people };
}

export function updateRow(
  state: ChatState,
  id: string,
  change: (row: Conversation) => Conversation,
): Partial<ChatState> {
  const row = state.conversations[id];
  if (!row) return {};
  const next = change(row);
  return next === row ? {} : { conversations: { ...state.conversations, [id]: next } };
}

function unread(lastSeq: number, readSeq: number): number {
  return Math.max(0, lastSeq - readSeq);
}

/** Returns true for a call that needs no attention. The server counts it as read too. */
function isQuiet({ messageType, content }: Message): boolean {
  const systemMessage = messageType === 'system' ? readCallSystemMessage(content) : null;
  return systemMessage !== null && isQuietCallEnd(systemMessage.outcome);
}

/**
 * Applies a message to its row: last message and counters. The user's own message also moves their read cursor. A
 * message that they approved moves it only if nothing before it was unread.
 */
function rowWithMessage(row: Conversation, message: Message, selfId: string): Conversation {
  const changeSeq = Math.max(row.changeSeq, message.changeSeq);
  const isLast = message.seq >= row.lastSeq;
  const fresh = message.seq > row.lastSeq;
  const lastSeq = Math.max(row.lastSeq, message.seq);
  const isApproval = typeof message.seal?.draftId === 'string';
  const isOwn = message.senderId === selfId;
  const isRead = (isOwn && !isApproval) || (row.unreadCount === 0 && (isOwn || isQuiet(message)));
  const readSeq = fresh && isRead ? Math.max(row.readSeq, message.seq) : row.readSeq;
  const outdated = row.lastMessage?.seq === message.seq && row.lastMessage.changeSeq > message.changeSeq;
  const isShown = isLast && !outdated && !message.hidden;
  const lastMessage = isShown ? { ...message, timestamp: message.createdAt } : row.lastMessage;
  const mentions = message.senderId !== selfId && message.mentions.includes(selfId);
  const mentionSeq = mentions ? Math.max(message.seq, row.mentionSeq ?? 0) : row.mentionSeq;
  return { ...row, changeSeq, lastSeq, readSeq, unreadCount: unread(lastSeq, readSeq), lastMessage, mentionSeq };
}

/** Applies a message to row and timeline. `missing` is true if the timeline has a gap before it. */
export function withReceivedMessage(
  state: ChatState,
  message: Message,
): { change: Partial<ChatState>; missing: boolean } {
  const rows = {
    ...updateRow(state, message.conversationId, (row) => rowWithMessage(row, message, state.selfId)),
    ...elsewhere(state, message),
  };
  const timeline = state.timelines[message.conversationId];
  const last = withLastShown({ ...state, ...rows }, message);
  if (!timeline || timeline.status !== 'ready') return { change: { ...rows, ...last }, missing: false };
  const next = withMessage(timeline, message);
  if (next === null) return { change: { ...rows, ...last }, missing: true };
  const timelines = { ...state.timelines, [message.conversationId]: next };
  return { change: { ...rows, ...last, timelines }, missing: false };
}

/** Reaction in a live frame, which has the change but not the message. */
export interface ReactionChange {
  readonly conversationId: string;
  readonly seq: number;
  readonly changeSeq: number;
  readonly userId: string;
  readonly emoji: string | null;
}

/**
 * Returns the message with the reaction applied. Returns null if the message is unknown or already newer. Requires that
 * no earlier change was missed.
 */
export function applyReactionChange(state: ChatState, change: ReactionChange): Message | null {
  const { conversationId, seq, changeSeq, userId, emoji } = change;
  const inTimeline = state.timelines[conversationId]?.messages ?? [];
  const inWindow = state.windows[conversationId]?.messages ?? [];
  const known = [
    inTimeline[seq - (inTimeline[0]?.seq ?? 0)],
    inWindow[seq - (inWindow[0]?.seq ?? 0)],
    state.originals[conversationId]?.[seq],
  ].filter((one) => one?.seq === seq);
  const [latest] = known.toSorted((a, b) => (b?.changeSeq ?? 0) - (a?.changeSeq ?? 0));
  if (!latest || latest.changeSeq >= changeSeq) return null;
  const others = latest.reactions.filter((one) => one.userId !== userId);
  return { ...latest, changeSeq, reactions: emoji === null ? others : [...others, { userId, emoji }] };
}

/** Records a change whose content the row does not show. */
export function withChangeSeq(state: ChatState, id: string, changeSeq: number): Partial<ChatState> {
  return updateRow(state, id, (row) => (row.changeSeq >= changeSeq ? row : { ...row, changeSeq }));
}

/** Applies a message to copies outside the timeline: the open window of the past, and quoted originals. */
function elsewhere(state: ChatState, message: Message): Partial<ChatState> {
  const { conversationId, seq } = message;
  const window = state.windows[conversationId];
  const original = state.originals[conversationId]?.[seq];
  const changed = window && windowWithMessage(window, message);
  return {
    ...(changed !== window && changed && { windows: { ...state.windows, [conversationId]: changed } }),
    ...(original &&
      original.changeSeq < message.changeSeq && {
        originals: { ...state.originals, [conversationId]: { ...state.originals[conversationId], [seq]: message } },
      }),
  };
}

/** Applies the user's read cursor from this or another device. It never moves back. */
export function withReadCursor(state: ChatState, conversationId: string, readSeq: number): Partial<ChatState> {
  return updateRow(state, conversationId, (row) =>
    readSeq <= row.readSeq ? row : { ...row, readSeq, unreadCount: unread(row.lastSeq, readSeq) },
  );
}

export function withTimeline(
  state: ChatState,
  conversationId: string,
  change: (timeline: Timeline) => Timeline,
): Partial<ChatState> {
  const row = state.conversations[conversationId];
  const timeline = state.timelines[conversationId] ?? createEmptyTimeline(row?.changeSeq ?? 0, row?.readSeq ?? 0);
  return { timelines: { ...state.timelines, [conversationId]: change(timeline) } };
}

export function withTyping(
  state: ChatState,
  conversationId: string,
  userId: string,
  until: number | null,
): Partial<ChatState> {
  const { [userId]: _, ...others } = state.typing[conversationId] ?? {};
  const entries = until === null ? others : { ...others, [userId]: until };
  return { typing: { ...state.typing, [conversationId]: entries } };
}

/** Returns the delivery state of the user's own message: the minimum over all other members. */
export function deliveryOf(message: Message, row: Conversation, selfId: string): 'sent' | 'delivered' | 'read' {
  // A large group's row has only some members and no state for the rest.
  if (!hasAllMembers(row)) return 'sent';
  const approver = approverOf(message);
  const others = row.members.filter(
    ({ userId, leftAt, joinedAt }) =>
      // Members who joined later never received the message. Who approved it sends no receipts for it.
      userId !== selfId &&
      userId !== approver &&
      leftAt === null &&
      (row.type === 'direct' || joinedAt <= message.createdAt),
  );
  if (others.length === 0) return 'sent';
  if (others.every((member) => member.readSeq >= message.seq)) return 'read';
  return others.every((member) => member.deliveredSeq >= message.seq) ? 'delivered' : 'sent';
}

/** Returns true if an unread message mentions the user. */
export function hasUnreadMention({ mentionSeq, readSeq }: Pick<Conversation, 'mentionSeq' | 'readSeq'>): boolean {
  return mentionSeq !== null && mentionSeq > readSeq;
}
