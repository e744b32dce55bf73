import { carryingNode } from '../support/carryingNode.ts';
import { watchForNewPicture } from '../support/pictureWatch.ts';
import { MeetingRoomPage } from './pages/MeetingRoomPage.ts';
import { MeetingsPage } from './pages/MeetingsPage.ts';
import { newcomer } from './support/cast.ts';
import { journey } from './support/journey.ts';
import { allMove, moves } from './support/motion.ts';
import { gone, see } from './support/see.ts';
import { startSharedStack, type SharedStack } from './support/sharedStack.ts';

// Its own Nolo, for here gateways and media nodes die.
let own: SharedStack | undefined;
const { story, visit, url } = journey(() => own?.urls[0] ?? '');

beforeAll(async () => {
  own = await startSharedStack({ media: 2 });
}, 120_000);
afterAll(async () => {
  await own?.stop();
}, 60_000);

async function twoInARoom() {
  const [ada, ben] = await Promise.all([newcomer(url(), 'Ada Adams'), newcomer(url(), 'Ben Botha')]);
  const adas = await visit({ as: ada.user, path: '/meetings' });
  const code = await new MeetingsPage(adas.page).create('Storm watch');
  const bens = await visit({ as: ben.user, path: `/meeting/${code}` });
  const [first, second] = [new MeetingRoomPage(adas.page), new MeetingRoomPage(bens.page)];
  await first.enter();
  await second.enter();
  const pictures = [first.video(ben.name), second.video(ada.name)] as const;
  await allMove(...pictures);
  const ids = async () => [await first.participantId(ben.name), await second.participantId(ada.name)];
  return { ada, ben, adas, bens, first, second, pictures, ids };
}

/** That the page was never loaded anew: what is written into it is still there. */
async function mark(
  ...pages: { page: { evaluate: (script: string) => Promise<unknown> } }[]
): Promise<() => Promise<void>> {
  for (const { page } of pages) await page.evaluate('globalThis.markOfThePage = true');
  return async () => {
    for (const { page } of pages) expect(await page.evaluate('globalThis.markOfThePage === true')).toBe(true);
  };
}

story('the media goes on while the gateway is away, and people come back by themselves', async () => {
  const { ada, adas, bens, first, second, pictures } = await twoInARoom();
  const sameTabs = await mark(adas, bens);
  const gateway = own?.stack.service('gateway');

  await gateway?.kill('SIGKILL', { hold: true });
  await see(first.reconnecting, second.reconnecting);
  // Not what was on its way still: pictures go on coming.
  await allMove(...pictures);
  await gateway?.start();
  await gone(first.reconnecting, second.reconnecting);

  // What changes afterwards arrives, and nobody stands there twice.
  await first.control('microphoneOff').click();
  await see(second.mutedMark(ada.name));
  await allMove(...pictures);
  expect(await first.tiles.count()).toBe(2);
  expect(await second.tiles.count()).toBe(2);
  await sameTabs();
});

story('pictures move again by themselves after the media node that carried them died', async () => {
  const { adas, bens, first, second, pictures, ids } = await twoInARoom();
  const before = await ids();
  const sameTabs = await mark(adas, bens);
  const carrying = await carryingNode(own?.stack.metricsUrls ?? {});

  const waits = await Promise.all([adas, bens].map(async ({ page }) => await watchForNewPicture(page)));
  await own?.stack.service(carrying).kill('SIGKILL', { hold: true });
  // How soon is measured by `npm run load -- resume`: a clock means nothing beside other journeys.
  await Promise.all(waits.map(async (wait) => await wait()));
  // And they go on.
  await Promise.all(pictures.map(async (picture) => await moves(picture, { frames: 10, timeoutMs: 20_000 })));

  expect(await ids()).toEqual(before);
  expect(await first.tiles.count()).toBe(2);
  expect(await second.tiles.count()).toBe(2);
  await sameTabs();
  await own?.stack.service(carrying).start();
});
