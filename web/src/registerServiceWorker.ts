import type { KeepCataloguesMessage } from './i18n/catalogueCache.ts';
import { appUpdateStore } from './shell/appUpdate.ts';

const address = '/serviceWorker.js';
/** Milliseconds that the waiting version may take before the page reloads without it. */
const takeOverMs = 3_000;

interface ScriptAddressPolicy {
  createScriptURL: (address: string) => unknown;
}
interface PolicyFactory {
  createPolicy: (name: string, rules: { createScriptURL: (address: string) => string }) => ScriptAddressPolicy;
}

/** Returns the only URL allowed for the worker. The policy's name is in the gateway's CSP. */
function trustedAddress(): string {
  const factory = (globalThis as { trustedTypes?: PolicyFactory }).trustedTypes;
  if (factory === undefined) return address;
  const policy = factory.createPolicy('nolo-sw', {
    createScriptURL(url) {
      if (url !== address) throw new TypeError("Only the app's own service worker may be registered.");
      return url;
    },
  });
  // The types of register() accept only strings. At run time it needs the trusted object itself.
  return policy.createScriptURL(address) as string;
}

/** Offers the waiting version. It takes over, and the page reloads, only on request. */
function offerUpdate(waiting: ServiceWorker): void {
  appUpdateStore.getState().setReady(() => {
    navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true });
    waiting.postMessage({ type: 'applyUpdate' });
    // A request still handled by the old worker delays the change. Reloading the page releases it.
    setTimeout(() => location.reload(), takeOverMs);
  });
}

/** Makes the worker cache the texts of the app's language. */
function keepWords({ active }: ServiceWorkerRegistration): void {
  const message: KeepCataloguesMessage = { type: 'keepWords', keep: document.documentElement.lang === 'de' };
  active?.postMessage(message);
}

export async function registerServiceWorker(): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  try {
    const registration = await navigator.serviceWorker.register(trustedAddress(), { scope: '/', type: 'classic' });
    void navigator.serviceWorker.ready.then(keepWords);
    if (registration.waiting && navigator.serviceWorker.controller) offerUpdate(registration.waiting);
    registration.addEventListener('updatefound', () => {
      const arriving = registration.installing;
      arriving?.addEventListener('statechange', () => {
        // A first install has no controller, and is not an update.
        if (arriving.state === 'installed' && navigator.serviceWorker.controller) offerUpdate(arriving);
      });
    });
  } catch {
    // The app works without a service worker, but not offline.
  }
}
