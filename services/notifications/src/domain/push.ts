import type { BrandedId, SessionId, UserId } from '@nolo/kit/ids';
import type { PushKind, PushType } from '@nolo/rules';

export type PushSubscriptionId = BrandedId<'pushSubscription'>;
export type PushId = BrandedId<'push'>;

/** Urgency of waking a battery-powered device (RFC 8030, section 5.3). */
export type PushUrgency = 'low' | 'normal' | 'high';

export interface QuietHours {
  /** Minutes after midnight. If the end precedes the start, it is on the next day. */
  readonly fromMinute: number;
  readonly toMinute: number;
  readonly timeZone: string;
}

/** Notification preferences of an account, for all its devices. */
export interface PushSettings {
  readonly kinds: readonly PushKind[];
  readonly preview: boolean;
  readonly sound: boolean;
  readonly vibration: boolean;
  readonly quietHours: QuietHours | null;
}

/** Push subscription of a session's browser. */
export interface PushSubscriptionRecord {
  readonly id: PushSubscriptionId;
  readonly userId: UserId;
  readonly sessionId: SessionId;
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
  readonly createdAt: Date;
}

/** Item that one person is notified of. */
export interface PushNews {
  readonly userId: UserId;
  readonly type: PushType;
  /** Replacement key: a device shows only the newest push of a topic. */
  readonly topic: string;
  /** IDs and states, never message content. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly urgency: PushUrgency;
  readonly ttlSeconds: number;
}

/** Push to one device. */
export interface PushMessage {
  readonly subscriptionId: PushSubscriptionId;
  readonly topic: string;
  readonly type: PushType;
  readonly body: Readonly<Record<string, unknown>>;
  readonly urgency: PushUrgency;
  readonly happenedAt: Date;
  readonly expiresAt: Date;
}

/** Push that is about to be sent. */
export interface DuePush extends PushMessage {
  readonly id: PushId;
  readonly version: number;
  readonly attempts: number;
  readonly subscription: PushSubscriptionRecord;
}

/** Outcome of a request to a push service. */
export type PushOutcome =
  | { readonly kind: 'delivered' }
  /** The subscription has ended. */
  | { readonly kind: 'gone' }
  /** The push service will never accept this push. */
  | { readonly kind: 'refused' }
  | {
      readonly kind: 'failed';
      readonly reason: 'status' | 'timeout' | 'unreachable';
      readonly retryAfterMs?: number | undefined;
    };
