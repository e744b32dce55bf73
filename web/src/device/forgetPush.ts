/** That this device is to show no notifications although the browser would let it. */
export const pushOffKey = 'nolo.pushOff';

/** When somebody last answered whether they want notifications, in milliseconds since the epoch. */
export const pushAskedKey = 'nolo.pushAsked';

/** The address of this browser that the server has stored for pushes. */
export const pushKeptKey = 'nolo.pushKept';

/** Nothing is pushed to this browser any more, and nothing that was stays to be seen. */
export async function forgetPush(): Promise<void> {
  for (const key of [pushOffKey, pushAskedKey, pushKeptKey]) localStorage.removeItem(key);
  const workers = (navigator as Partial<Navigator>).serviceWorker;
  const registration = await workers?.getRegistration();
  if (!registration) return;
  for (const notification of await registration.getNotifications()) notification.close();
  const subscription = await (registration as Partial<ServiceWorkerRegistration>).pushManager?.getSubscription();
  await subscription?.unsubscribe();
}
