import type { Message } from '@nolo/api';
import { fingerprint, SparseNumbers } from './fingerprints.ts';

/** Fields of a message that must be the same for every observer, and those that may change with its changeSeq. */
export type MessageObservation = Pick<
  Message,
  'id' | 'conversationId' | 'seq' | 'changeSeq' | 'content' | 'clientMessageId' | 'senderId' | 'deletedAt'
> &
  Partial<Pick<Message, 'reactions'>>;

/** Edit or, without content, an erasure; likewise a reaction or, without content, its removal. */
export interface MessageAmendment {
  readonly content: string | null;
  acknowledged: boolean;
  /** Number of attempts with an unknown outcome: each may have happened, or may still happen. */
  unknown: number;
  /** True if the server reported that there is no such message, as for an erased one. */
  gone?: true;
}

/** Possible states of a message, according to its authors. */
export interface ExpectedMessage {
  readonly content: string;
  /** Changes in the order of their creation, each begun after the one before was answered. */
  readonly amendments: MessageAmendment[];
  /** Reactions by user, in the same order. */
  readonly reactions: Map<string, MessageAmendment[]>;
}

/** Message that a client tried to send. */
export interface SendAttempt extends ExpectedMessage {
  clientMessageId: string;
  conversationId: string;
  tries: number;
  /** Highest acknowledged seq of its conversation before the first attempt: its own must be higher. */
  floor: number;
  /** Seq of the message; 0 until a client has seen it. */
  seq: number;
  acknowledged: boolean;
  stored: number;
}

/** Knowledge about one conversation. */
export interface ConversationLedger {
  /** Seq up to which everything was verified and forgotten, except for fingerprints. */
  base: number;
  highestAcknowledged: number;
  /** Message identity, latest changeSeq, and state then, by seq. */
  identity: SparseNumbers;
  change: SparseNumbers;
  state: SparseNumbers;
  /** Attempts that are not verified yet. */
  attempts: Set<SendAttempt>;
  at: Map<number, SendAttempt>;
}

/** Messages of one conversation that one client received since the last verification, by seq from there on. */
export interface ClientObservations {
  change: SparseNumbers;
  state: SparseNumbers;
  live: SparseNumbers;
  highestLive: number;
}

export const fingerprintIdentity = ({ id, senderId, clientMessageId }: MessageObservation) =>
  fingerprint(id, senderId, clientMessageId);

export function fingerprintState({
  content,
  deletedAt,
  reactions = [],
}: Pick<MessageObservation, 'content' | 'deletedAt' | 'reactions'>) {
  return deletedAt
    ? fingerprint(null)
    : fingerprint(content, ...reactions.flatMap(({ userId, emoji }) => [userId, emoji]));
}

export const isErasure = ({ content }: MessageAmendment) => content === null;
export const describeContent = (content: string | null) => (content === null ? 'its erasure' : `"${content}"`);

/** Returns true if authors created the state that is seen. */
export function isPossibleState(
  { content, amendments, reactions }: ExpectedMessage,
  message: MessageObservation,
): boolean {
  const seen = message.reactions ?? [];
  if (message.deletedAt) return message.content === '' && seen.length === 0 && amendments.some(isErasure);
  const isKnownContent = message.content === content || amendments.some((one) => one.content === message.content);
  const people = new Set(seen.map(({ userId }) => userId));
  return (
    isKnownContent &&
    people.size === seen.length &&
    seen.every(({ userId, emoji }) => reactions.get(userId)?.some((one) => one.content === emoji))
  );
}

export type AmendmentVerdict = 'right' | 'late' | { readonly wanted: string | null };

/**
 * Returns the verdict on whether something ended in its last acknowledged state. An unanswered attempt may take effect
 * after its repetition and after later requests, because the server cannot tell that it is old.
 */
export function judgeAmendments(
  made: readonly MessageAmendment[],
  first: string | null,
  has: string | null,
): AmendmentVerdict {
  const last = made.findLast(({ acknowledged }) => acknowledged);
  const wanted = last ? last.content : first;
  if (has === wanted) return 'right';
  return made.some((one) => one.unknown > 0 && one.content === has) ? 'late' : { wanted };
}

export const createConversationLedger = (): ConversationLedger => ({
  identity: new SparseNumbers(),
  change: new SparseNumbers(),
  state: new SparseNumbers(),
  base: 0,
  highestAcknowledged: 0,
  attempts: new Set(),
  at: new Map(),
});

export const createClientObservations = (): ClientObservations => ({
  change: new SparseNumbers(),
  state: new SparseNumbers(),
  live: new SparseNumbers(),
  highestLive: 0,
});
