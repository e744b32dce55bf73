import type { Message } from '@nolo/api';
import type { HeldState, MessageExtras } from './ports.ts';

/** The user's own message that the server has not acknowledged yet. */
export interface PendingMessage {
  readonly clientMessageId: string;
  readonly content: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly extras?: MessageExtras;
  /** `waiting`: could not be sent now and is retried automatically. `failed`: the server rejected it. */
  readonly state: 'sending' | 'waiting' | 'failed';
  /** Reason for the rejection: an error code and the server's message. */
  readonly reason?: { code: string; message: string };
  /** Condition of a sealed conversation that it waits for. Absent while it waits for the connection or the server. */
  readonly heldBy?: HeldState | undefined;
}

/**
 * Loaded part of a conversation: always one gapless run of `seq` that ends with the newest known message. Older pages
 * are prepended and new messages appended, so nothing in between can be missing.
 */
export interface Timeline {
  readonly status: 'loading' | 'ready' | 'error';
  readonly messages: readonly Message[];
  readonly hasOlder: boolean;
  readonly loadingOlder: boolean;
  /** Last applied change. */
  readonly changeSeq: number;
  readonly pending: readonly PendingMessage[];
  /** Position of the "new messages" marker: the read cursor when the conversation was opened. */
  readonly unreadAfter: number;
}

export function createEmptyTimeline(changeSeq: number, unreadAfter: number): Timeline {
  return { status: 'loading', messages: [], hasOlder: false, loadingOlder: false, changeSeq, pending: [], unreadAfter };
}

/** Replaces the loaded messages with the newest page. */
export function withNewestPage(timeline: Timeline, messages: readonly Message[], hasOlder: boolean): Timeline {
  return withoutArrived({ ...timeline, status: 'ready', messages, hasOlder, loadingOlder: false });
}

/** Prepends an older page. Drops a page that does not connect because the timeline was reset meanwhile. */
export function withOlderPage(timeline: Timeline, page: readonly Message[], hasOlder: boolean): Timeline {
  const first = timeline.messages[0]?.seq ?? 0;
  const older = page.filter((message) => message.seq < first);
  const joins = older.length === 0 || older.at(-1)?.seq === first - 1;
  if (!joins) return { ...timeline, loadingOlder: false };
  return { ...timeline, messages: [...older, ...timeline.messages], hasOlder, loadingOlder: false };
}

/**
 * Applies a newer state of a message. A message older than the loaded run is ignored. Returns null for one that would
 * leave a gap, and the caller catches up.
 */
export function withMessage(timeline: Timeline, message: Message): Timeline | null {
  const { messages } = timeline;
  const first = messages[0]?.seq ?? message.seq;
  const next = (messages.at(-1)?.seq ?? (timeline.hasOlder ? message.seq : 0)) + 1;
  if (message.seq < first) return timeline;
  if (message.seq > next) return null;
  if (message.seq === next) return withoutArrived({ ...timeline, messages: [...messages, message] });
  const index = message.seq - first;
  const known = messages[index];
  if (!known || known.changeSeq >= message.changeSeq) return timeline;
  return { ...timeline, messages: messages.with(index, message) };
}

/** Removes pending messages that the server has meanwhile stored. */
function withoutArrived(timeline: Timeline): Timeline {
  if (timeline.pending.length === 0) return timeline;
  const arrived = new Set(timeline.messages.map((message) => message.clientMessageId));
  const pending = timeline.pending.filter((message) => !arrived.has(message.clientMessageId));
  return pending.length === timeline.pending.length ? timeline : { ...timeline, pending };
}

export function withPending(timeline: Timeline, message: PendingMessage): Timeline {
  return { ...timeline, pending: [...timeline.pending, message] };
}

export function withPendingState(
  timeline: Timeline,
  clientMessageId: string,
  change: Partial<PendingMessage>,
): Timeline {
  return {
    ...timeline,
    pending: timeline.pending.map((message) =>
      message.clientMessageId === clientMessageId ? { ...message, ...change } : message,
    ),
  };
}

export function withoutPending(timeline: Timeline, clientMessageId: string): Timeline {
  return { ...timeline, pending: timeline.pending.filter((message) => message.clientMessageId !== clientMessageId) };
}

/** Row of the list: a stored message, or the user's own pending one. */
export interface MessageListEntry {
  /** Unchanged when the server stores the message, so that its bubble persists. */
  readonly key: string;
  readonly senderId: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly message: Message | null;
  readonly pending: PendingMessage | null;
}
