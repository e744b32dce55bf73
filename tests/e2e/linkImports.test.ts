import type { Message } from '@nolo/api';
import { MediaConversationPage } from './pages/MediaConversationPage.ts';
import { Shell } from './pages/Shell.ts';
import { findSeriousAxeIssues } from './support/accessibility.ts';
import { listStoredMessages, waitUntilMessagesStored } from './support/browserStores.ts';
import { createFriends } from './support/cast.ts';
import { setUpJourney } from './support/journey.ts';
import { aPhoneVideo, aPhotograph } from './support/mediaFiles.ts';
import { startLocalSite } from './support/localSite.ts';
import { waitUntilHidden, waitUntilVisible, waitForExpectation } from './support/waitFor.ts';
import { en, enMedia, fillPlaceholders } from './support/words.ts';

const archive = Buffer.alloc(400_000, 'walks ');
let picture: Buffer = Buffer.alloc(0);
let film: Buffer = Buffer.alloc(0);
let broken = 0;
let moods = 0;
const site = startLocalSite((request, response) => {
  const whole = (type: string, bytes: Buffer) =>
    response.writeHead(200, { 'content-type': type, 'content-length': bytes.length }).end(bytes);
  if (request.url === '/Lighthouse.jpg') whole('image/jpeg', picture);
  else if (request.url === '/Waves.mp4') whole('video/mp4', film);
  // Present at the preview, missing at the fetch, and present again.
  else if (request.url === '/Moody.bin' && (moods += 1) !== 2) whole('application/octet-stream', archive);
  else if (request.url === '/Walks.bin') {
    response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': archive.length });
    // The rest is never sent.
    response.write(archive.subarray(0, 100_000));
    response.once('close', () => (broken += 1));
  } else {
    response.writeHead(404).end();
  }
});

const { story, openPage, url } = setUpJourney(site.url);

beforeAll(async () => {
  picture = (await aPhotograph('Lighthouse.jpg', '#3f5878')).buffer;
  film = (await aPhoneVideo('Waves.mp4')).buffer;
});

story('a file behind a link is inspected and fetched by the server while the user does something else', async () => {
  const { ada, ben, id } = await createFriends(url());
  const path = `/chat/${id}`;
  const [adas, bens] = await Promise.all([
    openPage({ as: ada.user, path }),
    openPage({ as: ben.user, path, device: 'phone' }),
  ]);
  const [adasChat, bensChat] = [
    new MediaConversationPage(adas.page, ben.name),
    new MediaConversationPage(bens.page, ada.name),
  ];
  const host = site.host();
  const dialog = adas.page.getByRole('dialog', { name: enMedia.link.title });
  const press = (name: string) => dialog.getByRole('button', { name, exact: true }).click();
  const submitLink = async (file: string): Promise<void> => {
    await dialog.getByRole('textbox', { name: enMedia.link.address }).fill(`http://${host}/${file}`);
    await press(enMedia.link.find);
  };
  const bring = async (file: string, caption = ''): Promise<void> => {
    await adasChat.attach.click();
    await adasChat.choose(en.conversation.attachLink);
    // A user who opens it has an address to paste.
    await waitUntilVisible(dialog.locator('input:focus'));
    await submitLink(file);
    await waitUntilVisible(dialog.getByText(file));
    if (caption !== '') await dialog.getByRole('textbox', { name: enMedia.link.caption }).fill(caption);
    await press(enMedia.link.send);
    await waitUntilHidden(dialog);
  };
  const stored = (): Promise<Message[]> => listStoredMessages(bens.page);
  const infoOf = async (messageType: string): Promise<object> => {
    const message = (await stored()).find((one) => one.messageType === messageType);
    return JSON.parse(message?.mediaInfo ?? '{}') as object;
  };

  await adasChat.attach.click();
  await adasChat.choose(en.conversation.attachLink);
  await submitLink('nothing');
  await waitUntilVisible(dialog.getByText(en.conversation.failure.linkUnreachable));
  await submitLink('Lighthouse.jpg');
  await waitUntilVisible(dialog.getByText('Lighthouse.jpg'));
  expect(await findSeriousAxeIssues(adas.page, 'a file behind a link', 'light')).toEqual([]);
  await dialog.getByRole('textbox', { name: enMedia.link.caption }).fill('From their site');
  await press(enMedia.link.send);
  await waitUntilHidden(dialog);
  await waitUntilVisible(bensChat.message('From their site'));
  const shown = bensChat.message('From their site').getByRole('button', { name: /^Open the picture/ });
  await waitForExpectation(async () => expect(await bensChat.isDrawn(shown)).toBe(true));
  // The bytes were never in the browser; the server created the placeholder that is shown until they arrive.
  expect(await infoOf('image')).toMatchObject({ type: 'image/jpeg', width: 1600, height: 1200 });
  expect(await infoOf('image')).toHaveProperty('thumbhash');

  // The browser created the preview picture of the video once it had arrived.
  await bring('Waves.mp4');
  const video = bensChat.videos(ada.name);
  await waitUntilVisible(video);
  await waitForExpectation(async () => expect(await bensChat.isDrawn(video)).toBe(true));
  expect(await infoOf('video')).toMatchObject({ type: 'video/mp4', width: 320, height: 240, duration: 2 });
  expect(await infoOf('video')).toHaveProperty('thumbhash');

  // A failure shows its reason and disappears on retry.
  await bring('Moody.bin', 'Perhaps');
  await waitUntilVisible(adasChat.messages.getByRole('alert').getByText(en.conversation.failure.linkUnreachable));
  await adasChat.messages.getByRole('button', { name: en.common.retry }).click();
  await waitUntilVisible(bensChat.file('Moody.bin'));

  // An unfinished transfer continues while the user is elsewhere, and can be canceled there too.
  const before = broken;
  await bring('Walks.bin');
  await waitUntilVisible(adasChat.progress);
  await new Shell(adas.page).link('contacts').click();
  await waitUntilHidden(adasChat.progress);
  await adas.page.goBack();
  await waitUntilVisible(adasChat.progress);
  await adasChat.sendText('It takes its time');
  await waitUntilVisible(bensChat.message('It takes its time'), adasChat.progress);
  // The preview request ended by itself.
  expect(broken).toBeLessThanOrEqual(before + 1);
  await adas.page
    .getByRole('button', { name: fillPlaceholders(enMedia.progress.cancel, { name: 'Walks.bin' }) })
    .click();
  await waitUntilHidden(adasChat.progress);
  await waitForExpectation(() => expect(broken).toBe(before + 2));
  await waitUntilMessagesStored(bens.page, 'It takes its time');
  expect((await stored()).map(({ messageType }) => messageType)).toEqual(['image', 'video', 'file', 'text']);
});
