/** @jest-environment jsdom */
import { jest } from '@jest/globals';
import { pushEndpointStorageKey } from '../../device/removePushSubscription.ts';
import { isPushWanted, computePushState, subscribeToPush, turnOffPush } from './subscribe.ts';

let serverStatus: number;
const key = 'AQID';
const endpoint = 'https://push.example/1';

beforeEach(() => {
  localStorage.clear();
  serverStatus = 200;
  const subscription = {
    endpoint,
    options: { applicationServerKey: new Uint8Array([1, 2, 3]).buffer },
    toJSON: () => ({ endpoint, keys: { p256dh: 'p', auth: 'a' } }),
    unsubscribe: async () => true,
  };
  let there: typeof subscription | null = null;
  const pushManager = {
    getSubscription: async () => there,
    subscribe: async () => (there = subscription),
  };
  const registration = { pushManager };
  Object.defineProperty(navigator, 'serviceWorker', {
    configurable: true,
    value: { ready: Promise.resolve(registration), getRegistration: async () => registration },
  });
  Object.assign(globalThis, {
    PushManager: class {},
    Notification: { permission: 'granted' },
    matchMedia: () => ({ matches: false }),
    fetch: jest.fn(async (path: string) => {
      if (path === '/api/push/key') return answer(200, { publicKey: key });
      if (serverStatus === 0) throw new TypeError('Failed to fetch');
      return answer(serverStatus, { code: 'push_refused', message: '' });
    }),
  });
});

function answer(status: number, body: unknown): Response {
  return {
    ok: status < 300,
    status,
    statusText: '',
    headers: new Headers(),
    json: async () => body,
    text: async () => JSON.stringify(body),
  } as Response;
}

test('notifications are on once the server has stored the subscription, and no sooner', async () => {
  expect(isPushWanted()).toBe(true);
  expect(computePushState()).toBe('off');
  await subscribeToPush();
  expect(computePushState()).toBe('on');
});

test('a subscription that the server refused does not count as on', async () => {
  serverStatus = 422;
  await expect(subscribeToPush()).rejects.toThrow();
  expect(computePushState()).toBe('failed');
  expect(isPushWanted()).toBe(true);
});

test('a brief server outage does not affect a stored subscription', async () => {
  await subscribeToPush();
  serverStatus = 0;
  await expect(subscribeToPush()).rejects.toThrow();
  expect(computePushState()).toBe('on');
  // The server does not know the browser's new endpoint.
  localStorage.setItem(pushEndpointStorageKey, 'https://push.example/old');
  await expect(subscribeToPush()).rejects.toThrow();
  expect(computePushState()).toBe('failed');
});

test('turning notifications off removes the registration', async () => {
  await subscribeToPush();
  await turnOffPush();
  expect(computePushState()).toBe('off');
});
