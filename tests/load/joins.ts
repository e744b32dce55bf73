/**
 * The way into a meeting to the first picture of the other one, in Chromium with fake devices: after a look in the mirror,
 * with a press the moment the door is there, and back by loading the page anew.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@nolo/testing';
import { Caller } from './support/Caller.ts';
import { measureOnStack, type LoadStack } from './support/loadStack.ts';
import { printTable, quantile, say } from './support/measure.ts';
import { createPeople } from './support/people.ts';
import {
  enterMeeting,
  leaveMeeting,
  openVisitor,
  readyAtDoor,
  startBrowsers,
  untilTrue,
  type Visitor,
} from './support/visitors.ts';

const ways = {
  mirror: 'after a look in the mirror, connected at the door',
  press: 'pressed the moment the door is there',
  reload: 'back by loading the page anew, from the beginning of that',
} as const;
type Way = keyof typeof ways;

const joins = Number(process.argv[2] ?? 50);
const asked = process.argv.slice(3) as Way[];
const measured = asked.length > 0 ? asked : (Object.keys(ways) as Way[]);
const warmUp = 3;
/** As long as somebody looks at themselves who is in no hurry. */
const lookMs = 3_000;
/** An account may try so many room codes in ten minutes; each join takes up to three. */
const joinsPerAccount = 8;
const probe = join(import.meta.dirname, 'support/browser/joinProbe.js');

/** What happens between the click and the picture, in its order; names are those that the probe gives. */
const steps = [
  ['join asked for', 'join_meeting asked'],
  ['join answered', 'join_meeting answered'],
  ['receiving side described', 'media_resume_consumers asked'],
  ['receiving transport connected', 'connected'],
  ['first packet', 'packet'],
  ['first picture', 'frame'],
] as const;

type Marks = Partial<Record<(typeof steps)[number][1] | 'clicked', number>>;

/** One person comes to the door, goes in by one of the ways, sees the other, and leaves again. */
async function joinOnce(visitor: Visitor, roomCode: string, way: Way): Promise<Marks> {
  const page = await visitor.openPage();
  try {
    if (way === 'press') {
      await page.goto(`/meeting/${roomCode}`);
    } else {
      await readyAtDoor(page, roomCode);
      // A version without seats at the door goes in after the same look.
      await eventually(async () => (await page.evaluate<number>('globalThis.connectedAtDoor()')) === 2, {
        timeoutMs: lookMs,
      }).catch(() => undefined);
    }
    await enterMeeting(page);
    if (way === 'reload') {
      await untilTrue(page, 'globalThis.joinMarks.frame !== undefined');
      await page.evaluate("sessionStorage.setItem('joinProbeReturns', '1')");
      await page.reload();
    }
    await untilTrue(page, 'globalThis.joinMarks.frame !== undefined');
    const marks: Marks = await page.evaluate('globalThis.joinMarks');
    await leaveMeeting(page);
    return marks;
  } finally {
    await page.close();
  }
}

function show(way: Way, taken: readonly Marks[]): void {
  const since = (name: (typeof steps)[number][1]) =>
    taken.map((marks) => (marks[name] ?? Number.NaN) - (marks.clicked ?? Number.NaN));
  const rows = steps.map(([what, name], index) => {
    const own = since(name);
    const earlier = steps.slice(0, index).map(([, one]) => since(one));
    const step = own.map((ms, join) => Math.max(0, ms - Math.max(0, ...earlier.map((all) => all[join] ?? 0))));
    return [what, quantile(own, 0.5), quantile(own, 0.95), Math.max(...own), quantile(step, 0.5), quantile(step, 0.95)];
  });
  say(`\n${ways[way]}`);
  printTable(['since the beginning', 'p50 ms', 'p95 ms', 'most ms', 'of it this step p50', 'p95'], rows);
  const frames = since('frame');
  const warm = taken.filter(({ connected, clicked }) => connected !== undefined && connected === clicked).length;
  if (way !== 'reload') say(`${warm} of ${taken.length} were connected before the click.`);
  say(
    `${taken.length} joins, ${ways[way]}: first picture p50 ${quantile(frames, 0.5).toFixed(0)} ms, p95 ${quantile(frames, 0.95).toFixed(0)} ms (targets after a click 300 and 600).`,
  );
}

async function measure(stack: LoadStack): Promise<void> {
  const all = (joins + warmUp) * measured.length;
  const people = await createPeople(stack, 1 + Math.ceil(all / joinsPerAccount));
  const [host, ...others] = people.map(({ tokens }) => tokens[0] ?? '');
  const { body } = await new Caller(stack.url, host ?? '').call('POST', '/api/meetings/create', { name: 'Joins' });
  const { roomCode } = body as { roomCode: string };
  // Two processes, as two people have them.
  const [theirs, ours] = await startBrowsers(2);
  if (!theirs || !ours) throw new Error('The browsers did not start.');
  const standing = await openVisitor(theirs, stack.url, host ?? '');
  const room = await standing.openPage();
  await readyAtDoor(room, roomCode);
  await enterMeeting(room);
  const visitors = await Promise.all(
    others.map(async (token) => await openVisitor(ours, stack.url, token, { script: probe })),
  );

  // In turns, so that whatever else the machine does concerns all ways alike.
  const taken: Record<Way, Marks[]> = { mirror: [], press: [], reload: [] };
  for (let index = 0; index < all; index += 1) {
    const visitor = visitors[index % visitors.length];
    const way = measured[index % measured.length];
    if (!visitor || !way) throw new Error('There is nobody.');
    const marks = await joinOnce(visitor, roomCode, way);
    if (index >= warmUp * measured.length) taken[way].push(marks);
    await eventually(async () => (await room.getByTestId('tile-camera').count()) === 1, { timeoutMs: 20_000 });
    await sleep(250);
  }
  await Promise.all([theirs.close(), ours.close()]);
  for (const way of measured) show(way, taken[way]);
  say(
    "Both people are Chromium without a GPU, with its fake camera (20 pictures a second, sent in up to three layers) and microphone. The picture counts when the browser hands it to the compositor. At the mirror devices and mediasoup-client are there before the click, and the browser is connected to the media node; a press at once has to wait for what is not there yet, and a page that is loaded anew for everything. A step's own time is that since the latest of the steps above it.",
  );
}

const unknown = measured.filter((way) => !(way in ways));
if (unknown.length > 0) throw new Error(`The ways in are ${Object.keys(ways).join(', ')}.`);
await measureOnStack('Into a meeting to the first picture of the other one', measure, { media: true, web: true });
