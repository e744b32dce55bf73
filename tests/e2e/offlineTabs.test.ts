import { openEnvelope } from '@nolo/rules';
import type { Message } from '@nolo/api';
import { ConversationPage } from './pages/ConversationPage.ts';
import { waitForServiceWorker, waitUntilMessagesStored, listUnsentTexts } from './support/browserStores.ts';
import { createFriends, type CastMember } from './support/cast.ts';
import { setUpJourney, getUrlWithoutServiceWorker } from './support/journey.ts';
import { startKillableBrowser } from './support/killableBrowser.ts';
import { waitUntilVisible, waitForExpectation } from './support/waitFor.ts';
import { en } from './support/words.ts';

const { story, openPage, signIn, url } = setUpJourney(getUrlWithoutServiceWorker);

async function stored(actor: CastMember, id: string): Promise<string[]> {
  const reply = await actor.user.api.get<Message[]>(`/api/conversations/${id}/messages?limit=100`);
  return reply.body.map((message) => message.content);
}

/** Opens Ada's conversation with Ben in two tabs of one browser with the app installed. */
async function twoTabs() {
  const { ada, ben, id } = await createFriends(url(), ['Hello']);
  const { page, context } = await openPage({ as: ada.user, path: `/chat/${id}`, installs: true });
  const first = new ConversationPage(page, ben.name);
  await waitUntilVisible(first.message('Hello'));
  await waitForServiceWorker(page);
  await waitUntilMessagesStored(page, 'Hello');
  const secondPage = await context.newPage();
  await secondPage.goto(`/chat/${id}`);
  const second = new ConversationPage(secondPage, ben.name);
  await waitUntilVisible(second.message('Hello'));
  return { ben, id, page, context, first, second, secondPage };
}

story('two tabs write offline: every message is sent once, even if the sending tab is closed', async () => {
  const { ben, id, page, context, first, second, secondPage } = await twoTabs();
  const sends: string[] = [];
  context.on('request', (request) => {
    if (request.method() !== 'POST' || !request.url().endsWith('/api/messages')) return;
    const { envelope } = request.postDataJSON() as { envelope: string };
    sends.push(openEnvelope(envelope)?.text ?? envelope);
  });
  // Messages from one tab leave through the tab that sends, while both are connected.
  await second.sendText('From the second');
  await waitUntilVisible(second.deliveryIcon('From the second', 'sent'), first.deliveryIcon('From the second', 'sent'));
  expect(sends).toEqual(['From the second']);

  await context.setOffline(true);
  await first.sendText('One, in the first');
  await waitUntilVisible(second.deliveryIcon('One, in the first', 'waiting'));
  await second.sendText('Two, in the second');
  await waitUntilVisible(
    first.deliveryIcon('Two, in the second', 'waiting'),
    second.deliveryIcon('Two, in the second', 'waiting'),
  );
  await first.sendText('Three, in the first');
  await waitUntilVisible(second.deliveryIcon('Three, in the first', 'waiting'));

  const written = ['One, in the first', 'Two, in the second', 'Three, in the first'];
  await context.setOffline(false);
  await waitUntilVisible(
    first.deliveryIcon('Three, in the first', 'sent'),
    second.deliveryIcon('Three, in the first', 'sent'),
  );
  const all = ['Hello', 'From the second', ...written];
  expect(await stored(ben, id)).toEqual(all);
  expect(await first.texts()).toEqual(all);
  expect(await second.texts()).toEqual(all);
  await waitForExpectation(async () => expect(await listUnsentTexts(page)).toEqual([]));

  // A refusal in one tab can be handled in the other.
  await context.route(/\/api\/messages$/, (route) =>
    route.fulfill({ status: 403, contentType: 'application/json', body: '{"code":"blocked","message":"No."}' }),
  );
  await second.sendText('Not welcome');
  for (const tab of [first, second]) {
    await waitUntilVisible(tab.message('Not welcome').getByText(en.conversation.failure.blocked));
  }
  await context.unroute(/\/api\/messages$/);
  await second.message('Not welcome').getByRole('button', { name: en.common.retry }).click();
  await waitUntilVisible(first.deliveryIcon('Not welcome', 'sent'), second.deliveryIcon('Not welcome', 'sent'));

  // When the tab that sends is closed, another takes over.
  await context.setOffline(true);
  await first.sendText('Written in the tab that goes');
  await second.sendText('Written in the tab that stays');
  await waitUntilVisible(second.deliveryIcon('Written in the tab that goes', 'waiting'));
  await page.close();
  await context.setOffline(false);
  await waitUntilVisible(second.deliveryIcon('Written in the tab that stays', 'sent'));
  const last = ['Not welcome', 'Written in the tab that goes', 'Written in the tab that stays'];
  expect(await stored(ben, id)).toEqual([...all, ...last]);
  await waitForExpectation(async () => expect(await listUnsentTexts(secondPage)).toEqual([]));
});

story('a browser killed midway loses nothing that was shown as pending', async () => {
  const { ada, ben, id } = await createFriends(url(), ['Hello']);
  const written = ['One before the end', 'Two before the end', 'Three before the end'];
  const browser = await startKillableBrowser();
  try {
    const before = await browser.open();
    await signIn(before.context, ada.user);
    await before.page.goto(`${url()}/chat/${id}`);
    const conversation = new ConversationPage(before.page, ben.name);
    await waitUntilVisible(conversation.message('Hello'));
    await waitForServiceWorker(before.page);
    await waitUntilMessagesStored(before.page, 'Hello');
    await before.context.setOffline(true);
    for (const text of written) await conversation.sendText(text);
    for (const text of written) await waitUntilVisible(conversation.deliveryIcon(text, 'waiting'));
    await browser.kill();

    const after = await browser.open();
    // A new session may not have reached the disk in its first seconds; the person's data has been there for long.
    await signIn(after.context, ada.user);
    await after.context.setOffline(true);
    await after.page.goto(`${url()}/chat/${id}`);
    const reloadedPage = new ConversationPage(after.page, ben.name);
    for (const text of written) await waitUntilVisible(reloadedPage.deliveryIcon(text, 'waiting'));
    expect(await reloadedPage.texts()).toEqual(['Hello', ...written]);
    expect(await stored(ben, id)).toEqual(['Hello']);
    // Kills the browser again while messages are about to be sent.
    await after.context.setOffline(false);
    await browser.kill();

    const last = await browser.open();
    await signIn(last.context, ada.user);
    await last.page.goto(`${url()}/chat/${id}`);
    const atLast = new ConversationPage(last.page, ben.name);
    await waitUntilVisible(atLast.deliveryIcon('Three before the end', 'sent'));
    expect(await stored(ben, id)).toEqual(['Hello', ...written]);
    expect(await atLast.texts()).toEqual(['Hello', ...written]);
  } finally {
    await browser.remove();
  }
});
