import type { Message } from '@nolo/api';
import { fingerprint, type Numbers } from './prints.ts';

/** Fields of a message that must be the same for every observer, and those that may change with its changeSeq. */
export type Sight = Pick<
  Message,
  'id' | 'conversationId' | 'seq' | 'changeSeq' | 'content' | 'clientMessageId' | 'senderId' | 'deletedAt'
> &
  Partial<Pick<Message, 'reactions'>>;

/** Edit or, without content, an erasure; likewise a reaction or, without content, its removal. */
export interface Amendment {
  readonly content: string | null;
  acknowledged: boolean;
  /** Number of attempts with an unknown outcome: each may have happened, or may still happen. */
  unknown: number;
  /** True if the server reported that there is no such message, as for an erased one. */
  gone?: true;
}

/** Possible states of a message, according to its authors. */
export interface Made {
  readonly content: string;
  /** Changes in the order of their creation, each begun after the one before was answered. */
  readonly amendments: Amendment[];
  /** Reactions by user, in the same order. */
  readonly reactions: Map<string, Amendment[]>;
}

/** Message that a client tried to send. */
export interface Attempt extends Made {
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
export interface Ledger {
  /** Seq up to which everything was verified and forgotten, except for fingerprints. */
  base: number;
  highestAcknowledged: number;
  /** Message identity, latest changeSeq, and state then, by seq. */
  identity: Numbers;
  change: Numbers;
  state: Numbers;
  /** Attempts that are not verified yet. */
  attempts: Set<Attempt>;
  at: Map<number, Attempt>;
}

/** Messages of one conversation that one client received since the last verification, by seq from there on. */
export interface View {
  change: Numbers;
  state: Numbers;
  live: Numbers;
  highestLive: number;
}

export const identityOf = ({ id, senderId, clientMessageId }: Sight) => fingerprint(id, senderId, clientMessageId);

export function stateOf({ content, deletedAt, reactions = [] }: Pick<Sight, 'content' | 'deletedAt' | 'reactions'>) {
  return deletedAt
    ? fingerprint(null)
    : fingerprint(content, ...reactions.flatMap(({ userId, emoji }) => [userId, emoji]));
}

export const isErasure = ({ content }: Amendment) => content === null;
export const named = (content: string | null) => (content === null ? 'its erasure' : `"${content}"`);

/** Returns true if authors created the state that is seen. */
export function mayRead({ content, amendments, reactions }: Made, message: Sight): boolean {
  const seen = message.reactions ?? [];
  if (message.deletedAt) return message.content === '' && seen.length === 0 && amendments.some(isErasure);
  const wasSaid = message.content === content || amendments.some((one) => one.content === message.content);
  const people = new Set(seen.map(({ userId }) => userId));
  return (
    wasSaid &&
    people.size === seen.length &&
    seen.every(({ userId, emoji }) => reactions.get(userId)?.some((one) => one.content === emoji))
  );
}

export type Verdict = 'right' | 'late' | { readonly wanted: string | null };

/**
 * Returns the verdict on whether something ended in its last acknowledged state. An unanswered attempt may take effect
 * after its repetition and after later requests, because the server cannot tell that it is old.
 */
export function judge(made: readonly Amendment[], first: string | null, has: string | null): Verdict {
  const last = made.findLast(({ acknowledged }) => acknowledged);
  const wanted = last ? last.content : first;
  if (has === wanted) return 'right';
  return made.some((one) => one.unknown > 0 && one.content === has) ? 'late' : { wanted };
}
