import { readFile, stat } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { ChatsPage } from './pages/ChatsPage.ts';
import { MeetingRoomPage } from './pages/MeetingRoomPage.ts';
import { MeetingsPage } from './pages/MeetingsPage.ts';
import { createCastMember } from './support/cast.ts';
import { setUpJourney, getUrlWithoutServiceWorker } from './support/journey.ts';
import { waitUntilAllMoving, waitUntilMoving } from './support/motion.ts';
import { waitForPath, waitUntilHidden, waitUntilVisible, waitForExpectation } from './support/waitFor.ts';
import { enMeeting, fillPlaceholders } from './support/words.ts';

// Has its own browser, which reports where it stores downloads.
const { story, openPage, url } = setUpJourney(getUrlWithoutServiceWorker);

/** Measurements of a recording: video that changes, and audio that is loud enough. */
interface Recorded {
  width: number;
  height: number;
  seconds: number;
  colours: number;
  loudness: number;
}

/** Plays a recording in a user's page, under our own origin, and measures it. */
async function examine(page: Page, bytes: Buffer): Promise<Recorded> {
  return await page.evaluate<Recorded>(
    `(async (base64) => {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      const video = document.createElement('video');
      video.src = URL.createObjectURL(new Blob([bytes], { type: 'video/webm' }));
      video.muted = true;
      await new Promise((resolve, reject) => {
        video.onloadeddata = resolve;
        video.onerror = () => reject(new Error('not a video'));
      });
      // A file that was written as it came does not say how long it is; its end does.
      video.currentTime = 1e6;
      await new Promise((resolve) => (video.onseeked = resolve));
      const seconds = video.currentTime;
      video.currentTime = seconds / 2;
      await new Promise((resolve) => (video.onseeked = resolve));
      const canvas = document.createElement('canvas');
      canvas.width = 64;
      canvas.height = 36;
      const context = canvas.getContext('2d');
      context.drawImage(video, 0, 0, 64, 36);
      const pixels = context.getImageData(0, 0, 64, 36).data;
      const colours = new Set();
      for (let at = 0; at < pixels.length; at += 4) colours.add((pixels[at] >> 4) + ',' + (pixels[at + 1] >> 4) + ',' + (pixels[at + 2] >> 4));
      const sound = await new OfflineAudioContext(1, 48000, 48000).decodeAudioData(bytes.buffer.slice(0));
      let loudest = 0;
      for (const sample of sound.getChannelData(0)) loudest = Math.max(loudest, Math.abs(sample));
      return { width: video.videoWidth, height: video.videoHeight, seconds, colours: colours.size, loudness: loudest };
    })(${JSON.stringify(bytes.toString('base64'))})`,
  );
}

/** Simulates browsers that cannot write to the disk: the file is offered at the end. */
const withoutDisk = 'delete globalThis.showSaveFilePicker';

/** Starts a meeting of two that may be recorded. The script runs before the host's app. */
async function allHands(script: string) {
  const [ada, ben] = await Promise.all([createCastMember(url(), 'Ada Adams'), createCastMember(url(), 'Ben Botha')]);
  const adas = await openPage({ as: ada.user });
  await adas.context.addInitScript(script);
  await adas.go('/meetings');
  const code = await new MeetingsPage(adas.page).create('All hands', ['recording']);
  const bens = await openPage({ as: ben.user, path: `/meeting/${code}` });
  const [host, other] = [new MeetingRoomPage(adas.page), new MeetingRoomPage(bens.page)];
  await host.enter();
  await other.enter();
  return { ada, ben, adas, bens, host, other, code };
}

story(
  'two people chat during their meeting, share a screen, record it all and continue in a small window',
  async () => {
    const { ada, ben, adas, bens, host, other, code } = await allHands(withoutDisk);
    await waitUntilAllMoving(host.video(ben.name), other.video(ada.name));

    await adas.page.getByTestId('open-chat').click();
    const composer = host.chat.getByRole('textbox');
    await composer.fill('The agenda is in the folder');
    await composer.press('Enter');
    // Ben has the chat closed, and sees an unread count.
    await waitUntilVisible(
      bens.page.getByRole('button', { name: new RegExp(fillPlaceholders(enMeeting.room.unread_one, { count: 1 })) }),
    );
    await bens.page.getByTestId('open-chat').click();
    await waitUntilVisible(other.chat.getByText('The agenda is in the folder'));
    await other.chat.getByRole('textbox').fill('Found it');
    await other.chat.getByRole('textbox').press('Enter');
    await waitUntilVisible(host.chat.getByText('Found it'));

    await adas.page.getByRole('button', { name: enMeeting.room.share, exact: true }).click();
    await waitUntilVisible(adas.page.getByText(enMeeting.room.ownScreen));
    await waitUntilMoving(other.screen(ada.name), { frames: 2 });
    await adas.page.getByRole('button', { name: enMeeting.room.stopSharing, exact: true }).click();
    await waitUntilHidden(other.screen(ada.name));

    // Recording is offered to hosts only.
    await other.openMore();
    await waitUntilHidden(bens.page.getByRole('menuitem', { name: enMeeting.recording.start }));
    await bens.page.keyboard.press('Escape');

    await host.chooseRecording('start');
    await waitUntilVisible(adas.page.getByRole('alertdialog').getByText(enMeeting.recording.startText));
    await host.confirm(enMeeting.recording.startNow);
    await waitUntilVisible(host.recordingBadge.getByText(enMeeting.recording.own));
    const notice = bens.page.getByRole('alertdialog', { name: enMeeting.room.recordingTitle });
    await waitUntilVisible(notice.getByText(fillPlaceholders(enMeeting.recording.by, { name: ada.name })));
    await waitUntilVisible(bens.page.getByText(enMeeting.news.recording));
    await notice.getByRole('button', { name: enMeeting.room.stay }).click();
    await waitUntilVisible(other.recordingBadge.getByText(enMeeting.room.recording));

    // A participant who comes later is informed on the pre-join page.
    const cleo = await createCastMember(url(), 'Cleo Cele');
    const cleos = await openPage({ as: cleo.user, path: `/meeting/${code}?type=voice` });
    await waitUntilVisible(cleos.page.getByText(enMeeting.recording.beforeJoining));
    await cleos.close();

    // Unsaved recordings are not lost silently: the browser asks before the page closes.
    const dialogShown = adas.page.waitForEvent('dialog');
    const leaving = adas.page.reload().catch(() => undefined);
    const question = await dialogShown;
    expect(question.type()).toBe('beforeunload');
    await question.dismiss();
    await leaving;

    await waitUntilMoving(host.video(ben.name));
    await adas.page.getByRole('button', { name: enMeeting.recording.stop, exact: true }).click();
    const offer = adas.page.getByRole('alertdialog', { name: enMeeting.recording.readyTitle });
    await waitUntilVisible(offer.getByText(/^All hands \d{4}-\d\d-\d\d \d\d-\d\d\.webm$/));
    await waitUntilVisible(bens.page.getByText(enMeeting.news.notRecording));
    await waitUntilHidden(other.recordingBadge);
    const [download] = await Promise.all([
      adas.page.waitForEvent('download'),
      offer.getByRole('button', { name: enMeeting.recording.download }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^All hands .*\.webm$/);
    await waitUntilHidden(offer);
    const path = await download.path();
    expect((await stat(path)).size).toBeGreaterThan(50_000);
    const found = await examine(bens.page, await readFile(path));
    expect(found).toMatchObject({ width: 1_280, height: 720 });
    expect(found.seconds).toBeGreaterThan(1);
    // The fake cameras are colorful and beep; an empty stage has hardly any color and no sound.
    expect(found.colours).toBeGreaterThan(8);
    expect(found.loudness).toBeGreaterThan(0.01);

    await host.choose('pictureInPicture');
    const small = await soonWindow(adas.page);
    await waitUntilVisible(small.getByTestId('small-room').getByText(ben.name));
    await waitUntilMoving(small.getByTestId('video'));
    await small.getByRole('button', { name: enMeeting.room.microphoneOff }).click();
    await waitUntilVisible(other.mutedIcon(ada.name));
    await waitUntilVisible(small.getByRole('button', { name: enMeeting.room.microphoneOn }));
    await small.getByRole('button', { name: enMeeting.room.cameraOff }).click();
    await waitUntilHidden(other.video(ada.name));
    await small.getByRole('button', { name: enMeeting.room.leave }).click();
    await waitForPath(adas.page, '/');
    await waitUntilHidden(other.tile(ada.name));
    await waitForExpectation(() => expect(small.isClosed()).toBe(true));
    // Messages from the meeting are found at the meeting, and not among the conversations.
    await waitUntilVisible(new ChatsPage(adas.page).emptyTitle);
  },
);

/** Collects recorders so that tests can stop them, and simulates a disk that can refuse writes. */
const breakable = `
  const recorders = [];
  globalThis.MediaRecorder = class extends MediaRecorder {
    constructor(...options) {
      super(...options);
      recorders.push(this);
    }
  };
  globalThis.breakOff = () => recorders.at(-1).stop();
  globalThis.disk = { pieces: 0, full: false, gone: false };
  globalThis.onDisk = async ({ suggestedName }) => ({
    name: suggestedName,
    createWritable: async () => ({
      write: async () => {
        if (disk.full) throw new DOMException('No room', 'QuotaExceededError');
        disk.pieces += 1;
      },
      close: async () => {
        if (disk.gone) throw new DOMException('Gone', 'NotFoundError');
      },
      abort: async () => undefined,
    }),
  });
  globalThis.showSaveFilePicker = undefined;
`;

story('a recording that cannot continue shows the reason and keeps what was recorded', async () => {
  const { ada, adas, host, other } = await allHands(breakable);
  const record = async () => {
    await host.chooseRecording('start');
    await host.confirm(enMeeting.recording.startNow);
    await waitUntilVisible(host.recordingBadge.getByText(enMeeting.recording.own));
  };

  await record();
  await waitUntilMoving(host.video(ada.name));
  await adas.page.evaluate('breakOff()');
  const offer = adas.page.getByRole('alertdialog', { name: enMeeting.recording.endedTitle });
  await waitUntilVisible(offer.getByText(enMeeting.recording.cut.failed));
  await waitUntilHidden(other.recordingBadge);
  const [download] = await Promise.all([
    adas.page.waitForEvent('download'),
    offer.getByRole('button', { name: enMeeting.recording.download }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^All hands .*\.webm$/);
  await waitUntilHidden(offer);

  await adas.page.evaluate('showSaveFilePicker = onDisk');
  await record();
  await waitForExpectation(async () => expect(await adas.page.evaluate('disk.pieces')).toBeGreaterThan(0));
  await adas.page.evaluate('disk.full = true');
  await waitUntilVisible(adas.page.getByText(enMeeting.recording.cut.full));
  await waitUntilVisible(adas.page.getByText(/The recording up to then is saved: All hands .*\.webm, [1-9]/));
  await waitUntilHidden(other.recordingBadge);

  await adas.page.evaluate('Object.assign(disk, { full: false, gone: true })');
  await record();
  await adas.page.getByRole('button', { name: enMeeting.recording.stop, exact: true }).click();
  await waitUntilVisible(adas.page.getByText(enMeeting.recording.lost.text));
  await waitUntilHidden(other.recordingBadge);
});

/** Waits for the picture-in-picture window, a page of the same context. */
async function soonWindow(page: Page): Promise<Page> {
  let found: Page | undefined;
  await waitForExpectation(() => {
    found = page
      .context()
      .pages()
      .find((one) => one !== page);
    expect(found).toBeDefined();
  });
  if (!found) throw new Error('There is no small window.');
  return found;
}
