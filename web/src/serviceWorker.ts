/**
 * Keeps the shell at hand: the document, scripts, styles and fonts of one version, so that the app
 * opens without a network; and the signed-in person's profile pictures. No other data is cached here. A new version waits until the app says
 * `applyUpdate`, which it does when the person agrees, so no draft is lost to a reload.
 */
import { cacheNames } from 'workbox-core';
import { createHandlerBoundToURL, cleanupOutdatedCaches, precacheAndRoute } from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';
import { answerPicture } from './device/pictureCache.ts';

declare const self: ServiceWorkerGlobalScope & {
  __WB_MANIFEST: { url: string; revision: string | null }[];
};

/** Of the Static Routing API, which TypeScript's library does not know yet. */
interface RoutingInstallEvent extends ExtendableEvent {
  addRoutes?: (rule: {
    condition: { urlPattern: { pathname: string } };
    source: { cacheName: string };
  }) => Promise<void>;
}

cleanupOutdatedCaches();
precacheAndRoute(self.__WB_MANIFEST);

// Dozens of files at every start: where the browser can, it takes them from the cache itself and asks the worker only
// for what is not there (https://w3c.github.io/ServiceWorker/#service-worker-static-routing-api).
self.addEventListener('install', (event: RoutingInstallEvent) => {
  void event
    .addRoutes?.({
      condition: { urlPattern: { pathname: '/assets/*' } },
      source: { cacheName: cacheNames.precache },
    })
    .catch(() => undefined);
});

// Every page address answers with the one document; what the server answers itself is left alone.
registerRoute(
  new NavigationRoute(createHandlerBoundToURL('/index.html'), {
    denylist: [/^\/(api|ws|objects|s3|oidc|outbox|healthz|metrics|livez|readyz)(\/|\?|$)/],
  }),
);

// Profile pictures alone: what people send each other is asked for with a search, and stays where it is.
registerRoute(
  ({ url, sameOrigin, request }) =>
    sameOrigin && request.destination === 'image' && url.pathname.startsWith('/objects/') && url.search === '',
  ({ request }) => answerPicture(request),
);

self.addEventListener('message', (event: ExtendableMessageEvent) => {
  const data: unknown = event.data;
  if (typeof data === 'object' && data !== null && 'type' in data && data.type === 'applyUpdate') {
    void self.skipWaiting();
  }
});
