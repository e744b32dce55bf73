import { createECDH, randomBytes } from 'node:crypto';
import type { RouteName } from '@nolo/api';
import { all, type RouteExpectation } from './routeExpectation.ts';

/** Builds a browser's subscription, with a push service that does not exist. */
function subscription() {
  const p256dh = createECDH('prime256v1').generateKeys().toString('base64url');
  const auth = randomBytes(16).toString('base64url');
  return { endpoint: `http://127.0.0.1:9/${auth}`, keys: { p256dh, auth } };
}

/** Expectations of push routes: each user reads and changes their own data, and cannot name that of others. */
export const pushExpectations = {
  getPushKey: { attempt: () => ({}), expected: all(200) },
  listPushSubscriptions: { attempt: () => ({}), expected: all(200) },
  subscribePush: { attempt: () => ({ body: subscription() }), expected: all(200) },
  unsubscribePush: { attempt: () => ({}), expected: all(204) },
  getNotificationSettings: { attempt: () => ({}), expected: all(200) },
  updateNotificationSettings: { attempt: () => ({ body: { sound: true } }), expected: all(200) },
} satisfies Partial<Record<RouteName, RouteExpectation>>;
