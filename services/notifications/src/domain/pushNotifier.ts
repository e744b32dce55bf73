import type { Clock } from '@nolo/kit/clock';
import type { SessionId, UserId } from '@nolo/kit/ids';
import { pushTypes, type PushKind } from '@nolo/rules';
import type { PushNews, PushMessage, PushSubscriptionRecord } from './push.ts';
import type { PushStore, PushSettingsStore, PushSubscriptionStore } from './pushPorts.ts';
import { isQuiet, defaultPushKinds, defaultPushSettings } from './quietHours.ts';

export interface PushNotifierDependencies {
  readonly subscriptions: PushSubscriptionStore;
  readonly pushes: Pick<PushStore<never>, 'add'>;
  readonly settings: Pick<PushSettingsStore, 'of' | 'anyWants'>;
  /** Returns the sessions that someone is looking at now. */
  readonly watched: (sessionIds: readonly SessionId[]) => Promise<ReadonlySet<string>>;
  /** Returns the sessions that have not ended. */
  readonly live: (sessionIds: readonly SessionId[]) => Promise<ReadonlySet<string>>;
  /** Returns the number on the icon badge for each user. */
  readonly unread: (userIds: readonly UserId[]) => Promise<ReadonlyMap<string, number>>;
  readonly clock: Clock;
}

/** Event with its ID, which identifies repetitions. */
export interface SourceEvent {
  readonly eventId: string;
  readonly at: Date;
}

/**
 * Turns news into pushes to browsers whose users want them, that were subscribed when it happened, whose session is
 * live, and that nobody is looking at.
 */
export function createPushNotifier(dependencies: PushNotifierDependencies) {
  const { subscriptions, pushes, settings, watched, live, unread, clock } = dependencies;

  const reachable = async (userIds: readonly UserId[], at: Date): Promise<PushSubscriptionRecord[]> => {
    const found = (await subscriptions.of(userIds)).filter(({ createdAt }) => createdAt <= at);
    if (found.length === 0) return [];
    const sessionIds = found.map(({ sessionId }) => sessionId);
    const [looking, going] = await Promise.all([watched(sessionIds), live(sessionIds)]);
    await subscriptions.removeSessions(sessionIds.filter((id) => !going.has(id)));
    return found.filter(({ sessionId }) => going.has(sessionId) && !looking.has(sessionId));
  };

  return {
    /** Returns whether an event of this kind and age can lead to any push, before anything is queried for it. */
    async isWorthIt(at: Date, ttlSeconds: number, kind: PushKind): Promise<boolean> {
      if (clock.now().getTime() - at.getTime() >= ttlSeconds * 1_000 || !(await subscriptions.any())) return false;
      return defaultPushKinds.includes(kind) || (await settings.anyWants(kind));
    },

    async notify({ eventId, at }: SourceEvent, news: readonly PushNews[]): Promise<void> {
      const chosen = await settings.of(news.map(({ userId }) => userId));
      const settingsOf = (userId: UserId) => chosen.get(userId) ?? defaultPushSettings;
      const now = clock.now();
      const wanted = news.filter(({ userId, type }) => {
        const { kinds, quietHours } = settingsOf(userId);
        return kinds.includes(pushTypes[type]) && !isQuiet(quietHours, now);
      });
      const to = Map.groupBy(
        await reachable(
          wanted.map(({ userId }) => userId),
          at,
        ),
        ({ userId }) => userId,
      );
      if (to.size === 0) return;
      const counts = await unread([...to.keys()]);
      const written = wanted.flatMap(({ userId, type, topic, data, urgency, ttlSeconds }): PushMessage[] => {
        const { preview, sound, vibration } = settingsOf(userId);
        const shown = { preview, sound, vibration, unread: counts.get(userId) ?? 0 };
        const body = { type, topic, userId, at: at.toISOString(), ...data, ...shown };
        const expiresAt = new Date(at.getTime() + ttlSeconds * 1_000);
        return (to.get(userId) ?? []).map(({ id: subscriptionId }) => ({
          subscriptionId,
          topic,
          type,
          body,
          urgency,
          happenedAt: at,
          expiresAt,
        }));
      });
      await pushes.add(eventId, written, now);
    },
  };
}

export type PushNotifier = ReturnType<typeof createPushNotifier>;
