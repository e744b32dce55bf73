/** Click on Join at the door to the first picture of the other one, in Chromium with fake devices. */
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

const joins = Number(process.argv[2] ?? 50);
const warmUp = 3;
/** An account may try so many room codes in ten minutes; each join takes two. */
const joinsPerAccount = 10;
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

/** One person comes to the door, looks in the mirror, goes in, sees the other, and leaves again. */
async function joinOnce(visitor: Visitor, roomCode: string): Promise<Marks> {
  const page = await visitor.openPage();
  try {
    await readyAtDoor(page, roomCode);
    await enterMeeting(page);
    await untilTrue(page, 'globalThis.joinMarks.frame !== undefined');
    const marks: Marks = await page.evaluate('globalThis.joinMarks');
    await leaveMeeting(page);
    return marks;
  } finally {
    await page.close();
  }
}

async function measure(stack: LoadStack): Promise<void> {
  const people = await createPeople(stack, 1 + Math.ceil((joins + warmUp) / joinsPerAccount));
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

  const taken: Marks[] = [];
  for (let index = 0; index < joins + warmUp; index += 1) {
    const visitor = visitors[index % visitors.length];
    if (!visitor) throw new Error('There is nobody.');
    const marks = await joinOnce(visitor, roomCode);
    if (index >= warmUp) taken.push(marks);
    await eventually(async () => (await room.getByTestId('tile-camera').count()) === 1, { timeoutMs: 20_000 });
    await sleep(250);
  }
  await Promise.all([theirs.close(), ours.close()]);

  const since = (name: (typeof steps)[number][1]) =>
    taken.map((marks) => (marks[name] ?? Number.NaN) - (marks.clicked ?? Number.NaN));
  const rows = steps.map(([what, name], index) => {
    const own = since(name);
    const earlier = steps.slice(0, index).map(([, one]) => since(one));
    const step = own.map((ms, join) => Math.max(0, ms - Math.max(0, ...earlier.map((all) => all[join] ?? 0))));
    return [what, quantile(own, 0.5), quantile(own, 0.95), Math.max(...own), quantile(step, 0.5), quantile(step, 0.95)];
  });
  printTable(['since the click', 'p50 ms', 'p95 ms', 'most ms', 'of it this step p50', 'p95'], rows);
  const frames = since('frame');
  say(
    `${joins} joins, one after the other: first picture p50 ${quantile(frames, 0.5).toFixed(0)} ms, p95 ${quantile(frames, 0.95).toFixed(0)} ms (targets 300 and 600).`,
  );
  say(
    "Both people are Chromium without a GPU, with its fake camera (20 pictures a second, sent in up to three layers) and microphone. The picture counts when the browser hands it to the compositor. Devices and mediasoup-client are there before the click, as the door sees to. A step's own time is that since the latest of the steps above it.",
  );
}

await measureOnStack('Click on Join to the first picture of the other one', measure, { media: true, web: true });
