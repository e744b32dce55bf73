import { routes, type Route, type RouteName } from '@nolo/api';
import { signUpByPhone, TestApi, TestSocket, type TestReply, type TestRequest } from '@nolo/testing';
import {
  gatherCast,
  insiders,
  outsiders,
  ownersView,
  type Canary,
  type Cast,
  type Role,
} from '../support/authorizationCast.ts';
import { expectations, nothingAt, type Attempt } from '../support/authorizationTable.ts';
import { knock } from '../support/meetingCast.ts';
import { sharedTestStack } from '../support/testStack.ts';

const names = Object.keys(routes) as RouteName[];
const routeOf = (name: RouteName): Route => routes[name];
const withoutSession: readonly Role[] = ['anonymous', 'revoked', 'deleted'];

const running = sharedTestStack();
let cast: Cast;

beforeAll(async () => {
  cast = await gatherCast(running.urls[0]!);
}, 120_000);

// Everybody asks far more often here than a person does.
beforeEach(() =>
  running.forgetLimits(
    'requestsPerUser',
    'requestsPerAddress',
    'roomCodeMissesPerUser',
    'callsPerUser',
    'socketsPerUser',
    'conversationChangesPerUser',
  ),
);

function addressOf({ path }: Route, { id, params, query }: Attempt): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params?.[name] ?? id ?? ''));
  return query ? `${filled}?${new URLSearchParams(query).toString()}` : filled;
}

/** As text, with everything that the answer tells. */
function said(reply: TestReply): string {
  return `${JSON.stringify([...reply.headers])}\n${typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body)}`;
}

function leaksIn(text: string, allowed: readonly Canary[] = []): Canary[] {
  const known = Object.entries(cast.canaries) as [Canary, string][];
  return known.flatMap(([canary, value]) => (allowed.includes(canary) || !text.includes(value) ? [] : [canary]));
}

/** Of the owner's first session, as a browser would send it. */
function asCookie(api: TestApi, headers: Record<string, string> = {}): Record<string, string> {
  return { cookie: `nolo_session=${api.token ?? ''}`, ...headers };
}

async function expectedStatus(name: RouteName, role: Role): Promise<number> {
  const { expected, withoutSession: statusWithout } = expectations[name];
  if (!withoutSession.includes(role)) return expected[role as keyof typeof expected];
  return routeOf(name).access === 'session' ? 401 : (statusWithout ?? expected.stranger);
}

/** The request as the role makes it. */
async function ask(name: RouteName, role: Role, { body, headers, ...place }: Attempt): Promise<TestReply> {
  const route = routeOf(name);
  const newcomer = expectations[name].byNewcomer && !withoutSession.includes(role);
  const api = newcomer ? (await signUpByPhone(cast.baseUrl)).api : cast.apiOf(role);
  const request: TestRequest = { ...(body === undefined ? {} : { body }), ...(headers ? { headers } : {}) };
  return api.request(route.method, addressOf(route, place), request);
}

/** Pages of other sites reach nothing with the owner's cookie. */
async function expectRefusedElsewhere(name: RouteName, { body, headers, ...place }: Attempt): Promise<void> {
  const { access, method } = routeOf(name);
  if (method === 'GET' || access === 'signed') return;
  const foreign: Record<string, string>[] = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    ...(access === 'session' ? [{}, { 'sec-fetch-site': 'none' }] : []),
  ];
  for (const proof of foreign) {
    const cookies = { ...headers, ...asCookie(cast.owner.api, proof) };
    const reply = await new TestApi(cast.baseUrl).request(method, addressOf(routeOf(name), place), {
      ...(body === undefined ? {} : { body }),
      headers: cookies,
    });
    const { status, body: answer } = reply;
    expect({ proof, status, code: answer?.code }).toEqual({ proof, status: 403, code: 'origin_refused' });
    expect(reply.headers.get('access-control-allow-origin')).toBeNull();
  }
}

/** What a role got, and what the table says that it gets. */
interface Answer {
  seen: string;
  wanted: string;
}

async function compared(name: RouteName, role: Role, reply: TestReply): Promise<Answer> {
  const leaks = role === 'owner' ? [] : leaksIn(said(reply), expectations[name].shows?.[role]);
  const body = reply.body as { code?: unknown; message?: unknown } | undefined;
  const shaped = reply.status < 400 || (typeof body?.code === 'string' && typeof body.message === 'string');
  return {
    seen: `${role}: ${reply.status}${shaped ? '' : ` misshapen ${said(reply)}`} leaks [${leaks.join()}]`,
    wanted: `${role}: ${await expectedStatus(name, role)} leaks []`,
  };
}

describe('the table', () => {
  it('has an entry for every route and for nothing else', () => {
    expect(Object.keys(expectations).toSorted()).toEqual(names.toSorted());
  });

  it('gives the owner what is asked for, so that its refusals are not of a broken request', () => {
    const refused = names.filter((name) => expectations[name].expected.owner >= 400);
    expect(refused).toEqual([
      // These want what only the right person has: a code, or a signed address and the parts that came to it.
      'verifyCode',
      // The only way in, and what would sign the owner's other devices out: identity's own tests do them.
      'unlinkIdentity',
      'undoNotice',
      'createLinkPreview',
      'completeMultipart',
      'getTemporaryCredentials',
      'writeFile',
      'writePart',
      // As the previews, this wants a page of the internet; and the rest a switch that is on.
      'getLinkMeta',
      'writeUpload',
      'readSignedObject',
      'transcribeVoice',
      // What these want is there once somebody has paid, which billing's own tests do; and operators.
      'getReceipt',
      'cancelPlan',
      'resumePlan',
      'downgradePlan',
      'getTeam',
      'inviteToSeat',
      'freeSeat',
      'acceptSeat',
      'moveSeat',
      'findOrders',
      'findSubscriptions',
      'findNotifications',
      'findAudit',
      'retryNotification',
      'refundOrder',
      'grantPlan',
    ]);
  });
});

/** All that the owner had when somebody looked last, unless something of it was made since. */
let lastLook: unknown;

describe.each(names)('%s', (name) => {
  const { expected, attempt: prepare } = expectations[name];
  const route = routeOf(name);

  // What takes requests to prepare is prepared once for all of them: whoever changes nothing leaves it as it was.
  it('answers those outside as the table says, who see and change nothing, nor do pages of other sites', async () => {
    const made = prepare(cast);
    const prepared = made instanceof Promise ? await made : undefined;
    if (prepared) lastLook = undefined;
    const before = lastLook ?? (await ownersView(cast));
    const answers: Answer[] = [];
    for (const role of outsiders) {
      const attempt = prepared ?? (await prepare(cast));
      const reply = await ask(name, role, attempt);
      answers.push(await compared(name, role, reply));
      const signedIn = !withoutSession.includes(role);
      if (!signedIn || !route.params || route.access !== 'session' || expected[role as 'stranger'] !== 404) continue;
      // It does not tell what is private from what does not exist.
      const missing = await ask(name, role, { ...attempt, id: nothingAt(route.path) });
      expect({ role, status: reply.status, body: reply.body }).toEqual({ role, status: 404, body: missing.body });
    }
    expect(answers.map(({ seen }) => seen)).toEqual(answers.map(({ wanted }) => wanted));
    await expectRefusedElsewhere(name, await made);
    lastLook = await ownersView(cast);
    expect(lastLook).toEqual(before);
  });
});

describe.each(names)('%s', (name) => {
  it('answers those inside as the table says', async () => {
    const answers: Answer[] = [];
    for (const role of insiders) {
      const reply = await ask(name, role, await expectations[name].attempt(cast));
      answers.push(await compared(name, role, reply));
    }
    expect(answers.map(({ seen }) => seen)).toEqual(answers.map(({ wanted }) => wanted));
  });
});

describe("a guest's pass", () => {
  it('is no session: over HTTP it is worth nothing', async () => {
    const { cookie } = await knock(cast.baseUrl, cast.guestRoomCode);
    const anonymous = new TestApi(cast.baseUrl);
    for (const path of ['/api/auth/user', '/api/conversations', `/api/meetings/${cast.guestRoomCode}`]) {
      expect((await anonymous.get(path, { headers: { cookie } })).status).toBe(401);
    }
    const headers = { cookie, origin: new URL(cast.baseUrl).origin };
    const action = await anonymous.post(`/api/meetings/${cast.guestRoomCode}/end`, undefined, { headers });
    expect(action.status).toBe(401);
  });
});

describe('a cookie', () => {
  it('is a session for reading, and for changing where our own page asks', async () => {
    const anonymous = new TestApi(cast.baseUrl);
    const headers = asCookie(cast.member.api);
    const self = await anonymous.get('/api/auth/user', { headers });
    expect(self.status).toBe(200);
    expect(self.body.id).toBe(cast.member.id);
    const body = { conversationId: cast.conversationId, content: 'from a page' };
    const ours = { ...headers, origin: new URL(cast.baseUrl).origin };
    expect((await anonymous.post('/api/messages', body, { headers: ours })).status).toBe(201);
    const sameOrigin = { ...headers, 'sec-fetch-site': 'same-origin' };
    expect((await anonymous.post('/api/messages', body, { headers: sameOrigin })).status).toBe(201);
  });

  it('does not let another site read or sign the person out', async () => {
    const anonymous = new TestApi(cast.baseUrl);
    const foreign = asCookie(cast.member.api, { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' });
    const read = await anonymous.get('/api/auth/user', { headers: foreign });
    expect([...read.headers.keys()].filter((header) => header.startsWith('access-control'))).toEqual([]);
    expect((await anonymous.get('/api/logout', { headers: foreign })).status).toBe(302);
    expect((await cast.member.api.get('/api/auth/user')).status).toBe(200);
  });

  it('opens a socket only from a page of ours', async () => {
    const attempts: [string | undefined, string][] = [
      [undefined, '403'],
      ['https://evil.example', '403'],
      ['null', '403'],
    ];
    for (const [origin, status] of attempts) {
      const opening = TestSocket.open(cast.baseUrl, undefined, {
        ...(origin === undefined ? {} : { origin }),
        headers: asCookie(cast.member.api),
      });
      await expect(opening).rejects.toThrow(`answered with ${status}`);
    }
    const socket = await TestSocket.open(cast.baseUrl, undefined, {
      origin: new URL(cast.baseUrl).origin,
      headers: asCookie(cast.member.api),
    });
    expect((await socket.next('hello')).data['userId']).toBe(cast.member.id);
    await socket.close();
  });
});

describe('a person who was blocked', () => {
  const conversation = () => `/api/conversations/${cast.blockedConversationId}`;

  it('keeps their history and can add nothing to it', async () => {
    expect((await cast.blocked.api.get(`${conversation()}/messages`)).status).toBe(200);
    const attempts: [string, string, unknown][] = [
      ['POST', '/api/messages', { conversationId: cast.blockedConversationId, content: 'hello?' }],
      ['PATCH', `/api/messages/${cast.blockedMessageId}`, { content: 'hello again?' }],
    ];
    for (const [method, path, body] of attempts) {
      const reply = await cast.blocked.api.request(method, path, { body });
      expect({ path, status: reply.status, code: reply.body.code }).toEqual({ path, status: 403, code: 'blocked' });
    }
  });

  it('finds the owner by number as before, which adding the number says as well, and not by name', async () => {
    const search = async (q: string) =>
      (await cast.blocked.api.get(`/api/search/users?q=${encodeURIComponent(q)}`)).body as Record<string, unknown>[];
    expect(await search(cast.owner.phone)).toMatchObject([{ id: cast.owner.id, isOnline: false, statusMessage: '' }]);
    expect(await search(cast.canaries.name)).toEqual([]);
  });

  it('does not come into the conversations of others', async () => {
    const reply = await cast.blocked.api.get('/api/conversations');
    const ids = (reply.body as { id: string }[]).map(({ id }) => id);
    expect(ids).toContain(cast.blockedConversationId);
    expect(ids).not.toContain(cast.conversationId);
    expect(said(reply)).not.toContain(cast.canaries.status);
  });
});
