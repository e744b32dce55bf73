/**
 * What Lighthouse 12 gives landing, sign-in, the list of chats and a conversation: the four categories as a phone on a
 * slow line, and the longest task after the first paint, by the clock as Lighthouse takes it and by the processor's own
 * time in visits without it. The browser goes before the stack. Fails below 95 and where a task has more than 50 ms.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chromiumArguments } from '@nolo/testing';
import { chromium } from 'playwright-core';
import { findChromium } from '../../scripts/chromium.ts';
import { freePort } from '../../scripts/ports.ts';
import { cookiesOf, fillChats } from './support/chats.ts';
import { longestTask, rememberPhone } from './support/longestTask.ts';
import { measureOnStack } from './support/loadStack.ts';
import { behind, conditions, giveWay, letPagesGoFirst, median, printTable, say } from './support/measure.ts';
import { npmPackage } from './support/npmPackage.ts';

const rounds = Number(process.argv[2] ?? 5);
/** A folder for the whole reports, to see what costs the missing points. */
const reports = process.argv[3];
/** How much slower than this processor the phone's is: on a machine of half the speed, 2 is the phone that 4 is elsewhere. */
const slowdown = Number(process.argv[4] ?? 4);
const least = 95;
/** What a page may do in one go on that phone, in milliseconds of its processor. */
const longest = 50;
const version = '12.8.2';

const run = promisify(execFile);

interface Report {
  environment: { benchmarkIndex: number };
  categories: Record<string, { score: number | null }>;
  audits: Record<string, { score: number | null; numericValue?: number; details?: { items?: unknown[] } }>;
}

interface LongTask {
  url: string;
  startTime: number;
  duration: number;
}

const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const;

interface Screen {
  name: string;
  path: string;
  cookies?: ReturnType<typeof cookiesOf>;
  /** Somebody was signed in by phone on this device, so that the form for that comes first. */
  returning?: boolean;
}

/** A browser of its own, for what one process has kept and compiled helps the next visit in it. */
async function audit(program: string, url: string, screen: Screen, to: string): Promise<Report> {
  const profile = mkdtempSync(join(tmpdir(), 'nolo-lighthouse-'));
  const port = await freePort();
  const browser = await chromium.launchPersistentContext(profile, {
    executablePath: findChromium(),
    args: [...chromiumArguments, `--remote-debugging-port=${port}`],
  });
  try {
    if (screen.cookies) await browser.addCookies(screen.cookies);
    if (screen.returning === true) await rememberPhone(await browser.newPage(), url);
    letPagesGoFirst();
    const options = [
      `--port=${port}`,
      '--output=json',
      `--throttling.cpuSlowdownMultiplier=${slowdown}`,
      `--output-path=${to}`,
      '--quiet',
      '--no-enable-error-reporting',
    ];
    const audited = run(process.execPath, [program, `${url}${screen.path}`, ...options], { maxBuffer: 64 << 20 });
    if (audited.child.pid !== undefined) setPriority(audited.child.pid, behind);
    await audited;
    return JSON.parse(readFileSync(to, 'utf8')) as Report;
  } finally {
    await browser.close();
    rmSync(profile, { recursive: true, force: true });
  }
}

/** Of our own code, after the first paint, as long as they would take on the slow processor. */
function longestByClock({ audits }: Report): number {
  const painted = audits['first-contentful-paint']?.numericValue ?? 0;
  const tasks = (audits['long-tasks']?.details?.items ?? []) as LongTask[];
  const ours = tasks.filter((task) => task.startTime > painted && task.url !== 'Unattributable');
  return Math.max(0, ...ours.map(({ duration }) => duration));
}

const program = join(await npmPackage('lighthouse', version), 'cli/index.js');

await measureOnStack(
  'Lighthouse',
  async ({ url, liftLimits }) => {
    const { token, longest: conversation } = await fillChats({ url, liftLimits });
    // A phone has its processor for itself: here it is multiplied by four what a page takes, waiting included.
    giveWay();
    const folder = reports ?? mkdtempSync(join(tmpdir(), 'nolo-reports-'));
    mkdirSync(folder, { recursive: true });
    const cookies = cookiesOf(url, token);
    const screens: Screen[] = [
      { name: 'landing', path: '/' },
      { name: 'sign-in', path: '/contacts', returning: true },
      { name: 'chats', path: '/', cookies },
      { name: 'conversation', path: `/chat/${conversation}`, cookies },
    ];
    const rows: (string | number)[][] = [];
    let worst = 100;
    let slowest = 0;
    const speeds: number[] = [];
    for (const screen of screens) {
      const seen: Report[] = [];
      const byProcessor: number[] = [];
      for (let round = 0; round < rounds; round += 1) {
        const visit = () => audit(program, url, screen, join(folder, `${screen.name}-${round}.json`));
        // Now and then Lighthouse misses the beginning of a visit, and asks to be run again.
        seen.push(await visit().catch(visit));
        byProcessor.push(slowdown * (await longestTask({ url, ...screen })));
      }
      speeds.push(...seen.map(({ environment }) => environment.benchmarkIndex));
      const scores = categories.map((category) => {
        return Math.round(median(seen.map((report) => (report.categories[category]?.score ?? 0) * 100)));
      });
      worst = Math.min(worst, ...scores);
      slowest = Math.max(slowest, median(byProcessor));
      const of = (audited: string) => median(seen.map(({ audits }) => audits[audited]?.numericValue ?? Number.NaN));
      rows.push([
        screen.name,
        ...scores.map(String),
        ...['first-contentful-paint', 'largest-contentful-paint', 'total-blocking-time'].map(of),
        of('cumulative-layout-shift').toFixed(3),
        median(seen.map(longestByClock)),
        median(byProcessor),
      ]);
    }
    if (reports === undefined) rmSync(folder, { recursive: true });
    const timed = ['FCP ms', 'LCP ms', 'TBT ms', 'CLS', 'longest task ms', 'of processor ms'];
    printTable(['medians', ...categories, ...timed], rows);
    say(
      `Lighthouse ${version}, ${rounds} visits each, a simulated phone, its processor ${slowdown} times slower than this`,
    );
    say(`one with a benchmarkIndex of ${Math.round(median(speeds))}.`);
    say(conditions());
    if (worst < least) say(`A category is below ${least}.`);
    if (slowest > longest) say(`A task has more than ${longest} ms of the processor.`);
    return worst < least || slowest > longest ? 1 : 0;
  },
  { web: true },
);
