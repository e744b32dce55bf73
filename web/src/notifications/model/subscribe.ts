import { routes } from '@nolo/api';
import { createStore } from 'zustand/vanilla';
import { ApiError, call } from '../../api/httpClient.ts';
import { browserSupport } from '../../device/browserSupport.ts';
import { pushEndpointStorageKey, pushOffKey } from '../../device/removePushSubscription.ts';

export type PushState =
  /** The browser does not support push. */
  | 'unsupported'
  /** The browser supports push once the app is on the Home Screen. */
  | 'installFirst'
  /** The user blocked notifications in the browser. */
  | 'blocked'
  /** Allowed and wanted, but registering with the server or the browser's push service failed. */
  | 'failed'
  | 'off'
  | 'on';

const isApple = (): boolean =>
  /iPhone|iPad/.test(navigator.userAgent) || (navigator.userAgent.includes('Mac') && navigator.maxTouchPoints > 1);
const isInstalled = (): boolean => matchMedia('(display-mode: standalone)').matches;

let failed = false;

/** Returns true if notifications are allowed and wanted on this device. The app then subscribes automatically. */
export const isPushWanted = (): boolean =>
  browserSupport.bePushed() &&
  'Notification' in globalThis &&
  Notification.permission === 'granted' &&
  localStorage.getItem(pushOffKey) === null;

/**
 * Returns the state of notifications here: on once the browser allows them and the server has stored the endpoint
 * (decision 35).
 */
export function computePushState(): PushState {
  if (!browserSupport.bePushed() || !('Notification' in globalThis)) {
    return isApple() && !isInstalled() ? 'installFirst' : 'unsupported';
  }
  if (Notification.permission === 'denied') return 'blocked';
  if (!isPushWanted()) return 'off';
  if (localStorage.getItem(pushEndpointStorageKey) !== null) return 'on';
  return failed ? 'failed' : 'off';
}

/** State for screens, which render again when it changes. */
export const pushStore = createStore<{ readonly state: PushState | null }>(() => ({ state: null }));

export function refreshPushState(): PushState {
  const state = computePushState();
  pushStore.setState({ state });
  return state;
}

/** Returns true if the browser has not asked yet and asking makes sense. */
export const canAskForPush = (): boolean =>
  computePushState() === 'off' && Notification.permission === 'default' && localStorage.getItem(pushOffKey) === null;

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0));
}

function isFor(subscription: PushSubscription, key: Uint8Array): boolean {
  const { applicationServerKey } = subscription.options;
  if (!applicationServerKey) return false;
  const own = new Uint8Array(applicationServerKey);
  return own.length === key.length && own.every((byte, index) => byte === key[index]);
}

/** Subscribes this browser to the installation's pushes, and registers the endpoint with the server. Safe to repeat. */
export async function subscribeToPush(): Promise<void> {
  try {
    await renewSubscription();
    failed = false;
  } catch (error) {
    failed = true;
    // A temporary network failure does not affect the server's stored endpoint.
    if (!(error instanceof ApiError) || !error.passing) localStorage.removeItem(pushEndpointStorageKey);
    throw error;
  } finally {
    refreshPushState();
  }
}

async function renewSubscription(): Promise<void> {
  const registration = await navigator.serviceWorker.ready;
  const applicationServerKey = bytesOf((await call(routes.getPushKey)).publicKey);
  const there = await registration.pushManager.getSubscription();
  const isOurs = there !== null && isFor(there, applicationServerKey);
  // A changed endpoint receives nothing until the server knows it.
  if (there?.endpoint !== localStorage.getItem(pushEndpointStorageKey) || !isOurs)
    localStorage.removeItem(pushEndpointStorageKey);
  if (there && !isOurs) await there.unsubscribe();
  const subscription = isOurs
    ? there
    : await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
  const { endpoint = '', keys = {} } = subscription.toJSON();
  const { p256dh = '', auth = '' } = keys;
  await call(routes.subscribePush, { body: { endpoint, keys: { p256dh, auth } } });
  localStorage.setItem(pushEndpointStorageKey, endpoint);
}

/** Makes the browser ask for permission. Must be called from a user press. */
export async function turnOnPush(): Promise<PushState> {
  localStorage.removeItem(pushOffKey);
  if ((await Notification.requestPermission()) === 'granted') await subscribeToPush();
  return refreshPushState();
}

export async function turnOffPush(): Promise<void> {
  localStorage.setItem(pushOffKey, '1');
  localStorage.removeItem(pushEndpointStorageKey);
  refreshPushState();
  const registration = await navigator.serviceWorker.getRegistration();
  const subscription = await registration?.pushManager.getSubscription();
  await subscription?.unsubscribe();
  await call(routes.unsubscribePush);
}
