import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../scripts/ports.ts';
import { UdpRelay } from '../support/UdpRelay.ts';
import { CallPage } from './pages/CallPage.ts';
import { ConversationPage } from './pages/ConversationPage.ts';
import { MeetingRoomPage } from './pages/MeetingRoomPage.ts';
import { MeetingsPage } from './pages/MeetingsPage.ts';
import { friends, newcomer } from './support/cast.ts';
import { journey } from './support/journey.ts';
import { moves, slowCamera } from './support/motion.ts';
import { at, gone, see, soon } from './support/see.ts';
import { startSharedStack, type SharedStack } from './support/sharedStack.ts';
import { socketRequestsOf } from './support/socketRequests.ts';
import { heardIn, writeTone } from './support/tone.ts';
import { enCall, enCalls, enMeeting, words } from './support/words.ts';

// Its own Nolo: media comes to it over a line of ours, calls ring for seconds, and meetings of three end at once.
const ringSeconds = 8;
const warningSeconds = 10;
/** Nothing that the browser plays of itself, which are beeps of a lower pitch. */
const toneHertz = 1_300;
const spoken = mkdtempSync(join(tmpdir(), 'nolo-voice-'));
const tone = join(spoken, 'tone.wav');
let own: SharedStack | undefined;
let line: UdpRelay | undefined;
const { story, visit, url } = journey(
  () => own?.urls[0] ?? '',
  () => {
    writeTone(tone, toneHertz);
    return [...slowCamera, `--use-file-for-fake-audio-capture=${tone}`];
  },
);

beforeAll(async () => {
  const port = await freePort();
  // The media node has the port at one address, and tells browsers another, where the line begins.
  line = await UdpRelay.open({ address: '127.0.0.2', port }, { address: '127.0.0.1', port });
  own = await startSharedStack({
    media: 1,
    env: {
      MEDIA_WORKERS: '1',
      MEDIA_PORT: String(port),
      MEDIA_LISTEN_IP: '127.0.0.1',
      MEDIA_ANNOUNCED_ADDRESS: '127.0.0.2',
      MEETING_MINUTES: '0',
      MEETING_WARNING_SECONDS: String(warningSeconds),
      CALL_RING_SECONDS: String(ringSeconds),
    },
  });
}, 120_000);
afterAll(async () => {
  await own?.stop();
  line?.close();
  rmSync(spoken, { recursive: true, force: true });
}, 60_000);

const hears = async (page: Parameters<typeof heardIn>[0]): Promise<void> =>
  await soon(async () => {
    const heard = await heardIn(page);
    expect(Math.abs(heard.hertz - toneHertz)).toBeLessThan(30);
    expect(heard.loudness).toBeGreaterThan(100);
  }, 25_000);

story(
  'two see and hear each other over a line that loses one packet in twenty, and go on over another one',
  async () => {
    const [ada, ben] = await Promise.all([newcomer(url(), 'Ada Adams'), newcomer(url(), 'Ben Botha')]);
    const [adas, bens] = [await visit({ as: ada.user }), await visit({ as: ben.user })];
    const asked = [socketRequestsOf(adas.page), socketRequestsOf(bens.page)];
    line?.setWeather({ loss: 0.05, delayMs: 80 });
    await adas.go('/meetings');
    const code = await new MeetingsPage(adas.page).create('On the train');
    await bens.go(`/meeting/${code}`);
    const [first, second] = [new MeetingRoomPage(adas.page), new MeetingRoomPage(bens.page)];
    await first.enter();
    await second.enter();
    const pictures = [first.video(ben.name), second.video(ada.name)];
    await Promise.all(pictures.map(async (picture) => await moves(picture, { frames: 20, timeoutMs: 30_000 })));
    await hears(bens.page);
    expect(line?.lost).toBeGreaterThan(10);

    // Both leave the network that they came by. Nobody tells them; they notice.
    const ids = async () => [await first.participantId(ben.name), await second.participantId(ada.name)];
    const before = await ids();
    for (const { page } of [adas, bens]) await page.evaluate('globalThis.markOfThePage = true');
    line?.setWeather({ loss: 0, delayMs: 0 });
    line?.cutPaths();
    await soon(() => {
      for (const requests of asked) expect(requests).toContain('media_restart_ice');
    }, 30_000);
    await Promise.all(pictures.map(async (picture) => await moves(picture, { frames: 10, timeoutMs: 30_000 })));
    await hears(bens.page);
    await gone(first.reconnecting, second.reconnecting);
    for (const { page } of [adas, bens]) expect(await page.evaluate('globalThis.markOfThePage === true')).toBe(true);
    // Over the transports that they had: nothing had to be made anew.
    for (const requests of asked) expect(requests).not.toContain('media_join');
    expect(await ids()).toEqual(before);

    // Whoever is heard is marked, and is heard no longer once the microphone is off.
    await soon(async () => expect(await second.tile(ada.name).getAttribute('data-speaking')).toBe('true'));
    await first.control('microphoneOff').click();
    await see(second.mutedMark(ada.name));
    await soon(async () => {
      if ((await second.voices.count()) > 0) expect((await heardIn(bens.page)).loudness).toBeLessThan(40);
    });
  },
);

story(
  'whose own way to the room loses much is marked for everybody, and who only listens is not',
  async () => {
    const [ada, ben] = await Promise.all([newcomer(url(), 'Ada Adams'), newcomer(url(), 'Ben Botha')]);
    const adas = await visit({ as: ada.user, path: '/meetings' });
    const code = await new MeetingsPage(adas.page).create('In the tunnel');
    const bens = await visit({ as: ben.user, path: `/meeting/${code}?type=voice` });
    const [first, second] = [new MeetingRoomPage(adas.page), new MeetingRoomPage(bens.page)];
    await first.enter();
    await see(second.ready);
    await second.joinNow.click();
    await second.control('microphoneOff').click();
    await moves(second.video(ada.name), { frames: 10 });
    const marks = [first.poorMark(ada.name), second.poorMark(ada.name)];
    await gone(...marks);

    line?.setWeather({ loss: 0.4, delayMs: 0, lossy: 'out' });
    await soon(async () => await see(...marks), 90_000);
    await gone(first.poorMark(ben.name), second.poorMark(ben.name));

    line?.setWeather({ loss: 0, delayMs: 0 });
    await soon(async () => await gone(...marks), 90_000);
    await moves(second.video(ada.name), { frames: 10 });
  },
  270_000,
);

story('a meeting of three is told that its time is nearly over, and ends for all of them', async () => {
  const people = await Promise.all([
    newcomer(url(), 'Ada Adams'),
    newcomer(url(), 'Ben Botha'),
    newcomer(url(), 'Cleo Cele'),
  ]);
  const [ada, ben, cleo] = people;
  const adas = await visit({ as: ada.user, path: '/meetings' });
  const code = await new MeetingsPage(adas.page).create('Forty minutes');
  const others = await Promise.all([
    visit({ as: ben.user, path: `/meeting/${code}?type=voice` }),
    visit({ as: cleo.user, path: `/meeting/${code}?type=voice`, device: 'phone' }),
  ]);
  const rooms = [adas, ...others].map(({ page }) => new MeetingRoomPage(page));
  const [first, second, third] = rooms as [MeetingRoomPage, MeetingRoomPage, MeetingRoomPage];
  const warning = new RegExp(words(enMeeting.room.timeWarning, { time: '.+' }));
  await first.enter();
  await see(second.ready, third.ready);
  await second.joinNow.click();
  await see(second.room);
  // Two may talk for as long as they like.
  await gone(first.page.getByText(warning));
  await third.joinNow.click();
  await Promise.all(rooms.map(async ({ page }) => await see(page.getByText(warning))));
  await Promise.all(
    rooms.map(async (room) => await see(room.over('time_limit'), room.page.getByText(enMeeting.over.time_limit.text))),
  );
  await adas.go(`/meeting/${code}`);
  await see(first.over('over'));
});

story('a call that rings out is missed: the conversation says so, and the list of calls', async () => {
  const { ada, ben, id } = await friends(url());
  const [adas, bens] = await Promise.all([
    visit({ as: ada.user, path: `/chat/${id}` }),
    visit({ as: ben.user, path: `/chat/${id}` }),
  ]);
  const [caller, callee] = [new CallPage(adas.page, ben.name), new CallPage(bens.page, ada.name)];
  await see(caller.videoCall, callee.videoCall);
  const pressed = performance.now();
  await caller.videoCall.click();
  await see(callee.incoming);
  await see(adas.page.getByText(enCalls.noAnswer));
  expect(performance.now() - pressed).toBeGreaterThan(ringSeconds * 1000 - 500);
  await gone(callee.incoming);
  await see(new ConversationPage(bens.page, ada.name).feed.getByText(enCall.missedVideo));
  await adas.page.getByRole('button', { name: enCalls.message }).click();
  await at(adas.page, `/chat/${id}`);
  await see(new ConversationPage(adas.page, ben.name).feed.getByText(enCall.noAnswerVideo));

  const listed = (page: typeof bens.page) => page.getByRole('list', { name: enCalls.listTitle }).getByRole('listitem');
  await bens.go('/calls');
  await see(listed(bens.page).filter({ hasText: ada.name }).getByText(enCall.missedVideo));
  await adas.go('/calls');
  await see(listed(adas.page).filter({ hasText: ben.name }).getByText(enCall.noAnswerVideo));
  await gone(caller.incoming, callee.incoming);
});
