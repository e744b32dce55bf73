import type { Conversation } from '@nolo/api';
import type { ChatState } from './state.ts';
import { findNextMessageExpiry } from './expiry.ts';
import { withoutCleared } from './hiding.ts';
import { lastActivityOf, listConversationsByActivity } from './chatStore.ts';
import { collectPeopleOfMessages, collectPeopleOfRow, withPeople } from './people.ts';
import type { OfflineChats, OfflineTimeline, UnsentMessage } from './ports.ts';
import { createEmptyTimeline, type PendingMessage, type Timeline } from './timeline.ts';

/**
 * Maximum numbers stored for offline use: latest conversations, conversations with messages, messages in each, and
 * names.
 */
export const offlineChatLimits = { rows: 200, timelines: 50, messages: 200, people: 2_000 };

/** Returns the conversations whose messages are stored: the latest. */
export function selectOfflineConversations(state: ChatState): Conversation[] {
  return listConversationsByActivity(state.conversations).slice(0, offlineChatLimits.timelines);
}

/** Returns a timeline's newest messages as stored on the device, or null if it is not loaded. */
export function toOfflineTimeline(row: Conversation, timeline: Timeline): OfflineTimeline | null {
  if (timeline.status !== 'ready') return null;
  const messages = timeline.messages.slice(-offlineChatLimits.messages);
  const next = findNextMessageExpiry(messages);
  return {
    conversationId: row.id,
    activity: lastActivityOf(row),
    changeSeq: timeline.changeSeq,
    hasOlder: timeline.hasOlder || messages.length < timeline.messages.length,
    count: messages.length,
    nextExpiry: next === Infinity ? null : next,
    messages,
  };
}

/** Fills an unloaded timeline with stored messages, except those cleared since. Pending messages stay. */
export function restoreOfflineTimeline(timeline: Timeline, kept: OfflineTimeline, clearedSeq: number): Timeline {
  if (timeline.status === 'ready') return timeline;
  const arrived = new Set(kept.messages.map((message) => message.clientMessageId));
  return {
    ...timeline,
    status: 'ready',
    messages: withoutCleared(kept.messages, clearedSeq),
    hasOlder: kept.hasOlder && (kept.messages[0]?.seq ?? 0) > clearedSeq + 1,
    changeSeq: kept.changeSeq,
    pending: timeline.pending.filter((message) => !arrived.has(message.clientMessageId)),
  };
}

/** Fields that rows stored by previous releases lack. */
type Later = 'clearedSeq' | 'hiddenAt' | 'requestedAt' | 'mentionSeq';
function completed(row: Omit<Conversation, Later> & Partial<Pick<Conversation, Later>>): Conversation {
  const { clearedSeq = 0, hiddenAt = null, requestedAt = null, mentionSeq = null } = row;
  return { ...row, clearedSeq, hiddenAt, requestedAt, mentionSeq };
}

/** Removes stored presence, which may be outdated. */
function withoutPresence(kept: Conversation): Conversation {
  const row = completed(kept);
  const { otherUser } = row;
  return otherUser === null ? row : { ...row, otherUser: { ...otherUser, presenceStatus: 'offline', isOnline: false } };
}

export function toPendingMessage(message: UnsentMessage): PendingMessage {
  const { clientMessageId, content, createdAt, extras, refused } = message;
  const pending = { clientMessageId, content, createdAt, ...(extras && { extras }) };
  return refused === null ? { ...pending, state: 'waiting' } : { ...pending, state: 'failed', reason: refused };
}

/** Restores the chat state from the device. */
export function restoreOfflineChats(kept: OfflineChats): Partial<ChatState> {
  const conversations = Object.fromEntries(kept.rows.map((row) => [row.id, withoutPresence(row)]));
  const timelines: Record<string, Timeline> = {};
  const begin = (id: string): Timeline => {
    const row = conversations[id];
    return (timelines[id] ??= createEmptyTimeline(row?.changeSeq ?? 0, row?.readSeq ?? 0));
  };
  for (const message of kept.unsent) {
    const timeline = begin(message.conversationId);
    timelines[message.conversationId] = { ...timeline, pending: [...timeline.pending, toPendingMessage(message)] };
  }
  for (const one of kept.timelines) {
    timelines[one.conversationId] = restoreOfflineTimeline(
      begin(one.conversationId),
      one,
      conversations[one.conversationId]?.clearedSeq ?? 0,
    );
  }
  const people = withPeople({}, [
    ...kept.rows.flatMap((row) => [...collectPeopleOfRow(row), ...collectPeopleOfMessages([row.lastMessage ?? {}])]),
    ...kept.people,
  ]);
  return {
    conversations,
    timelines,
    people,
    isPresenceKnown: false,
    ...(kept.listed ? { list: 'ready' as const } : {}),
  };
}
