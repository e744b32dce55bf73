import type { Conversation, Message, User } from '@nolo/api';
import { isQuietCallEnd, limits, readCallNote } from '@nolo/rules';
import { createStore } from 'zustand/vanilla';
import { peopleOfMessages, peopleOfRow, withPeople, type People } from './people.ts';
import type { LivePresence } from './presence.ts';
import { isListed, isRequest, isUnaccepted, withCleared, withLastShown } from './hiding.ts';
import type { Wish } from './marks.ts';
import type { Originals } from './originals.ts';
import type { RealtimeStatus } from '../../api/realtime.ts';
import { emptyTimeline, withMessage, type Timeline } from './timeline.ts';
import { windowWithMessage, type TimelineWindow } from './window.ts';

/** What the app knows of conversations, people and the connection. Only `chatEngine` writes it. */
export interface ChatState {
  readonly selfId: string;
  readonly connection: RealtimeStatus;
  readonly list: 'loading' | 'ready' | 'error';
  readonly conversations: Readonly<Record<string, Conversation>>;
  readonly timelines: Readonly<Record<string, Timeline>>;
  /** False while the rows come from the device alone, which cannot know who is there now. */
  readonly presenceTold: boolean;
  /** Presence told live; wins over what conversation rows and contacts say. */
  readonly presence: LivePresence;
  /** By conversation: the changes up to which its row is known. */
  readonly knownUpTo: Readonly<Record<string, KnownUpTo>>;
  /** Who types where: conversation id, user id, end in milliseconds since the epoch. */
  readonly typing: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** The names behind the ids of senders and members. */
  readonly people: People;
  /** Where somebody jumped to in a conversation's past, by conversation. */
  readonly windows: Readonly<Record<string, TimelineWindow>>;
  readonly originals: Originals;
  readonly wishes: Readonly<Record<string, Wish>>;
  /** The messages that one has starred, as far as they were told. */
  readonly starred: Readonly<Record<string, true>>;
  /** How many messages wait for approval, by group; as far as it was told. */
  readonly heldMessages: Readonly<Record<string, number>>;
  /** The last group that somebody took one out of. */
  readonly removedFrom: { readonly conversationId: string; readonly name: string } | null;
}

export function createChatStore(selfId: string) {
  return createStore<ChatState>(() => ({
    selfId,
    connection: 'connecting',
    list: 'loading',
    conversations: {},
    timelines: {},
    presenceTold: true,
    presence: {},
    knownUpTo: {},
    typing: {},
    people: {},
    windows: {},
    originals: {},
    wishes: {},
    starred: {},
    heldMessages: {},
    removedFrom: null,
  }));
}

/** The `changeSeq` up to which a part of a row is known: news that is older must not take it back. */
export interface KnownUpTo {
  /** Whoever is not among the members at this change is none, and comes back only with a later one. */
  readonly members: number;
  readonly memberCount: number;
  /** Name, picture, settings, code and timer. */
  readonly meta: number;
}

export const nothingKnown: KnownUpTo = { members: 0, memberCount: 0, meta: 0 };

export function withKnownUpTo(state: ChatState, id: string, change: Partial<KnownUpTo>): Pick<ChatState, 'knownUpTo'> {
  return { knownUpTo: { ...state.knownUpTo, [id]: { ...(state.knownUpTo[id] ?? nothingKnown), ...change } } };
}

/** When something last happened in a conversation. */
export function activityOf(row: Conversation): string {
  return row.lastMessage?.createdAt ?? row.createdAt;
}

/** Times and ids are ASCII of one form, which a language's own order would compare many times slower. */
function descending(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? 1 : -1;
}

function byActivity(a: Conversation, b: Conversation): number {
  return descending(activityOf(a), activityOf(b)) || descending(a.id, b.id);
}

/** Latest activity first, without those of strangers who wait to be accepted. */
export function sortedConversations(conversations: ChatState['conversations']): Conversation[] {
  return (
    Object.values(conversations)
      // What was said beside a meeting is found at the meeting.
      .filter((row) => row.type !== 'meeting' && isListed(row) && !isUnaccepted(row))
      .toSorted(byActivity)
  );
}

/** First messages of strangers, the latest first; who was blocked waits no longer. */
export function requestedConversations(conversations: ChatState['conversations']): Conversation[] {
  return Object.values(conversations)
    .filter((row) => isRequest(row) && row.otherUser?.isBlocked !== true)
    .toSorted(byActivity);
}

/** As the list shows them: what one has pinned stands first, the latest pin at the top, and what is archived apart. */
export function listedConversations(conversations: ChatState['conversations']): {
  current: Conversation[];
  archived: Conversation[];
} {
  const all = sortedConversations(conversations);
  const current = all.filter(({ archivedAt }) => archivedAt === null);
  const pinned = current
    .filter(({ pinnedAt }) => pinnedAt !== null)
    .toSorted((a, b) => descending(a.pinnedAt ?? '', b.pinnedAt ?? ''));
  const others = current.filter(({ pinnedAt }) => pinnedAt === null);
  return { current: [...pinned, ...others], archived: all.filter(({ archivedAt }) => archivedAt !== null) };
}

/** How many wait to be let into a group, for those who decide about it. */
export const requestsIn = ({ type, myRole, requestCount = 0 }: Conversation): number =>
  type === 'group' && myRole !== 'member' ? requestCount : 0;

export function withRequestCount(state: ChatState, id: string, requestCount: number): Partial<ChatState> {
  return updateRow(state, id, (row) => ({ ...row, requestCount }));
}

/** People who are no contacts and whose messages one accepted, or to whom one wrote. */
export function acceptedStrangers(conversations: ChatState['conversations']): User[] {
  return Object.values(conversations).flatMap(({ type, otherUser, requestedAt, lastMessage }) => {
    const known = type === 'direct' && requestedAt === null && lastMessage !== null ? otherUser : null;
    return known && !known.isContact && !known.isBlocked ? [known] : [];
  });
}

/** Whether a call goes on in a group. */
export const isInCall = ({ group }: Conversation): boolean => (group?.callSince ?? null) !== null;

/** Whether a conversation makes no noise now. */
export function isMuted({ mutedUntil }: Pick<Conversation, 'mutedUntil'>, now: number): boolean {
  return mutedUntil !== null && Date.parse(mutedUntil) > now;
}

/** Rows of lists name a few members only; whoever was known besides stays, and an opened timeline hears of what changed. */
function membersNow(known: Conversation | undefined, row: Conversation): Conversation['members'] {
  if (!known || row.type === 'direct' || namesEverybody(row)) return row.members;
  const fresh = new Set(row.members.map(({ userId }) => userId));
  return [...row.members, ...known.members.filter(({ userId }) => !fresh.has(userId))].slice(0, mostNamed(row));
}

/** How many members a row can know of: all of a group that tells everybody of everybody's receipts. */
export function mostNamed({ memberCount }: Pick<Conversation, 'memberCount'>): number {
  return memberCount <= limits.receiptsToAllMembers ? limits.receiptsToAllMembers : namedMembers;
}

/** A row of a larger group names so many; all of them are asked for page by page. */
const namedMembers = 5;

/** Whether the row says of everybody how far they have read. */
export function namesEverybody({ members, memberCount }: Pick<Conversation, 'members' | 'memberCount'>): boolean {
  return members.filter(({ leftAt }) => leftAt === null).length >= memberCount;
}

/** Whether everybody could be named and is not, as after a list. */
export function lacksMembers(row: Conversation): boolean {
  return row.type !== 'direct' && row.memberCount <= limits.receiptsToAllMembers && !namesEverybody(row);
}

/** Whether a row says what is known: then nothing that shows it has to be drawn anew. */
function saysTheSame(known: Conversation, row: Conversation): boolean {
  return known.changeSeq === row.changeSeq && JSON.stringify(known) === JSON.stringify(row);
}

/** Puts a row from the server in place, unless a newer state is known. */
export function withConversation(state: ChatState, row: Conversation): Partial<ChatState> {
  const known = state.conversations[row.id];
  if (known && known.changeSeq > row.changeSeq) return {};
  const people = withPeople(state.people, [...peopleOfRow(row), ...peopleOfMessages([row.lastMessage ?? {}])]);
  const next = { ...row, members: membersNow(known, row) };
  if (known && saysTheSame(known, next)) return people === state.people ? {} : { people };
  const { changeSeq } = row;
  const upTo = withKnownUpTo(state, row.id, { members: changeSeq, memberCount: changeSeq, meta: changeSeq });
  // Another device may have cleared it.
  if (known && row.clearedSeq > known.clearedSeq) return { ...withCleared(state, next), ...upTo, people };
  return { conversations: { ...state.conversations, [row.id]: next }, ...upTo, people };
}

/** Forgets a conversation that one is in no longer, with everything that belongs to it. */
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
    heldMessages: without(state.heldMessages),
  };
}

/** Takes up what messages say of their senders. */
export function withSenders(state: ChatState, messages: readonly Message[]): Partial<ChatState> {
  const people = withPeople(state.people, peopleOfMessages(messages));
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

/** A call that needs no second look, as the server counts it too. */
function isQuiet({ messageType, content }: Message): boolean {
  const note = messageType === 'system' ? readCallNote(content) : null;
  return note !== null && isQuietCallEnd(note.outcome);
}

/** The row's part of a message: last message, counters. One's own message moves one's own read cursor too. */
function rowWithMessage(row: Conversation, message: Message, selfId: string): Conversation {
  const changeSeq = Math.max(row.changeSeq, message.changeSeq);
  const isLast = message.seq >= row.lastSeq;
  const fresh = message.seq > row.lastSeq;
  const lastSeq = Math.max(row.lastSeq, message.seq);
  const isRead = message.senderId === selfId || (row.unreadCount === 0 && isQuiet(message));
  const readSeq = fresh && isRead ? Math.max(row.readSeq, message.seq) : row.readSeq;
  const outdated = row.lastMessage?.seq === message.seq && row.lastMessage.changeSeq > message.changeSeq;
  const isShown = isLast && !outdated && !message.hidden;
  const lastMessage = isShown ? { ...message, timestamp: message.createdAt } : row.lastMessage;
  const mentions = message.senderId !== selfId && message.mentions.includes(selfId);
  const mentionSeq = mentions ? Math.max(message.seq, row.mentionSeq ?? 0) : row.mentionSeq;
  return { ...row, changeSeq, lastSeq, readSeq, unreadCount: unread(lastSeq, readSeq), lastMessage, mentionSeq };
}

/** Applies a message to row and timeline. `missing` says that the timeline has a hole before it. */
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

/** A reaction as it is told live: what changed, and nothing of the message. */
export interface ToldReaction {
  readonly conversationId: string;
  readonly seq: number;
  readonly changeSeq: number;
  readonly userId: string;
  readonly emoji: string | null;
}

/**
 * The message with a reaction that was told of it; null where it is not known, or known as it was later. Right only for
 * somebody who has missed no change before this one.
 */
export function withToldReaction(state: ChatState, told: ToldReaction): Message | null {
  const { conversationId, seq, changeSeq, userId, emoji } = told;
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

/** The row knows of a change whose content it does not show. */
export function withChangeSeq(state: ChatState, id: string, changeSeq: number): Partial<ChatState> {
  return updateRow(state, id, (row) => (row.changeSeq >= changeSeq ? row : { ...row, changeSeq }));
}

/** Applies a message where it is held beside the timeline: in the past that somebody looks at, and as an answer's original. */
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

/** One's own read cursor, from this or another device. It never moves back. */
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
  const timeline = state.timelines[conversationId] ?? emptyTimeline(row?.changeSeq ?? 0, row?.readSeq ?? 0);
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

/** How far one's own message got: the least that any other member has of it. */
export function deliveryOf(message: Message, row: Conversation, selfId: string): 'sent' | 'delivered' | 'read' {
  // A large group's row holds only some of its members, and says nothing of the rest.
  if (!namesEverybody(row)) return 'sent';
  const others = row.members.filter(
    ({ userId, leftAt, joinedAt }) =>
      // Whoever came later was never sent it.
      userId !== selfId && leftAt === null && (row.type === 'direct' || joinedAt <= message.createdAt),
  );
  if (others.length === 0) return 'sent';
  if (others.every((member) => member.readSeq >= message.seq)) return 'read';
  return others.every((member) => member.deliveredSeq >= message.seq) ? 'delivered' : 'sent';
}

/** Whether something unread mentions oneself. */
export function mentionsSelf({ mentionSeq, readSeq }: Pick<Conversation, 'mentionSeq' | 'readSeq'>): boolean {
  return mentionSeq !== null && mentionSeq > readSeq;
}
