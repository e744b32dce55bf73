import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { startGateway, type TestGateway } from './startGateway.ts';

let gateway: TestGateway;
const webDir = mkdtempSync(join(tmpdir(), 'nolo-web-'));
const script = `console.log("${'nolo '.repeat(1_000)}");\n`;
const page = '<!doctype html><title>Nolo</title><script type="module" src="/assets/index-1.js"></script>';

beforeAll(async () => {
  mkdirSync(join(webDir, 'assets'));
  mkdirSync(join(webDir, '.vite'));
  writeFileSync(join(webDir, 'index.html'), page);
  writeFileSync(join(webDir, 'assets/index-1.js'), script);
  writeFileSync(join(webDir, 'assets/index-1.js.br'), brotliCompressSync(script));
  writeFileSync(join(webDir, 'assets/index-1.js.gz'), gzipSync(script));
  writeFileSync(join(webDir, 'assets/late-1.js'), script);
  writeFileSync(join(webDir, 'assets/late-1.js.br'), brotliCompressSync('of another build'));
  utimesSync(join(webDir, 'assets/late-1.js.br'), 1, 1);
  writeFileSync(join(webDir, 'assets/index-1.js.map'), '{}');
  writeFileSync(join(webDir, '.vite/manifest.json'), '{}');
  writeFileSync(join(webDir, 'serviceWorker.js'), 'self;');
  gateway = await startGateway({ WEB_DIR: webDir });
});
afterAll(async () => {
  await gateway.stop();
  rmSync(webDir, { recursive: true });
});

/** Requests without fetch's automatic decompression. */
async function raw(path: string, headers: Record<string, string> = {}) {
  const { request } = await import('node:http');
  return new Promise<{ status: number; headers: Record<string, unknown>; body: Buffer }>((resolve, reject) => {
    request(new URL(path, gateway.url), { headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    })
      .on('error', reject)
      .end();
  });
}

const html = { accept: 'text/html,application/xhtml+xml' };

it.each(['/', '/chat/0190', '/group-chat/ABC234', '/payment/success'])(
  'answers %s with the one document',
  async (path) => {
    const { status, headers, body } = await raw(path, html);
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([
      200,
      'text/html; charset=utf-8',
      'no-cache',
    ]);
    expect(body.toString()).toBe(page);
  },
);

const conversation = '0190a5b2-3c4d-7e5f-8a9b-0c1d2e3f4a5b';
const signedIn = { ...html, cookie: 'other=1; nolo_signed_in=1' };

it('preloads the first requests of a conversation with the document, at distinct URLs', async () => {
  const { headers } = await raw(`/chat/${conversation}`, signedIn);
  const preloadedPaths = [
    `/api/conversations/${conversation}?early&content=sealed`,
    `/api/conversations/${conversation}/messages?limit=50&early&content=sealed`,
  ];
  expect(headers['link']).toBe(
    preloadedPaths.map((address) => `<${address}>; rel=preload; as=fetch; crossorigin=use-credentials`).join(', '),
  );
  expect(headers['vary']).toBe('Accept-Encoding, Cookie');
});

it.each([
  ['nobody is signed in', `/chat/${conversation}`, html],
  ['another page is requested', '/contacts', signedIn],
  ['the path is not that of a conversation', `/chat/${conversation}>; rel=preload, </x`, signedIn],
  ['it is not the document', '/assets/index-1.js', signedIn],
])('preloads nothing if %s', async (_, path, headers) => {
  expect((await raw(encodeURI(path), headers)).headers['link']).toBeUndefined();
});

it('caches assets forever, and revalidates everything else', async () => {
  expect((await raw('/assets/index-1.js')).headers['cache-control']).toBe('public, max-age=31536000, immutable');
  const worker = await raw('/serviceWorker.js');
  expect([worker.headers['cache-control'], worker.headers['content-type']]).toEqual([
    'no-cache',
    'text/javascript; charset=utf-8',
  ]);
  expect((await raw('/serviceWorker.js', { 'if-none-match': String(worker.headers['etag']) })).status).toBe(304);
});

it('serves the compressed variants from the build, each with its own validator', async () => {
  const path = '/assets/index-1.js';
  const [plain, br, gzip] = await Promise.all(
    ['identity', 'br, gzip', 'gzip'].map((encoding) => raw(path, { 'accept-encoding': encoding })),
  );
  const encodings = [plain, br, gzip].map((one) => one?.headers['content-encoding']);
  expect(encodings).toEqual([undefined, 'br', 'gzip']);
  expect(brotliDecompressSync(br!.body).toString()).toBe(script);
  expect(gunzipSync(gzip!.body).toString()).toBe(script);
  expect(new Set([br, gzip, plain].map((one) => one?.headers['etag'])).size).toBe(3);
  expect(plain?.headers['vary']).toBe('Accept-Encoding');
});

it('ignores a compressed variant older than its file', async () => {
  const late = await raw('/assets/late-1.js', { 'accept-encoding': 'br' });
  expect([late.headers['content-encoding'], late.body.toString()]).toEqual([undefined, script]);
});

it.each([
  '/assets/missing.js',
  '/assets/index-1.js.map',
  '/assets/index-1.js.br',
  '/.vite/manifest.json',
  '/%2e%2e/package.json',
])('returns nothing for %s', async (path) => {
  expect((await raw(path, { accept: '*/*' })).status).toBe(404);
});

it('returns the document for anything like a page, and nothing outside its folder', async () => {
  expect((await raw('/..%2f..%2fetc/passwd', { accept: '*/*' })).body.toString()).toBe(page);
});

it('serves a new build once it is complete, and keeps the previous assets for open pages', async () => {
  const second = page.replace('index-1', 'index-2');
  rmSync(join(webDir, 'assets/index-1.js'));
  writeFileSync(join(webDir, 'index.html'), second);
  // The page's assets are not written yet.
  expect((await raw('/', html)).body.toString()).toBe(page);
  writeFileSync(join(webDir, 'assets/index-2.js'), 'second();');
  writeFileSync(join(webDir, 'serviceWorker.js'), 'self.second;');
  expect((await raw('/chat/0190', html)).body.toString()).toBe(second);
  expect((await raw('/serviceWorker.js')).body.toString()).toBe('self.second;');
  expect((await raw('/assets/index-2.js')).body.toString()).toBe('second();');
  expect((await raw('/assets/index-1.js')).status).toBe(200);

  rmSync(join(webDir, 'index.html'));
  expect((await raw('/', html)).body.toString()).toBe(second);
  writeFileSync(join(webDir, 'index.html'), second.replace('<title>Nolo', '<title>Nolo again'));
  expect((await raw('/', html)).body.toString()).toContain('Nolo again');
  // Assets of builds before the previous one are dropped.
  expect((await raw('/assets/index-1.js', { accept: '*/*' })).status).toBe(404);
});
