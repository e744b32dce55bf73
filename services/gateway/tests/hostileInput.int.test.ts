import { routes, type Route, type RouteName } from '@nolo/api';
import { TestSocket, type TestUser } from '@nolo/testing';
import fc from 'fast-check';
import { startTestGateway, type TestGateway } from './startTestGateway.ts';

let gateway: TestGateway;
let user: TestUser;

beforeAll(async () => {
  gateway = await startTestGateway();
  user = await gateway.signUp();
}, 30_000);
afterAll(() => gateway.stop());

/** What would end the session that the other requests need; and what is not to be had here, whatever is asked (501). */
const left: ReadonlySet<RouteName> = new Set(['deleteAccount', 'logout', 'endSession', 'getTemporaryCredentials']);

const names = (Object.keys(routes) as RouteName[]).filter((name) => !left.has(name));

const fields = [
  'phoneNumber',
  'code',
  'type',
  'otherUserId',
  'conversationId',
  'content',
  'limit',
  'before',
  'q',
  'firstName',
  'mentions',
  '__proto__',
  'constructor',
];

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 50 }),
  fc.constantFrom(
    '',
    '\u0000',
    '\ud800',
    '-1',
    '1e999',
    '9007199254740993',
    'NaN',
    '../../etc/passwd',
    "' or 1=1 --",
    '%',
    '%00',
    '${7*7}',
    '<script>',
  ),
);

const json = fc.oneof(
  fc.json({ maxDepth: 5 }),
  fc.dictionary(fc.constantFrom(...fields), fc.oneof(fc.jsonValue(), text)).map((value) => JSON.stringify(value)),
  text,
  fc.constantFrom('['.repeat(50_000), '{"a":'.repeat(20_000), `{"content":"${'x'.repeat(70_000)}"}`),
  // A check of lengths looks at whatever has one; and what is nested deeply overflows whoever walks it.
  fc
    .tuple(
      fc.constantFrom(...fields),
      fc.constantFrom('{"length":{"valueOf":1,"toString":1}}', `${'['.repeat(5_000)}${']'.repeat(5_000)}`),
    )
    .map(([field, value]) => `{"type":"sms","code":"1","${field}":${value}}`),
);

it('never answers any input with an error of ours', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...names),
      fc.oneof(text, fc.constant('0190a5f4-7d3e-7000-8000-000000000001')),
      fc.dictionary(
        fc.constantFrom(...fields, 'cursor', 'since', 'after', 'signature', 'returnTo', 'state', 'error'),
        text,
        { maxKeys: 4 },
      ),
      json,
      fc.constantFrom(
        'application/json',
        'application/json; charset=utf-8',
        'application/json; charset=x',
        'text/plain',
        'application/problem+json',
        ';',
      ),
      async (name, id, query, body, contentType) => {
        const route: Route = routes[name];
        const path = route.path.replace(
          '{id}',
          id === '' ? 'x' : encodeURIComponent(id.toWellFormed()).replaceAll('.', '%2E'),
        );
        const search = new URLSearchParams(
          Object.entries(query).map(([key, value]) => [key, value.toWellFormed()] as [string, string]),
        ).toString();
        const sends = route.method !== 'GET';
        const { status } = await user.api.request(route.method, `${path}?${search}`, {
          headers: sends ? { 'content-type': contentType } : {},
          ...(sends ? { body } : {}),
        });
        return status < 500 || status === 503;
      },
    ),
    { numRuns: Number(process.env['FUZZ_RUNS'] ?? 1_500), seed: 42 },
  );
  // 503 is for parts that are away, and none was.
  const metrics = await (await fetch(`${gateway.metricsUrl}/metrics`)).text();
  expect(metrics).not.toMatch(/nolo_http_requests_total\{[^}]*status="5/);
}, 120_000);

it('answers or closes, whatever a socket sends', async () => {
  const frames = fc.oneof(
    fc.json({ maxDepth: 4 }),
    text.map((value) => value.toWellFormed()),
    fc
      .record({
        type: fc.oneof(text, fc.constantFrom('ping', 'join_conversation', 'typing_start', 'authenticate')),
        id: fc.jsonValue(),
        data: fc.jsonValue(),
      })
      .map((value) => JSON.stringify(value)),
  );
  let socket: TestSocket | undefined;
  let sent = 0;
  const fresh = async () => {
    await socket?.close();
    const person = await gateway.signUp();
    socket = await TestSocket.open(gateway.url, person.api.token);
    await socket.next('hello');
    return socket;
  };
  await fc.assert(
    fc.asyncProperty(frames, async (frame) => {
      // A new socket before its budget of frames is spent, or a refusal for speed would hide the answer.
      const current = sent % 20 === 0 ? await fresh() : socket!;
      sent += 1;
      current.sendRaw(frame);
      const answer = await Promise.race([current.request('ping'), current.closed]);
      if ('code' in answer) {
        sent = 0;
        return answer.code >= 1000;
      }
      return answer.type === 'ack';
    }),
    { numRuns: 300, seed: 42 },
  );
  await socket?.close();
  expect((await user.api.get('/api/auth/user')).status).toBe(200);
}, 60_000);
