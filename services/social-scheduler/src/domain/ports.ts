import type { FileId, UserId } from '@nolo/kit/ids';
import type { SocialDeliveryState, SocialPostState } from '@nolo/rules';
import type { Grant, Media, MediaKind, Pending, PlatformId, Published, Tokens } from './platform.ts';
import type { Reason } from './PlatformError.ts';

export type PostState = SocialPostState;
export type DeliveryState = SocialDeliveryState;

/** What somebody connected. */
export interface StoredConnection extends Grant {
  readonly id: string;
  readonly userId: UserId;
  readonly platform: PlatformId;
  readonly state: 'active' | 'expired';
  /** Whether posts to the platform go there, unless they name their connections. */
  readonly chosen: boolean;
}

/** A file of the files service, as a post names it. */
export interface MediaReference {
  readonly fileId: string;
  readonly altText: string;
}

/** One account of a post, claimed for an attempt. */
export interface Delivery {
  readonly id: string;
  readonly postId: string;
  readonly userId: UserId;
  readonly platform: PlatformId;
  readonly connectionId: string | null;
  readonly text: string;
  readonly media: readonly MediaReference[];
  readonly attempts: number;
  /** When it was to go out; null of one that was written before that was noted. */
  readonly dueAt: Date | null;
  readonly since: Date;
  readonly kept: string | null;
  /** How long ago an earlier attempt came to the request that cannot be taken back; null where none did. */
  readonly committedForMs: number | null;
}

/** What became of a delivery for good. */
export type Outcome =
  | { readonly state: 'published'; readonly post: Published }
  | { readonly state: 'failed' | 'needs_review'; readonly reason: Reason | 'disconnected' | 'link_barred' | 'unknown' };

export interface ConnectionStore {
  /**
   * Keeps what was connected; an account that was connected before gets the new tokens. Of several at once only the first is
   * chosen, until a person chooses.
   *
   * @throws AppError too_many_connections
   */
  put(
    userId: UserId,
    platform: PlatformId,
    grants: readonly Grant[],
    mayConnect?: (connected: readonly PlatformId[]) => void,
  ): Promise<void>;
  list(userId: UserId): Promise<Omit<StoredConnection, 'tokens'>[]>;
  /** @throws AppError connection_not_found */
  choose(userId: UserId, platform: PlatformId, ids: readonly string[]): Promise<void>;
  get(id: string): Promise<StoredConnection | undefined>;
  /**
   * Renews tokens once, whoever and how many ask: `renew` is called with those of the moment unless they were just renewed.
   *
   * @throws AppError not_yet where too many wait for theirs
   */
  renew(
    stale: StoredConnection,
    renew: (connection: StoredConnection) => Promise<Tokens>,
  ): Promise<StoredConnection | undefined>;
  expire(id: string): Promise<void>;
  /** Some whose tokens end before then. */
  ending(before: Date): Promise<StoredConnection[]>;
  take(userId: UserId, platform: PlatformId, id?: string): Promise<StoredConnection[]>;
  begin(userId: UserId, platform: PlatformId, pending: Pending): Promise<void>;
  /** A state is good for one answer, within ten minutes, of the person who began. */
  finish(userId: UserId, platform: PlatformId, state: string): Promise<Pending | undefined>;
  /** Seals what lies under an old key anew, page by page; answers how many. */
  reseal(pageSize: number): Promise<number>;
  /** How many are connected, for operators. */
  count(): Promise<{ platform: PlatformId; state: string; count: number }[]>;
  sweep(now: Date): Promise<number>;
  forget(userId: UserId): Promise<StoredConnection[]>;
}

/**
 * `Transaction` is that of the store's database. Times are by the clock of that, for those of workers may differ: one that is
 * ahead would look too early for what another has just sent, and one behind would wait for hours.
 */
export interface DeliveryStore<Transaction = unknown> {
  /** Marks it as being published; undefined where there is nothing to do any more. */
  claim(id: string): Promise<Delivery | undefined>;
  /**
   * These four hold for the attempt that was claimed last only, and reject for any other: a worker that was taken for dead and
   * wakes up changes nothing, and sends nothing.
   */
  keep(delivery: Claim, what: string): Promise<void>;
  commit(delivery: Claim): Promise<void>;
  /** Back to waiting for another attempt; `committed` keeps that the post may be out. */
  postpone(delivery: Claim, why: { reason: Reason; retryAt: Date; committed: boolean }): Promise<void>;
  /** With the job's end, in one transaction. */
  settle(delivery: Claim, outcome: Outcome, finish: (trx: Transaction) => Promise<void>): Promise<void>;
  /** How many wait for a person, for operators. */
  countInReview(): Promise<{ platform: PlatformId; count: number }[]>;
}

/** Which attempt of which delivery. */
export type Claim = Pick<Delivery, 'id' | 'attempts'>;

/** What is known of a file before its bytes are read. */
export interface FileFacts {
  readonly kind: MediaKind | 'other';
  readonly mimeType: string;
  readonly bytes: number;
  /** Pixels; 0 where they are not known, as those of videos. */
  readonly width: number;
  readonly height: number;
}

/** Asks whether files can be posted, and keeps them from being swept meanwhile. @throws AppError file_not_found */
export type AttachableFiles = (userId: UserId, fileIds: readonly FileId[]) => Promise<FileFacts[]>;

/** The bytes of what a post names. */
export interface MediaSource {
  open(userId: UserId, reference: MediaReference): Promise<Media>;
}
