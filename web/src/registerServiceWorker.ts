import type { KeepWords } from './i18n/keptWords.ts';
import { appUpdateStore } from './shell/appUpdate.ts';

const address = '/serviceWorker.js';
/** How long the waiting version may take to take over before the page loads anew without it. */
const takeOverMs = 3_000;

interface ScriptAddressPolicy {
  createScriptURL: (address: string) => unknown;
}
interface PolicyFactory {
  createPolicy: (name: string, rules: { createScriptURL: (address: string) => string }) => ScriptAddressPolicy;
}

/** The one address that may become a worker. The policy's name stands in the gateway's CSP. */
function trustedAddress(): string {
  const factory = (globalThis as { trustedTypes?: PolicyFactory }).trustedTypes;
  if (factory === undefined) return address;
  const policy = factory.createPolicy('nolo-sw', {
    createScriptURL(asked) {
      if (asked !== address) throw new TypeError("Only the app's own service worker may be registered.");
      return asked;
    },
  });
  // The types of register() know only strings; at run time it wants the trusted object itself.
  return policy.createScriptURL(address) as string;
}

/** Offers the waiting version; it takes over, and the page loads anew, only when asked to. */
function offerUpdate(waiting: ServiceWorker): void {
  appUpdateStore.getState().setReady(() => {
    navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true });
    waiting.postMessage({ type: 'applyUpdate' });
    // A request that the old worker still answers holds the change up; a page that loads anew lets go of it.
    setTimeout(() => location.reload(), takeOverMs);
  });
}

/** The worker keeps the words of the language that the app speaks. */
function keepWords({ active }: ServiceWorkerRegistration): void {
  const message: KeepWords = { type: 'keepWords', keep: document.documentElement.lang === 'de' };
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
        // Without a controller this is the first install, not an update.
        if (arriving.state === 'installed' && navigator.serviceWorker.controller) offerUpdate(arriving);
      });
    });
  } catch {
    // Without a service worker the app works all the same, only not offline.
  }
}
