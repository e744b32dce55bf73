/** Sends in a sealed conversation from a tab that is killed again and again, and checks what the other person opens. */
import { converse, eventually, launchChromium, randomPhone, signUpByPhone, type TestUser } from '@nolo/testing';
import type { Browser } from 'playwright-core';
import { findChromium } from '../../scripts/chromium.ts';
import { DevicesPage } from '../e2e/pages/DevicesPage.ts';
import { listStoredTexts, listUnsentTexts } from '../e2e/support/browserStores.ts';
import { sendThroughKills } from '../e2e/support/tabKills.ts';
import { measureOnStack } from '../load/support/loadStack.ts';
import { printLine } from '../load/support/measure.ts';
import { createSeededRandom } from '../support/scenario.ts';

const kills = Number(process.argv[2] ?? 200);
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000_000);
/** Messages of one conversation that a device stores. */
const storedMessages = 200;
const waitMs = 120_000;

process.env['CHROMIUM_PATH'] ??= findChromium();

/** Opens a browser of a person that has keys. */
async function openWithKeys(browser: Browser, url: string, { api }: TestUser) {
  const context = await browser.newContext({ baseURL: url, locale: 'en-GB', serviceWorkers: 'block' });
  context.setDefaultTimeout(waitMs);
  await context.addCookies([
    { name: 'nolo_session', value: api.token ?? '', url, httpOnly: true, sameSite: 'Lax' },
    { name: 'nolo_signed_in', value: '1', url, sameSite: 'Lax' },
  ]);
  const page = await context.newPage();
  await page.goto('/settings/devices');
  await new DevicesPage(page).waitForKeys();
  return { context, page };
}

await measureOnStack(
  `Sending through ${kills} kills of the tab, seed ${seed}`,
  async ({ url, liftLimits }) => {
    const ann = await signUpByPhone(url, randomPhone(), 'Ann Adams');
    const ben = await signUpByPhone(url, randomPhone(), 'Ben Botha');
    const lifted = await liftLimits([ann.id, ben.id]);
    const address = `/chat/${(await converse(ann, ben)).id as string}`;
    const browser = await launchChromium();
    const bens = await openWithKeys(browser, url, ben);
    const { context, page } = await openWithKeys(browser, url, ann);
    await page.goto(address);
    const random = createSeededRandom(seed);
    const { texts, tab } = await sendThroughKills(page, { context, address, name: 'Ben Botha', kills, random });
    await eventually(async () => (await listUnsentTexts(tab)).length === 0, { timeoutMs: waitMs });
    await bens.page.goto(address);
    const expected = texts.slice(-storedMessages);
    const read = async () => (await listStoredTexts(bens.page)).filter(({ encryption }) => encryption === 'epochs');
    await eventually(async () => (await read()).at(-1)?.text === expected.at(-1), { timeoutMs: waitMs });
    const found = await read();
    const count = (text: string) => found.filter((one) => one.text === text).length;
    const lost = expected.filter((text) => count(text) === 0);
    const repeated = expected.filter((text) => count(text) > 1);
    const closed = found.filter(({ state }) => state !== 'open');
    printLine(
      `${texts.length} messages, the last ${expected.length} compared: ${lost.length} lost, ${repeated.length} twice, ${closed.length} not open.`,
    );
    for (const text of [...lost, ...repeated]) printLine(`VIOLATION: ${text}`);
    await browser.close();
    await lifted();
    return lost.length + repeated.length + closed.length === 0 ? 0 : 1;
  },
  { web: true },
);
