import type { UserId } from '@nolo/kit/ids';
import type { PlatformId } from './platform.ts';
import type { DeliveryState, MediaReference, PostState } from './ports.ts';

/** What somebody writes: a post, where it goes, and when. */
export interface Draft {
  readonly text: string;
  readonly texts: Readonly<Partial<Record<PlatformId, string>>>;
  readonly media: readonly MediaReference[];
  readonly connectionIds: readonly string[];
  /** As chosen on the wall; undefined for a post that goes out at once, or a draft. */
  readonly time?: { readonly at: Date; readonly local: string; readonly zone: string } | undefined;
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
  readonly deliveries: readonly ShownDelivery[];
}

export interface PostStore {
  /** Adding the same id again is adding it once. */
  add(userId: UserId, id: string, draft: Draft): Promise<ShownPost>;
  /** @throws AppError post_begun where publishing was faster */
  edit(userId: UserId, id: string, draft: Draft): Promise<ShownPost>;
  /**
   * Takes back what has not begun, or waits for another attempt; what is out stays out.
   *
   * @throws AppError post_begun where there is nothing to take back
   */
  cancel(userId: UserId, id: string): Promise<ShownPost>;
  /** Tries again what failed; what is out stays as it is. */
  retry(userId: UserId, id: string): Promise<ShownPost>;
  /** A person has looked: it went out, or it did not and is to be sent. */
  resolve(userId: UserId, id: string, deliveryId: string, wentOut: boolean, now: Date): Promise<ShownPost>;
  remove(userId: UserId, id: string): Promise<void>;
  /** Newest first. */
  list(userId: UserId, page: { limit: number; before?: string; states?: readonly PostState[] }): Promise<ShownPost[]>;
}
