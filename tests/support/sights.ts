import type { Message } from '@nolo/api';
import { fingerprint, type Numbers } from './prints.ts';

/** What of a message must be the same wherever it is seen, and what may change with its changeSeq. */
export type Sight = Pick<
  Message,
  'id' | 'conversationId' | 'seq' | 'changeSeq' | 'content' | 'clientMessageId' | 'senderId' | 'deletedAt'
> &
  Partial<Pick<Message, 'reactions'>>;

/** An edit or, without content, an erasure; likewise a reaction or, without content, its end. */
export interface Amendment {
  readonly content: string | null;
  acknowledged: boolean;
  /** Tries that came to nothing the client could know: each may have happened, or happen yet. */
  unknown: number;
  /** The server said that there is no such message, as it does of an erased one. */
  gone?: true;
}

/** What may have become of a message, by those who made something of it. */
export interface Made {
  readonly content: string;
  /** In the order in which they were made, each begun when the one before was answered. */
  readonly amendments: Amendment[];
  /** The same of reactions, by person. */
  readonly reactions: Map<string, Amendment[]>;
}

/** A message that somebody tried to say. */
export interface Attempt extends Made {
  clientMessageId: string;
  conversationId: string;
  tries: number;
  /** The highest seq of its conversation that was acknowledged before it was first tried: its own must be higher. */
  floor: number;
  /** 0 until somebody has seen it. */
  seq: number;
  acknowledged: boolean;
  stored: number;
}

/** What is known of one conversation. */
export interface Ledger {
  /** Everything up to this seq was verified and forgotten, but for its prints. */
  base: number;
  highestAcknowledged: number;
  /** By seq: who and what it is, its latest changeSeq, and its state then. */
  identity: Numbers;
  change: Numbers;
  state: Numbers;
  /** What was not verified yet. */
  attempts: Set<Attempt>;
  at: Map<number, Attempt>;
}

/** What one client was told of one conversation since the last verification, by seq from there on. */
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

/** Whether somebody made of the message what is seen of it. */
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
 * Whether something ends as it was acknowledged last. What got no answer may happen after its repetition and whatever was
 * asked next: nothing tells the server that it is old.
 */
export function judge(made: readonly Amendment[], first: string | null, has: string | null): Verdict {
  const last = made.findLast(({ acknowledged }) => acknowledged);
  const wanted = last ? last.content : first;
  if (has === wanted) return 'right';
  return made.some((one) => one.unknown > 0 && one.content === has) ? 'late' : { wanted };
}
