import { setTimeout } from 'node:timers/promises';
import { launchChromium } from '@nolo/testing';
import type { Page } from 'playwright-core';
import type { createSessionCookies } from './chats.ts';
import { prioritizePages } from './measure.ts';

/** Event of Chromium's trace: times in microseconds; `tdur` is the thread's CPU time. */
interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  ts: number;
  dur?: number;
  tdur?: number;
}

interface LongestTaskOptions {
  url: string;
  path: string;
  cookies?: ReturnType<typeof createSessionCookies>;
  /** True if a user was signed in by phone on this device. */
  returning?: boolean;
}

/**
 * Duration of observing a page: from three seconds on, the app stores itself for later and requests what comes last.
 */
const watchedMs = 8_000;

/** Categories that a browser needs anyway; each further one makes the page's thread spend time on tracing. */
const categories = ['toplevel', 'loading'];

/**
 * Loads a page on a phone's screen in a new browser. Returns the CPU time in milliseconds of the longest task of the
 * main thread after its first paint, from any source. Unlike Lighthouse's trace, which copies the text of every script
 * within the task that evaluates it, this adds next to nothing to the measurement.
 */
export async function measureLongestTask({
  url,
  path,
  cookies = [],
  returning = false,
}: LongestTaskOptions): Promise<number> {
  const browser = await launchChromium();
  try {
    prioritizePages();
    const context = await browser.newContext({
      viewport: { width: 412, height: 823 },
      deviceScaleFactor: 1.75,
      isMobile: true,
      hasTouch: true,
    });
    await context.addCookies(cookies);
    const page = await context.newPage();
    if (returning) await openPhoneFormFirst(page, url);
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

/** Makes the form for a phone number come first, as after an earlier sign-in by phone on this device. */
export async function openPhoneFormFirst(page: Page, url: string): Promise<void> {
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
