import type { HighlightRange } from '../../chat/words/text/needles.ts';

/** Kind of a message for the search. `none` has no text, now or ever: only its position is known. */
export type MessageSearchKind = 'text' | 'link' | 'media' | 'file' | 'voice' | 'none';

export interface IndexableMessage {
  readonly conversationId: string;
  readonly seq: number;
  /** Newer states replace older ones, never the reverse. */
  readonly changeSeq: number;
  readonly senderId: string;
  /** Milliseconds since the epoch, like `expiresAt`. */
  readonly at: number;
  readonly kind: MessageSearchKind;
  readonly text: string;
  readonly expiresAt: number | null;
}

/** Message within its block. */
export type BlockMessage = Omit<IndexableMessage, 'conversationId'>;

/** Metadata of a block, known without reading it. */
export interface SearchBlock {
  readonly id: number;
  readonly conversationId: string;
  /** Index of the run of `blockLength` numbers in its conversation, from 0. */
  readonly part: number;
  /** Times of its first and last message. */
  readonly from: number;
  readonly to: number;
  /** Bitmap of its indexed messages, with the lowest bit for the first. */
  readonly held: readonly [low: number, high: number];
  readonly nextExpiry: number | null;
  /** Approximate size of its messages as JSON. */
  readonly bytes: number;
  /** True if it changed since the index was written. */
  readonly fresh: boolean;
}

/** Extent of a conversation in the index. */
export interface SearchCheckpoint {
  readonly conversationId: string;
  /** Change as of which the index is current. */
  readonly changeSeq: number;
  /** First message that the server provides, if known to differ from the one after the cleared messages. */
  readonly first: number | null;
}

/** Stores the index. */
export interface SearchIndexStore {
  read(): Promise<{
    blocks: readonly SearchBlock[];
    checkpoints: readonly SearchCheckpoint[];
    index: Uint8Array | undefined;
  }>;
  /** Returns the messages in the requested order. Missing blocks are empty. */
  readMessages(blocks: readonly number[]): Promise<readonly (readonly BlockMessage[])[]>;
  /** Writes all changes or none. */
  write(change: {
    readonly blocks?: readonly { readonly block: SearchBlock; readonly messages?: readonly BlockMessage[] }[];
    readonly removed?: readonly number[];
    readonly checkpoints?: readonly SearchCheckpoint[];
    readonly removedCheckpoints?: readonly string[];
    readonly index?: Uint8Array;
  }): Promise<void>;
}

export interface SearchFilter {
  readonly conversationId?: string;
  readonly senderId?: string;
  /** Start, inclusive, and end, exclusive. */
  readonly from?: number;
  readonly to?: number;
  readonly kind?: Exclude<MessageSearchKind, 'none'>;
}

export interface SearchQuestion {
  readonly typed: string;
  readonly filter: SearchFilter;
  readonly limit: number;
  /** Last message of the previous page. */
  readonly after?: SearchPosition;
}

/** Position of a result in the order of results. */
export type SearchPosition = Pick<FoundMessage, 'at' | 'conversationId' | 'seq' | 'exact'>;

export interface FoundMessage {
  readonly conversationId: string;
  readonly seq: number;
  readonly senderId: string;
  readonly at: number;
  readonly kind: MessageSearchKind;
  /** Text around the first match, and the positions of matches in it. */
  readonly excerpt: string;
  readonly highlights: readonly HighlightRange[];
  /** True if it matches the query exactly, without typing errors. */
  readonly exact: boolean;
  /** Matching words of the message, folded, for highlighting. */
  readonly words: readonly string[];
}

export interface SearchAnswer {
  readonly found: readonly FoundMessage[];
  readonly more: boolean;
}
