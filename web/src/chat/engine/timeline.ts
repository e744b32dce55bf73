import type { Message } from '@nolo/api';
import type { MessageExtras } from './ports.ts';

/** A message of one's own that the server has not acknowledged yet. */
export interface PendingMessage {
  readonly clientMessageId: string;
  readonly content: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly extras?: MessageExtras;
  /** `waiting`: it could not be sent now and goes out by itself; `failed`: it was refused. */
  readonly state: 'sending' | 'waiting' | 'failed';
  /** Why it was refused: an error code and the server's words. */
  readonly reason?: { code: string; message: string };
}

/**
 * The loaded part of a conversation: always one dense run of `seq` that ends with the newest message known, so that
 * older pages are put in front and new messages behind, and nothing in between can be missing.
 */
export interface Timeline {
  readonly status: 'loading' | 'ready' | 'error';
  readonly messages: readonly Message[];
  readonly hasOlder: boolean;
  readonly loadingOlder: boolean;
  /** Everything up to this change is applied. */
  readonly changeSeq: number;
  readonly pending: readonly PendingMessage[];
  /** Where the "new messages" marker stands: the read cursor when the conversation was opened. */
  readonly unreadAfter: number;
}

export function emptyTimeline(changeSeq: number, unreadAfter: number): Timeline {
  return { status: 'loading', messages: [], hasOlder: false, loadingOlder: false, changeSeq, pending: [], unreadAfter };
}

/** Puts the newest page in place of whatever was loaded. */
export function withNewestPage(timeline: Timeline, messages: readonly Message[], hasOlder: boolean): Timeline {
  return withoutArrived({ ...timeline, status: 'ready', messages, hasOlder, loadingOlder: false });
}

/** Puts an older page in front; a page that does not join (the timeline was reset meanwhile) is dropped. */
export function withOlderPage(timeline: Timeline, page: readonly Message[], hasOlder: boolean): Timeline {
  const first = timeline.messages[0]?.seq ?? 0;
  const older = page.filter((message) => message.seq < first);
  const joins = older.length === 0 || older.at(-1)?.seq === first - 1;
  if (!joins) return { ...timeline, loadingOlder: false };
  return { ...timeline, messages: [...older, ...timeline.messages], hasOlder, loadingOlder: false };
}

/**
 * Applies a message in a newer state. One that is older than the loaded run is not shown and not needed; one that would
 * leave a hole answers null, and the caller catches up.
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

/** Takes pending messages out that the server has meanwhile shown as stored. */
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
