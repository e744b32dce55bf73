/**
 * Measures from the death of the media node that carries a meeting to the next video frame of the other participant, in
 * Chromium.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Headless } from '@nolo/testing';
import { findOccupiedMediaNode } from '../support/stacks/findOccupiedMediaNode.ts';
import { watchForNewVideo } from '../support/clients/watchForNewVideo.ts';
import { measureOnStack, type LoadStack } from './support/loadStack.ts';
import { median, printTable, printLine } from './support/measure.ts';
import { createLoadPeople } from './support/people.ts';
import {
  enterMeeting,
  openLoadBrowserUser,
  openReadyPreJoin,
  startBrowsers,
  waitUntilTrue,
} from './support/browserUsers.ts';

const kills = Number(process.argv[2] ?? 5);
/** Time until the meeting runs normally and the dead node has reported again. */
const settleMs = 5_000;
const bothMove = `[...document.querySelectorAll('[data-testid=tile-camera] [data-testid=video]')].filter(
  (video) => video.getVideoPlaybackQuality().totalVideoFrames > 10).length === 2`;

async function measure(stack: LoadStack): Promise<void> {
  const people = await createLoadPeople(stack, 2);
  const tokens = people.map(({ tokens: [token = ''] }) => token);
  const { body } = await new Headless(stack.url, tokens[0] ?? '').call('POST', '/api/meetings/create', {
    name: 'Resume',
  });
  const { roomCode } = body as { roomCode: string };
  // Two processes, as two people have them.
  const browsers = await startBrowsers(2);
  const pages = await Promise.all(
    browsers.map(async (browser, index) => {
      const visitor = await openLoadBrowserUser(browser, stack.url, tokens[index] ?? '');
      return await visitor.openPage();
    }),
  );
  for (const page of pages) {
    await openReadyPreJoin(page, roomCode);
    await enterMeeting(page);
  }

  const taken: number[] = [];
  for (let round = 0; round < kills; round += 1) {
    for (const page of pages) await waitUntilTrue(page, bothMove);
    await sleep(settleMs);
    const node = stack.stack.service(await findOccupiedMediaNode(stack.stack.metricsUrls));
    const waits = await Promise.all(pages.map(async (page) => await watchForNewVideo(page)));
    const killedAt = Date.now();
    await node.kill('SIGKILL', { hold: true });
    const seenAt = await Promise.all(waits.map(async (wait) => await wait()));
    taken.push(...seenAt.map((at) => at - killedAt));
    await node.start();
  }
  await Promise.all(browsers.map(async (browser) => await browser.close()));

  printTable(
    ['from the kill to the next picture', 'p50 ms', 'max ms', 'min ms'],
    [[`${kills} kills, both people`, median(taken), Math.max(...taken), Math.min(...taken)]],
  );
  printLine(
    `${kills} media nodes killed one after another: the next picture p50 ${median(taken).toFixed(0)} ms, worst ${Math.max(...taken).toFixed(0)} ms (target 3000).`,
  );
  printLine(
    'Both people are Chromium without a GPU, with its fake camera (20 frames a second) and microphone; two media nodes with one worker per core run on the machine of the services, so a death is detected by its broken connections. Every 10 ms, the page checks for a picture decoded from a new track.',
  );
}

await measureOnStack('From the death of a media node to the next picture of the other person', measure, {
  media: 2,
  web: true,
});
