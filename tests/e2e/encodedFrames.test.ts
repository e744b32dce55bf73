import type { Page } from 'playwright-core';
import { MeetingRoomPage } from './pages/MeetingRoomPage.ts';
import { MeetingsPage } from './pages/MeetingsPage.ts';
import { createCastMember } from './support/cast.ts';
import { readFrameCounts, encryptFrames, forceVp9Svc } from './support/encodedFrames.ts';
import { setUpJourney } from './support/journey.ts';
import { waitUntilAllMoving, readVideoState } from './support/motion.ts';
import { startOwnGateway } from './support/ownGateway.ts';
import { waitForExpectation } from './support/waitFor.ts';

// Needs its own gateway, whose app passes frames through its worker.
const gateway = startOwnGateway(() => ({ env: { MEDIA_FRAMES: 'on' } }));
const { story, openPage, url } = setUpJourney(gateway.url);

const theirKey = Array.from({ length: 16 }, (_, index) => index + 1);
const anotherKey = theirKey.toReversed();

/** Waits until audio and video have passed through a page's worker in both directions. */
const worksBothWays = async (page: Page): Promise<void> =>
  await waitForExpectation(async () => {
    const { sent, received } = (await readFrameCounts(page)) ?? {};
    for (const count of [sent?.audio, sent?.video, received?.audio, received?.video]) expect(count).toBeGreaterThan(0);
  });

/** Opens a window that encrypts with a key, in the room with this code. */
async function sealedIn(name: string, key: readonly number[], code: string | null, svc = false) {
  const person = await createCastMember(url(), name);
  const visitor = await openPage({ as: person.user });
  await encryptFrames(visitor.context, key);
  if (svc) await forceVp9Svc(visitor.context);
  await visitor.go(code === null ? '/meetings' : `/meeting/${code}`);
  const made = code ?? (await new MeetingsPage(visitor.page).create('Sealed'));
  const room = new MeetingRoomPage(visitor.page);
  await room.enter();
  return { name: person.name, code: made, page: visitor.page, room };
}

story('video sealed in the browser is visible in layers to those with the key, and to nobody else', async () => {
  const ada = await sealedIn('Ada Adams', theirKey, null);
  const ben = await sealedIn('Ben Botha', theirKey, ada.code);
  await waitUntilAllMoving(ada.room.video(ben.name), ben.room.video(ada.name));
  await Promise.all([worksBothWays(ada.page), worksBothWays(ben.page)]);
  await waitForExpectation(async () => expect((await readFrameCounts(ada.page))?.ssrcs.length).toBeGreaterThan(1));

  const cleo = await sealedIn('Cleo Cele', anotherKey, ada.code);
  // Cleo cannot decrypt what she receives, and nobody can decrypt what she sends.
  await waitForExpectation(async () => {
    expect((await readFrameCounts(cleo.page))?.refused).toBeGreaterThan(20);
    expect((await readFrameCounts(ben.page))?.refused).toBeGreaterThan(20);
  });
  expect((await readFrameCounts(cleo.page))?.received).toEqual({ audio: 0, video: 0 });
  expect(await readVideoState(cleo.room.video(ada.name))).toEqual({ width: 0, frames: 0 });
  await waitUntilAllMoving(ada.room.video(ben.name), ben.room.video(ada.name));
});

story('sealed video also works with the layers of a single stream', async () => {
  const ada = await sealedIn('Ada Adams', theirKey, null, true);
  const ben = await sealedIn('Ben Botha', theirKey, ada.code, true);
  await waitUntilAllMoving(ada.room.video(ben.name), ben.room.video(ada.name));
  await waitForExpectation(async () => {
    const { layers = [], ssrcs } = (await readFrameCounts(ada.page)) ?? {};
    expect(layers.length).toBeGreaterThan(1);
    expect(ssrcs).toHaveLength(1);
  });
});
