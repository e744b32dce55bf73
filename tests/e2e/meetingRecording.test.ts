import { readFile, stat } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { MeetingRoomPage } from './pages/MeetingRoomPage.ts';
import { MeetingsPage } from './pages/MeetingsPage.ts';
import { newcomer } from './support/cast.ts';
import { journey, withoutWorker } from './support/journey.ts';
import { allMove, moves } from './support/motion.ts';
import { at, gone, see, soon } from './support/see.ts';
import { en, enMeeting, words } from './support/words.ts';

// A browser of its own says where it keeps what it downloads.
const { story, visit, url } = journey(withoutWorker);

/** What a browser finds in a recording: pictures that change, and sound that is loud enough to be one. */
interface Recorded {
  width: number;
  height: number;
  seconds: number;
  colours: number;
  loudness: number;
}

/** Plays a recording in the page of somebody, at a place of our own origin, and looks at it. */
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

/** Two people in the meeting of the first one, whose browser a script made so before it opened anything. */
async function bothInside(name: string, options: Parameters<MeetingsPage['create']>[1], script: string) {
  const [ada, ben] = await Promise.all([newcomer(url(), 'Ada Adams'), newcomer(url(), 'Ben Botha')]);
  const adas = await visit({ as: ada.user });
  await adas.context.addInitScript(script);
  await adas.go('/meetings');
  const code = await new MeetingsPage(adas.page).create(name, options);
  const bens = await visit({ as: ben.user, path: `/meeting/${code}` });
  const [host, other] = [new MeetingRoomPage(adas.page), new MeetingRoomPage(bens.page)];
  await host.enter();
  await other.enter();
  return { ada, ben, adas, bens, code, host, other };
}

/** As in browsers that do not write to the disk: the file is offered at the end. */
const withoutDisk = 'delete globalThis.showSaveFilePicker';
/** The browser's own file system stands in for the disk, for nobody answers its question for a place here. */
const withDisk = `globalThis.showSaveFilePicker = async ({ suggestedName }) =>
  (await navigator.storage.getDirectory()).getFileHandle(suggestedName, { create: true })`;

story('a host records, everybody knows it, and the file has pictures and voices', async () => {
  const { ada, ben, adas, bens, code, host, other } = await bothInside('All hands', ['recording'], withoutDisk);
  await allMove(host.video(ben.name), other.video(ada.name));

  // Who is no host is not offered to record.
  await other.openMore();
  await gone(bens.page.getByRole('menuitem', { name: enMeeting.recording.start }));
  await bens.page.keyboard.press('Escape');

  await host.chooseRecording('start');
  await see(adas.page.getByRole('alertdialog').getByText(enMeeting.recording.startText));
  await host.confirm(enMeeting.recording.startNow);
  await see(host.recordingBadge.getByText(enMeeting.recording.own));
  const notice = bens.page.getByRole('alertdialog', { name: enMeeting.room.recordingTitle });
  await see(notice.getByText(words(enMeeting.recording.by, { name: ada.name })));
  await see(bens.page.getByText(enMeeting.news.recording));
  await notice.getByRole('button', { name: enMeeting.room.stay }).click();
  await see(other.recordingBadge.getByText(enMeeting.room.recording));

  // Somebody who comes later is told at the door, and again inside, and may leave first.
  const cleo = await newcomer(url(), 'Cleo Cele');
  const cleos = await visit({ as: cleo.user, path: `/meeting/${code}?type=voice` });
  const third = new MeetingRoomPage(cleos.page);
  await see(cleos.page.getByText(enMeeting.recording.atDoor));
  await third.joinNow.click();
  const warned = cleos.page.getByRole('alertdialog', { name: enMeeting.room.recordingTitle });
  await see(warned);
  await warned.getByRole('button', { name: enMeeting.room.leave }).click();
  await at(cleos.page, '/');

  // What is not saved yet is not lost unasked: the browser asks before the page is closed.
  const asked = adas.page.waitForEvent('dialog');
  const leaving = adas.page.reload().catch(() => undefined);
  const question = await asked;
  expect(question.type()).toBe('beforeunload');
  await question.dismiss();
  await leaving;

  await moves(host.video(ben.name), { frames: 10 });
  await adas.page.getByRole('button', { name: enMeeting.recording.stop, exact: true }).click();
  const offer = adas.page.getByRole('alertdialog', { name: enMeeting.recording.readyTitle });
  await see(offer.getByText(/^All hands \d{4}-\d\d-\d\d \d\d-\d\d\.webm$/));
  await see(offer.getByText(/\d (kB|MB)$/));
  await see(bens.page.getByText(enMeeting.news.notRecording));
  await gone(other.recordingBadge);
  await offer.getByRole('button', { name: enMeeting.recording.discard }).click();
  const discarding = adas.page.getByRole('alertdialog', { name: enMeeting.recording.discardTitle });
  await see(discarding.getByText(enMeeting.recording.discardText));
  await discarding.getByRole('button', { name: en.common.cancel }).click();

  const [download] = await Promise.all([
    adas.page.waitForEvent('download'),
    offer.getByRole('button', { name: enMeeting.recording.download }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^All hands .*\.webm$/);
  await gone(offer);
  const path = await download.path();
  expect((await stat(path)).size).toBeGreaterThan(50_000);
  const found = await examine(bens.page, await readFile(path));
  expect(found).toMatchObject({ width: 1_280, height: 720 });
  expect(found.seconds).toBeGreaterThan(1);
  // The fake cameras are colourful and beep; an empty stage has hardly a colour and no sound.
  expect(found.colours).toBeGreaterThan(8);
  expect(found.loudness).toBeGreaterThan(0.01);
});

story(
  'the room goes on in a small window, and what is written to the disk is there when its maker has left',
  async () => {
    const { ada, ben, adas, bens, host, other } = await bothInside('Side by side', ['recording'], withDisk);
    await moves(host.video(ben.name));
    await host.chooseRecording('start');
    await host.confirm(enMeeting.recording.startNow);
    await see(bens.page.getByRole('alertdialog', { name: enMeeting.room.recordingTitle }));
    await moves(host.video(ben.name), { frames: 8 });

    await host.choose('pictureInPicture');
    const small = await soonWindow(adas.page);
    await see(small.getByTestId('small-room').getByText(ben.name));
    await moves(small.getByTestId('video'));
    await small.getByRole('button', { name: enMeeting.room.microphoneOff }).click();
    await see(other.mutedMark(ada.name));
    await see(small.getByRole('button', { name: enMeeting.room.microphoneOn }));
    await small.getByRole('button', { name: enMeeting.room.cameraOff }).click();
    await gone(other.video(ada.name));
    await small.getByRole('button', { name: enMeeting.room.leave }).click();
    await see(adas.page.getByText(enMeeting.recording.saved));
    await at(adas.page, '/');
    await gone(other.tile(ada.name));
    await soon(() => expect(small.isClosed()).toBe(true));

    // It ended with whoever made it.
    await gone(bens.page.getByRole('alertdialog', { name: enMeeting.room.recordingTitle }), other.recordingBadge);
    const base64 = await adas.page.evaluate<string>(`(async () => {
      const folder = await navigator.storage.getDirectory();
      for await (const handle of folder.values()) {
        const bytes = new Uint8Array(await (await handle.getFile()).arrayBuffer());
        let text = '';
        for (const byte of bytes) text += String.fromCharCode(byte);
        return btoa(text);
      }
      return '';
    })()`);
    const found = await examine(bens.page, Buffer.from(base64, 'base64'));
    expect(found).toMatchObject({ width: 1_280, height: 720 });
    expect(found.loudness).toBeGreaterThan(0.01);
  },
);

/** The small window is a page of the same context. */
async function soonWindow(page: Page): Promise<Page> {
  let found: Page | undefined;
  await soon(() => {
    found = page
      .context()
      .pages()
      .find((one) => one !== page);
    expect(found).toBeDefined();
  });
  if (!found) throw new Error('There is no small window.');
  return found;
}
