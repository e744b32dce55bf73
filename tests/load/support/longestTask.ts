import { setTimeout } from 'node:timers/promises';
import { launchChromium } from '@nolo/testing';
import type { Page } from 'playwright-core';
import type { cookiesOf } from './chats.ts';
import { letPagesGoFirst } from './measure.ts';

/** Of Chromium's trace: times in microseconds, of which `tdur` is what the thread had of a processor. */
interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  ts: number;
  dur?: number;
  tdur?: number;
}

interface Visit {
  url: string;
  path: string;
  cookies?: ReturnType<typeof cookiesOf>;
  /** Somebody was signed in by phone on this device. */
  returning?: boolean;
}

/** How long a page is looked at: the app keeps itself for later, and asks for what comes last, from three seconds on. */
const watchedMs = 8_000;

/** Just what a browser does anyhow; each category more is time that the page's thread spends telling of itself. */
const categories = ['toplevel', 'loading'];

/**
 * A first visit on a phone's screen: milliseconds of processor time of the longest task of the page's main thread after
 * its first paint, whoever gave it. Unlike Lighthouse's trace, which copies the text of every script within the task
 * that evaluates it, this one adds next to nothing to what it measures.
 */
export async function longestTask({ url, path, cookies = [], returning = false }: Visit): Promise<number> {
  const browser = await launchChromium();
  try {
    letPagesGoFirst();
    const context = await browser.newContext({
      viewport: { width: 412, height: 823 },
      deviceScaleFactor: 1.75,
      isMobile: true,
      hasTouch: true,
    });
    await context.addCookies(cookies);
    const page = await context.newPage();
    if (returning) await rememberPhone(page, url);
    await page.goto('about:blank');
    const session = await browser.newBrowserCDPSession();
    const events: TraceEvent[] = [];
    session.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])));
    const collected = new Promise<void>((resolve) => session.on('Tracing.tracingComplete', () => resolve()));
    const traceConfig = { includedCategories: categories, excludedCategories: ['*'] };
    await session.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig });
    await page.goto(url + path);
    await setTimeout(watchedMs);
    await session.send('Tracing.end');
    await collected;
    return longestIn(events);
  } finally {
    await browser.close();
  }
}

/** So that the form for a phone number comes first, as for whoever was signed in by phone on this device. */
export async function rememberPhone(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/icon.svg`);
  await page.evaluate(`localStorage.setItem('nolo.phone', '+27820000000')`);
}

function longestIn(events: readonly TraceEvent[]): number {
  const painted = events.findLast(({ name }) => name === 'firstContentfulPaint');
  if (!painted) throw new Error('Nothing was painted.');
  const { pid, tid, ts: since } = painted;
  const tasks = events.filter(
    (event) => event.pid === pid && event.tid === tid && event.ph === 'X' && event.name.endsWith('RunTask'),
  );
  return Math.max(0, ...tasks.filter(({ ts }) => ts > since).map(({ tdur = 0 }) => tdur)) / 1_000;
}
