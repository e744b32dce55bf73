import type { SessionId, UserId } from '@nolo/kit/ids';
import type { PushKind } from '@nolo/rules';
import type { Push, PushId, PushSettings, Subscription, SubscriptionId, WaitingPush } from './push.ts';

export interface SubscriptionStore {
  list(userId: UserId): Promise<Subscription[]>;
  /** Whether there is any of anybody: where there is none, nobody is asked anything. */
  any(): Promise<boolean>;
  of(userIds: readonly UserId[]): Promise<Subscription[]>;
  /** In place of what the session had, and of whoever had the address before. */
  put(subscription: Subscription): Promise<Subscription>;
  removeSessions(sessionIds: readonly SessionId[]): Promise<void>;
  remove(id: SubscriptionId): Promise<void>;
  forget(userId: UserId): Promise<void>;
  /** A page of all sessions that take pushes. */
  sessions(after: SessionId | undefined, limit: number): Promise<SessionId[]>;
  count(): Promise<number>;
}

export interface PushStore<Transaction> {
  /** Each takes the place of what was not sent yet under its topic. What the event led to before is not written again. */
  add(eventId: string, pushes: readonly Push[], now: Date): Promise<void>;
  /** Undefined where there is none any more. */
  find(id: PushId): Promise<WaitingPush | undefined>;
  /** It is over; false where another took its place meanwhile, which is still to be sent. */
  end(push: Pick<WaitingPush, 'id' | 'version'>, finish: (trx: Transaction) => Promise<void>): Promise<boolean>;
  /** An attempt came to nothing. */
  failed(id: PushId): Promise<void>;
  /** Events that nobody tells again. */
  sweep(before: Date, limit: number): Promise<number>;
  count(): Promise<number>;
}

export interface SettingsStore {
  of(userIds: readonly UserId[]): Promise<Map<UserId, PushSettings>>;
  /** Whether anybody has chosen to be told of this. */
  anyWants(kind: PushKind): Promise<boolean>;
  put(userId: UserId, settings: PushSettings): Promise<void>;
}
