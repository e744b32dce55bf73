/**
 * Measures the time from Answer to the first sound of a call on both sides, in Chromium: directly, and through a media
 * node.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Headless, converse } from '@nolo/testing';
import type { Browser, Page } from 'playwright-core';
import { CallPage } from '../e2e/pages/CallPage.ts';
import { writeTone } from '../e2e/support/tone.ts';
import { enCalls } from '../e2e/support/words.ts';
import { measureOnStack, type LoadStack } from './support/loadStack.ts';
import { printTable, quantile, printLine } from './support/measure.ts';
import { createLoadPeople, type LoadPerson } from './support/people.ts';
import { openLoadBrowserUser, startBrowsers, waitUntilTrue } from './support/browserUsers.ts';

const calls = Number(process.argv[2] ?? 30);
const warmUp = 2;
/** Maximum calls of an account in ten minutes. */
const callsPerAccount = 25;
/** Time to ring, as a callee who checks the name needs before answering. */
const ringsMs = 1_500;
const probe = join(import.meta.dirname, 'support/browser/callProbe.js');

const steps = [
  ['answer requested', 'answer asked'],
  ['microphone open', 'microphone open'],
  ['answer acknowledged by the caller', 'answer known'],
  ['connected', 'connected'],
  ['first packet', 'packet'],
  ['first sound', 'sound'],
] as const;

type StepTimes = Partial<Record<(typeof steps)[number][1] | 'clicked', number>>;

/** Name of all accounts of `createLoadPeople`. */
const name = 'Load Person';

/** Makes a call, lets it ring for a moment and answers it. Both sides hear, and one hangs up. */
async function callOnce(caller: Page, callee: Page, path: string): Promise<{ callee: StepTimes; caller: StepTimes }> {
  for (const page of [caller, callee]) {
    await page.goto(path);
    await waitUntilTrue(page, "document.querySelector('main button') !== null");
  }
  const ours = new CallPage(caller, name);
  const theirs = new CallPage(callee, name);
  await ours.voiceCall.click();
  await theirs.incoming.waitFor();
  await sleep(ringsMs);
  await theirs.incoming.getByRole('button', { name: enCalls.answer, exact: true }).click();
  for (const page of [caller, callee]) await waitUntilTrue(page, 'globalThis.callMarks.sound !== undefined');
  const stepTimes = {
    callee: await callee.evaluate<StepTimes>('globalThis.callMarks'),
    caller: await caller.evaluate<StepTimes>('globalThis.callMarks'),
  };
  await ours.end.click();
  await sleep(500);
  return stepTimes;
}

function show(way: string, taken: readonly { callee: StepTimes; caller: StepTimes }[]): void {
  const since = (name: (typeof steps)[number][1], side: 'callee' | 'caller') =>
    taken.map((stepTimes) => (stepTimes[side][name] ?? Number.NaN) - (stepTimes.callee.clicked ?? Number.NaN));
  const row = (what: string, all: number[]) => [what, quantile(all, 0.5), quantile(all, 0.95), Math.max(...all)];
  printTable(
    [`${way}, since the click`, 'p50 ms', 'p95 ms', 'max ms'],
    [
      ...steps.map(([what, name]) => row(`callee: ${what}`, since(name, 'callee'))),
      ...steps.slice(3).map(([what, name]) => row(`caller: ${what}`, since(name, 'caller'))),
    ],
  );
  const soundLatencies = since('sound', 'callee');
  printLine(
    `${way}: ${taken.length} calls, from the answer to sound p50 ${quantile(soundLatencies, 0.5).toFixed(0)} ms, p95 ${quantile(soundLatencies, 0.95).toFixed(0)} ms (target: p50 300 ms).`,
  );
}

async function befriend(url: string, [ada, ben]: readonly LoadPerson[]): Promise<string> {
  if (!ada || !ben) throw new Error('Two people are needed.');
  const bens = new Headless(url, ben.tokens[0] ?? '');
  await bens.call('POST', '/api/contacts', { userId: ada.id });
  const adas = new Headless(url, ada.tokens[0] ?? '');
  await adas.call('POST', '/api/contacts', { userId: ben.id });
  return (await converse({ id: ada.id, api: adas }, { id: ben.id, api: bens })).id as string;
}

interface Pair {
  caller: Page;
  callee: Page;
  callerToken: string;
  path: string;
}

async function openPair(stack: LoadStack, browsers: readonly Browser[]): Promise<Pair> {
  const people = await createLoadPeople(stack, 2);
  const path = `/chat/${await befriend(stack.url, people)}`;
  const pages: Page[] = [];
  for (const [index, browser] of browsers.entries()) {
    const visitor = await openLoadBrowserUser(browser, stack.url, people[index]?.tokens[0] ?? '', { script: probe });
    pages.push(await visitor.openPage());
  }
  const [caller, callee] = pages;
  if (!caller || !callee) throw new Error('The browsers did not start.');
  return { caller, callee, callerToken: people[0]?.tokens[0] ?? '', path };
}

async function measure(stack: LoadStack): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'nolo-load-voice-'));
  const tone = join(folder, 'tone.wav');
  writeTone(tone, 1_300);
  // Two processes, as two people have them.
  const browsers = await startBrowsers(2, [
    `--use-file-for-fake-audio-capture=${tone}`,
    '--autoplay-policy=no-user-gesture-required',
  ]);
  const pairs: Pair[] = [];
  const all = (calls + warmUp) * 2;
  while (pairs.length * callsPerAccount < all) pairs.push(await openPair(stack, browsers));

  for (const way of ['directly', 'through a media node'] as const) {
    if (way !== 'directly') {
      for (const { callerToken } of pairs) {
        await new Headless(stack.url, callerToken).call('PUT', '/api/profile/privacy', { relayCalls: true });
      }
    }
    const taken: { callee: StepTimes; caller: StepTimes }[] = [];
    for (let index = 0; index < calls + warmUp; index += 1) {
      const pair = pairs[index % pairs.length];
      if (!pair) throw new Error('No users are available.');
      const stepTimes = await callOnce(pair.caller, pair.callee, pair.path);
      if (index >= warmUp) taken.push(stepTimes);
    }
    show(way, taken);
  }
  await Promise.all(browsers.map(async (browser) => await browser.close()));
  rmSync(folder, { recursive: true, force: true });
  printLine(
    `Both are Chromium, each in its own process, with a tone as the microphone; a call rings for ${ringsMs / 1000} s before it is answered. Sound counts when the first samples that are not silence leave the decoder.`,
  );
}

await measureOnStack('From clicking Answer to the first sound', measure, { media: true, web: true });
