import type { Conversation, Message } from '@nolo/api';
import type { ChatCore } from './chatCore.ts';
import type { ChatState } from './chatStore.ts';
import type { ChatDeviceStorage } from './ports.ts';

/** Maximum milliseconds until the clock is checked again, because timers stop while the device sleeps. */
const longestWaitMs = 3_600_000;

function expiryOf({ expiresAt, deletedAt }: Message): number {
  return expiresAt === null || deletedAt !== null ? Infinity : Date.parse(expiresAt);
}

/* Message lists are immutable, so each is scanned once. */
const known = new WeakMap<readonly Message[], number>();

/** Returns when the next of these messages expires, in milliseconds since the epoch, or Infinity. */
export function findNextMessageExpiry(messages: readonly Message[]): number {
  const cached = known.get(messages);
  if (cached !== undefined) return cached;
  let next = Infinity;
  for (const message of messages) next = Math.min(next, expiryOf(message));
  known.set(messages, next);
  return next;
}

/** Returns what remains of an expired message: that it existed, as the server will report it. */
export function toTombstone<M extends Message>(message: M): M {
  return {
    ...message,
    content: '',
    fileUrl: null,
    fileName: null,
    fileSize: null,
    voiceMessageUrl: null,
    voiceMessageDuration: null,
    voiceMessageTranscription: null,
    mediaInfo: null,
    previewUrl: null,
    mentions: [],
    replyTo: null,
    linkPreview: null,
    reactions: [],
    pinnedAt: null,
    deletedAt: message.expiresAt,
  };
}

/** Returns the messages with the content of expired ones removed. Returns the same list if none expired. */
export function replaceExpired(messages: readonly Message[], now: number): readonly Message[] {
  if (findNextMessageExpiry(messages) > now) return messages;
  return messages.map((message) => (expiryOf(message) <= now ? toTombstone(message) : message));
}

export function withoutExpiredLastMessage(row: Conversation, now: number): Conversation {
  const { lastMessage } = row;
  return lastMessage && expiryOf(lastMessage) <= now ? { ...row, lastMessage: toTombstone(lastMessage) } : row;
}

/** Returns true if a message expired rather than being deleted by a person. */
export function hasDisappeared({ expiresAt, deletedAt }: Message): boolean {
  return expiresAt !== null && deletedAt !== null && deletedAt >= expiresAt;
}

function mapChanged<T>(all: Readonly<Record<string, T>>, change: (one: T) => T): Readonly<Record<string, T>> {
  let changed = false;
  const entries = Object.entries(all).map(([id, one]) => {
    const next = change(one);
    changed ||= next !== one;
    return [id, next] as const;
  });
  return changed ? Object.fromEntries(entries) : all;
}

function withoutExpired<T extends { readonly messages: readonly Message[] }>(one: T, now: number): T {
  const messages = replaceExpired(one.messages, now);
  return messages === one.messages ? one : { ...one, messages };
}

/** Removes expired content from everything in memory. */
export function withoutExpiredContent(state: ChatState, now: number): Partial<ChatState> {
  return {
    conversations: mapChanged(state.conversations, (row) => withoutExpiredLastMessage(row, now)),
    timelines: mapChanged(state.timelines, (one) => withoutExpired(one, now)),
    windows: mapChanged(state.windows, (one) => withoutExpired(one, now)),
    originals: mapChanged(state.originals, (ofOne) =>
      mapChanged(ofOne, (message) => (message && expiryOf(message) <= now ? toTombstone(message) : message)),
    ),
  };
}

function nextIn(state: ChatState): number {
  let next = Infinity;
  for (const { messages } of Object.values(state.timelines)) next = Math.min(next, findNextMessageExpiry(messages));
  for (const { messages } of Object.values(state.windows)) next = Math.min(next, findNextMessageExpiry(messages));
  for (const { lastMessage } of Object.values(state.conversations)) {
    if (lastMessage) next = Math.min(next, expiryOf(lastMessage));
  }
  return next;
}

/** Removes messages from the screen and the device when they expire, even while the server is unreachable. */
export function createExpiryTimer({ store, patch, timers }: ChatCore, device: ChatDeviceStorage | undefined) {
  let cancel: (() => void) | null = null;
  let due = Infinity;
  /** Time of the next expiry among messages that only the device has. */
  let keptNext = Infinity;
  let stopped = false;
  /** False until the clock is certain, because expired messages cannot be restored. */
  let certain = timers.certain === undefined;

  const purgeDevice = async (): Promise<void> => {
    const next = await device?.removeExpired(timers.now()).catch(() => null);
    keptNext = next ?? Infinity;
    plan();
  };
  const run = (): void => {
    cancel = null;
    due = Infinity;
    const now = timers.now();
    patch((state) => withoutExpiredContent(state, now));
    if (keptNext <= now) void purgeDevice();
    else plan();
  };
  const plan = (): void => {
    if (stopped || !certain) return;
    const next = Math.min(nextIn(store.getState()), keptNext);
    if (next === due && cancel) return;
    cancel?.();
    cancel = null;
    due = next;
    if (next === Infinity) return;
    cancel = timers.after(Math.min(Math.max(0, next - timers.now()), longestWaitMs), run);
  };
  const unsubscribe = store.subscribe((state, before) => {
    const same =
      state.timelines === before.timelines &&
      state.windows === before.windows &&
      state.conversations === before.conversations;
    if (!same) plan();
  });
  const stopFollowing = timers.onMoved?.(() => {
    due = Infinity;
    plan();
  });
  const begin = (): void => {
    certain = true;
    if (!stopped) void purgeDevice();
  };
  return {
    start(): void {
      if (timers.certain) void timers.certain.then(begin);
      else begin();
    },
    stop(): void {
      stopped = true;
      cancel?.();
      unsubscribe();
      stopFollowing?.();
    },
  };
}
