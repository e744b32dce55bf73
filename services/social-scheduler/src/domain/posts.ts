import type { FileId, UserId } from '@nolo/kit/ids';
import type { PlatformId } from './platform.ts';
import type { DeliveryState, MediaReference, PostState } from './ports.ts';

/** New or edited post: its content, destinations, and time. */
export interface PostInput {
  readonly text: string;
  readonly texts: Readonly<Partial<Record<PlatformId, string>>>;
  readonly media: readonly MediaReference[];
  readonly connectionIds: readonly string[];
  /** True to store it without sending. Its connections are remembered. */
  readonly draft?: boolean | undefined;
  /** Chosen local time. Undefined for a draft or a post that is published immediately. */
  readonly time?: { readonly at: Date; readonly local: string; readonly zone: string } | undefined;
}

/** Destination of a draft. */
export interface PostDestination {
  readonly id: string;
  readonly platform: PlatformId;
  readonly name: string;
}

/** Number of posts by state. */
export type PostCountsByState = Readonly<Partial<Record<PostState, number>>>;

export interface PostListQuery {
  readonly limit: number;
  /** Last post of the previous page. */
  readonly before?: { readonly at: Date; readonly id: string } | undefined;
  readonly states?: readonly PostState[] | undefined;
  /** Start of the range of publication times, past or future. */
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

interface ShownDelivery {
  readonly id: string;
  readonly platform: PlatformId;
  readonly connectionId: string | null;
  readonly accountName: string;
  readonly state: DeliveryState;
  readonly reason: string | null;
  readonly retryAt: Date | null;
  readonly address: string | null;
  readonly publishedAt: Date | null;
}

export interface ShownPost {
  readonly id: string;
  readonly text: string;
  readonly texts: Readonly<Partial<Record<PlatformId, string>>>;
  readonly media: readonly MediaReference[];
  readonly scheduledAt: Date | null;
  readonly localTime: string | null;
  readonly timeZone: string | null;
  readonly state: PostState;
  readonly version: number;
  readonly createdAt: Date;
  /** Destinations of a draft. Empty for other posts. */
  readonly wanted: readonly PostDestination[];
  readonly deliveries: readonly ShownDelivery[];
}

export interface PostStore {
  /**
   * Adds a post. Repeating an ID has no effect.
   *
   * @param maxScheduledPosts maximum in the calendar month of publication
   * @throws AppError too_many_posts, social_limit_plan
   */
  add(userId: UserId, id: string, draft: PostInput, maxScheduledPosts?: number): Promise<ShownPost>;
  /** @throws AppError post_begun if publishing started first, social_limit_plan */
  edit(userId: UserId, id: string, draft: PostInput, maxScheduledPosts?: number): Promise<ShownPost>;
  /**
   * Cancels deliveries that have not begun or wait for another attempt. Published ones stay.
   *
   * @throws AppError post_begun if there is nothing to cancel
   */
  cancel(userId: UserId, id: string): Promise<ShownPost>;
  /** Returns posts with pending deliveries. */
  waitingOf(userId: UserId): Promise<string[]>;
  /** Retries failed deliveries. Published ones stay unchanged. */
  retry(userId: UserId, id: string): Promise<ShownPost>;
  /** Stores a person's review: the post was published, or it was not and must be sent. */
  resolve(userId: UserId, id: string, deliveryId: string, wentOut: boolean, now: Date): Promise<ShownPost>;
  remove(userId: UserId, id: string): Promise<void>;
  /** Creates a draft with the same content but no time, once per ID. */
  duplicate(userId: UserId, id: string, draftId: string): Promise<ShownPost>;
  get(userId: UserId, id: string): Promise<ShownPost | undefined>;
  /** Lists posts, newest first. */
  list(userId: UserId, page: PostListQuery): Promise<ShownPost[]>;
  count(userId: UserId): Promise<PostCountsByState>;
  /** Returns which of the files any post uses. */
  listNamed(fileIds: readonly FileId[]): Promise<FileId[]>;
}
