import type { SessionId, UserId } from '@nolo/kit/ids';
import type { PushKind } from '@nolo/rules';
import type { PushMessage, PushId, PushSettings, PushSubscriptionRecord, PushSubscriptionId, DuePush } from './push.ts';

export interface PushSubscriptionStore {
  list(userId: UserId): Promise<PushSubscriptionRecord[]>;
  /** Returns true if any subscription exists. If not, nothing is queried. */
  any(): Promise<boolean>;
  of(userIds: readonly UserId[]): Promise<PushSubscriptionRecord[]>;
  /** Replaces the session's previous subscription and the previous owner of the address. */
  put(subscription: PushSubscriptionRecord): Promise<PushSubscriptionRecord>;
  removeSessions(sessionIds: readonly SessionId[]): Promise<void>;
  remove(id: PushSubscriptionId): Promise<void>;
  forget(userId: UserId): Promise<void>;
  /** Returns a page of all sessions with subscriptions. */
  sessions(after: SessionId | undefined, limit: number): Promise<SessionId[]>;
  count(): Promise<number>;
}

export interface PushStore<Transaction> {
  /** Adds pushes. Each replaces an unsent one of its topic. Repeated events add nothing. */
  add(eventId: string, pushes: readonly PushMessage[], now: Date): Promise<void>;
  /** Returns undefined if it no longer exists. */
  find(id: PushId): Promise<DuePush | undefined>;
  /** Ends a push. Returns false if another replaced it meanwhile, which must still be sent. */
  end(push: Pick<DuePush, 'id' | 'version'>, finish: (trx: Transaction) => Promise<void>): Promise<boolean>;
  /** Counts a failed attempt. */
  failed(id: PushId): Promise<void>;
  /** Deletes events that cannot be repeated. */
  sweep(before: Date, limit: number): Promise<number>;
  count(): Promise<number>;
}

export interface PushSettingsStore {
  of(userIds: readonly UserId[]): Promise<Map<UserId, PushSettings>>;
  /** Returns true if anyone has chosen this kind. */
  anyWants(kind: PushKind): Promise<boolean>;
  put(userId: UserId, settings: PushSettings): Promise<void>;
}
