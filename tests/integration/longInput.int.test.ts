import { request as httpRequest } from 'node:http';
import { clientEventLimits, clientEvents, routes, type ClientEventName, type Route, type RouteName } from '@nolo/api';
import { signUpByPhone, type TestUser } from '@nolo/testing';
import { readCpuMs } from '../load/support/measure.ts';
import { createLongInputs, slowTextPieces } from '../support/hostile/longInput.ts';
import { startTestStack, type TestStack } from '../support/stacks/testStack.ts';

/**
 * Sends every external text at the maximum length that its path allows: each field of each body, query and path, each
 * part of a form, each header that is read, each field of each frame. None of them may keep a process busy.
 */

const services = [
  'gateway',
  'identity',
  'chat',
  'files',
  'meetings',
  'status',
  'social-scheduler',
  'billing',
  'notifications',
  'media-sfu',
] as const;

/** Maximum CPU per request in milliseconds, over all processes, and an allowance for what they do by themselves. */
const maxCpuMsPerRequest = 60;
const spareMs = 400;

/** Node accepts 16 KiB of address and headers together. */
const longestAddress = 15_000;
const megabyte = 1_048_576;

let running: TestStack;
let user: TestUser;
let used: () => number;

beforeAll(async () => {
  running = await startTestStack({
    media: 1,
    social: true,
    billing: true,
    webhooks: true,
    env: { MEDIA_WORKERS: '1' },
  });
  const pids = services.map((name) => running.stack.service(name).pid!);
  used = () => pids.reduce((sum, pid) => sum + readCpuMs(pid), 0);
  user = await signUpByPhone(running.urls[0]!);
});
afterAll(() => running?.stop());

/** Returns a valid token, because some routes end sessions. */
async function token(): Promise<string> {
  if ((await user.api.get('/api/auth/user')).status !== 200) user = await signUpByPhone(running.urls[0]!);
  return user.api.token ?? '';
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

function send(method: string, path: string, headers: Record<string, string>, body?: string | Buffer): Promise<Answer> {
  const { hostname, port } = new URL(running.urls[0]!);
  // Node names no length for bodies of DELETE by itself.
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  return new Promise((resolve, reject) => {
    const all = { connection: 'close', ...length, ...headers };
    const request = httpRequest({ hostname, port, method, path, headers: all });
    request.once('error', reject);
    request.once('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (part: Buffer) => chunks.push(part));
      response.once('error', reject);
      response.once('end', () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }));
    });
    request.end(body);
  });
}

/** Expects a refusal with a code and a sentence, as the client's fault. */
function expectRefusal({ status, text }: Answer, what: string): { code: string; message: string } {
  if (status < 400 || status >= 500) throw new Error(`${what} was answered with ${status}: ${text.slice(0, 300)}`);
  // Node's own answer to input that is longer than it reads.
  if (text === '') return { code: String(status), message: '' };
  const reply = JSON.parse(text) as { code: string; message: string };
  expect(reply).toMatchObject({ code: expect.any(String), message: expect.stringMatching(/./) });
  expect(text.length).toBeLessThan(4_096);
  return reply;
}

/** Runs the work and compares its cost with the limit for this many requests. */
async function expectCheap(requests: number, work: () => Promise<void>): Promise<void> {
  const before = used();
  await work();
  const ms = used() - before;
  expect(ms).toBeLessThan(spareMs + requests * maxCpuMsPerRequest);
}

const repeated = (piece: string, length: number) => piece.repeat(Math.floor(length / piece.length));
/** Returns a different piece for each field. */
let turn = 0;
const nextPiece = () => slowTextPieces[turn++ % slowTextPieces.length]!;

const addressOf = (route: Route, params: Readonly<Record<string, string>> = {}, query = '') =>
  route.path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? 'x') + query;

const withTexts = (Object.entries(routes) as [RouteName, Route][]).filter(
  ([, { params, query, body }]) => params ?? query ?? body,
);

describe.each(withTexts)('the route %s', (_name, route) => {
  test('rejects each text that is too long at little cost', async () => {
    const authorization = `Bearer ${await token()}`;
    const json = { authorization, 'content-type': 'application/json' };
    if (route.limit) await running.forgetLimits(route.limit);
    const maxBodyBytes = route.bodyBytes ?? 262_144;
    const requests: { what: string; field: string; run: () => Promise<Answer> }[] = [];
    const method = route.method;
    for (const { field, value } of route.params ? createLongInputs(route.params, repeated(nextPiece(), 2_500)) : []) {
      const given = (value as Record<string, string>)[field]!;
      const path = addressOf(route, { [field]: encodeURIComponent(given).slice(0, longestAddress) });
      requests.push({ what: `the path's ${field}`, field, run: () => send(method, path, json) });
    }
    for (const { field, value } of route.query ? createLongInputs(route.query, repeated(nextPiece(), 2_500)) : []) {
      for (const length of [12_000, longestAddress]) {
        const query = new URLSearchParams(value as Record<string, string>).toString().slice(-length);
        const path = addressOf(route, {}, `?${field}=${query.slice(query.indexOf('=') + 1)}`);
        requests.push({ what: `the query's ${field}`, field, run: () => send(method, path, json) });
      }
    }
    const piece = nextPiece();
    const bytesOf = (length: number) => repeated(piece, length / Buffer.byteLength(piece));
    for (const { field, value } of route.body ? createLongInputs(route.body, bytesOf(maxBodyBytes / 2)) : []) {
      const body = JSON.stringify(value);
      const path = addressOf(route);
      requests.push({ what: `the body's ${field}`, field, run: () => send(method, path, json, body) });
    }
    if (route.body) {
      const body = JSON.stringify({ text: 'x'.repeat(megabyte) });
      const run = () => send(method, addressOf(route), json, body);
      if (maxBodyBytes < megabyte) requests.push({ what: 'a megabyte', field: '', run });
    }
    await expectCheap(requests.length, async () => {
      for (const { what, field, run } of requests) {
        const answer = await run();
        const { code, message } = expectRefusal(answer, what);
        // The sentence starts with the wrong field, at whatever stage it was checked.
        if (code === 'invalid_input') expect(message).toContain(':');
        if (answer.status === 429) throw new Error(`${what} (${field}) was not looked at: ${message}`);
      }
    });
  });
});

describe('long texts in forms', () => {
  const end = '\r\n--edge--\r\n';
  const part = (disposition: string, type = 'image/png', value = '0123456789') =>
    `--edge\r\nContent-Disposition: form-data; ${disposition}\r\nContent-Type: ${type}\r\n\r\n${value}\r\n`;
  const long = 'a'.repeat(15_000);

  const chunks = (file: string): [string, string][] => [
    ['the name of a file', part(`name="${file}"; filename="${long}"`)],
    ['the name of a file in UTF-8', part(`name="${file}"; filename*=UTF-8''${'%CC%81'.repeat(2_500)}`)],
    ['the media type of a file', part(`name="${file}"; filename="a"`, `image/${long}`)],
    ['the name of a field', part(`name="${long}"`)],
    [
      'the value of a field',
      `--edge\r\nContent-Disposition: form-data; name="name"\r\n\r\n${'x'.repeat(megabyte)}\r\n`,
    ],
  ];
  test.each([
    ['/api/upload-media', 'file'],
    ['/api/social/multipost', 'image_0'],
  ])('are rejected at %s', async (path, field) => {
    const headers = {
      authorization: `Bearer ${await token()}`,
      'content-type': 'multipart/form-data; boundary=edge',
    };
    const all = chunks(field);
    await expectCheap(all.length, async () => {
      for (const [what, body] of all) {
        const { code, message } = expectRefusal(await send('POST', path, headers, body + end), what);
        expect({ what, code, message }).toMatchObject({
          code: 'form_invalid',
          message: expect.stringMatching(/long|than/),
        });
      }
    });
  });
});

describe('long texts in headers', () => {
  const headers = [
    'accept',
    'accept-encoding',
    'accept-language',
    'authorization',
    'content-type',
    'if-none-match',
    'if-range',
    'origin',
    'range',
    'referer',
    'sec-fetch-site',
    'sec-websocket-extensions',
    'sec-websocket-protocol',
    'traceparent',
    'user-agent',
    'x-forwarded-for',
    'x-unheard-of',
  ];
  const paths = ['/api/auth/user', '/api/features', '/objects/0190a5f4-7d3e-7000-8000-000000000001', '/', '/ws'];

  const asUpgrade = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
    'sec-websocket-version': '13',
  };

  test.each(headers)('cost little in %s', async (header) => {
    const texts = [' ', ',', 'a;', '%'].map((piece) => `a${repeated(piece, longestAddress - 1_000)}a`);
    await expectCheap(paths.length * texts.length, async () => {
      for (const path of paths) {
        for (const text of texts) {
          const upgrade = path === '/ws' ? asUpgrade : {};
          const answer = await send('GET', path, { ...upgrade, [header]: text });
          expect(expectRefusal(answer, `${header} of ${path}`)).toMatchObject({
            code: 'header_too_long',
            message: expect.stringContaining(header),
          });
        }
      }
    });
  });
});

test('long cookies are ignored, and searched at little cost', async () => {
  const texts = [' ', ',', 'a;', '%', '=', ';=', 'a=%41;'].map((piece) => repeated(piece, longestAddress - 1_000));
  const paths = ['/api/features', '/api/auth/user', '/objects/0190a5f4-7d3e-7000-8000-000000000001'];
  await expectCheap(paths.length * texts.length, async () => {
    for (const path of paths) {
      for (const text of texts) expect((await send('GET', path, { cookie: text })).status).toBeLessThan(431);
    }
  });
});

describe.each(Object.keys(clientEvents) as ClientEventName[])('the frame %s', (name) => {
  test('rejects each text that is too long at little cost', async () => {
    await token();
    await running.forgetLimits('socketsPerUser');
    const maxBodyBytes = clientEventLimits[name].bytes;
    const inputs = createLongInputs(clientEvents[name], 'a'.repeat(Math.max(1_100, maxBodyBytes - 1_000)));
    await expectCheap(inputs.length, async () => {
      for (const { value } of inputs) {
        const socket = await user.connectSocket();
        await socket.next('hello');
        socket.send(name, value as Record<string, unknown>, 'long');
        expect(await socket.next('error')).toMatchObject({ data: { code: expect.any(String) } });
        await socket.close();
      }
    });
  });
});
