import type { Conversation, ConversationSettings, Message } from '@nolo/api';
import type { ChatState } from './chatStore.ts';
import { tombstone } from './expiry.ts';
import { withoutWindow } from './window.ts';

/* What one wants to see no longer, told to all of one's devices. */

/** Whether something came since the conversation was cleared, as the server counts it: hidden messages too. */
function hasNews({ lastSeq, clearedSeq }: Pick<Conversation, 'lastSeq' | 'clearedSeq'>): boolean {
  return lastSeq > clearedSeq;
}

/** Whether a conversation is in the list: one that was taken out of it comes back with the first message, as requests come. */
export function isListed(row: Pick<Conversation, 'hiddenAt' | 'lastSeq' | 'clearedSeq' | 'requestedAt'>): boolean {
  return (row.hiddenAt === null && !isUnaccepted(row)) || hasNews(row);
}

/** Whether the other person, a stranger, waits to be accepted (decision 39). Rows that an app of before kept do not say. */
export function isUnaccepted({ requestedAt }: Pick<Conversation, 'requestedAt'>): boolean {
  return typeof requestedAt === 'string';
}

/** Whether there is something to accept: until it is, nothing of it is loaded, and nothing told. */
export function isRequest(row: Pick<Conversation, 'requestedAt' | 'lastSeq' | 'clearedSeq'>): boolean {
  return isUnaccepted(row) && hasNews(row);
}

/** What is left of a message that was hidden by this change. */
export function hiddenMessage(message: Message, changeSeq: number): Message {
  return { ...tombstone(message), changeSeq, deletedAt: message.deletedAt ?? message.createdAt, hidden: true };
}

/** A message where the app holds it, or undefined. */
export function knownMessage(state: ChatState, conversationId: string, seq: number): Message | undefined {
  const held = [
    state.timelines[conversationId]?.messages,
    state.windows[conversationId]?.messages,
    [state.originals[conversationId]?.[seq], state.conversations[conversationId]?.lastMessage],
  ];
  for (const messages of held) {
    const found = messages?.find((message) => message?.seq === seq);
    if (found) return found;
  }
  return undefined;
}

/** The row's last message is hidden: the one before it takes its place, as far as it is loaded. */
export function withLastShown(state: ChatState, message: Message): Partial<ChatState> {
  const { conversationId, seq } = message;
  const row = state.conversations[conversationId];
  if (!message.hidden || row?.lastMessage?.seq !== seq) return {};
  const before = state.timelines[conversationId]?.messages.findLast((one) => one.seq < seq && !one.hidden);
  const lastMessage = before ? { ...before, timestamp: before.createdAt } : null;
  return { conversations: { ...state.conversations, [conversationId]: { ...row, lastMessage } } };
}

/** The messages that are left after clearing; the same list where none goes. */
export function notCleared(messages: readonly Message[], clearedSeq: number): readonly Message[] {
  const first = messages[0];
  return first !== undefined && first.seq <= clearedSeq ? messages.filter(({ seq }) => seq > clearedSeq) : messages;
}

/** The row after what was said up to `clearedSeq` went: it counts as read, and nothing of it is shown. */
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

/** Takes what was cleared out of everything that is held of a conversation. */
export function withCleared(state: ChatState, row: Conversation): Partial<ChatState> {
  const { id, clearedSeq } = row;
  const timeline = state.timelines[id];
  const messages = timeline && notCleared(timeline.messages, clearedSeq);
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

/** What oneself chose for a conversation, as it is told to all of one's devices. */
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
