/**
 * Keeps the shell at hand: the document, scripts, styles and fonts of one version, so that the app
 * opens without a network; and the signed-in person's profile pictures. No other data is cached here. A new version waits until the app says
 * `applyUpdate`, which it does when the person agrees, so no draft is lost to a reload.
 */
import { createHandlerBoundToURL, cleanupOutdatedCaches, precacheAndRoute } from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';
import { answerPicture } from './device/pictureCache.ts';

declare const self: ServiceWorkerGlobalScope & {
  __WB_MANIFEST: { url: string; revision: string | null }[];
};

cleanupOutdatedCaches();
precacheAndRoute(self.__WB_MANIFEST);

// Every page address answers with the one document; what the server answers itself is left alone.
registerRoute(
  new NavigationRoute(createHandlerBoundToURL('/index.html'), {
    denylist: [/^\/(api|ws|objects|s3|oidc|outbox|healthz|metrics|livez|readyz)(\/|\?|$)/],
  }),
);

registerRoute(
  ({ url, sameOrigin, request }) =>
    sameOrigin && request.destination === 'image' && url.pathname.startsWith('/objects/'),
  ({ request }) => answerPicture(request),
);

self.addEventListener('message', (event: ExtendableMessageEvent) => {
  const data: unknown = event.data;
  if (typeof data === 'object' && data !== null && 'type' in data && data.type === 'applyUpdate') {
    void self.skipWaiting();
  }
});
