/**
 * Measures Chromium's figures for cold page loads of the main screens on a throttled connection and CPU: LCP, CLS and
 * INP.
 */
import { eventually, launchChromium } from '@nolo/testing';
import type { Browser } from 'playwright-core';
import { findChromium } from '../../scripts/chromium.ts';
import { createSessionCookies, createUserWithChats, newestMessageText } from './support/chats.ts';
import { measureOnStack } from './support/loadStack.ts';
import { describeConditions, prioritizePages, median, printTable, quantile, printLine } from './support/measure.ts';

const rounds = Number(process.argv[2] ?? 5);

process.env['CHROMIUM_PATH'] ??= findChromium();

/** Lighthouse's phone settings: a slow 4G connection, and a CPU that is four times slower. */
const network = { offline: false, latency: 150, downloadThroughput: 1_638_400 / 8, uploadThroughput: 768_000 / 8 };
const processorSlowdown = 4;
const viewports = {
  phone: { width: 390, height: 844 },
  desktop: { width: 1440, height: 900 },
};

interface Vitals {
  lcp: number;
  cls: number;
  inp: number;
}

/**
 * Runs before the page's own scripts; a string, because it runs in the page. Shifts within half a second of a press are
 * intended.
 */
const observe = `
  const vitals = (globalThis.vitals = { lcp: 0, cls: 0, inp: 0 });
  const watch = (type, take, more) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true, ...more });
  watch('largest-contentful-paint', (entry) => (vitals.lcp = entry.startTime));
  watch('layout-shift', (entry) => { if (!entry.hadRecentInput) vitals.cls += entry.value; });
  watch('event', (entry) => { if (entry.interactionId) vitals.inp = Math.max(vitals.inp, entry.duration); },
    { durationThreshold: 16 });
`;

interface PageLoad {
  path: string;
  shows: string;
  token?: string;
  /** Text typed into the composer once the screen is ready. */
  types?: string;
}

async function measurePageLoad(
  browser: Browser,
  url: string,
  device: keyof typeof viewports,
  one: PageLoad,
): Promise<Vitals> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: viewports[device],
    locale: 'en-GB',
    serviceWorkers: 'block',
  });
  if (one.token !== undefined) await context.addCookies(createSessionCookies(url, one.token));
  await context.addInitScript(observe);
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', network);
  await session.send('Emulation.setCPUThrottlingRate', { rate: processorSlowdown });
  const read = () => page.evaluate<Vitals>('vitals');
  await page.goto(one.path);
  await page.getByText(one.shows).filter({ visible: true }).first().waitFor({ timeout: 60_000 });
  await page.waitForLoadState('networkidle');
  // The last candidate is reported after its frame.
  const before = await eventually(async () => {
    const vitals = await read();
    return vitals.lcp > 0 ? vitals : undefined;
  });
  if (one.types !== undefined) {
    await page.getByRole('textbox', { name: 'Message' }).pressSequentially(one.types, { delay: 80 });
    await page.keyboard.press('Enter');
    await page.getByText(one.types).filter({ visible: true }).first().waitFor();
  }
  // Input ends the search for the largest element, so the value found before it counts.
  const { cls, inp } = await read();
  await context.close();
  return { lcp: before.lcp, cls, inp };
}

await measureOnStack(
  'Web vitals',
  async ({ url, liftLimits }) => {
    const { token, longest } = await createUserWithChats({ url, liftLimits });
    const screens: [string, PageLoad][] = [
      ['landing', { path: '/', shows: 'Nolo' }],
      ['the chat list', { path: '/', shows: newestMessageText, token }],
      ['a conversation', { path: `/chat/${longest}`, shows: newestMessageText, token, types: 'typed words' }],
    ];
    const rows: (string | number)[][] = [];
    for (const device of Object.keys(viewports) as (keyof typeof viewports)[]) {
      for (const [what, one] of screens) {
        const seen: Vitals[] = [];
        for (let round = 0; round < rounds; round += 1) {
          // A new browser each time, because what one process has compiled helps its next page load.
          const browser = await launchChromium();
          prioritizePages();
          seen.push(await measurePageLoad(browser, url, device, one));
          await browser.close();
        }
        const of = (name: keyof Vitals) => seen.map((vitals) => vitals[name]);
        rows.push([
          `${what}, ${device}`,
          median(of('lcp')),
          quantile(of('lcp'), 0.95),
          Math.max(...of('cls')).toFixed(4),
          one.types === undefined ? '' : Math.max(...of('inp')),
        ]);
      }
    }
    printTable(['cold visit', 'LCP p50 ms', 'LCP p95 ms', 'CLS max', 'INP max ms'], rows);
    printLine(
      `${rounds} visits each, with an empty cache every time; 150 ms and 1.6 Mbit/s, a processor ${processorSlowdown} times slower.`,
    );
    printLine(describeConditions());
  },
  { web: true },
);
