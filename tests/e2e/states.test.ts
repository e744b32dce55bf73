import { ChatsPage } from './pages/ChatsPage.ts';
import { ConversationPage } from './pages/ConversationPage.ts';
import { createFriends, sendMessage } from './support/cast.ts';
import { setUpJourney } from './support/journey.ts';
import { waitUntilHidden, waitUntilVisible, waitForExpectation } from './support/waitFor.ts';
import { en, fillPlaceholders } from './support/words.ts';

const { story, openPage, url } = setUpJourney();

const conversationList = /\/api\/conversations(\?|$)/;
const messagesOfOne = /\/api\/conversations\/[^/]+\/messages/;

/** Holds requests until `letCome` is called. */
function gate(): { opened: Promise<void>; letCome: () => void } {
  let letCome: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (letCome = resolve));
  return { opened, letCome };
}

/** Records for each largest contentful paint whether it was of the landing page, which is in the same document. */
const recordLandingPaints = `
  globalThis.paintedOfLanding = [];
  new PerformanceObserver((seen) => {
    for (const { element } of seen.getEntries()) {
      paintedOfLanding.push(document.getElementById('landing')?.contains(element) === true);
    }
  }).observe({ type: 'largest-contentful-paint', buffered: true });
`;

const recordLayoutShifts = `
  globalThis.shifted = 0;
  new PerformanceObserver((seen) => {
    for (const { value } of seen.getEntries()) shifted += value;
  }).observe({ type: 'layout-shift', buffered: true });
`;

story('conversations and messages appear while loading, after a failure, and in full', async () => {
  const { ada, ben } = await createFriends(url(), ['Hello']);

  const visitor = await openPage({ as: ada.user });
  const chats = new ChatsPage(visitor.page);
  const { opened, letCome } = gate();
  await visitor.page.route(conversationList, async (route) => {
    await opened;
    await route.fulfill({
      status: 500,
      contentType: 'application/json',
      body: '{"code":"internal_error","message":""}',
    });
  });
  const letters = gate();
  await visitor.page.route(messagesOfOne, async (route) => {
    await letters.opened;
    await route.abort();
  });
  const app = gate();
  await visitor.page.route(/\/assets\/start-/, async (route) => {
    await app.opened;
    await route.continue();
  });
  await visitor.page.addInitScript(recordLandingPaints);
  await visitor.go('/');
  // The document shows the look of the first screen before the app has loaded.
  await waitUntilVisible(visitor.page.getByText(en.common.loading));
  await waitUntilVisible(visitor.page.getByPlaceholder(en.chats.searchPlaceholder));
  const ofLanding = async () => await visitor.page.evaluate<boolean[]>('globalThis.paintedOfLanding');
  await waitForExpectation(async () => expect((await ofLanding()).length).toBeGreaterThan(0));
  expect(await ofLanding()).not.toContain(true);
  app.letCome();
  await waitUntilVisible(chats.loading);
  await waitUntilHidden(visitor.page.locator('#frame'));
  letCome();
  await waitUntilVisible(chats.failure);
  await visitor.page.unroute(conversationList);
  await chats.retry.click();
  await waitUntilVisible(chats.row(ben.name));
  await chats.search.fill('ello');
  await waitUntilVisible(chats.row(ben.name));
  await chats.search.fill('BOTHA');
  await waitUntilVisible(chats.row(ben.name));
  await chats.search.fill('nobody of that name');
  await waitUntilVisible(visitor.page.getByText(en.chats.noMatches));
  await waitUntilVisible(chats.selectConversation);

  await chats.search.fill('');
  await chats.row(ben.name).click();
  await waitUntilVisible(visitor.page.getByRole('status', { name: en.conversation.loading }));
  letters.letCome();
  const failure = visitor.page.getByRole('alert').filter({ hasText: en.errors.fetchMessages });
  await waitUntilVisible(failure);
  await visitor.page.unroute(messagesOfOne);
  const retry = failure.getByRole('button', { name: en.common.retry });
  const conversation = new ConversationPage(visitor.page, ben.name);
  // The chats also retry by themselves, and on a slow machine before anyone can press the button.
  await waitForExpectation(async () => {
    if ((await retry.count()) > 0) await retry.click({ timeout: 1_000 });
    expect(await conversation.message('Hello').count()).toBe(1);
  });

  // If messages are sent too fast, they wait as long as the server says, and are then sent by themselves.
  await visitor.page.route(
    /\/api\/messages$/,
    (route) =>
      route.fulfill({
        status: 429,
        headers: { 'retry-after': '1' },
        contentType: 'application/json',
        body: '{"code":"rate_limited","message":"Slow down."}',
      }),
    { times: 1 },
  );
  await conversation.sendText('A little too fast');
  await waitUntilVisible(conversation.deliveryIcon('A little too fast', 'waiting'));
  await waitUntilVisible(conversation.deliveryIcon('A little too fast', 'sent'));
});

story('the newest messages of a conversation appear before the app does, and it continues with them', async () => {
  const { ada, ben, id } = await createFriends(url(), []);
  for (let n = 1; n <= 30; n += 1) await sendMessage(ada, id, `Words number ${n}.`);
  const last = await sendMessage(ada, id, 'The last words');
  const { page, go } = await openPage({ as: ada.user });
  const app = gate();
  await page.route(/\/assets\/start-/, async (route) => {
    await app.opened;
    await route.continue();
  });
  const requestedPaths: string[] = [];
  page.on('request', (request) => requestedPaths.push(request.url().slice(new URL(request.url()).origin.length)));
  await page.addInitScript(recordLayoutShifts);
  await go(`/chat/${id}`);
  const words = page.locator('#frame [data-words]');
  await waitUntilVisible(words.getByText('The last words'));
  const before = await words.getByText('Words number 30.').boundingBox();
  // Edits after the document was delivered, so that only the app's own requests can get the new text.
  expect((await ada.user.api.patch(`/api/messages/${last.id}`, { content: 'The last words, mended' })).status).toBe(
    200,
  );
  app.letCome();
  const conversation = new ConversationPage(page, ben.name);
  await waitUntilVisible(conversation.message('The last words, mended'));
  await waitUntilHidden(page.locator('#frame'));
  const after = await conversation.message('Words number 30.').locator('[data-bubble]').boundingBox();
  expect(Math.abs((after?.y ?? 0) - (before?.y ?? 0))).toBeLessThan(2);
  expect(await page.evaluate<number>('globalThis.shifted')).toBeLessThan(0.01);
  // Fetching older messages or changes starts from these requests, which came with the document. What the keys know
  // of the conversation may need its row once more.
  const row = `/api/conversations/${id}`;
  const messages = `${row}/messages`;
  const requested = requestedPaths.filter((path) => [row, messages].includes(path.split('?')[0] ?? ''));
  const early = [`${row}?early&content=sealed`, `${messages}?limit=50&early&content=sealed`];
  expect(requested.slice(0, 2)).toEqual(early);
  expect(requested.filter((path) => path.startsWith(messages))).toHaveLength(1);
  expect(requestedPaths.findIndex((path) => path.endsWith('.js'))).toBeGreaterThan(
    requestedPaths.indexOf(`${row}?early&content=sealed`),
  );
});

story('contacts see presence; a blocked person cannot write and sees why, until unblocked', async () => {
  const { ada, ben, id } = await createFriends(url(), ['Hello']);
  const adas = await openPage({ as: ada.user, path: `/chat/${id}` });
  const header = adas.page.getByRole('region', { name: en.shell.main }).locator('header');
  await waitUntilVisible(header.getByText(en.presence.offline, { exact: true }).last());
  const bens = await openPage({ as: ben.user, device: 'phone', path: '/profile' });
  await waitUntilVisible(header.getByText(en.presence.online, { exact: true }).last());
  await bens.page.getByRole('main').getByRole('button').filter({ hasText: en.presence.online }).click();
  await bens.page.getByRole('menuitemradio', { name: en.presence.busy }).click();
  await waitUntilVisible(header.getByText(en.presence.busy, { exact: true }).last());
  await bens.go(`/chat/${id}`);
  const blocking = new ConversationPage(adas.page, ben.name);
  const blocked = new ConversationPage(bens.page, ada.name);
  await waitUntilVisible(blocking.message('Hello'), blocked.message('Hello'));

  await blocking.info.click();
  await adas.page.getByRole('button', { name: en.conversation.block, exact: true }).click();
  const question = adas.page.getByRole('alertdialog', {
    name: fillPlaceholders(en.conversation.blockTitle, { name: ben.name }),
  });
  await question.getByRole('button', { name: en.conversation.block, exact: true }).click();
  await waitUntilHidden(question);
  await waitUntilVisible(adas.page.getByText(fillPlaceholders(en.conversation.blockedByYou, { name: ben.name })));
  await waitUntilHidden(blocking.composer);

  await blocked.sendText('Are you there?');
  await waitUntilVisible(bens.page.getByRole('alert').filter({ hasText: en.conversation.failure.blocked }));
  expect(await blocking.message('Are you there?').count()).toBe(0);
  await bens.page.getByRole('button', { name: en.common.delete }).click();
  await waitUntilHidden(blocked.message('Are you there?'));

  await adas.page.getByRole('button', { name: en.conversation.unblock }).first().click();
  await waitUntilVisible(blocking.composer);
  await blocked.sendText('And now?');
  await waitUntilVisible(blocking.message('And now?'));
});
