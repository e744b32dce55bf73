/**
 * Measures what two browsers in a meeting pay for passing every encoded frame through the app's worker, alternating
 * with not doing so.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Headless } from '@nolo/testing';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { measureOnStack, type LoadStack } from './support/loadStack.ts';
import { readCpuMs, median, printTable, printLine } from './support/measure.ts';
import { createLoadPeople } from './support/people.ts';
import { enterMeeting, openLoadBrowserUser, openReadyPreJoin, startBrowsers } from './support/browserUsers.ts';

const pairs = Number(process.argv[2] ?? 5);
const measuredSeconds = 20;
const settleMs = 5_000;
const probe = join(import.meta.dirname, 'support/browser/statsProbe.js');

interface Turn {
  /** CPU cores used by both browsers during the meeting. */
  cores: number;
  /** Received audio and video frames per second, of both browsers together. */
  frames: number;
}

/** Returns the CPU of the browsers among this process's descendants, without the stack. */
function browsersCpuMs(): number {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
      parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
    } catch {
      // The process ended after the listing.
    }
  }
  const isOurs = (pid: number): boolean => {
    const parent = parents.get(pid);
    return parent === process.pid || (parent !== undefined && parent > 1 && isOurs(parent));
  };
  let sum = 0;
  for (const pid of parents.keys()) {
    try {
      const isBrowser = readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('chrom');
      if (isBrowser && isOurs(pid)) sum += readCpuMs(pid);
    } catch {
      // The process has ended since.
    }
  }
  return sum;
}

/** Simulates an installation that has the option on or off. */
async function setFrames(context: BrowserContext, on: boolean): Promise<void> {
  await context.route('**/api/config', async (route) => {
    const reply = await route.fetch();
    await route.fulfill({ response: reply, json: { ...((await reply.json()) as object), mediaFrames: on } });
  });
}

type Received = Record<'audio' | 'video', Record<string, number>>;

const framesIn = async (pages: readonly Page[]): Promise<number> => {
  const all = await Promise.all(pages.map(async (page) => await page.evaluate<Received>('received()')));
  // An audio packet is a frame.
  return all.reduce(
    (sum, { audio, video }) => sum + (audio['packetsReceived'] ?? 0) + (video['framesReceived'] ?? 0),
    0,
  );
};

async function takeTurn(
  { url, browsers, tokens, roomCode }: { url: string; browsers: Browser[]; tokens: string[]; roomCode: string },
  on: boolean,
): Promise<Turn> {
  const pages: Page[] = [];
  for (const [index, browser] of browsers.entries()) {
    const visitor = await openLoadBrowserUser(browser, url, tokens[index] ?? '', { script: probe });
    const page = await visitor.openPage();
    await setFrames(page.context(), on);
    await openReadyPreJoin(page, roomCode);
    await enterMeeting(page);
    pages.push(page);
  }
  await sleep(settleMs);
  const [frames, cpu, from] = [await framesIn(pages), browsersCpuMs(), performance.now()];
  await sleep(measuredSeconds * 1000);
  const elapsed = performance.now() - from;
  const turn = {
    cores: (browsersCpuMs() - cpu) / elapsed,
    frames: ((await framesIn(pages)) - frames) / (elapsed / 1000),
  };
  await Promise.all(pages.map(async (page) => await page.context().close()));
  return turn;
}

async function measure(stack: LoadStack): Promise<void> {
  const tokens = (await createLoadPeople(stack, 2)).map((person) => person.tokens[0] ?? '');
  const { body } = await new Headless(stack.url, tokens[0] ?? '').call('POST', '/api/meetings/create', {
    name: 'Frames',
  });
  const { roomCode } = body as { roomCode: string };
  const browsers = await startBrowsers(2);
  const meeting = { url: stack.url, browsers, tokens, roomCode };
  const measuredPairs: { without: Turn; through: Turn }[] = [];
  for (let pair = 0; pair < pairs; pair += 1) {
    measuredPairs.push({ without: await takeTurn(meeting, false), through: await takeTurn(meeting, true) });
  }
  await Promise.all(browsers.map(async (browser) => await browser.close()));
  const perFrame = ({ cores, frames }: Turn) => (cores * 1000) / frames;
  printTable(
    ['pair', 'cores without', 'through the worker', 'frames/s', 'frames/s', 'CPU ms per frame', 'through', 'ratio'],
    measuredPairs.map(({ without, through }, index) => [
      String(index + 1),
      without.cores,
      through.cores,
      without.frames,
      through.frames,
      perFrame(without),
      perFrame(through),
      perFrame(through) / perFrame(without),
    ]),
  );
  const ratio = median(measuredPairs.map(({ without, through }) => perFrame(through) / perFrame(without)));
  const more = median(measuredPairs.map(({ without, through }) => through.cores - without.cores));
  printLine(
    `Through the worker, a frame costs ${ratio.toFixed(3)} times what it costs without (median of ${pairs} pairs), ${more.toFixed(3)} more cores for both browsers together, which encode and decode in software.`,
  );
}

await measureOnStack('Encoded frames through a worker', measure, { media: true, web: true });
