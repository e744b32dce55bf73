import type { Message } from '@nolo/api';
import { readSealed } from '@nolo/e2ee/messages';
import { eventually, launchChromium, signInByPhone, signUpByPhone, randomPhone, converse } from '@nolo/testing';
import type { BrowserContext, Page } from 'playwright-core';
import { ConversationPage } from '../../e2e/pages/ConversationPage.ts';
import { DevicesPage } from '../../e2e/pages/DevicesPage.ts';
import { startKillableBrowser } from '../../e2e/support/killableBrowser.ts';
import { waitUntilVisible } from '../../e2e/support/waitFor.ts';
import { en } from '../../e2e/support/words.ts';
import { startFirstDevice, type SealedDevice } from '../../support/clients/sealedDevices.ts';
import {
  benName,
  compareReaders,
  createPair,
  endEpoch,
  openBrowser,
  readBrowser,
  readDevice,
  signIn,
  giveSession,
  waitMs,
  type TabStage,
} from './browserPeople.ts';

/* Browsers that lose what they stored, or get back what they stored long ago. */

/** All kinds of storage of a browser but its cookies. */
const kindsButCookies = 'cache_storage,file_systems,indexeddb,local_storage,service_workers,shader_cache,websql';

async function emptyStorage(context: BrowserContext, page: Page, origin: string, kinds: string): Promise<void> {
  await page.goto('about:blank');
  const devTools = await context.newCDPSession(page);
  await devTools.send('Storage.clearDataForOrigin', { origin, storageTypes: kinds });
  await devTools.detach();
}

/** Writes a text in the browser and one in the program, and waits until both arrived. */
async function exchange(page: Page, ben: SealedDevice, id: string, texts: string[], name: string): Promise<void> {
  const chat = new ConversationPage(page, benName);
  const [anns, bens] = [`Ann ${name}`, `Ben ${name}`];
  texts.push(anns, bens);
  await chat.sendText(anns);
  await eventually(() => readDevice(ben, id).some(({ text }) => text === anns), { timeoutMs: waitMs });
  await ben.send(id, bens);
  await waitUntilVisible(chat.message(bens));
}

/** Links a browser by a code that another device of the person reads. */
async function linkByCode(page: Page, old: SealedDevice): Promise<void> {
  const devices = new DevicesPage(page);
  await devices.beginSetUp('code');
  await page.evaluate('navigator.clipboard.writeText = async (text) => void (globalThis.copied = text)');
  await devices.dialog.getByRole('button', { name: en.keys.link.copyCode }).click();
  await old.keys.scanLinkCode(await page.evaluate<string>('globalThis.copied'));
  await old.keys.confirmLink();
  await devices.finishLink();
  await devices.waitForKeys();
}

/** A browser loses its storage: first all but the cookies, and words restore it; then all, and a device links it. */
export async function emptiedStorage({ url }: TabStage): Promise<string[]> {
  return [...(await restoreByWords(url)), ...(await restoreByDevice(url))];
}

async function restoreByWords(url: string): Promise<string[]> {
  const { ann, ben, id, address } = await createPair(url);
  const browser = await launchChromium();
  try {
    const { context, page, devices } = await openBrowser(browser, url, ann);
    await devices.waitForKeys();
    const words = await devices.setRecoveryWords();
    const texts: string[] = [];
    await page.goto(address);
    await exchange(page, ben, id, texts, 'before');
    await emptyStorage(context, page, url, kindsButCookies);
    await ben.send(id, 'Ben meanwhile');
    texts.push('Ben meanwhile');
    await devices.page.goto('/settings/devices');
    await devices.restoreByWords(words);
    await page.goto(address);
    await waitUntilVisible(...texts.map((text) => new ConversationPage(page, benName).message(text)));
    await exchange(page, ben, id, texts, 'after');
    const readers = { Ben: () => readDevice(ben, id), Ann: () => readBrowser(page) };
    return await compareReaders('emptiedStorage, cookies kept, words', texts, readers);
  } finally {
    await browser.close();
    ben.remove();
  }
}

async function restoreByDevice(url: string): Promise<string[]> {
  const ann = await startFirstDevice(await signUpByPhone(url, randomPhone(), 'Ann Adams'));
  const ben = await startFirstDevice(await signUpByPhone(url, randomPhone(), benName));
  const id = (await converse(ann.user, ben.user)).id as string;
  for (const device of [ann, ben]) await device.chats.open(id);
  const browser = await launchChromium();
  try {
    const { context, page } = await openBrowser(browser, url, ann.user);
    await linkByCode(page, ann);
    const texts: string[] = [];
    await page.goto(`/chat/${id}`);
    await exchange(page, ben, id, texts, 'before');
    await emptyStorage(context, page, url, 'all');
    await context.clearCookies();
    await ben.send(id, 'Ben meanwhile');
    texts.push('Ben meanwhile');
    await signIn(context, url, ann.user);
    await page.goto('/settings/devices');
    await linkByCode(page, ann);
    await page.goto(`/chat/${id}`);
    await waitUntilVisible(...texts.map((text) => new ConversationPage(page, benName).message(text)));
    await exchange(page, ben, id, texts, 'after');
    const readers = {
      Ben: () => readDevice(ben, id),
      'the browser': () => readBrowser(page),
      'the other device': () => readDevice(ann, id),
    };
    return await compareReaders('emptiedStorage, all, linked', texts, readers);
  } finally {
    await browser.close();
    for (const device of [ann, ben]) device.remove();
  }
}

/** A browser gets a copy of its profile from some epochs ago back, and goes on. */
export async function oldProfile({ url }: TabStage): Promise<string[]> {
  const { ann, ben, id, address } = await createPair(url);
  const browser = await startKillableBrowser();
  const session = await signInByPhone(url, ann.phone);
  const open = async (path: string) => {
    const { context, page } = await browser.open();
    context.setDefaultTimeout(waitMs);
    // Chromium writes cookies to the disk late, so a killed one may have lost them.
    await giveSession(context, url, session);
    await page.goto(url + path);
    return page;
  };
  try {
    const page = await open('/settings/devices');
    await new DevicesPage(page).waitForKeys();
    const texts: string[] = [];
    await page.goto(url + address);
    await exchange(page, ben, id, texts, 'before the copy');
    await browser.keepCopy();
    const later = await open(address);
    for (let epoch = 0; epoch < 2; epoch += 1) {
      await endEpoch(ben);
      await exchange(later, ben, id, texts, `after the copy, epoch ${epoch}`);
    }
    await browser.restoreCopy();
    const old = await open(address);
    await waitUntilVisible(...texts.map((text) => new ConversationPage(old, benName).message(text)));
    await exchange(old, ben, id, texts, 'with the old profile');
    const readers = { Ben: () => readDevice(ben, id), Ann: () => readBrowser(old) };
    return [
      ...(await compareReaders('oldProfile', texts, readers)),
      ...(await findRepeatedSalts(ben, id, texts.length)),
    ];
  } finally {
    await browser.remove();
    ben.remove();
  }
}

/** The salt decides about the key of a message, so no two messages of an epoch may have the same. */
async function findRepeatedSalts(of: SealedDevice, id: string, expected: number): Promise<string[]> {
  const { body } = await of.user.api.get<Message[]>(`/api/conversations/${id}/messages?limit=100&content=sealed`);
  const salts = body.flatMap(({ sealed }) => (sealed ? [readSalt(sealed)] : []));
  if (salts.length === expected && new Set(salts).size === expected) return [];
  return [`${expected} messages have ${salts.length} salts, ${new Set(salts).size} of them different`];
}

const readSalt = (sealed: string): string =>
  Buffer.from(readSealed(Buffer.from(sealed, 'base64url')).salt).toString('hex');
