/**
 * Keeps the shell at hand: the document, scripts, styles and fonts of one version, so that the app
 * opens without a network; and the signed-in person's profile pictures. No other data is cached here. A new version waits until the app says
 * `applyUpdate`, which it does when the person agrees, so no draft is lost to a reload.
 */
import { cacheNames } from 'workbox-core';
import { createHandlerBoundToURL, cleanupOutdatedCaches, precacheAndRoute } from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';
import { answerPicture } from './device/pictureCache.ts';
import { keepReceived, receivedPath, shareTargetPath } from './device/received.ts';
import { answerWords, followPage, isKeepWords, takeAlong, tidyWords } from './i18n/keptWords.ts';
import { knownOf } from './notifications/worker/heldByDevice.ts';
import { pushNotice, type PushBody } from './notifications/model/pushText.ts';

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

/** Words of a language other than English are for those who chose it. */
const isWords = (path: string): boolean => path.includes('assets/german-');
const files = self.__WB_MANIFEST as { url: string; revision: string | null }[];

cleanupOutdatedCaches();
precacheAndRoute(files.filter(({ url }) => !isWords(url)));
const wordFiles = files.filter(({ url }) => isWords(url)).map(({ url }) => `/${url}`);
self.addEventListener('install', (event) => event.waitUntil(takeAlong(wordFiles)));
self.addEventListener('activate', (event) => event.waitUntil(tidyWords(wordFiles)));
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && isWords(url.pathname),
  ({ request }) => answerWords(request),
);

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

// What another app shares is kept here until the page has asked where it is to go; no server sees it.
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname === shareTargetPath,
  async ({ request }) => {
    await keepReceived(await request.formData());
    return Response.redirect(receivedPath, 303);
  },
  'POST',
);

self.addEventListener('message', (event: ExtendableMessageEvent) => {
  const data: unknown = event.data;
  if (isKeepWords(data)) event.waitUntil(followPage(data, wordFiles));
  if (typeof data === 'object' && data !== null && 'type' in data && data.type === 'applyUpdate') {
    void self.skipWaiting();
  }
});

/** What TypeScript's library does not know yet of notifications. */
interface PushedOptions extends NotificationOptions {
  renotify?: boolean;
  vibrate?: number[];
  actions?: { action: string; title: string }[];
  timestamp?: number;
}

/** A page that somebody looks at shows by itself what happens. */
async function isSeen(): Promise<boolean> {
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  return pages.some((page) => page.visibilityState === 'visible');
}

async function showPush(push: PushBody): Promise<void> {
  const known = await knownOf(push);
  // Whoever it was for is not signed in here any more.
  if (!known) return;
  if (push.unread !== undefined) void self.navigator.setAppBadge?.(push.unread).catch(() => undefined);
  const notice = pushNotice(push, known);
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

/** Leads the page that is open to a place, and there to a call that is to be answered; without one, opens it. */
async function openPath(path: string, answer: string | undefined): Promise<void> {
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const page = pages.find((one) => one.focused) ?? pages.find((one) => one.visibilityState === 'visible') ?? pages[0];
  if (!page) {
    const address = answer === undefined ? path : `${path}?answer=${encodeURIComponent(answer)}`;
    await self.clients.openWindow(address);
    return;
  }
  page.postMessage({ type: 'openPath', path, answer });
  // Where the browser does not let it come to the front, it is led there all the same.
  await page.focus().catch(() => undefined);
}

/** The caller hears of it at once; where that cannot be said, it rings on until the time is over. */
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
