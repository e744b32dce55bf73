import type { Mark } from '../../chat/words/text/needles.ts';

/** What is searched of a message. `none` has no words any more, or never had: its place is known, and nothing else. */
export type SearchKind = 'text' | 'link' | 'media' | 'file' | 'voice' | 'none';

export interface SearchedMessage {
  readonly conversationId: string;
  readonly seq: number;
  /** A newer one replaces an older one, and never the other way round. */
  readonly changeSeq: number;
  readonly senderId: string;
  /** Milliseconds since the epoch, as `expiresAt`. */
  readonly at: number;
  readonly kind: SearchKind;
  readonly text: string;
  readonly expiresAt: number | null;
}

/** A message inside of its block. */
export type BlockMessage = Omit<SearchedMessage, 'conversationId'>;

/** What is known of a block without reading it. */
export interface Block {
  readonly id: number;
  readonly conversationId: string;
  /** Which run of `blockLength` numbers of its conversation it holds, from 0. */
  readonly part: number;
  /** When its first and its last message were sent. */
  readonly from: number;
  readonly to: number;
  /** Which of its messages are here: a bit each, the lowest for the first. */
  readonly held: readonly [low: number, high: number];
  readonly nextExpiry: number | null;
  /** Of its messages as JSON, about. */
  readonly bytes: number;
  /** Changed since the index was written. */
  readonly fresh: boolean;
}

/** How much of a conversation is here. */
export interface SearchMark {
  readonly conversationId: string;
  /** What is here is as it was at this change. */
  readonly changeSeq: number;
  /** The first message that the server gives, where that is known to be another than the one after what was cleared. */
  readonly first: number | null;
}

/** Where the index is kept. */
export interface SearchStore {
  read(): Promise<{ blocks: readonly Block[]; marks: readonly SearchMark[]; index: Uint8Array | undefined }>;
  /** In the order asked for; what is missing is empty. */
  readMessages(blocks: readonly number[]): Promise<readonly (readonly BlockMessage[])[]>;
  /** All or nothing. */
  write(change: {
    readonly blocks?: readonly { readonly block: Block; readonly messages?: readonly BlockMessage[] }[];
    readonly removed?: readonly number[];
    readonly marks?: readonly SearchMark[];
    readonly removedMarks?: readonly string[];
    readonly index?: Uint8Array;
  }): Promise<void>;
}

export interface SearchFilter {
  readonly conversationId?: string;
  readonly senderId?: string;
  /** From when, and until before when. */
  readonly from?: number;
  readonly to?: number;
  readonly kind?: Exclude<SearchKind, 'none'>;
}

export interface Question {
  readonly typed: string;
  readonly filter: SearchFilter;
  readonly most: number;
  /** The last message of the page before. */
  readonly after?: Place;
}

/** Where a found message stands in the order of what was found. */
export type Place = Pick<Found, 'at' | 'conversationId' | 'seq' | 'exact'>;

export interface Found {
  readonly conversationId: string;
  readonly seq: number;
  readonly senderId: string;
  readonly at: number;
  readonly kind: SearchKind;
  /** What stands around the first word that was found, and where words stand in it. */
  readonly excerpt: string;
  readonly marks: readonly Mark[];
  /** As it was typed, and not with typing errors in it. */
  readonly exact: boolean;
  /** The words as they stand there, folded: what to mark in the message. */
  readonly words: readonly string[];
}

export interface Answer {
  readonly found: readonly Found[];
  readonly more: boolean;
}
