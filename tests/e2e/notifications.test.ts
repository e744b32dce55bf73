import { routes, type Message } from '@nolo/api';
import { startTestPushService, type SubscribedBrowser, type TestPushService } from '@nolo/testing';
import type { BrowserContext, Page } from 'playwright-core';
import { ConversationPage } from './pages/ConversationPage.ts';
import { DevicesPage } from './pages/DevicesPage.ts';
import { waitUntilMessagesStored } from './support/browserStores.ts';
import { createFriends, sendMessage } from './support/cast.ts';
import { setUpJourney } from './support/journey.ts';
import { emptyKeysScript } from './support/keys.ts';
import { waitForPath, waitUntilVisible, waitForExpectation } from './support/waitFor.ts';
import { enPush } from './support/words.ts';

const { story, openPage, url } = setUpJourney();

let pushService: TestPushService;
beforeAll(async () => {
  pushService = await startTestPushService();
});
afterAll(() => pushService.stop());

/**
 * Subscribes the page at our push service, because the vendor's is out of reach of tests. The test browser cannot show
 * notifications or badges: it reports them as denied, and a badge crashes its workers. `showHere` records what it would
 * show.
 */
async function pushedBy(context: BrowserContext, { subscription }: SubscribedBrowser): Promise<void> {
  await context.addInitScript(`{
    Object.defineProperty(Notification, 'permission', { get: () => 'granted' });
    const answer = ${JSON.stringify(subscription)};
    const made = () => ({ options: {}, toJSON: () => answer, unsubscribe: async () => true });
    PushManager.prototype.getSubscription = async () => null;
    PushManager.prototype.subscribe = async () => made();
  }`);
}

/** Passes messages of our push service to the browser, as its vendor's does. */
async function handOn(page: Page): Promise<(body: object) => Promise<void>> {
  const session = await page.context().newCDPSession(page);
  const registration = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [known] = registrations.filter(({ scopeURL, isDeleted }) => scopeURL.startsWith(url()) && !isDeleted);
      if (known) resolve(known.registrationId);
    });
  });
  await session.send('ServiceWorker.enable');
  const registrationId = await registration;
  return async (body) => {
    const data = JSON.stringify(body);
    await session.send('ServiceWorker.deliverPushMessage', { origin: url(), registrationId, data });
  };
}

interface Shown {
  title: string;
  body: string;
  tag: string;
}

/* Scripts for the service worker, and therefore strings. */
const showHere = `{
  globalThis.shown = [];
  Object.defineProperty(navigator, 'setAppBadge', { value: async (count) => void (globalThis.badge = count) });
  const { prototype } = ServiceWorkerRegistration;
  prototype.showNotification = async (title, options) => {
    shown = shown.filter(({ tag }) => tag !== options.tag);
    shown.push({ title, ...options, close: () => (shown = shown.filter(({ tag }) => tag !== options.tag)) });
  };
  prototype.getNotifications = async ({ tag } = {}) => shown.filter((one) => tag === undefined || one.tag === tag);
  undefined;
}`;
const listShown = `shown.map(({ title, body, tag }) => ({ title, body, tag }))`;
const press = (action: string) => `{
  const [notification] = shown;
  const waitUntil = () => undefined;
  dispatchEvent(Object.assign(new Event('notificationclick'), { notification, action: '${action}', waitUntil }));
}`;

story(
  'someone who is away is notified of the message and its author, and opens the chat from the notification',
  async () => {
    const { ada, ben, id } = await createFriends(url(), ['Hello Ben']);
    const { page, context } = await openPage({ as: ben.user });
    const browser = pushService.browser();
    await pushedBy(context, browser);
    await page.goto('/settings/notifications');
    // Turns on by itself once the server has stored the subscription, because the browser allows it.
    const here = page.getByRole('switch', { name: enPush.here });
    await waitForExpectation(async () => expect(await here.isChecked()).toBe(true));
    await waitForExpectation(async () => {
      expect((await ben.user.api.get<unknown[]>('/api/push/subscriptions')).body).toHaveLength(1);
    });
    // Opens the chat so that the device knows the sender.
    await page.goto(`/chat/${id}`);
    await waitUntilVisible(new ConversationPage(page, ada.name).message('Hello Ben'));
    const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));
    await worker.evaluate(showHere);
    const deliver = await handOn(page);

    // A visible page gets no push.
    await sendMessage(ada, id, 'You see this');
    await waitUntilVisible(new ConversationPage(page, ada.name).message('You see this'));
    await page.goto('about:blank');
    await waitForExpectation(async () => {
      await sendMessage(ada, id, 'The *train* is late');
      await waitForExpectation(() => expect(browser.received.length).toBeGreaterThan(0), 2_000);
    });
    expect(browser.received.every(({ body }) => !JSON.stringify(body).includes('train'))).toBe(true);
    for (const { body } of browser.received) await deliver(body);
    await waitForExpectation(async () => {
      const shown = await worker.evaluate<Shown[]>(listShown);
      expect(shown).toEqual([{ title: ada.name, body: 'The train is late', tag: `chat ${id}` }]);
    });
    expect(await worker.evaluate<number>('badge')).toBeGreaterThan(0);

    // The code that stores the subscription also handles the target of a notification.
    const kept = page.waitForResponse((reply) => reply.url().endsWith(routes.subscribePush.path));
    await page.goto('/contacts');
    await kept;
    await worker.evaluate(press(''));
    await waitForPath(page, `/chat/${id}`);
    await waitUntilVisible(new ConversationPage(page, ada.name).message('The train is late').first());
    expect(pushService.objections).toEqual([]);
  },
);

story('a sealed message is opened for the notification; without its key, only its arrival is shown', async () => {
  const { ada, ben, id } = await createFriends(url());
  const [adas, bens] = [await openPage({ as: ada.user }), await openPage({ as: ben.user })];
  for (const { page } of [adas, bens]) {
    await page.goto('/settings/devices');
    await new DevicesPage(page).waitForKeys();
    await page.goto(`/chat/${id}`);
  }
  const chat = new ConversationPage(adas.page, ben.name);
  await chat.sendText('Begins the first epoch');
  await waitUntilVisible(new ConversationPage(bens.page, ada.name).message('Begins the first epoch'));
  await waitUntilMessagesStored(bens.page, 'Begins the first epoch');
  const worker = bens.context.serviceWorkers()[0] ?? (await bens.context.waitForEvent('serviceworker'));
  await worker.evaluate(showHere);
  const deliver = await handOn(bens.page);
  await bens.page.goto('about:blank');

  await chat.composer.fill('The *train* is late');
  await chat.composer.press('Enter');
  await waitUntilVisible(chat.deliveryIcon('The train is late', 'sent'));
  const { body } = await ben.user.api.get<Message[]>(`/api/conversations/${id}/messages`);
  const last = body.at(-1);
  expect(last).toMatchObject({ encryption: 'epochs', content: '' });
  const push = {
    type: 'message',
    topic: `chat ${id}`,
    userId: ben.user.id,
    at: new Date().toISOString(),
    conversationId: id,
    conversationType: 'direct',
    messageId: last?.id,
    seq: last?.seq,
    senderId: ada.user.id,
  };
  await deliver(push);
  const expectShown = (text: string) =>
    waitForExpectation(async () =>
      expect(await worker.evaluate<Shown[]>(listShown)).toEqual([{ title: ada.name, body: text, tag: `chat ${id}` }]),
    );
  await expectShown('The train is late');
  await worker.evaluate(emptyKeysScript);
  await deliver(push);
  await expectShown(enPush.texts.message);
});
