import type { Id, SessionId, UserId } from '@nolo/kit/ids';
import type { PushKind, PushType } from '@nolo/rules';

export type SubscriptionId = Id<'pushSubscription'>;
export type PushId = Id<'push'>;

/** How soon a device that saves its battery is to be woken (RFC 8030, section 5.3). */
export type Urgency = 'low' | 'normal' | 'high';

export interface QuietHours {
  /** Minutes after midnight; where the end is before the beginning, it is on the next day. */
  readonly fromMinute: number;
  readonly toMinute: number;
  readonly timeZone: string;
}

/** What an account wants to be told of, on all of its devices. */
export interface PushSettings {
  readonly kinds: readonly PushKind[];
  readonly preview: boolean;
  readonly sound: boolean;
  readonly vibration: boolean;
  readonly quietHours: QuietHours | null;
}

/** Where a session's browser takes pushes. */
export interface Subscription {
  readonly id: SubscriptionId;
  readonly userId: UserId;
  readonly sessionId: SessionId;
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
  readonly createdAt: Date;
}

/** Something that one person is to be told of. */
export interface News {
  readonly userId: UserId;
  readonly type: PushType;
  /** What takes the place of what: of one topic a device shows the newest alone. */
  readonly topic: string;
  /** Ids and states, nothing that was said. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly urgency: Urgency;
  readonly ttlSeconds: number;
}

/** What a device is told. */
export interface Push {
  readonly subscriptionId: SubscriptionId;
  readonly topic: string;
  readonly type: PushType;
  readonly body: Readonly<Record<string, unknown>>;
  readonly urgency: Urgency;
  readonly happenedAt: Date;
  readonly expiresAt: Date;
}

/** One that is about to be sent. */
export interface WaitingPush extends Push {
  readonly id: PushId;
  readonly version: number;
  readonly attempts: number;
  readonly subscription: Subscription;
}

/** What came of a request to a push service. */
export type PushOutcome =
  | { readonly kind: 'delivered' }
  /** The subscription is over. */
  | { readonly kind: 'gone' }
  /** This push will never be taken. */
  | { readonly kind: 'refused' }
  | {
      readonly kind: 'failed';
      readonly reason: 'status' | 'timeout' | 'unreachable';
      readonly retryAfterMs?: number | undefined;
    };
