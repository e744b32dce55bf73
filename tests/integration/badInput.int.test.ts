import { request as httpRequest } from 'node:http';
import { clientEvents, routes, type ClientEventName, type Route, type RouteName } from '@nolo/api';
import { eventually, signUpByPhone, type Json, type TestSocket, type TestUser } from '@nolo/testing';
import fc from 'fast-check';
import { WebSocket } from 'ws';
import { openAcceptedConversation, must, sendMessage } from '../support/authorization/authorizationCast.ts';
import {
  toBodyText,
  toQueryText,
  toPathSegment,
  stringifyHostileValue,
  createHostileValueArbitrary,
  createSchemaValueArbitrary,
} from '../support/hostile/hostileInput.ts';
import { enterMeetingBySocket, testRtpCapabilities } from '../support/authorization/meetingCast.ts';
import { startTestStack, type TestStack } from '../support/stacks/testStack.ts';

/**
 * Identical requests in every run, so that a failure points to the change and not to luck. For others, as many as time
 * allows: NOLO_FUZZ_SEED=$RANDOM NOLO_FUZZ_TIMES=10 npm test integration --pattern badInput.
 */
const seed = Number(process.env['NOLO_FUZZ_SEED'] ?? 1);
const times = Number(process.env['NOLO_FUZZ_TIMES'] ?? 1);
const requestsPerRoute = 6 * times;
const framesInAll = 450 * times;

const services = [
  'gateway',
  'identity',
  'chat',
  'files',
  'meetings',
  'social-scheduler',
  'billing',
  'media-sfu',
] as const;

let running: TestStack;
let baseUrl: string;
let bystander: TestUser;
let witness: TestSocket;
let known: string[];
/** Documented responses of the OpenAPI document, by path and method. */
let foreseen: Json;
let pids: (number | undefined)[];

beforeAll(async () => {
  running = await startTestStack({ media: 1, social: true, billing: true, env: { MEDIA_WORKERS: '1' } });
  baseUrl = running.urls[0]!;
  bystander = await signUpByPhone(baseUrl);
  const other = await signUpByPhone(baseUrl);
  const conversationId = await openAcceptedConversation(bystander, other);
  known = [
    bystander.id,
    other.id,
    conversationId,
    (await sendMessage(bystander, conversationId, 'hello')).id as string,
  ];
  witness = await bystander.connectSocket();
  await witness.next('hello');
  const { roomCode } = must(await bystander.api.post('/api/meetings/create', { name: 'A meeting' }), 'A meeting').body;
  const room = await enterMeetingBySocket(witness, roomCode as string, { rtpCapabilities: testRtpCapabilities });
  known.push(roomCode as string, room.participant.id as string, room.media.sendTransport.id as string);
  foreseen = (await bystander.api.get('/api/openapi.json')).body.paths;
  pids = services.map((name) => running.stack.service(name).pid);
});

afterAll(async () => {
  await bystander?.disconnect();
  await running?.stop();
});

/** Expects that nothing went down, not even briefly: the same processes, and a socket that was open all the time. */
async function expectUnharmed(): Promise<void> {
  expect((await witness.request('ping')).type).toBe('ack');
  expect((await bystander.api.get('/api/auth/user')).status).toBe(200);
  expect(services.map((name) => running.stack.service(name).pid)).toEqual(pids);
}

interface Answer {
  status: number;
  type: string;
  body: string;
}

/** Sends without fetch, which would normalize addresses. */
function send(method: string, path: string, headers: Record<string, string>, body?: string | Buffer): Promise<Answer> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    const request = httpRequest({ hostname, port, method, path, headers: { ...headers, connection: 'close' } });
    request.once('error', reject);
    request.once('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (part: Buffer) => chunks.push(part));
      response.once('error', reject);
      response.once('end', () => {
        const type = response.headers['content-type'] ?? '';
        resolve({ status: response.statusCode ?? 0, type, body: Buffer.concat(chunks).toString() });
      });
    });
    request.end(body);
  });
}

/** Returns what is wrong with an answer, or undefined. */
function faultOf({ status, type, body }: Answer): string | undefined {
  // A feature that is not configured here is not a fault, whatever the input.
  if (status >= 500 && !(status === 501 && body.includes('"sts_not_configured"'))) return `${status}: ${body}`;
  if (status < 400) return undefined;
  if (!type.startsWith('application/json')) return `${status} as ${type}: ${body.slice(0, 200)}`;
  const { code, message } = JSON.parse(body) as { code?: unknown; message?: unknown };
  return typeof code === 'string' && typeof message === 'string' && message !== '' ? undefined : `${status}: ${body}`;
}

let traveller: TestUser | undefined;
let walked = 0;

/** Returns a user for a few routes, unless one of them ends the session. */
async function newcomer(): Promise<TestUser> {
  const worn = walked++ % 4 === 0;
  if (!worn && traveller !== undefined && (await traveller.api.get('/api/auth/user')).status === 200) return traveller;
  return (traveller = await signUpByPhone(baseUrl));
}

describe.each(Object.keys(routes) as RouteName[])('the route %s', (name) => {
  const route: Route = routes[name];

  it('survives any input, and explains what is wrong with it', async () => {
    const { token } = (await newcomer()).api;
    const part = (schema: Route['body']) =>
      schema ? createSchemaValueArbitrary(schema, known) : createHostileValueArbitrary(known);
    const spoil = fc.nat({ max: 30 });
    const types = fc.oneof(
      { weight: 8, arbitrary: fc.constant('application/json') },
      {
        weight: 1,
        arbitrary: fc.constantFrom('text/plain', 'application/json; charset=utf-16', 'a', '*/*', 'multipart/form-data'),
      },
    );
    const input = fc.record({
      segment: part(route.params),
      query: part(route.query),
      body: part(route.body),
      spoils: fc.tuple(spoil, spoil, spoil),
      type: types,
      bare: fc.boolean(),
      signedIn: fc.integer({ min: 0, max: 3 }).map((pick) => route.access === 'session' || pick > 0),
    });
    await fc.assert(
      fc.asyncProperty(input, async ({ segment, query, body, spoils, type, bare, signedIn }) => {
        const path = route.path.replace(/\{(\w+)\}/g, (_, key: string) => {
          const named = typeof segment === 'object' && segment !== null && Object.hasOwn(segment, key);
          return toPathSegment(named ? (segment as Record<string, unknown>)[key] : segment, spoils[0]);
        });
        // Sometimes sends a query or body even if the route expects none.
        const search = route.query || !bare ? `?${toQueryText(query, spoils[1])}` : '';
        const text = route.body || (!bare && route.method !== 'GET') ? toBodyText(body, spoils[2]) : undefined;
        const headers: Record<string, string> = signedIn ? { authorization: `Bearer ${token ?? ''}` } : {};
        if (text !== undefined) {
          headers['content-type'] = route.bodyType ?? type;
          headers['content-length'] = String(Buffer.byteLength(text));
        }
        const answer = await send(route.method, path + search, headers, text);
        const documented = Object.hasOwn(foreseen[route.path][route.method.toLowerCase()].responses, answer.status);
        // Skips addresses that, with their filled-in or missing values, do not match the route.
        const elsewhere =
          /\/(?:\/|$)/.test(path) || /"(route_not_found|invalid_path|method_not_allowed)"/.test(answer.body);
        const fault =
          faultOf(answer) ?? (documented || elsewhere ? undefined : `${answer.status}, which is not documented`);
        if (fault !== undefined) throw new Error(`${route.method} ${path}${search} was answered with ${fault}`);
      }),
      { numRuns: requestsPerRoute, seed, endOnFailure: true },
    );
    await expectUnharmed();
  });
});

describe('sockets with hostile input', () => {
  /** Number of frames that one socket may send at once without being throttled. */
  const perSocket = 45;

  function frames(): (string | Buffer)[] {
    const event = (name: ClientEventName) =>
      createSchemaValueArbitrary(clientEvents[name], known).map((data) =>
        stringifyHostileValue({ type: name, id: 'x', data }),
      );
    const arbitrary: fc.Arbitrary<string | Buffer> = fc.oneof(
      ...(Object.keys(clientEvents) as ClientEventName[]).map(event),
      fc
        .tuple(
          createHostileValueArbitrary(known),
          createHostileValueArbitrary(known),
          createHostileValueArbitrary(known),
        )
        .map(([type, id, data]) => stringifyHostileValue({ type, id, data })),
      createHostileValueArbitrary(known).map(stringifyHostileValue),
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.uint8Array({ maxLength: 500 }).map((bytes) => Buffer.from(bytes)),
      fc
        .nat({ max: 60 })
        .map((end) => '{"type":"join_conversation","id":"1","data":{"conversationId":"x"}}'.slice(0, end)),
    );
    return fc.sample(arbitrary, { numRuns: framesInAll, seed });
  }

  /** Returns the close code, or undefined if the socket was still open after everything was sent. */
  async function pour(user: TestUser, bytes: readonly (string | Buffer)[], raw = false): Promise<number | undefined> {
    const url = new URL('/ws', baseUrl);
    url.protocol = 'ws:';
    const socket = new WebSocket(url, { headers: { authorization: `Bearer ${user.api.token ?? ''}` } });
    let closed: number | undefined;
    let lastPong = false;
    socket.on('error', () => undefined);
    socket.on('close', (code) => (closed = code));
    socket.on('message', (data: Buffer) => {
      const frame = JSON.parse(data.toString()) as { id?: string };
      if (frame.id === 'the last') lastPong = true;
    });
    await new Promise((resolve, reject) => {
      socket.once('open', resolve);
      socket.once('error', reject);
    });
    for (const one of bytes) {
      if (socket.readyState !== WebSocket.OPEN) break;
      if (raw) (socket as unknown as { _socket: { write(data: Buffer): void } })._socket.write(Buffer.from(one));
      else socket.send(one);
    }
    if (!raw && socket.readyState === WebSocket.OPEN) socket.send('{"type":"ping","id":"the last"}');
    // Garbage below the frame layer may leave the server waiting for the rest of a frame, which is correct.
    if (!raw) await eventually(() => closed !== undefined || lastPong);
    socket.terminate();
    return closed;
  }

  it(`answer ${framesInAll} mangled frames or close, and keep working`, async () => {
    const all = frames();
    const codes: (number | undefined)[] = [];
    for (let start = 0; start < all.length;) {
      // Sockets per account are limited too, and so is what they send together.
      const user = await signUpByPhone(baseUrl);
      for (let sockets = 0; sockets < 5 && start < all.length; sockets += 1, start += perSocket) {
        codes.push(await pour(user, all.slice(start, start + perSocket)));
      }
      await expectUnharmed();
    }
    // Oversized, not UTF-8, misbehaving, or another's name: any other close code is a crash.
    const expected = new Set([undefined, 1007, 1009, 4003, 4009]);
    expect(codes.filter((code) => !expected.has(code))).toEqual([]);
  });

  it('survive bytes that are no frames at all', async () => {
    const garbage = fc.sample(fc.uint8Array({ minLength: 1, maxLength: 2_000 }), { numRuns: 40, seed });
    const user = await signUpByPhone(baseUrl);
    for (const bytes of garbage) await pour(user, [Buffer.from(bytes)], true);
    await expectUnharmed();
  });
});
