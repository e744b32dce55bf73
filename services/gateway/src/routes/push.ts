import { pushKind, routes, type NotificationSettings, type PushSubscriptionInfo } from '@nolo/api';
import type { PushSettings as SettingsReply, Subscription as SubscriptionReply } from '@nolo/proto/push';
import type { Clients } from '../clients.ts';
import type { GatewayContext } from '../gatewayContext.ts';
import { createGatewayError } from '../errors.ts';
import type { BindRoute } from '../http/routeBinder.ts';
import { toIsoTime } from '../mapping/people.ts';

function pushOf({ push }: Pick<GatewayContext, 'push'>): NonNullable<Clients['push']> {
  if (push) return push;
  throw createGatewayError('not_found', 'push_unavailable', 'Push notifications are not available here.');
}

const toSubscription = ({ id, sessionId, host, createdAt }: SubscriptionReply): PushSubscriptionInfo => ({
  id: id ?? '',
  sessionId: sessionId ?? '',
  host: host ?? '',
  createdAt: toIsoTime(createdAt),
});

const minuteOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
const timeOf = (minute = 0) =>
  [Math.floor(minute / 60), minute % 60].map((unit) => String(unit).padStart(2, '0')).join(':');

const toSettings = ({ kinds, preview, sound, vibration, quietHours }: SettingsReply): NotificationSettings => ({
  // Skips kinds that this version does not know.
  kinds: kinds.flatMap((kind) => pushKind.safeParse(kind).data ?? []),
  preview: preview ?? true,
  sound: sound ?? true,
  vibration: vibration ?? true,
  quietHours: quietHours
    ? { from: timeOf(quietHours.fromMinute), to: timeOf(quietHours.toMinute), timeZone: quietHours.timeZone ?? 'UTC' }
    : null,
});

/** Routes for web push: subscribed browsers and notification preferences. */
export function bindPush(bind: BindRoute, context: Pick<GatewayContext, 'push'>): void {
  bind(routes.getPushKey, async ({ rpc }) => ({
    publicKey: (await pushOf(context).getPushKey({}, rpc)).publicKey ?? '',
  }));
  bind(routes.listPushSubscriptions, async ({ actor, rpc }) => {
    const { subscriptions } = await pushOf(context).listSubscriptions({ actorId: actor.userId }, rpc);
    return subscriptions.map(toSubscription);
  });
  bind(routes.subscribePush, async ({ actor, body, rpc }) => {
    const { endpoint, keys } = body;
    const session = { actorId: actor.userId, sessionId: actor.sessionId };
    return toSubscription(await pushOf(context).subscribe({ ...session, endpoint, ...keys }, rpc));
  });
  bind(routes.unsubscribePush, async ({ actor, rpc }) => {
    await pushOf(context).unsubscribe({ actorId: actor.userId, sessionId: actor.sessionId }, rpc);
  });
  bind(routes.getNotificationSettings, async ({ actor, rpc }) =>
    toSettings(await pushOf(context).getSettings({ actorId: actor.userId }, rpc)),
  );
  bind(routes.updateNotificationSettings, async ({ actor, body, rpc }) => {
    const { kinds, quietHours, ...rest } = body;
    const quiet =
      quietHours === undefined
        ? undefined
        : quietHours === null
          ? ({ $case: 'noQuietHours', value: true } as const)
          : ({
              $case: 'quietHours',
              value: {
                fromMinute: minuteOf(quietHours.from),
                toMinute: minuteOf(quietHours.to),
                timeZone: quietHours.timeZone,
              },
            } as const);
    const change = { actorId: actor.userId, ...rest, kinds: kinds && { kinds }, quiet };
    return toSettings(await pushOf(context).updateSettings(change, rpc));
  });
}
