import type { Conversation, ConversationSettings, Message } from '@nolo/api';
import type { ChatState } from './state.ts';
import { toTombstone } from './expiry.ts';
import { withoutWindow } from './window.ts';

/* Messages and conversations that the user hides, on all their devices. */

/**
 * Returns true if messages arrived since the conversation was cleared. Counts hidden messages too, as the server does.
 */
function hasNews({ lastSeq, clearedSeq }: Pick<Conversation, 'lastSeq' | 'clearedSeq'>): boolean {
  return lastSeq > clearedSeq;
}

/** Returns true if a conversation is in the list. One removed from it returns with the next message, as requests do. */
export function isListed(row: Pick<Conversation, 'hiddenAt' | 'lastSeq' | 'clearedSeq' | 'requestedAt'>): boolean {
  return (row.hiddenAt === null && !isWaitingForAcceptance(row)) || hasNews(row);
}

/**
 * Returns true if the other person is a stranger pending acceptance (decision 39). Rows stored by previous releases
 * lack the field.
 */
export function isWaitingForAcceptance({ requestedAt }: Pick<Conversation, 'requestedAt'>): boolean {
  return typeof requestedAt === 'string';
}

/** Returns true if there is a request to accept. Until then, nothing of it is loaded or reported. */
export function isMessageRequest(row: Pick<Conversation, 'requestedAt' | 'lastSeq' | 'clearedSeq'>): boolean {
  return isWaitingForAcceptance(row) && hasNews(row);
}

/** Returns what remains of a message that this change hid. */
export function toHiddenTombstone(message: Message, changeSeq: number): Message {
  return { ...toTombstone(message), changeSeq, deletedAt: message.deletedAt ?? message.createdAt, hidden: true };
}

/** Returns a loaded message, or undefined. */
export function findKnownMessage(state: ChatState, conversationId: string, seq: number): Message | undefined {
  const messageLists = [
    state.timelines[conversationId]?.messages,
    state.windows[conversationId]?.messages,
    [state.originals[conversationId]?.[seq], state.conversations[conversationId]?.lastMessage],
  ];
  for (const messages of messageLists) {
    const found = messages?.find((message) => message?.seq === seq);
    if (found) return found;
  }
  return undefined;
}

/** Replaces the row's hidden last message with the one before it, if that is loaded. */
export function withLastShown(state: ChatState, message: Message): Partial<ChatState> {
  const { conversationId, seq } = message;
  const row = state.conversations[conversationId];
  if (!message.hidden || row?.lastMessage?.seq !== seq) return {};
  const before = state.timelines[conversationId]?.messages.findLast((one) => one.seq < seq && !one.hidden);
  const lastMessage = before ? { ...before, timestamp: before.createdAt } : null;
  return { conversations: { ...state.conversations, [conversationId]: { ...row, lastMessage } } };
}

/** Returns a loaded message with this id, in its latest state. */
export function findMessageById(state: ChatState, id: string): Message | undefined {
  const found = [
    ...Object.values(state.timelines).map(({ messages }) => messages.find((message) => message.id === id)),
    ...Object.values(state.windows).map(({ messages }) => messages.find((message) => message.id === id)),
    ...Object.values(state.originals).flatMap((ofOne) => Object.values(ofOne).find((message) => message?.id === id)),
    ...Object.values(state.conversations).map(({ lastMessage }) => (lastMessage?.id === id ? lastMessage : undefined)),
  ].filter((message) => message !== undefined && message !== null);
  return found.toSorted((a, b) => b.changeSeq - a.changeSeq)[0];
}

/** Returns the messages that remain after clearing. Returns the same list if all remain. */
export function withoutCleared(messages: readonly Message[], clearedSeq: number): readonly Message[] {
  const first = messages[0];
  return first !== undefined && first.seq <= clearedSeq ? messages.filter(({ seq }) => seq > clearedSeq) : messages;
}

/** Returns the row after clearing up to `clearedSeq`: those messages count as read and are not shown. */
function clearedRow(row: Conversation): Conversation {
  const { clearedSeq, lastMessage, mentionSeq } = row;
  const readSeq = Math.max(row.readSeq, clearedSeq);
  return {
    ...row,
    readSeq,
    unreadCount: Math.max(0, row.lastSeq - readSeq),
    lastMessage: lastMessage && lastMessage.seq <= clearedSeq ? null : lastMessage,
    mentionSeq: mentionSeq !== null && mentionSeq <= clearedSeq ? null : mentionSeq,
  };
}

/** Removes cleared messages from all loaded data of a conversation. */
export function withCleared(state: ChatState, row: Conversation): Partial<ChatState> {
  const { id, clearedSeq } = row;
  const timeline = state.timelines[id];
  const messages = timeline && withoutCleared(timeline.messages, clearedSeq);
  const { [id]: _, ...originals } = state.originals;
  return {
    ...withoutWindow(state, id),
    conversations: { ...state.conversations, [id]: clearedRow(row) },
    originals,
    ...(timeline &&
      messages !== timeline.messages && {
        timelines: { ...state.timelines, [id]: { ...timeline, messages: messages ?? [], hasOlder: false } },
      }),
  };
}

/** Applies the user's settings for a conversation, as all their devices receive them. */
export function withSettings(state: ChatState, id: string, settings: ConversationSettings): Partial<ChatState> {
  const known = state.conversations[id];
  if (!known) return {};
  const { archivedAt, pinnedAt, mutedUntil, mutedExceptMentions, markedUnread, clearedSeq, hiddenAt, requestedAt } =
    settings;
  const mine = { archivedAt, pinnedAt, mutedUntil, mutedExceptMentions, markedUnread };
  const row = { ...known, ...mine, clearedSeq, hiddenAt, requestedAt };
  if (clearedSeq > known.clearedSeq) return withCleared(state, row);
  return { conversations: { ...state.conversations, [id]: row } };
}
