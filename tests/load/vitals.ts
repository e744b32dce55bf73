/** What Chromium says of cold visits to the main screens on a throttled line and processor: LCP, CLS and INP. */
import { eventually, launchChromium } from '@nolo/testing';
import type { Browser } from 'playwright-core';
import { findChromium } from '../../scripts/chromium.ts';
import { cookiesOf, fillChats, newestWords } from './support/chats.ts';
import { measureOnStack } from './support/loadStack.ts';
import { conditions, letPagesGoFirst, median, printTable, quantile, say } from './support/measure.ts';

const rounds = Number(process.argv[2] ?? 5);

process.env['CHROMIUM_PATH'] ??= findChromium();

/** What Lighthouse takes for a phone: a slow 4G line, and a processor that is four times slower. */
const line = { offline: false, latency: 150, downloadThroughput: 1_638_400 / 8, uploadThroughput: 768_000 / 8 };
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

/** Before the page's own scripts; text, for it runs in the page. Shifts within half a second of a press are meant. */
const observe = `
  const vitals = (globalThis.vitals = { lcp: 0, cls: 0, inp: 0 });
  const watch = (type, take, more) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true, ...more });
  watch('largest-contentful-paint', (entry) => (vitals.lcp = entry.startTime));
  watch('layout-shift', (entry) => { if (!entry.hadRecentInput) vitals.cls += entry.value; });
  watch('event', (entry) => { if (entry.interactionId) vitals.inp = Math.max(vitals.inp, entry.duration); },
    { durationThreshold: 16 });
`;

interface Visit {
  path: string;
  shows: string;
  token?: string;
  /** Typed into the composer once the screen stands. */
  types?: string;
}

async function visit(browser: Browser, url: string, device: keyof typeof viewports, one: Visit): Promise<Vitals> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: viewports[device],
    locale: 'en-GB',
    serviceWorkers: 'block',
  });
  if (one.token !== undefined) await context.addCookies(cookiesOf(url, one.token));
  await context.addInitScript(observe);
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', line);
  await session.send('Emulation.setCPUThrottlingRate', { rate: processorSlowdown });
  const read = () => page.evaluate<Vitals>('vitals');
  await page.goto(one.path);
  await page.getByText(one.shows).filter({ visible: true }).first().waitFor({ timeout: 60_000 });
  await page.waitForLoadState('networkidle');
  // The last candidate is told of after its frame.
  const before = await eventually(async () => {
    const vitals = await read();
    return vitals.lcp > 0 ? vitals : undefined;
  });
  if (one.types !== undefined) {
    await page.getByRole('textbox', { name: 'Message' }).pressSequentially(one.types, { delay: 80 });
    await page.keyboard.press('Enter');
    await page.getByText(one.types).filter({ visible: true }).first().waitFor();
  }
  // Presses end the search for the largest element, so that what was found before them counts.
  const { cls, inp } = await read();
  await context.close();
  return { lcp: before.lcp, cls, inp };
}

await measureOnStack(
  'Web vitals',
  async ({ url, liftLimits }) => {
    const { token, longest } = await fillChats({ url, liftLimits });
    const screens: [string, Visit][] = [
      ['landing', { path: '/', shows: 'Nolo' }],
      ['the list of chats', { path: '/', shows: newestWords, token }],
      ['a conversation', { path: `/chat/${longest}`, shows: newestWords, token, types: 'typed words' }],
    ];
    const rows: (string | number)[][] = [];
    for (const device of Object.keys(viewports) as (keyof typeof viewports)[]) {
      for (const [what, one] of screens) {
        const seen: Vitals[] = [];
        for (let round = 0; round < rounds; round += 1) {
          // A browser of its own each time: what one process has compiled helps the next visit in it.
          const browser = await launchChromium();
          letPagesGoFirst();
          seen.push(await visit(browser, url, device, one));
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
    printTable(['cold visit', 'LCP p50 ms', 'LCP p95 ms', 'CLS worst', 'INP worst ms'], rows);
    say(
      `${rounds} visits each, nothing kept from one to the next; 150 ms and 1.6 Mbit/s, a processor ${processorSlowdown} times slower.`,
    );
    say(conditions());
  },
  { web: true },
);
