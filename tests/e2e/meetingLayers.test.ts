import type { Page } from 'playwright-core';
import { MeetingRoomPage } from './pages/MeetingRoomPage.ts';
import { MeetingsPage } from './pages/MeetingsPage.ts';
import { createCastMember } from './support/cast.ts';
import { setUpJourney, getUrlWithoutServiceWorker } from './support/journey.ts';
import { waitUntilMoving } from './support/motion.ts';
import { waitUntilHidden, waitForExpectation } from './support/waitFor.ts';

const { story, openPage, url } = setUpJourney(getUrlWithoutServiceWorker);

/** Records a page's connections, to read what they send. A string, because the tests have no DOM types. */
const probe = `{
  const connections = [];
  globalThis.RTCPeerConnection = class extends RTCPeerConnection {
    constructor(...options) {
      super(...options);
      connections.push(this);
    }
  };
  globalThis.encodedLayers = () => {
    const encodings = connections
      .filter(({ connectionState }) => connectionState !== 'closed')
      .flatMap((connection) => connection.getTransceivers())
      .filter(({ sender, currentDirection }) => sender.track?.kind === 'video' && currentDirection?.startsWith('send'))
      .flatMap(({ sender }) => sender.getParameters().encodings);
    return encodings.length === 0 ? undefined : encodings.filter(({ active }) => active).length;
  };
  globalThis.beforeJoining = async () => {
    const connected = connections.filter(({ connectionState }) => connectionState === 'connected');
    let packets = 0;
    for (const connection of connected) {
      for (const stat of (await connection.getStats()).values()) {
        // Probe packets that a node sends to measure bandwidth are nobody’s media.
        if (stat.mid === 'probator') continue;
        if (stat.type === 'outbound-rtp' || stat.type === 'inbound-rtp') packets += stat.packetsSent ?? stat.packetsReceived;
      }
    }
    return { made: connections.length, connected: connected.length, packets };
  };
}`;

/** Returns how many connections a page has created and connected, and their media packets. */
const readPreJoinConnections = async (page: Page) =>
  await page.evaluate<{ made: number; connected: number; packets: number }>('beforeJoining()');

/**
 * Waits until a page encodes its camera in this many layers. Reads the encoder's parameters, because the output is up
 * to the browser: on a machine short of CPU it reduces the picture and drops the largest layer.
 */
const encodes = async (page: Page, layers: number): Promise<void> =>
  await waitForExpectation(async () => {
    expect(await page.evaluate<number | undefined>('encodedLayers()')).toBe(layers);
  });

story('a camera is encoded in as many layers as are being viewed, and not at all if nobody watches', async () => {
  const [ada, ben] = await Promise.all([createCastMember(url(), 'Ada Adams'), createCastMember(url(), 'Ben Botha')]);
  const adas = await openPage({ as: ada.user, camera: 'large' });
  await adas.context.addInitScript(probe);
  await adas.go('/meetings');
  const code = await new MeetingsPage(adas.page).create('Looks');
  const first = new MeetingRoomPage(adas.page);
  await first.enter();
  // Ada is alone. After a while, her own preview needs no sending.
  await encodes(adas.page, 0);
  await waitUntilMoving(first.video(ada.name));

  const bens = await openPage({ as: ben.user });
  await bens.context.addInitScript(probe);
  await bens.go(`/meeting/${code}`);
  const second = new MeetingRoomPage(bens.page);
  // Ben's browser is connected during his preview, but no media is sent, received or encoded. He joins with the
  // existing connections.
  await waitForExpectation(async () =>
    expect(await readPreJoinConnections(bens.page)).toMatchObject({ connected: 2, packets: 0 }),
  );
  const { made } = await readPreJoinConnections(bens.page);
  await encodes(adas.page, 0);
  await waitUntilHidden(first.tile(ben.name));
  await second.enter();
  expect(await readPreJoinConnections(bens.page)).toMatchObject({ made, connected: 2 });
  await waitUntilMoving(second.video(ada.name));
  await bens.page.setViewportSize({ width: 2_560, height: 1_600 });
  await encodes(adas.page, 3);
  await bens.page.setViewportSize({ width: 480, height: 360 });
  await encodes(adas.page, 1);
  await waitUntilMoving(second.video(ada.name));

  await second.leave.click();
  await encodes(adas.page, 0);
  await waitUntilMoving(first.video(ada.name));
});
