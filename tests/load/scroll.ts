/**
 * Measures scrolling a conversation of 10,000 messages in Chromium: the longest task, the number of elements, and any
 * jumps.
 */
import { converse, launchChromium, messageTo, randomPhone, signUpByPhone } from '@nolo/testing';
import { findChromium } from '../../scripts/chromium.ts';
import { measureOnStack } from './support/loadStack.ts';
import { describeConditions, median, printTable, quantile, printLine } from './support/measure.ts';

const count = Number(process.argv[2] ?? 10_000);
const limits = { longestTaskMs: 50, elements: 1_500, shiftPixels: 2 };

process.env['CHROMIUM_PATH'] ??= findChromium();

/** Typical messages: short and long, with formatting, links and emoji. */
const samples = [
  'See you at nine',
  'The light over the bay tonight! '.repeat(6).trim(),
  '**So** it is, _really_, with `code` in it',
  'One\nTwo\nThree',
  '🙂',
  'Look: https://example.org/a/path?with=words',
  '- bread\n- butter\n- jam',
  '> said before\n\nand answered',
];

/** Records every long task from here on (a string, because it runs in the page). */
const observeTasks = `(() => {
  window.longTasks = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.longTasks.push(entry.duration);
  }).observe({ type: 'longtask' });
})()`;

/**
 * Scrolls up by a screen at a time until the first message is loaded. While a page of older messages arrives, records
 * how far a visible message moves by itself. Returns what was seen; runs in the page.
 */
const scrollToBeginning = `(async () => {
  const feed = document.querySelector('[role="feed"]');
  const scroller = feed.closest('[data-virtuoso-scroller]');
  // Reads after the frame is painted: within the frame, new rows are not yet measured and corrected.
  const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  const seen = { frames: [], elements: 0, shifts: [], loads: 0 };
  const firstPosition = () => Number(feed.querySelector('article')?.getAttribute('aria-posinset') ?? 0);
  let still = 0;
  let last = performance.now();
  while (still < 120) {
    const before = firstPosition();
    scroller.scrollTop = Math.max(0, scroller.scrollTop - 600);
    await frame();
    // The row in the middle must stay there when rows above it grow.
    const middle = document.elementsFromPoint(innerWidth / 2, innerHeight / 2).map((one) => one.closest('article')).find(Boolean)
      ?? [...feed.querySelectorAll('article')].find((one) => one.getBoundingClientRect().top > 100);
    const key = middle?.dataset.key;
    const at = middle?.getBoundingClientRect().top;
    const height = scroller.scrollHeight;
    const top = scroller.scrollTop;
    await frame();
    const now = performance.now();
    seen.frames.push(now - last);
    last = now;
    const same = key && feed.querySelector('article[data-key="' + CSS.escape(key) + '"]');
    if (scroller.scrollHeight !== height && same) {
      seen.loads += 1;
      seen.shifts.push(Math.abs(same.getBoundingClientRect().top - at));
    }
    seen.elements = Math.max(seen.elements, document.getElementsByTagName('*').length);
    still = firstPosition() === before && top === 0 ? still + 1 : 0;
  }
  seen.reached = firstPosition();
  return seen;
})()`;

interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  /** CPU time of its thread, in microseconds. */
  tdur?: number;
}

/**
 * Returns the CPU time of each task of the page's thread, in ms. Other load on the machine lengthens a task but does
 * not add to this. The page's thread is the one that runs the most scripts.
 */
function cpuOfTasks(trace: Buffer): number[] {
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] };
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;
  const scripts = new Map<string, number>();
  for (const event of traceEvents) {
    if (event.name === 'FunctionCall') scripts.set(threadOf(event), (scripts.get(threadOf(event)) ?? 0) + 1);
  }
  const [busiest] = [...scripts].toSorted(([, one], [, other]) => other - one)[0] ?? [];
  const tasks = traceEvents.filter((event) => event.name.endsWith('RunTask') && threadOf(event) === busiest);
  return tasks.flatMap(({ tdur }) => (tdur === undefined ? [] : [tdur / 1_000]));
}

interface Seen {
  frames: number[];
  elements: number;
  shifts: number[];
  loads: number;
  reached: number;
}

await measureOnStack(
  'Scrolling through a long conversation',
  async ({ url, liftLimits }) => {
    const me = await signUpByPhone(url, randomPhone(), 'Ada Adams');
    const other = await signUpByPhone(url, randomPhone(), 'Ben Botha');
    const lifted = await liftLimits([me.id, other.id]);
    const id = (await converse(me, other)).id as string;
    for (let n = 0; n < count; n += 1) {
      const author = n % 7 < 4 ? me : other;
      await author.api.post('/api/messages', messageTo(id, samples[n % samples.length] ?? ''));
    }
    const browser = await launchChromium();
    const context = await browser.newContext({ baseURL: url, viewport: { width: 1440, height: 900 }, locale: 'en-GB' });
    await context.addCookies([
      { name: 'nolo_session', value: me.api.token ?? '', url, httpOnly: true, sameSite: 'Lax' },
      { name: 'nolo_signed_in', value: '1', url, sameSite: 'Lax' },
    ]);
    const page = await context.newPage();
    await page.goto(`/chat/${id}`);
    await page.getByRole('article').first().waitFor();
    await page.evaluate(observeTasks);
    await browser.startTracing(page, { categories: ['-*', 'toplevel', 'devtools.timeline'] });
    const seen = await page.evaluate<Seen>(scrollToBeginning);
    const tasks = await page.evaluate<number[]>('window.longTasks');
    const cpu = cpuOfTasks(await browser.stopTracing());
    await browser.close();
    await lifted();
    const longest = Math.max(0, ...tasks);
    const shift = Math.max(0, ...seen.shifts);
    printTable(
      ['scrolled upwards', 'value', 'limit'],
      [
        ['longest task, ms', longest, limits.longestTaskMs],
        ['tasks over 50 ms', tasks.length, 0],
        ['longest task, ms of CPU', Math.max(0, ...cpu), limits.longestTaskMs],
        ['tasks over 50 ms of CPU', cpu.filter((ms) => ms > limits.longestTaskMs).length, 0],
        ['maximum elements in the page', seen.elements, limits.elements],
        ['largest shift of retained elements, px', shift, limits.shiftPixels],
        ['frame p50, ms', median(seen.frames), 0],
        ['frame p95, ms', quantile(seen.frames, 0.95), 0],
      ],
    );
    printLine(
      `${count} messages, up to number ${seen.reached}; heights changed ${seen.loads} times above the viewport.`,
    );
    printLine(describeConditions());
    if (seen.reached !== 1) throw new Error('The beginning of the conversation was not reached.');
  },
  { web: true },
);
