import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import {
  createScriptInjectionFiles,
  createScriptInjectionMedia,
  type HostileFile,
} from '../support/hostile/hostileFiles.ts';
import { MediaConversationPage } from './pages/MediaConversationPage.ts';
import { createFriends, type CastMember } from './support/cast.ts';
import { setUpJourney, getUrlWithoutServiceWorker } from './support/journey.ts';
import { waitUntilVisible, waitForExpectation } from './support/waitFor.ts';
import { en } from './support/words.ts';

/* Checks that no script in any upload runs: neither at its own address nor in the app. */

const { story, openPage, url } = setUpJourney(getUrlWithoutServiceWorker);

/** Scripts that run send a request here, to another origin. */
const requests: string[] = [];
const canary = createServer((request, response) => {
  requests.push(request.url ?? '');
  response.writeHead(200, { 'access-control-allow-origin': '*' }).end();
});
let script = '';

beforeAll(async () => {
  canary.listen(0, '127.0.0.1');
  await once(canary, 'listening');
  const { port } = canary.address() as AddressInfo;
  // Scripts also request their own site, because a policy might keep a running script from the other one.
  const addresses = `["http://127.0.0.1:${port}/ran","/ran"]`;
  script = `for(const a of ${addresses})try{fetch(a);new Image().src=a}catch{}`;
});
afterAll(() => {
  canary.close();
  canary.closeAllConnections();
});

interface Sent extends HostileFile {
  id: string;
  path: string;
  kind: string;
}

async function send({ user }: CastMember, conversationId: string, file: HostileFile): Promise<Sent> {
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(file.bytes)], { type: file.type }), file.name);
  const stored = await user.api.request('POST', '/api/upload-media', { body: form });
  expect(stored.status).toBe(200);
  const { id, url: path, kind } = stored.body as { id: string; url: string; kind: string };
  const messageType = kind === 'image' || kind === 'video' ? kind : 'file';
  const message = { conversationId, content: '', messageType, fileUrl: path, fileName: file.name };
  expect((await user.api.post('/api/messages', message)).status).toBe(201);
  return { ...file, id, path, kind };
}

/** Tries every way in which a page could run the files. All attempts resolve without a result, whatever happens. */
const waysToRun = (paths: string[]) => `Promise.all(${JSON.stringify(paths)}.map(async (path) => {
  const ended = (element, name) => new Promise((done) => {
    element.onload = element.onerror = done;
    element[name] = path;
    document.body.append(element);
    // A policy refusal fires no event.
    setTimeout(done, 300);
  }).then(() => element.remove());
  const tag = (name, attribute) => ended(document.createElement(name), attribute);
  const quietly = async (work) => { try { await work(); } catch {} };
  const asWorker = (Kind) => new Promise((done) => {
    const worker = new Kind(path);
    (worker.port ?? worker).onmessage = worker.onerror = done;
    setTimeout(done, 300);
  });
  await Promise.all([
    ...[['script', 'src'], ['img', 'src'], ['video', 'src'], ['audio', 'src'], ['embed', 'src'], ['object', 'data'], ['iframe', 'src']]
      .map(([name, attribute]) => quietly(() => tag(name, attribute))),
    quietly(() => import(path)),
    quietly(() => asWorker(Worker)),
    quietly(() => asWorker(SharedWorker)),
    quietly(() => navigator.serviceWorker.register(path)),
    quietly(() => WebAssembly.instantiateStreaming(fetch(path))),
  ]);
})).then(() => undefined)`;

/** Opens the address as if following a link: it is shown, or becomes a download. */
async function openDirectly(page: Page, path: string): Promise<'shown' | 'downloaded'> {
  const download = page.waitForEvent('download').then(
    () => 'downloaded' as const,
    () => 'shown' as const,
  );
  const shown = page.goto(path).then(
    () => 'shown' as const,
    () => download,
  );
  return await shown;
}

story('no script in any file runs, at its own address or in the app', async () => {
  const { ada, ben, id } = await createFriends(url());
  const files: Sent[] = [];
  for (const file of [...createScriptInjectionFiles(script), ...(await createScriptInjectionMedia(script))])
    files.push(await send(ada, id, file));

  const visitor = await openPage({ as: ben.user, path: `/chat/${id}` });
  const { page, context } = visitor;
  const ran: string[] = [];
  const dialogs: string[] = [];
  context.on('request', (request) => {
    if (new URL(request.url()).pathname === '/ran') ran.push(request.url());
  });
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  const chat = new MediaConversationPage(page, ada.name);
  await waitUntilVisible(chat.file('page.html'), chat.file('drawing.svg'));

  // The app displays every file, and then tries it in every way that a page can run it.
  await page.evaluate(waysToRun(files.map(({ path }) => path)));
  // A file is only saved to disk.
  for (const name of ['page.html', 'drawing.svg']) {
    const download = page.waitForEvent('download');
    await chat.file(name).click();
    expect((await download).suggestedFilename()).toBe(name);
  }
  expect(new URL(page.url()).pathname).toBe(`/chat/${id}`);
  await page.getByRole('button', { name: en.conversation.toNewest }).click();
  await waitUntilVisible(chat.pictures(ada.name), chat.videos(ada.name), chat.file('a.wav'));

  // Each file is also opened directly.
  for (const { title, path, kind } of files) {
    const lone = await context.newPage();
    expect([title, await openDirectly(lone, path)]).toEqual([title, kind === 'file' ? 'downloaded' : 'shown']);
    await lone.close();
  }

  // A page that does run shows that this test would detect it.
  expect([ran, requests, dialogs]).toEqual([[], [], []]);
  // The policy must refuse here, and it did.
  expect(visitor.violations.splice(0)).not.toEqual([]);
  await page.evaluate(`{${script}}`);
  await waitForExpectation(() => expect(ran.length).toBeGreaterThan(0));
});
