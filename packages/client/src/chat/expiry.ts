import type { Conversation, Message } from '@nolo/api';
import type { StoredMessage } from './rowOpening.ts';
import type { ChatState } from './state.ts';

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

/** Returns a message without its content, and without what others added to it. */
export function withoutContent<M extends Message>(message: M): M {
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
    extra: undefined,
    reactions: [],
    pinnedAt: null,
  };
}

/** Returns what remains of an expired message: that it existed, as the server will report it. */
export function toTombstone<M extends StoredMessage>(message: M): M {
  return {
    ...withoutContent(message),
    deletedAt: message.expiresAt,
    ...(message.opening && { opening: { state: 'expired' } }),
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
export function hasDisappeared({ expiresAt, deletedAt, opening }: StoredMessage): boolean {
  // The device judges whether the time of a sealed message was over, whatever the server says.
  if (opening && opening.state !== 'plain') return opening.state === 'expired';
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

/** Returns when the next message in memory expires, in milliseconds since the epoch, or Infinity. */
export function findNextExpiry(state: ChatState): number {
  let next = Infinity;
  for (const { messages } of Object.values(state.timelines)) next = Math.min(next, findNextMessageExpiry(messages));
  for (const { messages } of Object.values(state.windows)) next = Math.min(next, findNextMessageExpiry(messages));
  for (const { lastMessage } of Object.values(state.conversations)) {
    if (lastMessage) next = Math.min(next, expiryOf(lastMessage));
  }
  return next;
}
