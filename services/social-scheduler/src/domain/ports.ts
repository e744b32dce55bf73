import type { FileId, UserId } from '@nolo/kit/ids';
import type { SocialDeliveryState, SocialPostState } from '@nolo/rules';
import type {
  AccountGrant,
  PostMedia,
  MediaKind,
  PendingConnection,
  PlatformId,
  PublishedPost,
  PlatformTokens,
} from './platform.ts';
import type { PlatformErrorReason } from './PlatformError.ts';

export type PostState = SocialPostState;
export type DeliveryState = SocialDeliveryState;

/** Connection of a user. */
export interface StoredConnection extends AccountGrant {
  readonly id: string;
  readonly userId: UserId;
  readonly platform: PlatformId;
  readonly state: 'active' | 'expired';
  /** True if posts to the platform go here by default. */
  readonly chosen: boolean;
}

/** Reference from a post to a file of the files service. */
export interface MediaReference {
  readonly fileId: string;
  readonly altText: string;
}

/** Delivery of a post to one account, claimed for an attempt. */
export interface PostDelivery {
  readonly id: string;
  readonly postId: string;
  readonly userId: UserId;
  readonly platform: PlatformId;
  readonly connectionId: string | null;
  readonly text: string;
  readonly media: readonly MediaReference[];
  readonly attempts: number;
  /** Due time. Null for deliveries from before it was recorded. */
  readonly dueAt: Date | null;
  readonly since: Date;
  readonly kept: string | null;
  /** Milliseconds since an earlier attempt reached the irrevocable request. Null if none did. */
  readonly committedForMs: number | null;
}

/** Final outcome of a delivery. */
export type DeliveryOutcome =
  | { readonly state: 'published'; readonly post: PublishedPost }
  | {
      readonly state: 'failed' | 'needs_review';
      readonly reason: PlatformErrorReason | 'disconnected' | 'link_barred' | 'unknown';
    };

export interface ConnectionStore {
  /**
   * Stores a new connection, or new tokens of an existing one. If several are added at once, only the first is chosen
   * until the user decides.
   *
   * @throws AppError too_many_connections
   */
  put(
    userId: UserId,
    platform: PlatformId,
    grants: readonly AccountGrant[],
    mayConnect?: (connected: readonly PlatformId[]) => void,
  ): Promise<void>;
  list(userId: UserId): Promise<Omit<StoredConnection, 'tokens'>[]>;
  /** @throws AppError connection_not_found */
  choose(userId: UserId, platform: PlatformId, ids: readonly string[]): Promise<void>;
  get(id: string): Promise<StoredConnection | undefined>;
  /**
   * Renews tokens once, however many callers request it. `renew` is called with the current tokens unless they were
   * just renewed.
   *
   * @throws AppError not_yet if too many callers wait
   */
  renew(
    stale: StoredConnection,
    renew: (connection: StoredConnection) => Promise<PlatformTokens>,
  ): Promise<StoredConnection | undefined>;
  expire(id: string): Promise<void>;
  /** Returns some connections whose tokens expire before this time. */
  ending(before: Date): Promise<StoredConnection[]>;
  take(userId: UserId, platform: PlatformId, id?: string): Promise<StoredConnection[]>;
  begin(userId: UserId, platform: PlatformId, pending: PendingConnection): Promise<void>;
  /**
   * Returns the pending connection. A state is valid for one response, within ten minutes, from the user who started.
   */
  finish(userId: UserId, platform: PlatformId, state: string): Promise<PendingConnection | undefined>;
  /** Re-encrypts tokens that use an older key, page by page. Returns their number. */
  reseal(pageSize: number): Promise<number>;
  /** Counts connections for operators. */
  count(): Promise<{ platform: PlatformId; state: string; count: number }[]>;
  sweep(now: Date): Promise<number>;
  forget(userId: UserId): Promise<StoredConnection[]>;
}

/**
 * Stores deliveries. `Transaction` is that of the store's database. Times use the database's clock because workers'
 * clocks may differ: one that is ahead would check too early for what another just sent, and one that is behind would
 * wait for hours.
 */
export interface DeliveryStore<Transaction = unknown> {
  /** Marks the delivery as being published. Undefined if nothing is left to do. */
  claim(id: string): Promise<PostDelivery | undefined>;
  /**
   * Saves an attempt's state. `keep`, `commit`, `postpone`, and `settle` apply only to the latest claimed attempt and
   * reject for any other: a worker that was presumed dead and resumes changes nothing and sends nothing.
   */
  keep(delivery: DeliveryClaim, what: string): Promise<void>;
  commit(delivery: DeliveryClaim): Promise<void>;
  /** Schedules another attempt. `committed`: the post may already be public. */
  postpone(
    delivery: DeliveryClaim,
    why: { reason: PlatformErrorReason; retryAt: Date; committed: boolean },
  ): Promise<void>;
  /** Stores the outcome and ends the job in one transaction. */
  settle(delivery: DeliveryClaim, outcome: DeliveryOutcome, finish: (trx: Transaction) => Promise<void>): Promise<void>;
  /** Counts deliveries that need a person's review, for operators. */
  countInReview(): Promise<{ platform: PlatformId; count: number }[]>;
}

/** Identifies an attempt of a delivery. */
export type DeliveryClaim = Pick<PostDelivery, 'id' | 'attempts'>;

/** Facts about a file that are known before reading it. */
export interface PostFileFacts {
  readonly kind: MediaKind | 'other';
  readonly mimeType: string;
  readonly bytes: number;
  /** Width in pixels. 0 if unknown, as for videos. */
  readonly width: number;
  readonly height: number;
}

/** Checks whether files can be posted, and protects them from being swept meanwhile. @throws AppError file_not_found */
export type CheckAttachableFiles = (userId: UserId, fileIds: readonly FileId[]) => Promise<PostFileFacts[]>;

/** Opens the media of a post. */
export interface PostMediaSource {
  open(userId: UserId, reference: MediaReference): Promise<PostMedia>;
}
