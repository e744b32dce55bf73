/** Set if this device must not show notifications although the browser allows them. */
export const pushOffKey = 'nolo.pushOff';

/** Time of the last answer about notifications, in milliseconds since the epoch. */
export const pushPromptedKey = 'nolo.pushAsked';

/** Push endpoint of this browser as stored on the server. */
export const pushEndpointStorageKey = 'nolo.pushKept';

/** Stops pushes to this browser and removes existing notifications. */
export async function removePushSubscription(): Promise<void> {
  for (const key of [pushOffKey, pushPromptedKey, pushEndpointStorageKey]) localStorage.removeItem(key);
  const workers = (navigator as Partial<Navigator>).serviceWorker;
  const registration = await workers?.getRegistration();
  if (!registration) return;
  for (const notification of await registration.getNotifications()) notification.close();
  const subscription = await (registration as Partial<ServiceWorkerRegistration>).pushManager?.getSubscription();
  await subscription?.unsubscribe();
}
