import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import type { Message, StatusUpdate } from '@nolo/api';
import { parseAccountExport } from '@nolo/testing';
import { reverseText } from '../../packages/client/tests/reverseText.ts';
import { projectRoot } from '../../scripts/paths.ts';
import { ChatsPage } from './pages/ChatsPage.ts';
import { ConversationPage } from './pages/ConversationPage.ts';
import { SearchPage } from './pages/SearchPage.ts';
import { StatusPage } from './pages/StatusPage.ts';
import {
  readOpenedText,
  readStoredText,
  waitForServiceWorker,
  waitUntilMessagesStored,
} from './support/browserStores.ts';
import { createFriends } from './support/cast.ts';
import { setUpJourney } from './support/journey.ts';
import { startOwnGateway } from './support/ownGateway.ts';
import { waitForExpectation, waitUntilVisible } from './support/waitFor.ts';
import { enChatExport, enMessages, enStatus } from './support/words.ts';

/* The app is built with a codec that reverses every text (ADR 39). Screens show the original ones. */

let app = '';
beforeAll(async () => {
  app = await mkdtemp(join(tmpdir(), 'nolo-reversing-'));
  const script = join(projectRoot, 'tests/e2e/reversing/buildReversingWeb.ts');
  await promisify(execFile)(process.execPath, [script, app], { cwd: join(projectRoot, 'web') });
}, 600_000);
afterAll(() => rm(app, { recursive: true, force: true }));
const own = startOwnGateway(() => ({ env: { WEB_DIR: app } }));
const { story, openPage, url } = setUpJourney(own.url);

const text = 'Amber lanterns over the quay';
const edited = 'Bronze lanterns under the bridge';
const answer = 'Copper kettles in the attic';
const draft = 'Dusty maps on the';
const live = 'Emerald evening by the lake';
const open = /Amber|lanterns|Copper|kettles|Dusty|maps on|Emerald|evening/;

story('contents are open on the screens only, live and offline', async () => {
  const { ada, ben, id } = await createFriends(url());
  const adas = await openPage({ as: ada.user, path: `/chat/${id}`, installs: true });
  const bens = await openPage({ as: ben.user, path: `/chat/${id}` });
  const [adasChat, bensChat] = [new ConversationPage(adas.page, ben.name), new ConversationPage(bens.page, ada.name)];

  await adasChat.sendText(text);
  await waitUntilVisible(bensChat.message(text));
  await adasChat.edit(text, edited);
  await waitUntilVisible(bensChat.message(edited));
  await bensChat.openMenu(edited);
  await bensChat.choose(enMessages.star);
  await bensChat.reply(edited, answer);
  await waitUntilVisible(adasChat.quote(answer).filter({ hasText: edited }));
  await waitUntilVisible(new ChatsPage(adas.page).row(ben.name).filter({ hasText: answer }));
  await bens.page.goto('/starred');
  const stars = bens.page.getByRole('list', { name: enMessages.starred.title });
  await waitUntilVisible(stars.getByRole('link').filter({ hasText: edited }));
  await bens.page.goto('/search?q=bridge');
  await waitUntilVisible(new SearchPage(bens.page).found.filter({ hasText: edited }));

  // A simple client gets closed rows, as the server stores them.
  const { body } = await ada.user.api.get<Message[]>(`/api/conversations/${id}/messages`);
  expect(body.map(({ content, encryption }) => [content, encryption])).toEqual([
    ['', 'epochs'],
    ['', 'epochs'],
  ]);

  const frames: string[] = [];
  adas.page.on('websocket', (socket) => {
    socket.on('framereceived', ({ payload }) => frames.push(String(payload)));
    socket.on('framesent', ({ payload }) => frames.push(String(payload)));
  });
  await waitForServiceWorker(adas.page);
  await waitUntilVisible(adasChat.message(answer));
  await bens.page.goto(`/chat/${id}`);
  await bensChat.sendText(live);
  await waitUntilVisible(adasChat.message(live));
  await waitForExpectation(() => expect(frames.join()).toContain('"encryption":"epochs"'));
  expect(open.exec(frames.join())?.[0]).toBeUndefined();

  await adasChat.composer.fill(draft);
  await waitUntilMessagesStored(adas.page, edited, answer, live);
  await waitForExpectation(async () => expect(await readOpenedText(adas.page)).toContain(draft));
  for (const { page, context } of [adas, bens]) {
    expect(open.exec(await readStoredText(page, context))?.[0]).toBeUndefined();
    expect(await readOpenedText(page)).toContain(edited);
  }

  await adas.context.setOffline(true);
  await adas.page.reload();
  await waitUntilVisible(adasChat.message(answer), adasChat.message(live));
  await waitUntilVisible(adasChat.quote(answer).filter({ hasText: edited }));
  expect(await adasChat.composer.inputValue()).toBe(draft);
  await adas.context.setOffline(false);
});

story('a status and an exported chat are open for people, and sealed on the server', async () => {
  const { ada, ben, id } = await createFriends(url());
  const adas = await openPage({ as: ada.user, path: '/status' });
  const bens = await openPage({ as: ben.user, path: '/status' });
  const [adasStatus, bensStatus] = [new StatusPage(adas.page), new StatusPage(bens.page)];
  await adas.page.getByRole('button', { name: enStatus.first }).click();
  await adasStatus.text.fill(text);
  await adasStatus.post.click();
  await waitUntilVisible(adasStatus.own);
  await bensStatus.author(ada.name).click();
  await waitUntilVisible(bensStatus.viewing(ada.name).getByText(text));
  const { body } = await ben.user.api.get<{ contacts: { statuses: StatusUpdate[] }[] }>('/api/status-updates');
  expect(JSON.stringify(body)).toContain(reverseText(text));
  expect(open.exec(JSON.stringify(body))?.[0]).toBeUndefined();

  // Chromium then downloads the archive, and opens no window that asks where to save it.
  await adas.context.addInitScript('delete window.showSaveFilePicker');
  await adas.page.goto(`/chat/${id}`);
  const adasChat = new ConversationPage(adas.page, ben.name);
  await adasChat.sendText(answer);
  await waitUntilVisible(adasChat.deliveryIcon(answer, 'sent').or(adasChat.deliveryIcon(answer, 'delivered')));
  await adasChat.info.click();
  await adas.page.getByRole('button', { name: enChatExport.title }).click();
  const downloading = adas.page.waitForEvent('download');
  await adas.page.getByRole('dialog').getByRole('button', { name: enChatExport.begin, exact: true }).click();
  const { files } = parseAccountExport(await buffer(await (await downloading).createReadStream()));
  const exported = Object.values(files).map((bytes) => Buffer.from(bytes).toString());
  expect(exported.join()).toContain(answer);
  expect(exported.join()).not.toContain(reverseText(answer));
});
