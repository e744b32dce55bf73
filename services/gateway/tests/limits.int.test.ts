import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { routes, type Route, type RouteName } from '@nolo/api';
import {
  accessTokenPrefix,
  demoRateLimits,
  newAccountLimits,
  rateLimits,
  type RateLimit,
  type RateLimitName,
} from '@nolo/rules';
import { TestApi, TestSocket, type TestReply, type TestUser } from '@nolo/testing';
import { productionModeEnvironment, startGateway, type TestGateway } from './startGateway.ts';

/** Production limits. Each is exhausted and must then return 429. */

let gateway: TestGateway;
beforeAll(async () => {
  // Each test uses its own address, so limits spent by one do not affect another.
  gateway = await startGateway({ ...productionModeEnvironment, TRUST_PROXY: '1' });
});
afterAll(() => gateway.stop());

let addresses = 0;
const newAddress = () => `192.0.2.${(addresses += 1)}`;

const names = Object.keys(routes) as RouteName[];
const limited = names.flatMap((name) => {
  const { limit }: Route = routes[name];
  return limit === undefined ? [] : [{ name, limit }];
});

function callRoute(name: RouteName, api: TestApi, address: string): Promise<TestReply> {
  const route: Route = routes[name];
  // The target need not exist: the request itself counts.
  const path = route.path.replace(/\{(\w+)\}/g, (_, parameter: string) =>
    parameter.toLowerCase().includes('code') ? 'ABC234' : randomUUID(),
  );
  return api.request(route.method, path, { headers: { 'x-forwarded-for': address } });
}

const sessionIdOf = ({ api }: TestUser): string =>
  [...gateway.identity.sessions.values()].find(({ token }) => token === api.token)!.id;

function expectRefused(reply: TestReply, limit: RateLimitName, code = 'rate_limited'): void {
  expect(reply).toMatchObject({ status: 429, body: { code, details: { limit } } });
  const seconds = Number(reply.headers.get('retry-after'));
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(rateLimits[limit].durationSeconds);
}

it.each(limited)('$name is allowed as often as $limit states', async ({ name, limit }) => {
  const user = await gateway.signUp();
  const address = newAddress();
  const route: Route = routes[name];
  const byAddress = route.access !== 'session' || limit.endsWith('PerAddress');
  // A session has at most one device.
  const counted = limit.includes('PerDevice') ? sessionIdOf(user) : user.id;
  const spent = (points: number) => gateway.spend(limit, byAddress ? address : counted, points);
  const { points, quota }: RateLimit = rateLimits[limit];
  await spent(points - 1);
  const api = route.access === 'session' ? user.api : gateway.anonymous;
  const { status } = await callRoute(name, api, address);
  expect(status).not.toBe(429);
  if (quota === true && status >= 400) {
    // A refused request uses no quota.
    expect((await callRoute(name, api, address)).status).not.toBe(429);
    await spent(points);
  }
  expectRefused(await callRoute(name, api, address), limit);
  // The limit does not affect anyone else.
  const other = route.access === 'session' ? (await gateway.signUp()).api : gateway.anonymous;
  expect((await callRoute(name, other, newAddress())).status).not.toBe(429);
});

describe('every request', () => {
  const from = (address: string, headers: Record<string, string> = {}) => ({
    headers: { 'x-forwarded-for': address, ...headers },
  });

  it('counts against the account', async () => {
    const user = await gateway.signUp();
    await gateway.spend('requestsPerUser', user.id, rateLimits.requestsPerUser.points - 1);
    expect((await user.api.get('/api/auth/user')).status).toBe(200);
    expectRefused(await user.api.get('/api/auth/user'), 'requestsPerUser');
    expectRefused(await user.api.get('/api/conversations'), 'requestsPerUser');
  });

  it.each<[string, number, (address: string) => Promise<TestReply>]>([
    ['without a session', 401, (address) => gateway.anonymous.get('/api/auth/user', from(address))],
    ['where none is needed', 200, (address) => gateway.anonymous.get('/api/config', from(address))],
    [
      'with a token that is guessed',
      401,
      (address) => new TestApi(gateway.url, randomUUID()).get('/api/auth/user', from(address)),
    ],
    [
      'with a cookie that is guessed',
      401,
      (address) => gateway.anonymous.get('/api/auth/user', from(address, { cookie: `nolo_session=${randomUUID()}` })),
    ],
    [
      'with a session, for what is counted by address all the same',
      200,
      async (address) => (await gateway.signUp()).api.get('/api/config', from(address)),
    ],
  ])('counts against the address: %s', async (_, status, request) => {
    const address = newAddress();
    await gateway.spend('requestsPerAddress', address, rateLimits.requestsPerAddress.points - 1);
    expect((await request(address)).status).toBe(status);
    expectRefused(await request(address), 'requestsPerAddress');
  });

  it('counts against its access token', async () => {
    const user = await gateway.signUp();
    const { secret, id } = gateway.tokens.give(user.id, ['profile:read']);
    const api = new TestApi(gateway.url, secret);
    await gateway.spend('requestsPerToken', id, rateLimits.requestsPerToken.points - 1);
    expect((await api.get('/api/auth/user')).status).toBe(200);
    expectRefused(await api.get('/api/auth/user'), 'requestsPerToken');
    expect((await user.api.get('/api/auth/user')).status).toBe(200);
  });

  it('counts against the address if the access token is invalid', async () => {
    const address = newAddress();
    await gateway.spend('wrongTokensPerAddress', address, rateLimits.wrongTokensPerAddress.points - 1);
    const guess = () =>
      new TestApi(gateway.url, `${accessTokenPrefix}${randomUUID()}`).get('/api/auth/user', from(address));
    expect((await guess()).status).toBe(401);
    expectRefused(await guess(), 'wrongTokensPerAddress');
  });

  it('counts against the network of an IPv6 address', async () => {
    await gateway.spend('requestsPerAddress', '2001:db8:1:2::/64', rateLimits.requestsPerAddress.points - 1);
    const request = (last: string) => gateway.anonymous.get('/api/config', from(`2001:db8:1:2::${last}`));
    expect((await request('1')).status).toBe(200);
    expectRefused(await request('2'), 'requestsPerAddress');
  });
});

it('limits sockets opened per minute', async () => {
  const user = await gateway.signUp();
  await gateway.spend('socketsPerUser', user.id, rateLimits.socketsPerUser.points - 1);
  await (await TestSocket.open(gateway.url, user.api.token)).close();
  await expect(TestSocket.open(gateway.url, user.api.token)).rejects.toThrow('429');
});

it('counts messages over the socket and over HTTP together', async () => {
  const user: TestUser = await gateway.signUp();
  await gateway.spend('messagesPerUser', user.id, rateLimits.messagesPerUser.points - 1);
  const socket = await user.connectSocket();
  const send = () => socket.request('group_chat_message', { conversationId: randomUUID(), content: 'x' });
  expect((await send()).data['code']).toBe('conversation_not_found');
  expect((await send()).data).toMatchObject({ code: 'rate_limited', retryAfterMs: expect.any(Number) });
  await user.disconnect();
});

describe('a new account', () => {
  const { points } = newAccountLimits.groupCreatesPerUserDay!;
  const begin = ({ api }: TestUser) => api.post(routes.createGroupChat.path, { name: 'Bread' });

  it('can start fewer groups, not counting refused ones, but is otherwise not limited', async () => {
    const careful = await startGateway({ ...productionModeEnvironment, NEW_ACCOUNT_HOURS: '24' });
    try {
      const user = await careful.signUp();
      const refusedOnce = () => user.api.post(routes.createGroupChat.path, { name: '' });
      for (let n = 0; n < points; n += 1) expect((await refusedOnce()).status).toBe(400);
      for (let n = 0; n < points; n += 1) expect((await begin(user)).status).toBe(201);
      const refused = await begin(user);
      expectRefused(refused, 'groupCreatesPerUserDay', 'new_account_limit');
      // The account is new for a day, and the limit ends with it.
      const { until } = (refused.body as { details: { until: string } }).details;
      expect(Date.parse(until) - Date.now()).toBeLessThanOrEqual(86_400_000);
      expect((await user.api.get('/api/conversations')).status).toBe(200);
      // The limit does not affect others.
      expect((await begin(await careful.signUp())).status).toBe(201);
    } finally {
      await careful.stop();
    }
  });

  it('is not limited if the operator disables it', async () => {
    const user = await gateway.signUp();
    for (let n = 0; n <= points; n += 1) expect((await begin(user)).status).toBe(201);
  });
});

it('limits link previews for all users together', async () => {
  const { api } = await gateway.signUp();
  await gateway.spend('linkPreviewsOverall', 'all', rateLimits.linkPreviewsOverall.points - 1);
  const requestPreview = () => api.post(routes.createLinkPreview.path, { url: 'http://127.0.0.1/' });
  expect((await requestPreview()).status).toBe(422);
  expectRefused(await requestPreview(), 'linkPreviewsOverall');
});

/** Limits that services count, with the test that covers each. */
const countedByServices: Partial<Record<RateLimitName, string>> = {
  codeSendsPerNumberShort: 'services/identity/tests/phoneSignIn.int.test.ts',
  codeSendsPerNumberDay: 'services/identity/tests/phoneSignIn.int.test.ts',
  codeSendsPerAddress: 'services/identity/tests/codeSends.int.test.ts',
  codeSendsPerPrefix: 'services/identity/tests/codeSends.int.test.ts',
  codeChecksPerAddress: 'services/identity/tests/limits.int.test.ts',
  codeSendsPerNumberDayShare: 'services/identity/tests/codeSends.int.test.ts',
  codeSendsSolvedPerAddress: 'services/identity/tests/codeSends.int.test.ts',
  challengeSolutionUses: 'services/identity/tests/codeSends.int.test.ts',
  textMessagesPerDay: 'services/identity/tests/codeSends.int.test.ts',
  textMessagesPerCountryDay: 'services/identity/tests/codeSends.int.test.ts',
  textMessagesReservePerDay: 'services/identity/tests/codeSends.int.test.ts',
  mailCodesPerDay: 'services/identity/tests/mailCodes.int.test.ts',
  mailCodesReservePerDay: 'services/identity/tests/mailCodes.int.test.ts',
  mailInvitationsPerUserDay: 'services/identity/tests/mailInvitations.int.test.ts',
  mailCodesPerUserDay: 'services/identity/tests/mailCodes.int.test.ts',
  deviceListsPerDeviceDay: 'services/identity/tests/vaultLists.int.test.ts',
  accountExportsPerDay: 'services/files/tests/exports.int.test.ts',
  secondFactorTriesPerAccount: 'services/identity/tests/secondFactor.int.test.ts',
  secondFactorTriesPerKnownBrowser: 'services/identity/tests/secondFactor.int.test.ts',
  secondFactorProofsPerAccount: 'services/identity/tests/secondFactor.int.test.ts',
  accountWaitsPerAccount: 'services/identity/tests/lostSecondFactor.int.test.ts',
  searchesPerUserMinute: 'services/identity/tests/limits.int.test.ts',
  searchesPerUserDay: 'services/identity/tests/limits.int.test.ts',
  exactLookupsPerUserDay: 'services/identity/tests/limits.int.test.ts',
  exactLookupsPerAddress: 'services/identity/tests/limits.int.test.ts',
  usernameLookupsPerUserDay: 'services/identity/tests/limits.int.test.ts',
  roomCodeMissesPerUser: 'services/meetings/tests/roomCodes.int.test.ts',
  roomCodeMissesPerAddress: 'services/meetings/tests/roomCodes.int.test.ts',
  roomCodeMissesOverall: 'services/meetings/tests/roomCodes.int.test.ts',
  anonymousRoomCodeMissesPerAddress: 'services/meetings/tests/roomCodes.int.test.ts',
  anonymousRoomCodeMissesOverall: 'services/meetings/tests/roomCodes.int.test.ts',
  guardedRoomCodesPerUser: 'services/meetings/tests/roomCodes.int.test.ts',
  pictureMegapixelsPerUserHour: 'services/files/tests/pictureUploads.int.test.ts',
  guardedRoomCodesPerAddress: 'services/meetings/tests/roomCodes.int.test.ts',
  guestsPerAddress: 'services/meetings/tests/roomCodes.int.test.ts',
  reactionsPerParticipant: 'services/meetings/tests/rooms.int.test.ts',
};

it('covers every limit of the table', () => {
  const here: RateLimitName[] = [
    'requestsPerUser',
    'requestsPerAddress',
    'requestsPerToken',
    'wrongTokensPerAddress',
    'socketsPerUser',
    'messagesPerUser',
    'linkPreviewsOverall',
  ];
  const walked = new Set<string>([...here, ...limited.map(({ limit }) => limit), ...Object.keys(countedByServices)]);
  expect(Object.keys(rateLimits).filter((name) => !walked.has(name))).toEqual([]);
  const root = join(import.meta.dirname, '../../..');
  expect(Object.values(countedByServices).filter((file) => !existsSync(join(root, file)))).toEqual([]);
});

it('gives every changing route its own limit, except one-off actions', () => {
  const unlimited = names.filter((name) => {
    const { method, access, limit }: Route = routes[name];
    return access === 'session' && method !== 'GET' && limit === undefined;
  });
  expect(unlimited).toEqual([
    'endSession',
    'endOtherSessions',
    'deleteAccount',
    // Counted where the code is looked up, and only for non-members.
    'joinGroupChat',
  ]);
});

it('relaxes in a demo only limits per address and number block, and the text message budget', () => {
  expect(Object.keys(demoRateLimits).filter((name) => !/Per(Address|Prefix)$|^textMessages/.test(name))).toEqual([]);
});
