import type { Message } from '@nolo/api';

import type { Page } from 'playwright-core';
import { createSeededRandom } from '../support/clients/scenario.ts';
import { setUpSealedPeople } from '../support/clients/sealedDevices.ts';
import { ConversationPage } from './pages/ConversationPage.ts';
import { DevicesPage } from './pages/DevicesPage.ts';
import {
  listStoredTexts,
  listUnsentTexts,
  readOpenedText,
  readStoredText,
  waitForServiceWorker,
  waitUntilMessagesStored,
} from './support/browserStores.ts';
import { createFriends, type CastMember } from './support/cast.ts';
import { getUrlWithoutServiceWorker, setUpJourney } from './support/journey.ts';
import { sendThroughKills } from './support/tabKills.ts';
import { waitForExpectation, waitUntilVisible } from './support/waitFor.ts';

/*
 * Sealed conversations in several tabs, through kills, and offline (docs/encryption.md, sections 3 and 5). The other
 * person has a device without a browser, whose screen is no part of this.
 */

const { story, openPage, url } = setUpJourney(getUrlWithoutServiceWorker);
const { startDeviceOf } = setUpSealedPeople();

/** Starts a device of the person, which reads the conversation. */
async function startReader(of: CastMember, id: string) {
  const device = await startDeviceOf(of);
  await device.chats.open(id);
  return device;
}

/** Returns what the server has of a conversation. */
async function servedRows(of: CastMember, id: string) {
  const { body } = await of.user.api.get<Message[]>(`/api/conversations/${id}/messages?limit=100`);
  const sent = body.filter(({ messageType }) => messageType !== 'system');
  return {
    ids: sent.map(({ clientMessageId }) => clientMessageId),
    encryptions: [...new Set(sent.map(({ encryption, content }) => `${encryption} ${content}`))],
    epochs: [...new Set(sent.map(({ seal }) => seal?.epoch))],
  };
}

/** Opens the page of devices of a person, and returns it once the browser has keys. */
async function openWithKeys(of: CastMember, installs = false) {
  const visitor = await openPage({ as: of.user, path: '/settings/devices', installs });
  const devices = new DevicesPage(visitor.page);
  await devices.waitForKeys();
  return { ...visitor, devices };
}

const keysWorkers = (page: Page) => page.workers().filter((worker) => worker.url().includes('keysWorker'));

story('four tabs of one account begin one device, and send in one order and one epoch', async () => {
  const { ada, ben, id } = await createFriends(url());
  const bens = await startReader(ben, id);
  const first = await openPage({ as: ada.user });
  const others = await Promise.all([1, 2, 3].map(() => first.context.newPage()));
  const pages = [first.page, ...others];
  await Promise.all(pages.map((page) => page.goto(`/settings/devices`)));
  for (const page of pages) await new DevicesPage(page).waitForKeys();
  for (const page of pages) await waitUntilVisible(new DevicesPage(page).firstRow);
  expect(await new DevicesPage(first.page).addedRows.count()).toBe(0);

  await Promise.all(pages.map((page) => page.goto(`/chat/${id}`)));
  const tabs = pages.map((page) => new ConversationPage(page, ben.name));
  for (const tab of tabs) await waitUntilVisible(tab.composer);
  const written: string[] = [];
  for (const round of ['One', 'Two'])
    for (const [index, tab] of tabs.entries()) {
      // Tabs share the draft, so two people would not write at once. What was sent is sealed meanwhile.
      const text = `${round} from tab ${index}.`;
      await tab.sendText(text);
      written.push(text);
    }
  await waitForExpectation(() => expect(bens.read(id).toSorted()).toEqual(written.toSorted()));
  await bens.send(id, 'Hello to all tabs');
  for (const tab of tabs) await waitUntilVisible(tab.message('Hello to all tabs'));
  const order = bens.read(id);
  expect(order.toSorted()).toEqual([...written, 'Hello to all tabs'].toSorted());
  for (const tab of tabs) await waitForExpectation(async () => expect(await tab.texts()).toEqual(order));
  const served = await servedRows(ben, id);
  expect(new Set(served.ids).size).toBe(9);
  expect(served).toMatchObject({ encryptions: ['epochs '], epochs: [0] });
  expect(pages.map((page) => keysWorkers(page).length)).toEqual([1, 1, 1, 1]);

  // The sending tab closes while it seals.
  for (const text of ['Three of the first', 'Four of the first']) await tabs[0]!.sendText(text);
  await tabs[1]!.sendText('Three of the second');
  await pages[0]!.close();
  await waitUntilVisible(
    tabs[1]!.deliveryIcon('Three of the second', 'read').or(tabs[1]!.deliveryIcon('Three of the second', 'delivered')),
  );
  const last = ['Three of the first', 'Four of the first', 'Three of the second'];
  await waitForExpectation(() => expect(bens.read(id)).toEqual(expect.arrayContaining(last)));
  const after = await servedRows(ben, id);
  expect(new Set(after.ids).size).toBe(12);
  expect(after.ids).toHaveLength(12);
  expect(after).toMatchObject({ encryptions: ['epochs '], epochs: [0] });
  await waitForExpectation(async () => expect(await listUnsentTexts(pages[1]!)).toEqual([]));
});

story('a sealed conversation opens offline, and seals what was written there when it is back', async () => {
  const { ada, ben, id } = await createFriends(url());
  const bens = await startReader(ben, id);
  const { page, context, go } = await openWithKeys(ada, true);
  await go(`/chat/${id}`);
  const chat = new ConversationPage(page, ben.name);
  await chat.sendText('Amber lanterns');
  await bens.reads(id, ['Amber lanterns']);
  await bens.send(id, 'Copper kettles');
  await bens.actions.react(bens.find(id, 'Amber lanterns').id, '👍');
  await waitUntilVisible(chat.message('Copper kettles'), chat.reaction('Amber lanterns', '👍'));
  await waitForServiceWorker(page);
  await waitUntilMessagesStored(page, 'Amber lanterns', 'Copper kettles', '👍');

  await context.setOffline(true);
  await page.reload();
  await waitUntilVisible(chat.message('Amber lanterns'), chat.message('Copper kettles'));
  await waitUntilVisible(chat.reaction('Amber lanterns', '👍'));
  await chat.sendText('Emerald evening');
  await waitUntilVisible(chat.deliveryIcon('Emerald evening', 'waiting'));
  await chat.composer.fill('Dusty maps on the');
  await waitForExpectation(async () => expect(await readOpenedText(page)).toContain('Dusty maps on the'));
  const sealed = await readStoredText(page, context);
  for (const text of ['Amber', 'Copper', 'Emerald', 'Dusty', '👍']) expect(sealed).not.toContain(text);
  await page.reload();
  await waitUntilVisible(chat.deliveryIcon('Emerald evening', 'waiting'));
  expect(await chat.composer.inputValue()).toBe('Dusty maps on the');

  await context.setOffline(false);
  await bens.reads(id, ['Amber lanterns', 'Copper kettles', 'Emerald evening']);
  expect(await servedRows(ben, id)).toMatchObject({ ids: { length: 3 }, encryptions: ['epochs '], epochs: [0] });
});

story(
  'a tab that is killed again and again loses no message, repeats none, and seals each so that it opens',
  async () => {
    const { ada, ben, id } = await createFriends(url());
    const bens = await startReader(ben, id);
    const { page, context, go } = await openWithKeys(ada);
    await go(`/chat/${id}`);
    await waitUntilVisible(new ConversationPage(page, ben.name).composer);
    const { texts, tab } = await sendThroughKills(page, {
      context,
      address: `/chat/${id}`,
      name: ben.name,
      // `npm run chaos -- tabs` kills 200 times.
      kills: 5,
      random: createSeededRandom(49),
    });
    await waitForExpectation(async () => expect(await listUnsentTexts(tab)).toEqual([]));
    await bens.reads(id, texts);
    await waitForExpectation(async () => {
      const stored = (await listStoredTexts(tab)).filter(({ encryption }) => encryption === 'epochs');
      expect(stored.map(({ text, state }) => [text, state])).toEqual(texts.map((text) => [text, 'open']));
    });
  },
);
