import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { signUpByPhone, type TestUser } from '@nolo/testing';
import { projectRoot } from '../../scripts/paths.ts';
import { setUpJourney } from './support/journey.ts';
import { localLinksGatewayModule } from './support/localSite.ts';
import { startOwnGateway } from './support/ownGateway.ts';
import { pieceBytes, createSeededPiece } from './uppy/seededBytes.ts';

/* The specification of uploads is Uppy's protocol, so Uppy itself tests the implementation. */

const film = Buffer.from(createSeededPiece(7));
const site = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': film.length }).end(film);
});

let pages = '';
// The page is served like the app, with its policy, and links only lead to this machine.
const own = startOwnGateway(async () => {
  pages = await mkdtemp(join(tmpdir(), 'nolo-uppy-'));
  const vite = join(projectRoot, 'node_modules/vite/bin/vite.js');
  const source = join(projectRoot, 'tests/e2e/uppy');
  await promisify(execFile)(process.execPath, [vite, 'build', source, '--outDir', pages, '--emptyOutDir']);
  return { env: { WEB_DIR: pages }, module: localLinksGatewayModule };
});
const { story, openPage, url } = setUpJourney(own.url);

beforeAll(async () => {
  site.listen(0, '127.0.0.1');
  await once(site, 'listening');
});
afterAll(async () => {
  site.close();
  site.closeAllConnections();
  await rm(pages, { recursive: true, force: true });
});

interface Uploaded {
  url: string;
  parts: number;
}

/** Opens the page for a new user. Calls to `ask` keep running until they are awaited. */
async function atUppy() {
  const user = await signUpByPhone(url());
  const { page } = await openPage({ as: user, path: '/' });
  await page.waitForFunction('globalThis.upload');
  const evaluate = <T>(expression: string) => page.evaluate<T>(expression);
  return { user, page, ask: evaluate };
}

async function digestOf(user: TestUser, path: string): Promise<string> {
  const headers = { authorization: `Bearer ${user.api.token ?? ''}` };
  const reply = await fetch(new URL(path, url()), { headers });
  expect(reply.status).toBe(200);
  const hash = createHash('sha256');
  for await (const chunk of reply.body ?? []) hash.update(chunk as Uint8Array);
  return hash.digest('hex');
}

story('106 MB arrive intact although the gateway is killed twice on the way', async () => {
  // Uppy sends in parts from 100 MiB on.
  const pieces = 106;
  const { user, page, ask: evaluate } = await atUppy();
  const refused: string[] = [];
  page.on('requestfailed', (request) => refused.push(request.url()));
  const uploaded = evaluate<Uploaded>(`upload('large.bin', ${pieces})`);
  // The test awaits this later; until then its failure must not become an unhandled rejection.
  uploaded.catch(() => undefined);
  const gateway = own.unit();
  for (const share of [0.3, 0.65]) {
    await Promise.race([evaluate(`until(${share})`), uploaded]);
    const before = refused.length;
    await gateway.kill();
    await gateway.ready();
    expect(refused.length).toBeGreaterThan(before);
  }
  const { url: location, parts } = await uploaded;
  expect(location).toMatch(/^\/objects\//);
  expect(parts).toBe(Math.ceil((pieces * pieceBytes) / (5 * 1024 * 1024)));
  const expected = createHash('sha256');
  for (let index = 0; index < pieces; index += 1) expected.update(createSeededPiece(index));
  expect(await digestOf(user, location)).toBe(expected.digest('hex'));
  const { body } = await user.api.get(`/api/files/${location.split('/').at(-1) ?? ''}`);
  expect(body).toMatchObject({ name: 'large.bin', size: pieces * pieceBytes, kind: 'file' });
});

story('a small file is sent in one piece, and a file behind a link is imported', async () => {
  const { user, ask: evaluate } = await atUppy();
  const { url: small } = await evaluate<Uploaded>(`upload('small.bin', 2)`);
  const finished = await user.api.post(`/api/files/${small.split('/').at(-1) ?? ''}/finish`);
  expect(finished).toMatchObject({ status: 200, body: { name: 'small.bin', size: 2 * pieceBytes } });
  const expected = createHash('sha256').update(createSeededPiece(0)).update(createSeededPiece(1));
  expect(await digestOf(user, small)).toBe(expected.digest('hex'));

  const { port } = site.address() as AddressInfo;
  const { url: location } = await evaluate<Uploaded>(`importLink('http://127.0.0.1:${port}/films/film.mp4')`);
  expect(location).toMatch(/^\/objects\//);
  expect(await digestOf(user, location)).toBe(createHash('sha256').update(film).digest('hex'));
  const { body } = await user.api.get(`/api/files/${location.split('/').at(-1) ?? ''}`);
  expect(body).toMatchObject({ name: 'film.mp4', size: film.length });
});
