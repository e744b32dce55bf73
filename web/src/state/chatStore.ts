import type { Conversation, Member, Message, User } from '@nolo/api';
import { createStore } from 'zustand/vanilla';
import type { RealtimeStatus } from './realtime.ts';
import { emptyTimeline, withMessage, type Timeline } from './timeline.ts';

/** What the app knows of conversations, people and the connection. Only `chatEngine` writes it. */
export interface ChatState {
  readonly selfId: string;
  readonly connection: RealtimeStatus;
  readonly list: 'loading' | 'ready' | 'error';
  readonly conversations: Readonly<Record<string, Conversation>>;
  readonly timelines: Readonly<Record<string, Timeline>>;
  /** Presence told live; wins over what conversation rows and contacts say. */
  readonly presence: Readonly<Record<string, Pick<User, 'presenceStatus' | 'statusMessage'>>>;
  /** Who types where: conversation id, user id, end in milliseconds since the epoch. */
  readonly typing: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

export function createChatStore(selfId: string) {
  return createStore<ChatState>(() => ({
    selfId,
    connection: 'connecting',
    list: 'loading',
    conversations: {},
    timelines: {},
    presence: {},
    typing: {},
  }));
}

/** When something last happened in a conversation. */
export function activityOf(row: Conversation): string {
  return row.lastMessage?.createdAt ?? row.createdAt;
}

/** Latest activity first, as the list shows them. */
export function sortedConversations(conversations: ChatState['conversations']): Conversation[] {
  return (
    Object.values(conversations)
      // What was said beside a meeting is found at the meeting.
      .filter(({ type }) => type !== 'meeting')
      .toSorted((a, b) => activityOf(b).localeCompare(activityOf(a)) || b.id.localeCompare(a.id))
  );
}

/** Puts a row from the server in place, unless a newer state is known. */
export function withConversation(state: ChatState, row: Conversation): Partial<ChatState> {
  const known = state.conversations[row.id];
  if (known && known.changeSeq > row.changeSeq) return {};
  return { conversations: { ...state.conversations, [row.id]: row } };
}

function updateRow(state: ChatState, id: string, change: (row: Conversation) => Conversation): Partial<ChatState> {
  const row = state.conversations[id];
  if (!row) return {};
  const next = change(row);
  return next === row ? {} : { conversations: { ...state.conversations, [id]: next } };
}

function unread(lastSeq: number, readSeq: number): number {
  return Math.max(0, lastSeq - readSeq);
}

/** The row's part of a message: last message, counters. One's own message moves one's own read cursor too. */
function rowWithMessage(row: Conversation, message: Message, selfId: string): Conversation {
  const changeSeq = Math.max(row.changeSeq, message.changeSeq);
  const isLast = message.seq >= row.lastSeq;
  const fresh = message.seq > row.lastSeq;
  const lastSeq = Math.max(row.lastSeq, message.seq);
  const readSeq = fresh && message.senderId === selfId ? Math.max(row.readSeq, message.seq) : row.readSeq;
  const outdated = row.lastMessage?.seq === message.seq && row.lastMessage.changeSeq > message.changeSeq;
  const lastMessage = isLast && !outdated ? { ...message, timestamp: message.createdAt } : row.lastMessage;
  return { ...row, changeSeq, lastSeq, readSeq, unreadCount: unread(lastSeq, readSeq), lastMessage };
}

/** Applies a message to row and timeline. `missing` says that the timeline has a hole before it. */
export function withReceivedMessage(
  state: ChatState,
  message: Message,
): { change: Partial<ChatState>; missing: boolean } {
  const rows = updateRow(state, message.conversationId, (row) => rowWithMessage(row, message, state.selfId));
  const timeline = state.timelines[message.conversationId];
  if (!timeline || timeline.status !== 'ready') return { change: rows, missing: false };
  const next = withMessage(timeline, message);
  if (next === null) return { change: rows, missing: true };
  return { change: { ...rows, timelines: { ...state.timelines, [message.conversationId]: next } }, missing: false };
}

export function withMember(state: ChatState, conversationId: string, member: Member): Partial<ChatState> {
  return updateRow(state, conversationId, (row) => {
    const known = row.members.find((one) => one.userId === member.userId);
    if (known && known.changeSeq > member.changeSeq) return row;
    const others = row.members.filter((one) => one.userId !== member.userId);
    return { ...row, changeSeq: Math.max(row.changeSeq, member.changeSeq), members: [...others, member] };
  });
}

/** A member's shared cursors moved, as a `receipt` frame tells it. */
export function withReceipt(
  state: ChatState,
  conversationId: string,
  receipt: { userId: string; changeSeq: number; deliveredSeq: number; readSeq: number },
): Partial<ChatState> {
  const member = state.conversations[conversationId]?.members.find((one) => one.userId === receipt.userId);
  if (!member) return {};
  return withMember(state, conversationId, {
    ...member,
    changeSeq: receipt.changeSeq,
    deliveredSeq: Math.max(member.deliveredSeq, receipt.deliveredSeq),
    readSeq: Math.max(member.readSeq, receipt.readSeq),
  });
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
  const others = row.members.filter((member) => member.userId !== selfId && member.leftAt === null);
  if (others.length === 0) return 'sent';
  if (others.every((member) => member.readSeq >= message.seq)) return 'read';
  return others.every((member) => member.deliveredSeq >= message.seq) ? 'delivered' : 'sent';
}
