import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '../../scripts/ports.ts';
import { watchForNewVideo } from '../support/clients/watchForNewVideo.ts';
import { UdpRelay } from '../support/stacks/UdpRelay.ts';
import { MeetingRoomPage } from './pages/MeetingRoomPage.ts';
import { MeetingsPage } from './pages/MeetingsPage.ts';
import { createCastMember } from './support/cast.ts';
import { setUpJourney } from './support/journey.ts';
import { waitUntilAllMoving, waitUntilMoving, slowCameraArguments } from './support/motion.ts';
import { waitUntilHidden, waitUntilVisible, waitForExpectation } from './support/waitFor.ts';
import { startSharedStack, type SharedStack } from './support/sharedStack.ts';
import { recordSocketRequests } from './support/socketRequests.ts';
import { measureTone, writeTone } from './support/tone.ts';

// Needs its own Nolo: media passes through a relay of the test, and its gateway and media node die.
/** Differs from what the browser itself plays: beeps of a lower pitch. */
const toneHertz = 1_300;
const spoken = mkdtempSync(join(tmpdir(), 'nolo-voice-'));
const tone = join(spoken, 'tone.wav');
let own: SharedStack | undefined;
let relay: UdpRelay | undefined;
const { story, openPage, url } = setUpJourney(
  () => own?.urls[0] ?? '',
  () => {
    writeTone(tone, toneHertz);
    return [...slowCameraArguments, `--use-file-for-fake-audio-capture=${tone}`];
  },
);

beforeAll(async () => {
  const port = await findFreePort();
  // The media node has the port at one address but announces another, where the relay listens.
  relay = await UdpRelay.open({ address: '127.0.0.2', port }, { address: '127.0.0.1', port });
  own = await startSharedStack({
    media: 1,
    env: {
      MEDIA_WORKERS: '1',
      MEDIA_PORT: String(port),
      MEDIA_LISTEN_IP: '127.0.0.1',
      MEDIA_ANNOUNCED_ADDRESS: '127.0.0.2',
    },
  });
});
afterAll(async () => {
  await own?.stop();
  relay?.close();
  rmSync(spoken, { recursive: true, force: true });
});

const expectTone = async (page: Parameters<typeof measureTone>[0]): Promise<void> =>
  await waitForExpectation(async () => {
    const measuredTone = await measureTone(page);
    expect(Math.abs(measuredTone.hertz - toneHertz)).toBeLessThan(30);
    expect(measuredTone.loudness).toBeGreaterThan(100);
  });

/** Two users who see each other over a connection that loses one packet in twenty. */
async function onTheTrain() {
  const [ada, ben] = await Promise.all([createCastMember(url(), 'Ada Adams'), createCastMember(url(), 'Ben Botha')]);
  const [adas, bens] = [await openPage({ as: ada.user }), await openPage({ as: ben.user })];
  const socketRequests = [recordSocketRequests(adas.page), recordSocketRequests(bens.page)];
  relay?.setWeather({ loss: 0.05, delayMs: 80 });
  await adas.go('/meetings');
  const code = await new MeetingsPage(adas.page).create('On the train');
  await bens.go(`/meeting/${code}`);
  const [first, second] = [new MeetingRoomPage(adas.page), new MeetingRoomPage(bens.page)];
  await first.enter();
  await second.enter();
  const pictures = [first.video(ben.name), second.video(ada.name)] as const;
  await Promise.all(pictures.map(async (picture) => await waitUntilMoving(picture, { frames: 15, timeoutMs: 30_000 })));
  return { ada, ben, adas, bens, asked: socketRequests, first, second, pictures };
}

story('two people see and hear each other on a bad network, and stay when network, gateway or node fail', async () => {
  const { ada, ben, adas, bens, asked: socketRequests, first, second, pictures } = await onTheTrain();
  await expectTone(bens.page);
  expect(relay?.lost).toBeGreaterThan(10);
  const ids = async () => [await first.participantId(ben.name), await second.participantId(ada.name)];
  const before = await ids();
  for (const { page } of [adas, bens]) await page.evaluate('globalThis.markOfThePage = true');

  // Ben and Ada leave their network. They get no notification, but notice.
  relay?.setWeather({ loss: 0, delayMs: 0 });
  relay?.cutPaths();
  await waitForExpectation(() => {
    for (const requests of socketRequests) expect(requests).toContain('media_restart_ice');
  });
  await Promise.all(pictures.map(async (picture) => await waitUntilMoving(picture, { frames: 5, timeoutMs: 30_000 })));
  await expectTone(bens.page);
  await waitUntilHidden(first.reconnecting, second.reconnecting);
  // The existing transports were used: nothing had to be created anew.
  for (const requests of socketRequests) expect(requests).not.toContain('media_join');

  // New video frames keep arriving while the gateway is down, not only those in flight.
  const gateway = own?.stack.service('gateway');
  await gateway?.kill('SIGKILL', { hold: true });
  await waitUntilVisible(first.reconnecting, second.reconnecting);
  await waitUntilAllMoving(...pictures);
  await gateway?.start();
  await waitUntilHidden(first.reconnecting, second.reconnecting);

  // An active speaker is highlighted until the microphone is off.
  await waitForExpectation(async () => expect(await second.tile(ada.name).getAttribute('data-speaking')).toBe('true'));
  await first.control('microphoneOff').click();
  await waitUntilVisible(second.mutedIcon(ada.name));
  await waitForExpectation(async () => {
    if ((await second.voices.count()) > 0) expect((await measureTone(bens.page)).loudness).toBeLessThan(40);
  });

  // The media node dies, and the video recovers by itself. `npm run load -- resume` measures how soon.
  const waits = await Promise.all([adas, bens].map(async ({ page }) => await watchForNewVideo(page)));
  await own?.stack.service('media-sfu').kill('SIGKILL');
  await Promise.all(waits.map(async (wait) => await wait()));
  await Promise.all(pictures.map(async (picture) => await waitUntilMoving(picture, { frames: 5, timeoutMs: 30_000 })));

  // The participants are the same throughout, in pages that were never reloaded, and without duplicates.
  expect(await ids()).toEqual(before);
  for (const room of [first, second]) expect(await room.tiles.count()).toBe(2);
  for (const { page } of [adas, bens]) expect(await page.evaluate('globalThis.markOfThePage === true')).toBe(true);
});
