import { pushLimits } from '@nolo/rules';
import * as z from 'zod/mini';
import {
  newPushSubscription,
  notificationSettings,
  notificationSettingsChange,
  pushSubscription,
} from './pushSchemas.ts';
import { defineRoute } from './route.ts';

const reads = { access: 'session', tag: 'notifications' } as const;
const writes = { ...reads, limit: 'pushChangesPerUser' } as const;
const away = 'push_unavailable';

/** Web push, if the operator has set the service up (`features.push`); docs/notifications.md. */
export const pushRoutes = {
  getPushKey: defineRoute({
    ...reads,
    method: 'GET',
    path: '/api/push/key',
    summary: 'Get the key by which browsers recognise this installation (applicationServerKey of the Push API)',
    reply: z.object({ publicKey: z.string() }),
    errors: [away],
  }),
  listPushSubscriptions: defineRoute({
    ...reads,
    method: 'GET',
    path: '/api/push/subscriptions',
    summary: `List your browsers that receive push notifications, oldest first, ${pushLimits.subscriptionsPerAccount} at most`,
    reply: z.array(pushSubscription),
    errors: [away],
  }),
  subscribePush: defineRoute({
    ...writes,
    method: 'PUT',
    path: '/api/push/subscription',
    summary: 'Send push notifications to the browser of this session, replacing its previous subscription',
    body: newPushSubscription,
    example: {
      endpoint: 'https://push.example.org/wpush/v2/some-token',
      keys: {
        p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
        auth: 'BTBZMqHH6r4Tts7J_aSIgg',
      },
    },
    reply: pushSubscription,
    errors: [away, 'push_endpoint_invalid', 'push_endpoint_refused', 'push_keys_invalid'],
  }),
  unsubscribePush: defineRoute({
    ...writes,
    method: 'DELETE',
    path: '/api/push/subscription',
    status: 204,
    summary: 'Stop sending push notifications to the browser of this session',
    errors: [away],
  }),
  getNotificationSettings: defineRoute({
    ...reads,
    method: 'GET',
    path: '/api/notification-settings',
    summary: 'Get which push notifications you receive, on all devices',
    reply: notificationSettings,
    errors: [away],
  }),
  updateNotificationSettings: defineRoute({
    ...writes,
    method: 'PATCH',
    path: '/api/notification-settings',
    summary: 'Change the given push settings; `quietHours` null for none',
    body: notificationSettingsChange,
    example: { preview: false, quietHours: { from: '22:00', to: '07:00', timeZone: 'Africa/Johannesburg' } },
    reply: notificationSettings,
    errors: [away, 'quiet_hours_invalid'],
  }),
} as const;
