import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Message } from '@nolo/api';
import { town } from '../../web/src/testing/filesWithLocation/bytes.ts';
import { mp3 } from '../../web/src/testing/filesWithLocation/sounds.ts';
import { findPictureDifference, createMagickPictures } from '../support/hostile/magickPictures.ts';
import { ChatsPage } from './pages/ChatsPage.ts';
import { MediaConversationPage } from './pages/MediaConversationPage.ts';
import { findSeriousAxeIssues } from './support/accessibility.ts';
import { listStoredMessages, waitForServiceWorker, waitUntilMessagesStored } from './support/browserStores.ts';
import { createFriends, type CastMember } from './support/cast.ts';
import { setUpJourney, getUrlWithoutServiceWorker } from './support/journey.ts';
import {
  aDocument,
  aLargeFile,
  aPhoneVideo,
  aPhotograph,
  dropOrPasteFile,
  photoLocation,
  videoLocation,
} from './support/mediaFiles.ts';
import { waitUntilHidden, waitForFocus, waitUntilVisible, waitForExpectation } from './support/waitFor.ts';
import { en, enMedia, enMessages, fillPlaceholders } from './support/words.ts';

const { story, openPage, url } = setUpJourney(getUrlWithoutServiceWorker);

/** Two friends, each in the conversation with the other. */
async function atTheirChat() {
  const { ada, ben, id } = await createFriends(url(), ['Did you go up?']);
  const path = `/chat/${id}`;
  const [adas, bens] = await Promise.all([openPage({ as: ada.user, path }), openPage({ as: ben.user, path })]);
  const [adasChat, bensChat] = [
    new MediaConversationPage(adas.page, ben.name),
    new MediaConversationPage(bens.page, ada.name),
  ];
  await waitUntilVisible(adasChat.message('Did you go up?'), bensChat.message('Did you go up?'));
  return { ada, ben, id, adas, bens, adasChat, bensChat };
}

type Scene = Awaited<ReturnType<typeof atTheirChat>>;

async function stored(actor: CastMember, id: string): Promise<Message[]> {
  const reply = await actor.user.api.get<Message[]>(`/api/conversations/${id}/messages?limit=100`);
  return reply.body;
}

async function bytesOf(actor: CastMember, path: string): Promise<Buffer> {
  const headers = { authorization: `Bearer ${actor.user.api.token ?? ''}` };
  const reply = await fetch(new URL(path, url()), { headers });
  expect(reply.status).toBe(200);
  return Buffer.from(await reply.arrayBuffer());
}

/** Pictures with captions arrive in order, without their location. */
async function withCaptions({ ben, adas, adasChat, bensChat, bens }: Scene): Promise<void> {
  const given: Buffer[] = [];
  adas.page.on('request', (request) => {
    if (!request.url().endsWith('/finish')) return;
    const { thumbnails } = request.postDataJSON() as { thumbnails: { data: string }[] };
    given.push(...thumbnails.map(({ data }) => Buffer.from(data, 'base64')));
  });
  await adasChat.give([await aPhotograph('Saddle.jpg', '#1db584'), await aPhotograph('Top.jpg', '#c9673f')]);
  await adasChat.captionOf('Saddle.jpg').fill('The saddle');
  await adasChat.tile('Top.jpg').click();
  await waitForFocus(adasChat.captionOf('Top.jpg'));
  await adasChat.captionOf('Top.jpg').fill('And the top');
  await adasChat.sendFiles(2).click();
  await waitUntilHidden(adasChat.pendingAttachments);
  await waitUntilVisible(bensChat.message('The saddle'), bensChat.message('And the top'));
  for (const text of ['The saddle', 'And the top']) {
    const picture = bensChat.message(text).getByRole('button', { name: /^Open the picture/ });
    await waitUntilVisible(picture);
    await waitForExpectation(async () => expect(await bensChat.isDrawn(picture)).toBe(true));
  }
  await waitUntilMessagesStored(bens.page, 'The saddle', 'And the top');
  const sent = (await listStoredMessages(bens.page)).filter(({ content }) =>
    ['The saddle', 'And the top'].includes(content),
  );
  expect(sent.map(({ content, fileName }) => [content, fileName])).toEqual([
    ['The saddle', 'Saddle.jpg'],
    ['And the top', 'Top.jpg'],
  ]);
  const bytes = await bytesOf(ben, sent[0]?.fileUrl ?? '');
  expect(bytes.includes(photoLocation)).toBe(false);
  expect(bytes.includes('Exif')).toBe(false);
  // The browser created the smaller versions, and the server verified them.
  for (const { fileUrl } of sent) {
    for (const width of [320, 960]) {
      const small = await bytesOf(ben, `${fileUrl ?? ''}?size=${width}`);
      // Everything after the header is one of the uploads, without its color profile.
      expect([width, given.some((one) => one.includes(small.subarray(12)))]).toEqual([width, true]);
    }
  }
  expect(await findSeriousAxeIssues(bens.page, 'pictures', 'light')).toEqual([]);
  expect(await findSeriousAxeIssues(bens.page, 'pictures', 'dark')).toEqual([]);
}

/** Shared media can be found by kind, and forwarded without another upload. */
async function sharedAndSentOn({ ada, ben, adas, bens, adasChat, bensChat }: Scene): Promise<void> {
  await adasChat.give([aDocument()], 'attachFile');
  await adasChat.sendFiles(1).click();
  await waitUntilHidden(adasChat.pendingAttachments);
  await adasChat.sendText('More at https://example.org/walks');
  await waitUntilVisible(bensChat.file('Route.txt'), bensChat.message('More at'));
  await bensChat.info.click();
  await waitUntilVisible(bensChat.shared);
  await waitForExpectation(async () => expect(await bensChat.shared.getByRole('listitem').count()).toBe(5));
  for (const [kind, text] of [
    [enMedia.shared.kinds.files, 'Route.txt'],
    [enMedia.shared.kinds.links, 'example.org/walks'],
  ] as const) {
    await bensChat.shared.getByText(kind, { exact: true }).click();
    await waitUntilVisible(
      bensChat.shared.getByRole('link').filter({ hasText: text }).or(bensChat.shared.getByText(text)),
    );
  }
  expect(await findSeriousAxeIssues(bens.page, 'shared media', 'light')).toEqual([]);

  const uploads: string[] = [];
  adas.page.on('request', (request) => {
    if (request.url().includes('/s3/')) uploads.push(request.url());
  });
  const before = await bensChat.pictures(ada.name).count();
  await adasChat.pictures(en.common.you).last().click({ button: 'right' });
  await adasChat.choose(enMessages.forward);
  const dialog = adas.page.getByRole('dialog', { name: enMessages.forwardTo.title });
  await dialog.getByText(ben.name).click();
  await dialog.getByRole('button', { name: enMessages.forwardTo.send, exact: true }).click();
  await waitForExpectation(async () => expect(await bensChat.pictures(ada.name).count()).toBe(before + 1));
  expect(uploads).toEqual([]);
  await waitForExpectation(async () => {
    const pictures = (await listStoredMessages(bens.page)).filter(({ messageType }) => messageType === 'image');
    expect(pictures.at(-1)).toMatchObject({ forwarded: true, fileUrl: pictures.at(-2)?.fileUrl });
  });
}

story('pictures appear in one grid or with captions, open large, are found by type and forwarded', async () => {
  const scene = await atTheirChat();
  const { adas, bens, ada, adasChat, bensChat } = scene;
  const colours = ['#1db584', '#c9673f', '#3f5878'];
  await adasChat.give(await Promise.all(colours.map((colour, n) => aPhotograph(`Walk ${n}.jpg`, colour))));
  await adasChat.captionOf('Walk 0.jpg').press('Enter');
  const pictures = bensChat.pictures(ada.name);
  await waitForExpectation(async () => expect(await pictures.count()).toBe(3));
  const boxes = await Promise.all([0, 1, 2].map(async (n) => await pictures.nth(n).boundingBox()));
  // The first picture is above the two others, which are side by side.
  expect(boxes[1]?.y).toBe(boxes[2]?.y);
  expect(boxes[1]?.y).toBeGreaterThan(boxes[0]?.y ?? Infinity);

  await pictures.first().click();
  await waitUntilVisible(
    bensChat.viewer,
    bensChat.viewer.getByText(fillPlaceholders(enMedia.viewer.position, { position: 1, total: 3 })),
  );
  await bens.page.keyboard.press('ArrowRight');
  await waitUntilVisible(
    bensChat.viewer.getByText(fillPlaceholders(enMedia.viewer.position, { position: 2, total: 3 })),
  );
  const zoomOut = bensChat.viewer.getByRole('button', { name: enMedia.viewer.zoomOut });
  expect(await zoomOut.isDisabled()).toBe(true);
  await bens.page.keyboard.press('+');
  await waitForExpectation(async () => expect(await zoomOut.isEnabled()).toBe(true));
  await bens.page.keyboard.press('0');
  await waitForExpectation(async () => expect(await zoomOut.isDisabled()).toBe(true));
  expect(await findSeriousAxeIssues(bens.page, 'viewer', 'light')).toEqual([]);
  const saved = bens.page.waitForEvent('download');
  await bensChat.viewer.getByRole('link', { name: enMedia.download, exact: true }).click();
  expect((await saved).suggestedFilename()).toBe('Walk 1.jpg');
  await bens.page.keyboard.press('Escape');
  await waitUntilHidden(bensChat.viewer);

  // Each picture is a message of its own.
  await pictures.nth(1).click({ button: 'right' });
  await bensChat.choose(enMessages.reply);
  await bensChat.composer.fill('This one!');
  await bensChat.composer.press('Enter');
  await waitUntilVisible(adasChat.message('This one!'));
  expect(await adasChat.quote('This one!').innerText()).toContain(en.chats.photo);
  await waitUntilVisible(new ChatsPage(adas.page).list.getByText('This one!'));

  await withCaptions(scene);
  await sharedAndSentOn(scene);
});

/** A phone video has a picture before it plays, plays, and reveals no location. */
async function aFilm({ ada, ben, adas, bens, adasChat, bensChat }: Scene): Promise<void> {
  await adasChat.give([await aPhoneVideo()]);
  // The chosen files wait for a caption or for Enter.
  await waitForFocus(adasChat.composer);
  await adas.page.keyboard.press('Enter');
  await waitUntilHidden(adasChat.pendingAttachments);
  const video = bensChat.videos(ada.name);
  await waitUntilVisible(video);
  await waitForExpectation(async () => expect(await bensChat.isDrawn(video)).toBe(true));
  await video.click();
  const player = bens.page.locator('video');
  await waitForExpectation(async () =>
    expect(await player.evaluate((one: { currentTime: number }) => one.currentTime)).toBeGreaterThan(0.2),
  );
  const sent = (await listStoredMessages(bens.page)).find(({ messageType }) => messageType === 'video');
  const bytes = await bytesOf(ben, sent?.fileUrl ?? '');
  expect([videoLocation, 'Pinhole'].filter((word) => bytes.includes(word))).toEqual([]);
  await bens.page.keyboard.press('Escape');
}

/** An upload shows its progress and can be canceled. */
async function givenUp({ adas, adasChat }: Scene): Promise<void> {
  const delayed: (() => void)[] = [];
  await adas.page.route('**/s3/uploads/**', async (route) => {
    await new Promise<void>((resolve) => delayed.push(resolve));
    await route.continue().catch(() => undefined);
  });
  await adasChat.give([aLargeFile('Archive.bin', 2_000_000)], 'attachFile');
  await adasChat.sendFiles(1).click();
  await waitUntilVisible(adasChat.progress);
  await adas.page
    .getByRole('button', { name: fillPlaceholders(enMedia.progress.cancel, { name: 'Archive.bin' }) })
    .click();
  await waitUntilHidden(adasChat.progress, adasChat.message('Archive.bin'));
  for (const go of delayed) go();
  await adas.page.unrouteAll({ behavior: 'ignoreErrors' });
  await adasChat.sendText('Never mind');
  await waitUntilMessagesStored(adas.page, 'Never mind');
  expect((await listStoredMessages(adas.page)).map(({ fileName }) => fileName)).not.toContain('Archive.bin');
}

story('files are dropped, pasted and saved, a video plays, and pictures from people’s programs arrive', async () => {
  const scene = await atTheirChat();
  const { ben, adas, bens, adasChat, bensChat } = scene;
  await dropOrPasteFile(adas.page, 'drop', '[role="feed"]', aDocument());
  await waitUntilVisible(adasChat.tile('Route.txt'));
  await dropOrPasteFile(adas.page, 'paste', 'textarea', await aPhotograph('Pasted.jpg', '#3f5878', 400, 300));
  await waitUntilVisible(adasChat.tile('Pasted.jpg'));
  await adasChat.sendFiles(2).click();
  await waitUntilVisible(bensChat.file('Route.txt'));
  const saved = bens.page.waitForEvent('download');
  await bensChat.file('Route.txt').click();
  const download = await saved;
  expect(download.suggestedFilename()).toBe('Route.txt');
  const kept = join(await mkdtemp(join(tmpdir(), 'nolo-download-')), 'Route.txt');
  await download.saveAs(kept);
  expect(await readFile(kept, 'utf8')).toBe('Up the hill, and down again.');
  await rm(dirname(kept), { recursive: true });
  await waitUntilVisible(bensChat.pictures(bensChat.name));

  await aFilm(scene);
  await givenUp(scene);

  // Pictures from real programs: rotated, in other colors, animated, and in a format that only one browser shows. The
  // tests of the cleaning code and the end-to-end tests cover the others.
  await bens.page.emulateMedia({ reducedMotion: 'no-preference' });
  const sights = new Set(['Upright.jpg', 'Printed.jpg', 'Turning.gif', 'Phone.heic']);
  const made = (await createMagickPictures(photoLocation)).filter(({ name }) => sights.has(name));
  expect(made).toHaveLength(sights.size);
  for (const { name, type, bytes, moves } of made) {
    await adasChat.give([{ name, mimeType: type, buffer: bytes }]);
    await waitUntilVisible(adasChat.tile(name));
    await adasChat.composer.fill(name);
    await adas.page.keyboard.press('Enter');
    await waitUntilVisible(bensChat.message(name));
    if (type === 'image/heic') continue;
    const shown = bensChat.message(name).getByRole('button', { name: /^Open the picture/ });
    await waitForExpectation(async () => expect(await bensChat.isDrawn(shown)).toBe(true));
    const source = shown.locator('xpath=..').locator('img');
    expect([name, (await source.getAttribute('srcset')) === null]).toEqual([name, moves]);
  }
  await waitUntilMessagesStored(bens.page, ...made.map(({ name }) => name));
  const sent = await listStoredMessages(bens.page);
  for (const picture of made) {
    const message = sent.find(({ content }) => content === picture.name);
    const bytes = await bytesOf(ben, message?.fileUrl ?? '');
    expect([picture.name, bytes.includes(photoLocation), bytes.includes('Pinhole')]).toEqual([
      picture.name,
      false,
      false,
    ]);
    // HEIC is shown by one browser only, so it arrives as a file.
    if (picture.type === 'image/heic') {
      expect(message?.messageType).toBe('file');
      continue;
    }
    expect([picture.name, await findPictureDifference(bytes, picture)]).toEqual([picture.name, null]);
  }
  // Users who prefer reduced motion see animations as still images.
  expect(await bens.page.locator('img[src$="?full"]').count()).toBeGreaterThan(0);
  await bens.page.emulateMedia({ reducedMotion: 'reduce' });
  await waitForExpectation(async () => expect(await bens.page.locator('img[src$="?full"]').count()).toBe(0));
  expect([...adas.violations, ...bens.violations]).toEqual([]);
});

story('files chosen offline wait with their text, also through a reload', async () => {
  const { ada, ben, id } = await createFriends(url(), ['Did you go up?']);
  const adas = await openPage({ as: ada.user, path: `/chat/${id}`, installs: true });
  const adasChat = new MediaConversationPage(adas.page, ben.name);
  await waitForServiceWorker(adas.page);
  await waitUntilVisible(adasChat.composer);
  // The code that accepts files loads over the network once.
  await adasChat.give([await aPhotograph('Late.jpg', '#1db584')]);
  await waitUntilVisible(adasChat.tile('Late.jpg'));
  await adas.context.setOffline(true);
  await adasChat.composer.fill('From the tunnel');
  await adasChat.sendFiles(1).click();
  await waitUntilVisible(adasChat.message('From the tunnel'), adasChat.deliveryIcon('From the tunnel', 'waiting'));
  await adas.page.reload();
  await waitUntilVisible(adasChat.message('From the tunnel'));
  const picture = adasChat.message('From the tunnel').getByRole('button', { name: /^Open the picture/ });
  await waitForExpectation(async () => expect(await adasChat.isDrawn(picture)).toBe(true));
  expect((await stored(ben, id)).some(({ content }) => content === 'From the tunnel')).toBe(false);
  await adas.context.setOffline(false);
  await waitForExpectation(async () =>
    expect((await stored(ben, id)).map(({ content }) => content)).toContain('From the tunnel'),
  );
  expect((await stored(ada, id)).filter(({ messageType }) => messageType === 'image')).toHaveLength(1);
});

/** Builds a photograph that ends inside its camera metadata, as after an interrupted copy. */
async function aBrokenPhotograph(name: string) {
  const whole = await aPhotograph(name, '#3f5878', 400, 300);
  return { ...whole, buffer: whole.buffer.subarray(0, whole.buffer.indexOf(photoLocation) + photoLocation.length) };
}

story('files sent as files reveal no location, and the sender is asked about one that may', async () => {
  const { ben, adas, bens, adasChat, bensChat } = await atTheirChat();
  const { placeQuestion: question } = adasChat;
  const names = ['Whole.jpg', 'Film.mp4', 'Uphill.mp3', 'Broken.jpg'];
  const song = { name: 'Uphill.mp3', mimeType: 'audio/mpeg', buffer: Buffer.from(mp3()) };
  const film = await aPhoneVideo('Film.mp4');
  const given = [await aPhotograph('Whole.jpg', '#1db584'), film, song, await aBrokenPhotograph('Broken.jpg')];
  await adasChat.give(given, 'attachFile');
  await adasChat.sendFiles(4).click();
  await waitUntilVisible(question.getByText('Broken.jpg'));
  for (const name of names.slice(0, -1)) expect([name, await question.getByText(name).count()]).toEqual([name, 0]);
  expect(await findSeriousAxeIssues(adas.page, 'question about the place', 'light')).toEqual([]);
  expect(await findSeriousAxeIssues(adas.page, 'question about the place', 'dark')).toEqual([]);
  await question.getByRole('button', { name: en.common.cancel, exact: true }).click();
  await waitUntilHidden(question);
  // Unsent files stay pending.
  for (const name of names) await waitUntilVisible(adasChat.tile(name));
  expect((await listStoredMessages(bens.page)).filter(({ messageType }) => messageType === 'file')).toEqual([]);

  await adasChat.sendFiles(4).click();
  await question.getByRole('button', { name: enMedia.place.send, exact: true }).click();
  await waitUntilVisible(bensChat.file('Whole.jpg'), bensChat.file('Film.mp4'), bensChat.file('Broken.jpg'));
  await waitUntilVisible(bensChat.message('Uphill.mp3'));
  const sent = (await listStoredMessages(bens.page)).filter(({ messageType }) => messageType === 'file');
  for (const [name, traces] of [
    ['Whole.jpg', [photoLocation, 'Exif']],
    ['Film.mp4', [videoLocation, 'Pinhole']],
    ['Uphill.mp3', [town, 'LOCATION']],
  ] as const) {
    const bytes = await bytesOf(ben, sent.find(({ fileName }) => fileName === name)?.fileUrl ?? '');
    expect([name, traces.filter((trace) => bytes.includes(trace))]).toEqual([name, []]);
  }
});
