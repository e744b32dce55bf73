import type { FileId, UserId } from '@nolo/kit/ids';
import type { PlatformId } from './platform.ts';
import type { DeliveryState, MediaReference, PostState } from './ports.ts';

/** What somebody writes: a post, where it goes, and when. */
export interface Draft {
  readonly text: string;
  readonly texts: Readonly<Partial<Record<PlatformId, string>>>;
  readonly media: readonly MediaReference[];
  readonly connectionIds: readonly string[];
  /** Kept and not sent; its connections are remembered. */
  readonly draft?: boolean | undefined;
  /** As chosen on the wall; undefined for a post that goes out at once, or a draft. */
  readonly time?: { readonly at: Date; readonly local: string; readonly zone: string } | undefined;
}

/** Somewhere that a draft is meant to go. */
export interface Wanted {
  readonly id: string;
  readonly platform: PlatformId;
  readonly name: string;
}

/** How many posts there are, by what became of them. */
export type StateCounts = Readonly<Partial<Record<PostState, number>>>;

export interface PostPage {
  readonly limit: number;
  /** The last one of the page before. */
  readonly before?: { readonly at: Date; readonly id: string } | undefined;
  readonly states?: readonly PostState[] | undefined;
  /** Of the time at which they go out, or went out. */
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

export interface ShownDelivery {
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
  /** None of a post that is no draft. */
  readonly wanted: readonly Wanted[];
  readonly deliveries: readonly ShownDelivery[];
}

export interface PostStore {
  /**
   * Adding the same id again is adding it once.
   *
   * @param mostScheduled in the calendar month in which it goes out
   * @throws AppError too_many_posts, social_limit_plan
   */
  add(userId: UserId, id: string, draft: Draft, mostScheduled?: number): Promise<ShownPost>;
  /** @throws AppError post_begun where publishing was faster, social_limit_plan */
  edit(userId: UserId, id: string, draft: Draft, mostScheduled?: number): Promise<ShownPost>;
  /**
   * Takes back what has not begun, or waits for another attempt; what is out stays out.
   *
   * @throws AppError post_begun where there is nothing to take back
   */
  cancel(userId: UserId, id: string): Promise<ShownPost>;
  /** Posts of which something is still to go out. */
  waitingOf(userId: UserId): Promise<string[]>;
  /** Tries again what failed; what is out stays as it is. */
  retry(userId: UserId, id: string): Promise<ShownPost>;
  /** A person has looked: it went out, or it did not and is to be sent. */
  resolve(userId: UserId, id: string, deliveryId: string, wentOut: boolean, now: Date): Promise<ShownPost>;
  remove(userId: UserId, id: string): Promise<void>;
  /** A draft of the same, without its time; made once for each id. */
  duplicate(userId: UserId, id: string, draftId: string): Promise<ShownPost>;
  get(userId: UserId, id: string): Promise<ShownPost | undefined>;
  /** Newest first. */
  list(userId: UserId, page: PostPage): Promise<ShownPost[]>;
  count(userId: UserId): Promise<StateCounts>;
  /** Those of the files that any post names. */
  listNamed(fileIds: readonly FileId[]): Promise<FileId[]>;
}
