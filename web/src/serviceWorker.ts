/**
 * Caches the shell (document, scripts, styles, and fonts of one version), so that the app opens offline, and the
 * signed-in user's profile pictures. No other data is cached here. A new version waits until the app sends
 * `applyUpdate`, with the user's consent, so that no draft is lost to a reload.
 */
import { cacheNames } from 'workbox-core';
import { createHandlerBoundToURL, cleanupOutdatedCaches, precacheAndRoute } from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';
import { answerPicture } from './device/pictureCache.ts';
import { storeReceivedShare } from './device/received.ts';
import { receivedPath, shareTargetPath } from './device/sharePaths.ts';
import {
  answerCatalogueRequest,
  keepOrDropCatalogues,
  isKeepCataloguesMessage,
  cacheCatalogues,
  dropOldCatalogues,
} from './i18n/catalogueCache.ts';
import { loadPushContext } from './notifications/worker/loadPushContext.ts';
import { toPushNotification, type PushBody } from './notifications/model/pushNotification.ts';

declare const self: ServiceWorkerGlobalScope & {
  __WB_MANIFEST: { url: string; revision: string | null }[];
};

/** Part of the Static Routing API that TypeScript's library lacks. */
interface RoutingInstallEvent extends ExtendableEvent {
  addRoutes?: (rule: {
    condition: { urlPattern: { pathname: string } };
    source: { cacheName: string };
  }) => Promise<void>;
}

/** Texts of a language other than English are only for users who chose it. */
const isWords = (path: string): boolean => path.includes('assets/german-');
const files = self.__WB_MANIFEST as { url: string; revision: string | null }[];

cleanupOutdatedCaches();
precacheAndRoute(files.filter(({ url }) => !isWords(url)));
const catalogueFiles = files.filter(({ url }) => isWords(url)).map(({ url }) => `/${url}`);
self.addEventListener('install', (event) => event.waitUntil(cacheCatalogues(catalogueFiles)));
self.addEventListener('activate', (event) => event.waitUntil(dropOldCatalogues(catalogueFiles)));
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && isWords(url.pathname),
  ({ request }) => answerCatalogueRequest(request),
);

// Each start loads dozens of files: if supported, the browser serves them from the cache itself and only asks the
// worker for missing ones (https://w3c.github.io/ServiceWorker/#service-worker-static-routing-api).
self.addEventListener('install', (event: RoutingInstallEvent) => {
  void event
    .addRoutes?.({
      condition: { urlPattern: { pathname: '/assets/*' } },
      source: { cacheName: cacheNames.precache },
    })
    .catch(() => undefined);
});

// All page paths return the single document. Paths that the server handles are left alone.
registerRoute(
  new NavigationRoute(createHandlerBoundToURL('/index.html'), {
    denylist: [/^\/(api|ws|objects|s3|oidc|outbox|healthz|metrics|livez|readyz)(\/|\?|$)/],
  }),
);

// Profile pictures only: media that people send each other is requested with a query and never cached here.
registerRoute(
  ({ url, sameOrigin, request }) =>
    sameOrigin && request.destination === 'image' && url.pathname.startsWith('/objects/') && url.search === '',
  ({ request }) => answerPicture(request),
);

// Content shared from another app is stored here until the page has asked where to send it. No server sees it.
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname === shareTargetPath,
  async ({ request }) => {
    await storeReceivedShare(await request.formData());
    return Response.redirect(receivedPath, 303);
  },
  'POST',
);

self.addEventListener('message', (event: ExtendableMessageEvent) => {
  const data: unknown = event.data;
  if (isKeepCataloguesMessage(data)) event.waitUntil(keepOrDropCatalogues(data, catalogueFiles));
  if (typeof data === 'object' && data !== null && 'type' in data && data.type === 'applyUpdate') {
    void self.skipWaiting();
  }
});

/** Notification options that TypeScript's library lacks. */
interface PushedOptions extends NotificationOptions {
  renotify?: boolean;
  vibrate?: number[];
  actions?: { action: string; title: string }[];
  timestamp?: number;
}

/** Returns true if a page is visible, which shows events itself. */
async function isSeen(): Promise<boolean> {
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  return pages.some((page) => page.visibilityState === 'visible');
}

async function showPush(push: PushBody): Promise<void> {
  const known = await loadPushContext(push);
  // The recipient is no longer signed in here.
  if (!known) return;
  if (push.unread !== undefined) void self.navigator.setAppBadge?.(push.unread).catch(() => undefined);
  const notice = toPushNotification(push, known);
  const { title, body, tag, silent, vibrate, actions, stays, path, callId, groupId } = notice;
  const before = await self.registration.getNotifications({ tag });
  if (notice.replaces && before.length === 0) return;
  if (await isSeen()) {
    for (const one of before) one.close();
    return;
  }
  const options: PushedOptions = {
    body,
    tag,
    renotify: !silent,
    silent,
    requireInteraction: stays,
    icon: '/icon-192.png',
    timestamp: Date.parse(push.at),
    data: { path, callId, groupId },
    ...(actions.length > 0 && { actions: [...actions] }),
    ...(vibrate && { vibrate }),
  };
  await self.registration.showNotification(title, options);
}

self.addEventListener('push', (event: PushEvent) => {
  const push = event.data?.json() as PushBody | undefined;
  if (push) event.waitUntil(showPush(push));
});

/** Navigates the open page to a path, and to a call to answer. Without an open page, opens one. */
async function openPath(path: string, answer: string | undefined): Promise<void> {
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const page = pages.find((one) => one.focused) ?? pages.find((one) => one.visibilityState === 'visible') ?? pages[0];
  if (!page) {
    const address = answer === undefined ? path : `${path}?answer=${encodeURIComponent(answer)}`;
    await self.clients.openWindow(address);
    return;
  }
  page.postMessage({ type: 'openPath', path, answer });
  // If the browser does not let the page come to the front, it is still navigated.
  await page.focus().catch(() => undefined);
}

/** Declines a call, so that the caller knows immediately. On failure, it rings until the timeout. */
async function declineCall(callId: string, groupId: string | undefined): Promise<void> {
  const [path, method] =
    groupId === undefined
      ? [`/api/calls/${callId}/decline`, 'POST']
      : [`/api/group-chats/${groupId}/call/ring`, 'DELETE'];
  await fetch(path, { method, credentials: 'same-origin' }).catch(() => undefined);
}

self.addEventListener('notificationclick', (event: NotificationEvent) => {
  event.notification.close();
  const { path, callId, groupId } = event.notification.data as { path: string; callId?: string; groupId?: string };
  if (event.action === 'decline' && callId !== undefined) event.waitUntil(declineCall(callId, groupId));
  else event.waitUntil(openPath(path, event.action === 'answer' ? callId : undefined));
});
