/**
 * Measures joining a meeting until the first video of the other participant, in Chromium with fake devices: after a
 * preview, with a press as soon as the pre-join page appears, and by reloading the page. Optionally also joins a
 * LiveKit room.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, Headless } from '@nolo/testing';
import { startLiveKit } from './support/livekit/LiveKit.ts';
import { measureOnStack, type LoadStack } from './support/loadStack.ts';
import { printTable, quantile, printLine } from './support/measure.ts';
import { createLoadPeople } from './support/people.ts';
import {
  enterMeeting,
  leaveMeeting,
  openLoadBrowserUser,
  openReadyPreJoin,
  startBrowsers,
  waitUntilTrue,
  type LoadBrowserUser,
} from './support/browserUsers.ts';

const ways = {
  mirror: 'after the camera preview, connected on the pre-join page',
  press: 'clicked the moment the pre-join page is shown',
  reload: 'back by reloading the page, timed from the start of the reload',
  livekit: 'a LiveKit room, prepared and with open devices on its pre-join page',
} as const;
type Way = keyof typeof ways;
/** Ways that need no third-party program, which is fetched or built only on request. */
const own: readonly Way[] = ['mirror', 'press', 'reload'];

const joins = Number(process.argv[2] ?? 50);
const requestedWays = process.argv.slice(3) as Way[];
const measured = requestedWays.length > 0 ? requestedWays : own;
const warmUp = 3;
/** Time of an unhurried user in front of the preview. */
const previewMs = 3_000;
/** Joins per account: each takes up to three of the room code attempts allowed in ten minutes. */
const joinsPerAccount = 8;
const probe = join(import.meta.dirname, 'support/browser/joinProbe.js');

/** Steps from the click to the video, in order, with the names that the probe uses. */
const steps = [
  ['join requested', 'join_meeting asked'],
  ['join answered', 'join_meeting answered'],
  ['receiving side described', 'media_resume_consumers asked'],
  ['receiving transport connected', 'connected'],
  ['first packet', 'packet'],
  ['first picture', 'frame'],
] as const;

type StepTimes = Partial<Record<(typeof steps)[number][1] | 'clicked', number>>;

/** A user opens the pre-join page, joins in one of the ways, sees the other, and leaves again. */
async function joinOnce(visitor: LoadBrowserUser, roomCode: string, way: Way): Promise<StepTimes> {
  const page = await visitor.openPage();
  try {
    if (way === 'press') {
      await page.goto(`/meeting/${roomCode}`);
    } else {
      await openReadyPreJoin(page, roomCode);
      // A release without prepared transports on the pre-join page joins after the same time.
      await eventually(async () => (await page.evaluate<number>('globalThis.connectedAtDoor()')) === 2, {
        timeoutMs: previewMs,
      }).catch(() => undefined);
    }
    await enterMeeting(page);
    if (way === 'reload') {
      await waitUntilTrue(page, 'globalThis.joinMarks.frame !== undefined');
      await page.evaluate("sessionStorage.setItem('joinProbeReturns', '1')");
      await page.reload();
    }
    await waitUntilTrue(page, 'globalThis.joinMarks.frame !== undefined');
    const stepTimes: StepTimes = await page.evaluate('globalThis.joinMarks');
    await leaveMeeting(page);
    return stepTimes;
  } catch (error) {
    const steps = JSON.stringify(await page.evaluate('globalThis.joinMarks').catch(() => null));
    throw new Error(`A join failed (${ways[way]}). Its steps: ${steps}`, { cause: error });
  } finally {
    await page.close();
  }
}

/**
 * Does the same at LiveKit. Returns undefined if no video arrived, because its server sometimes binds no track to a
 * newcomer.
 */
async function joinLiveKit(visitor: LoadBrowserUser, joinUrl: string): Promise<StepTimes | undefined> {
  const page = await visitor.openPage();
  try {
    await page.goto(joinUrl);
    await waitUntilTrue(page, 'globalThis.isOnPreJoinPage === true');
    await sleep(previewMs);
    await page.getByRole('button').click();
    const seen = await waitUntilTrue(page, 'globalThis.joinMarks.frame !== undefined').then(
      () => true,
      () => false,
    );
    if (!seen) return undefined;
    const stepTimes: StepTimes = await page.evaluate('globalThis.joinMarks');
    await page.evaluate('globalThis.leaveRoom()');
    return stepTimes;
  } finally {
    await page.close();
  }
}

function show(way: Way, taken: readonly StepTimes[]): void {
  const since = (name: (typeof steps)[number][1]) =>
    taken.map((stepTimes) => (stepTimes[name] ?? Number.NaN) - (stepTimes.clicked ?? Number.NaN));
  const known = steps.filter(([, name]) => taken.some((stepTimes) => stepTimes[name] !== undefined));
  const rows = known.map(([what, name], index) => {
    const own = since(name);
    const earlier = known.slice(0, index).map(([, one]) => since(one));
    const step = own.map((ms, join) => Math.max(0, ms - Math.max(0, ...earlier.map((all) => all[join] ?? 0))));
    return [what, quantile(own, 0.5), quantile(own, 0.95), Math.max(...own), quantile(step, 0.5), quantile(step, 0.95)];
  });
  printLine(`\n${ways[way]}`);
  printTable(['since the start', 'p50 ms', 'p95 ms', 'max ms', 'of which this step, p50', 'p95'], rows);
  const frames = since('frame');
  const warm = taken.filter(({ connected, clicked }) => connected !== undefined && connected === clicked).length;
  if (way === 'mirror' || way === 'press') printLine(`${warm} of ${taken.length} were connected before the click.`);
  printLine(
    `${taken.length} joins, ${ways[way]}: first picture p50 ${quantile(frames, 0.5).toFixed(0)} ms, p95 ${quantile(frames, 0.95).toFixed(0)} ms (targets after a click 300 and 600).`,
  );
}

/** Compares the ways, which use the same camera, browser and machine, in turns. */
function compare(taken: Record<Way, StepTimes[]>): void {
  const middle = (way: Way) =>
    quantile(
      taken[way].map(({ frame = Number.NaN, clicked = Number.NaN }) => frame - clicked),
      0.5,
    );
  for (const way of measured.filter((one) => one !== 'livekit' && one !== 'reload')) {
    const share = middle(way) / middle('livekit');
    printLine(`${ways[way]}: ${share.toFixed(2)} of LiveKit's median time (target 0.6).`);
  }
}

async function measure(stack: LoadStack): Promise<void> {
  const all = (joins + warmUp) * measured.length;
  const people = await createLoadPeople(stack, 1 + Math.ceil(all / joinsPerAccount));
  const [host, ...others] = people.map(({ tokens }) => tokens[0] ?? '');
  const { body } = await new Headless(stack.url, host ?? '').call('POST', '/api/meetings/create', { name: 'Joins' });
  const { roomCode } = body as { roomCode: string };
  // Two processes, as two people have them.
  const [theirs, ours] = await startBrowsers(2);
  if (!theirs || !ours) throw new Error('The browsers did not start.');
  const standing = await openLoadBrowserUser(theirs, stack.url, host ?? '');
  const room = await standing.openPage();
  await openReadyPreJoin(room, roomCode);
  await enterMeeting(room);
  const liveKit = measured.includes('livekit') ? await startLiveKit() : undefined;
  if (liveKit) {
    const other = await standing.openPage();
    await other.goto(await liveKit.createJoinUrl('joins', 'standing'));
    await waitUntilTrue(other, 'globalThis.isOnPreJoinPage === true');
    await other.getByRole('button').click();
    await waitUntilTrue(other, 'globalThis.joinMarks.published !== undefined');
  }
  const visitors = await Promise.all(
    others.map(async (token) => await openLoadBrowserUser(ours, stack.url, token, { script: probe })),
  );

  // Alternates the ways, so that other load on the machine affects all of them equally.
  const taken: Record<Way, StepTimes[]> = { mirror: [], press: [], reload: [], livekit: [] };
  let without = 0;
  for (let index = 0; index < all; index += 1) {
    const visitor = visitors[index % visitors.length];
    const way = measured[index % measured.length];
    if (!visitor || !way) throw new Error('No users are available.');
    const stepTimes =
      way === 'livekit' && liveKit
        ? await joinLiveKit(visitor, await liveKit.createJoinUrl('joins', `visitor-${index}`))
        : await joinOnce(visitor, roomCode, way);
    if (stepTimes === undefined) without += 1;
    else if (index >= warmUp * measured.length) taken[way].push(stepTimes);
    await eventually(async () => (await room.getByTestId('tile-camera').count()) === 1, { timeoutMs: 20_000 });
    await sleep(250);
  }
  await Promise.all([theirs.close(), ours.close(), liveKit?.stop()]);
  for (const way of measured) show(way, taken[way]);
  if (without > 0) printLine(`${without} of LiveKit's joins showed no picture within 30 s and are not counted.`);
  if (liveKit) compare(taken);
  printLine(
    "Both people are Chromium without a GPU, with its fake camera (20 frames a second, sent in up to three layers) and microphone. The picture counts when the browser hands it to the compositor. On the pre-join page, devices and mediasoup-client are ready before the click, and the browser is connected to the media node; an immediate click has to wait for what is not ready yet, and a reloaded page for everything. A step's own time is the time since the latest of the steps above it.",
  );
}

const unknown = measured.filter((way) => !(way in ways));
if (unknown.length > 0) throw new Error(`Known ways to join: ${Object.keys(ways).join(', ')}.`);
await measureOnStack('From joining a meeting to the first picture of the other person', measure, {
  media: true,
  web: true,
});
