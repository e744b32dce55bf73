import { routes } from '@nolo/api';
import { createStore } from 'zustand/vanilla';
import { ApiError, call } from '../../api/httpClient.ts';
import { can } from '../../device/abilities.ts';
import { pushKeptKey, pushOffKey } from '../../device/forgetPush.ts';

export type PushState =
  /** The browser cannot. */
  | 'unsupported'
  /** It could, once the app is on the Home Screen. */
  | 'installFirst'
  /** The person told the browser not to. */
  | 'blocked'
  /** It is allowed and wanted, but the server or the push service of the browser could not be told. */
  | 'failed'
  | 'off'
  | 'on';

const isApple = (): boolean =>
  /iPhone|iPad/.test(navigator.userAgent) || (navigator.userAgent.includes('Mac') && navigator.maxTouchPoints > 1);
const isInstalled = (): boolean => matchMedia('(display-mode: standalone)').matches;

let failed = false;

/** Whether notifications are allowed and wanted on this device: the app then subscribes by itself. */
export const isPushWanted = (): boolean =>
  can.bePushed() &&
  'Notification' in globalThis &&
  Notification.permission === 'granted' &&
  localStorage.getItem(pushOffKey) === null;

/** How it stands with notifications here: on once the browser allows them and the server stored where to (decision 35). */
export function pushState(): PushState {
  if (!can.bePushed() || !('Notification' in globalThis)) {
    return isApple() && !isInstalled() ? 'installFirst' : 'unsupported';
  }
  if (Notification.permission === 'denied') return 'blocked';
  if (!isPushWanted()) return 'off';
  if (localStorage.getItem(pushKeptKey) !== null) return 'on';
  return failed ? 'failed' : 'off';
}

/** The same for screens, which are drawn anew when it changes. */
export const pushStore = createStore<{ readonly state: PushState | null }>(() => ({ state: null }));

export function readPushState(): PushState {
  const state = pushState();
  pushStore.setState({ state });
  return state;
}

/** Whether the browser has not been asked yet, and asking makes sense. */
export const mayAsk = (): boolean =>
  pushState() === 'off' && Notification.permission === 'default' && localStorage.getItem(pushOffKey) === null;

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0));
}

function isFor(subscription: PushSubscription, key: Uint8Array): boolean {
  const { applicationServerKey } = subscription.options;
  if (!applicationServerKey) return false;
  const own = new Uint8Array(applicationServerKey);
  return own.length === key.length && own.every((byte, index) => byte === key[index]);
}

/** Has the browser take pushes from this installation, and the server know where. Twice does no harm. */
export async function subscribe(): Promise<void> {
  try {
    await renewSubscription();
    failed = false;
  } catch (error) {
    failed = true;
    // A network that is away for a moment changes nothing about what the server stored before.
    if (!(error instanceof ApiError) || !error.passing) localStorage.removeItem(pushKeptKey);
    throw error;
  } finally {
    readPushState();
  }
}

async function renewSubscription(): Promise<void> {
  const registration = await navigator.serviceWorker.ready;
  const applicationServerKey = bytesOf((await call(routes.getPushKey)).publicKey);
  const there = await registration.pushManager.getSubscription();
  const isOurs = there !== null && isFor(there, applicationServerKey);
  // Another address than the stored one reaches nobody until the server knows it.
  if (there?.endpoint !== localStorage.getItem(pushKeptKey) || !isOurs) localStorage.removeItem(pushKeptKey);
  if (there && !isOurs) await there.unsubscribe();
  const subscription = isOurs
    ? there
    : await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
  const { endpoint = '', keys = {} } = subscription.toJSON();
  const { p256dh = '', auth = '' } = keys;
  await call(routes.subscribePush, { body: { endpoint, keys: { p256dh, auth } } });
  localStorage.setItem(pushKeptKey, endpoint);
}

/** Asks the browser, which asks the person; must be called from what they pressed. */
export async function turnOn(): Promise<PushState> {
  localStorage.removeItem(pushOffKey);
  if ((await Notification.requestPermission()) === 'granted') await subscribe();
  return readPushState();
}

export async function turnOff(): Promise<void> {
  localStorage.setItem(pushOffKey, '1');
  localStorage.removeItem(pushKeptKey);
  readPushState();
  const registration = await navigator.serviceWorker.getRegistration();
  const subscription = await registration?.pushManager.getSubscription();
  await subscription?.unsubscribe();
  await call(routes.unsubscribePush);
}
