import type { Clock } from '@nolo/kit/clock';
import { parseActorId, newId, parseId, type SessionId, type UserId } from '@nolo/kit/ids';
import { resolveAllowedAddresses, type OutboundGuard } from '@nolo/kit/outbound';
import type { RpcHandler } from '@nolo/kit/rpc';
import type { PushServiceDefinition, PushSettings as SettingsReply, UpdateSettingsRequest } from '@nolo/proto/push';
import { pushKinds, pushLimits } from '@nolo/rules';
import webPush from 'web-push';
import type { PushSettings, QuietHours, PushSubscriptionRecord } from '../domain/push.ts';
import type { PushSettingsStore, PushSubscriptionStore } from '../domain/pushPorts.ts';
import { parseQuietHours, defaultPushSettings } from '../domain/quietHours.ts';
import { createNotificationsError } from '../errors.ts';
import type { VapidKeyStore } from '../domain/vapidKeys.ts';

export interface PushDependencies {
  readonly subscriptions: PushSubscriptionStore;
  readonly settings: PushSettingsStore;
  readonly keys: Pick<VapidKeyStore, 'get'>;
  readonly guard: OutboundGuard;
  /** True to allow http, as in demo mode. */
  readonly plain: boolean;
  readonly clock: Clock;
}

const lookUpMs = 4_000;

const toReply = ({ id, sessionId, endpoint, createdAt }: PushSubscriptionRecord) => ({
  id,
  sessionId,
  host: new URL(endpoint).host,
  createdAt,
});

const toSettingsReply = ({ kinds, quietHours, ...rest }: PushSettings): SettingsReply => ({
  ...rest,
  kinds: [...kinds],
  quietHours: quietHours ?? undefined,
});

function sessionFrom(id: string | undefined): SessionId {
  const sessionId = parseId<SessionId>(id);
  if (sessionId === undefined)
    throw createNotificationsError('invalid', 'push_session_missing', 'Push notifications need a session.');
  return sessionId;
}

/** @throws AppError push_endpoint_invalid, push_endpoint_refused */
async function endpointFrom({ guard, plain }: PushDependencies, text: string): Promise<string> {
  const url = text.length <= pushLimits.endpointLength && URL.canParse(text) ? new URL(text) : undefined;
  const isWeb = url?.protocol === 'https:' || (plain && url?.protocol === 'http:');
  if (!url || !isWeb || url.username !== '' || url.password !== '' || url.hash !== '') {
    throw createNotificationsError('invalid', 'push_endpoint_invalid', 'This is not the address of a push service.');
  }
  const found = await resolveAllowedAddresses(url, guard, AbortSignal.timeout(lookUpMs)).catch(
    () => 'nowhere' as const,
  );
  if (found === 'refused') {
    throw createNotificationsError(
      'invalid',
      'push_endpoint_refused',
      'This address is not on the public internet, or uses a port other than 443.',
    );
  }
  return url.href;
}

/** Refuses keys that cannot encrypt, while the client can still be notified. */
function keysFrom(p256dh: string, auth: string) {
  try {
    webPush.encrypt(p256dh, auth, '', 'aes128gcm');
    return { p256dh, auth };
  } catch {
    throw createNotificationsError('invalid', 'push_keys_invalid', 'These are not valid browser keys.');
  }
}

type Handler<Name extends keyof (typeof PushServiceDefinition)['methods']> = RpcHandler<
  (typeof PushServiceDefinition)['methods'][Name]
>;

const settingsOf = async ({ settings }: Pick<PushDependencies, 'settings'>, userId: UserId): Promise<PushSettings> =>
  (await settings.of([userId])).get(userId) ?? defaultPushSettings;

export function getPushKey({ keys }: PushDependencies): Handler<'getPushKey'> {
  return async () => ({ publicKey: (await keys.get()).publicKey });
}

export function listSubscriptions({ subscriptions }: PushDependencies): Handler<'listSubscriptions'> {
  return async ({ actorId }) => ({
    subscriptions: (await subscriptions.list(parseActorId(actorId ?? ''))).map(toReply),
  });
}

export function subscribe(dependencies: PushDependencies): Handler<'subscribe'> {
  const { subscriptions, clock } = dependencies;
  return async ({ actorId, sessionId, endpoint = '', p256dh = '', auth = '' }) => {
    const userId = parseActorId(actorId ?? '');
    const subscription = {
      id: newId<PushSubscriptionRecord['id']>(),
      userId,
      sessionId: sessionFrom(sessionId),
      ...keysFrom(p256dh, auth),
      endpoint: await endpointFrom(dependencies, endpoint),
      createdAt: clock.now(),
    };
    return toReply(await subscriptions.put(subscription));
  };
}

export function unsubscribe({ subscriptions }: PushDependencies): Handler<'unsubscribe'> {
  return async ({ actorId, sessionId }) => {
    const session = sessionFrom(sessionId);
    const mine = await subscriptions.list(parseActorId(actorId ?? ''));
    if (mine.some((one) => one.sessionId === session)) await subscriptions.removeSessions([session]);
    return {};
  };
}

export function getSettings(dependencies: PushDependencies): Handler<'getSettings'> {
  return async ({ actorId }) => toSettingsReply(await settingsOf(dependencies, parseActorId(actorId ?? '')));
}

export function updateSettings(dependencies: PushDependencies): Handler<'updateSettings'> {
  return async ({ actorId, kinds, preview, sound, vibration, quiet }) => {
    const userId = parseActorId(actorId ?? '');
    const before = await settingsOf(dependencies, userId);
    const after: PushSettings = {
      // Skips unknown kinds, which this version could not send.
      kinds: kinds ? pushKinds.filter((kind) => kinds.kinds.includes(kind)) : before.kinds,
      preview: preview ?? before.preview,
      sound: sound ?? before.sound,
      vibration: vibration ?? before.vibration,
      quietHours: quietAfter(before.quietHours, quiet),
    };
    await dependencies.settings.put(userId, after);
    return toSettingsReply(after);
  };
}

function quietAfter(before: QuietHours | null, quiet: UpdateSettingsRequest['quiet']): QuietHours | null {
  if (quiet?.$case === 'quietHours') return parseQuietHours(quiet.value);
  return quiet?.value === true ? null : before;
}
