import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MediaConversationPage } from './pages/MediaConversationPage.ts';
import { listStoredMessages, waitUntilMessagesStored } from './support/browserStores.ts';
import { createFriends } from './support/cast.ts';
import { setUpJourney, getUrlWithoutServiceWorker } from './support/journey.ts';
import { aLargeFile } from './support/mediaFiles.ts';
import { waitUntilVisible, waitForExpectation } from './support/waitFor.ts';
import { en, enMedia } from './support/words.ts';

// Has its own browser, which reads the file from disk; a shared one would need it sent over.
const { story, openPage, url } = setUpJourney(getUrlWithoutServiceWorker, () => []);
const bytes = 105_000_000;
const sha256 = (data: Buffer) => createHash('sha256').update(data).digest('hex');

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nolo-upload-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Timeout for 105 MB, sent in parts from 100 MB on. The test forwards every byte. */
const timeoutMs = 90_000;

story('a large upload is paused and resumed, also after a reload, and what has arrived is not sent again', async () => {
  const { buffer } = aLargeFile('Archive.bin', bytes);
  const path = join(folder, 'Archive.bin');
  await writeFile(path, buffer);
  const { ada, ben, id } = await createFriends(url(), ['Is it ready?']);
  const [adas, bens] = await Promise.all([
    openPage({ as: ada.user, path: `/chat/${id}` }),
    openPage({ as: ben.user, path: `/chat/${id}` }),
  ]);
  const [adasChat, bensChat] = [
    new MediaConversationPage(adas.page, ben.name),
    new MediaConversationPage(bens.page, ada.name),
  ];
  await waitUntilVisible(adasChat.message('Is it ready?'), bensChat.message('Is it ready?'));

  // Four parts pass; the test holds the others.
  const [arrived, begun] = [new Set<string>(), [] as string[]];
  let open = false;
  const waiting: (() => void)[] = [];
  await adas.page.route('**/s3/uploads/**', async (route) => {
    const partPath = new URL(route.request().url()).pathname;
    begun.push(partPath);
    if (!open && begun.length > 4) await new Promise<void>((resolve) => waiting.push(resolve));
    await route.continue().catch(() => undefined);
  });
  adas.page.on('requestfinished', (request) => {
    if (request.method() === 'PUT') arrived.add(new URL(request.url()).pathname);
  });

  await adasChat.attach.click();
  const chooser = adas.page.waitForEvent('filechooser');
  await adasChat.choose(en.conversation.attachFile);
  await (await chooser).setFiles(path);
  await adasChat.sendFiles(1).click();
  // Each part passes through the test, which takes time on a busy machine.
  await waitForExpectation(() => expect(arrived.size).toBe(4), timeoutMs);
  await adas.page.getByRole('button', { name: enMedia.progress.pause }).click();
  await waitUntilVisible(adas.page.getByRole('button', { name: enMedia.progress.resume }));
  const before = new Set(arrived);
  await adas.page.reload();
  open = true;
  begun.length = 0;
  for (const go of waiting) go();

  await bensChat.file('Archive.bin').first().waitFor({ timeout: timeoutMs });
  expect(begun.filter((partPath) => before.has(partPath))).toEqual([]);
  await waitUntilMessagesStored(bens.page, 'Archive.bin');
  const sent = (await listStoredMessages(bens.page)).filter(({ messageType }) => messageType === 'file');
  expect(sent.map(({ fileName, fileSize }) => [fileName, fileSize])).toEqual([['Archive.bin', bytes]]);
  const headers = { authorization: `Bearer ${ben.user.api.token ?? ''}` };
  const reply = await fetch(new URL(sent[0]?.fileUrl ?? '', url()), { headers });
  expect(sha256(Buffer.from(await reply.arrayBuffer()))).toBe(sha256(buffer));
});
