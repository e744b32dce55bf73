import { readFileSync } from 'node:fs';
import { eventually, launchChromium, converse, randomPhone, signUpByPhone } from '@nolo/testing';
import type { BrowserContext } from 'playwright-core';
import { ConversationPage } from '../../e2e/pages/ConversationPage.ts';
import { listUnsentTexts } from '../../e2e/support/browserStores.ts';
import { sendThroughKills } from '../../e2e/support/tabKills.ts';
import { waitUntilVisible } from '../../e2e/support/waitFor.ts';
import {
  benName,
  compareReaders,
  createPair,
  endEpoch,
  openBrowser,
  readBrowser,
  readDevice,
  waitMs,
  type TabStage,
} from './browserPeople.ts';

/* Tabs that write in a sealed conversation under difficulties. */

/** Messages of one conversation that a device stores. */
const storedMessages = 200;
const dayMs = 86_400_000;

/** Sends from a tab that is reloaded or closed at random moments. */
export async function tabKills({ url, liftLimits, kills, random }: TabStage): Promise<string[]> {
  const ann = await signUpByPhone(url, randomPhone(), 'Ann Adams');
  const ben = await signUpByPhone(url, randomPhone(), benName);
  const lifted = await liftLimits([ann.id, ben.id]);
  const browser = await launchChromium();
  try {
    const address = `/chat/${(await converse(ann, ben)).id as string}`;
    const bens = await openBrowser(browser, url, ben);
    await bens.devices.waitForKeys();
    const { context, page, devices } = await openBrowser(browser, url, ann);
    await devices.waitForKeys();
    await page.goto(address);
    const { texts, tab } = await sendThroughKills(page, { context, address, name: benName, kills, random });
    await eventually(async () => (await listUnsentTexts(tab)).length === 0, { timeoutMs: waitMs });
    await bens.page.goto(address);
    return await compareReaders('kills', texts.slice(-storedMessages), {
      'the other person': () => readBrowser(bens.page),
    });
  } finally {
    await browser.close();
    await lifted();
  }
}

/** Four tabs of one browser write in turns, faster than each message is sealed, and one closes meanwhile. */
export async function fourTabs({ url, liftLimits }: TabStage): Promise<string[]> {
  const { ann, ben, id, address } = await createPair(url);
  const lifted = await liftLimits([ann.id, ben.user.id]);
  const browser = await launchChromium();
  try {
    const { context, page, devices } = await openBrowser(browser, url, ann);
    await devices.waitForKeys();
    const pages = [page, ...(await Promise.all([1, 2, 3].map(() => context.newPage())))];
    await Promise.all(pages.map((one) => one.goto(address)));
    const tabs = pages.map((one) => new ConversationPage(one, benName));
    for (const tab of tabs) await waitUntilVisible(tab.composer);
    const texts: string[] = [];
    for (let round = 0; round < 10; round += 1) {
      if (round === 5) await endEpoch(ben);
      for (const [index, tab] of tabs.entries()) {
        texts.push(`Round ${round} of tab ${index}.`);
        await tab.sendText(texts.at(-1)!);
      }
    }
    await pages[3]!.close();
    // Each tab sends what it wrote, so the server decides about the order of texts of different tabs.
    await eventually(() => readDevice(ben, id).length >= texts.length, { timeoutMs: waitMs });
    const order = readDevice(ben, id).map(({ text }) => text);
    const missing = texts.filter((text) => !order.includes(text)).map((text) => `lost "${text}"`);
    const readers = { Ben: () => readDevice(ben, id), Ann: () => readBrowser(page) };
    return [...missing, ...(await compareReaders('fourTabs', order, readers))];
  } finally {
    await browser.close();
    await lifted();
    ben.remove();
  }
}

const clockCode = readFileSync(new URL('../../support/stacks/wrongClock.mjs', import.meta.url), 'utf8');

/** Sets the clock of all pages and workers of a browser off. */
async function setClockOff(context: BrowserContext, offMs: number): Promise<void> {
  const script = `((process) => {${clockCode}})({ env: { NOLO_TEST_CLOCK_OFF_MS: '${offMs}' } });\n`;
  await context.addInitScript(script);
  await context.route(/Worker[^/]*\.js$/u, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: script + (await response.text()) });
  });
}

/** Both people write, and Ann begins epochs, in a browser whose clock is a day ahead or behind. */
export async function wrongClock(stage: TabStage): Promise<string[]> {
  const violations = [];
  for (const offMs of [dayMs, -dayMs]) violations.push(...(await writeWithClockOff(stage, offMs)));
  return violations;
}

async function writeWithClockOff({ url }: TabStage, offMs: number): Promise<string[]> {
  const { ann, ben, id, address } = await createPair(url);
  const browser = await launchChromium();
  try {
    const { page, devices } = await openBrowser(browser, url, ann, (context) => setClockOff(context, offMs));
    await devices.waitForKeys();
    const clocks = [
      page.evaluate<number>('Date.now()'),
      ...page.workers().map((worker) => worker.evaluate<number>('Date.now()')),
    ];
    const right = (await Promise.all(clocks)).filter((now) => Math.abs(now - offMs - Date.now()) > 60_000);
    if (clocks.length < 2 || right.length > 0) return [`${right.length} of ${clocks.length} clocks are right`];
    await page.goto(address);
    const chat = new ConversationPage(page, benName);
    const texts: string[] = [];
    for (let round = 0; round < 3; round += 1) {
      if (round > 0) await endEpoch(ben);
      texts.push(`Ann in round ${round}`, `Ben in round ${round}`);
      // The first message of a round begins an epoch, so Ann signs a header.
      await chat.sendText(texts.at(-2)!);
      await eventually(() => readDevice(ben, id).some(({ text }) => text === texts.at(-2)), { timeoutMs: waitMs });
      await ben.send(id, texts.at(-1)!);
      await waitUntilVisible(chat.message(texts.at(-1)!));
    }
    const readers = { Ben: () => readDevice(ben, id), Ann: () => readBrowser(page) };
    return await compareReaders(`wrongClock by ${offMs / 3_600_000} h`, texts, readers);
  } finally {
    await browser.close();
    ben.remove();
  }
}
