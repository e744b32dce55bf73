import { limits } from '@nolo/rules';
import { createAppError } from '@nolo/kit/errors';
import type { TestUser } from '@nolo/testing';
import { cookiesOf, startGateway, type TestGateway } from './startGateway.ts';

let gateway: TestGateway;
let user: TestUser;
let other: TestUser;

beforeAll(async () => {
  gateway = await startGateway();
  user = await gateway.signUp();
  other = await gateway.signUp();
});
afterAll(() => gateway.stop());

const signIn = async () => {
  const reply = await gateway.anonymous.post('/api/verification/verify', {
    type: 'sms',
    phoneNumber: '+27820000001',
    code: '424242',
  });
  return cookiesOf(reply.headers);
};

describe('errors', () => {
  it.each([
    ['POST', '/api/conversations', { otherUserId: 'someone' }, 'otherUserId'],
    ['PATCH', '/api/conversations/no-id/settings', {}, 'id'],
    ['GET', '/api/admin/billing/orders?state=lost', undefined, 'state'],
  ])('names the invalid input of %s %s', async (method, path, given, field) => {
    const { status, body } = await user.api.request(method, path, { body: given });
    expect([status, body.code, Object.keys(body.details.fields)]).toEqual([400, 'invalid_input', [field]]);
    expect(body.message).toContain(field);
  });

  it.each<[number, string, unknown, string?]>([
    [400, 'invalid_json', '{"a":'],
    [415, 'content_type_unsupported', 'a=1', 'text/plain'],
    [400, 'invalid_input', undefined],
    [400, 'invalid_input', '"text"'],
    [413, 'body_too_large', { content: 'x'.repeat(2 * limits.messageEnvelopeBytes + 65_536) }],
  ])('answers %i %s to an invalid body', async (status, code, body, type = 'application/json') => {
    const headers: Record<string, string> = body === undefined ? {} : { 'content-type': type };
    expect(await user.api.post('/api/messages', body, { headers })).toMatchObject({ status, body: { code } });
  });

  it('rejects U+0000, which the database cannot store', async () => {
    expect(await user.api.put('/api/profile', { firstName: 'a\u0000b' })).toMatchObject({
      status: 400,
      body: { code: 'invalid_input' },
    });
  });

  it('knows its routes and their methods', async () => {
    expect(await user.api.get('/api/nothing')).toMatchObject({ status: 404, body: { code: 'route_not_found' } });
    const wrong = await user.api.post('/api/auth/user', {});
    expect(wrong).toMatchObject({ status: 405, body: { code: 'method_not_allowed' } });
    expect(wrong.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
    expect((await user.api.get('/api/users/%E0%A4%A')).status).toBe(400);
  });

  it.each(['/api/login', '/api/callback', '/api/logout', '/api/social/callback/mastodon', '/s3/params'])(
    'refuses HEAD on %s, whose GET has side effects',
    async (path) => {
      const reply = await user.api.request('HEAD', path);
      expect([reply.status, reply.headers.get('allow')]).toEqual([405, expect.not.stringContaining('HEAD')]);
    },
  );

  it('gives every response an id, and never caches the API', async () => {
    const { headers } = await user.api.get('/api/auth/user');
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('uses the texts of the specification for phone sign-in', async () => {
    for (const phoneNumber of [undefined, '', '  ']) {
      expect(await gateway.anonymous.post('/api/verification/send', { type: 'sms', phoneNumber })).toMatchObject({
        status: 400,
        body: { code: 'phone_number_required', message: 'Please enter a valid phone number' },
      });
    }
    expect(
      await gateway.anonymous.post('/api/verification/verify', { type: 'sms', phoneNumber: '+2782', code: '' }),
    ).toMatchObject({
      status: 400,
      body: { code: 'verification_code_required', message: 'Please enter the verification code' },
    });
    expect(await user.api.post('/api/contacts', {})).toMatchObject({
      status: 400,
      body: { code: 'phone_number_required', message: 'Phone number is required.' },
    });
  });

  it('reports that a service is down, and signs nobody out because of it', async () => {
    gateway.identity.outage.error = createAppError('unavailable', 'storage_unavailable', 'Storage is away.');
    try {
      const cookie = await signIn();
      const reply = await gateway.anonymous.get('/api/auth/user', { headers: { cookie } });
      expect(reply).toMatchObject({ status: 503, body: { code: 'storage_unavailable' } });
      expect(reply.headers.get('retry-after')).toBe('1');
      expect(reply.headers.getSetCookie()).toEqual([]);
      const health = await gateway.anonymous.get('/healthz');
      expect(health).toMatchObject({
        status: 503,
        body: { missing: expect.arrayContaining(['identity', 'postgres']) },
      });
    } finally {
      gateway.identity.outage.error = undefined;
    }
  });
});

describe('sessions', () => {
  it('accepts the cookie for reading from anywhere, and for changes from our own pages only', async () => {
    const cookie = await signIn();
    expect(cookie).toMatch(/nolo_session=\w+; nolo_signed_in=1/);
    const { anonymous, origin } = gateway;
    expect((await anonymous.get('/api/auth/user', { headers: { cookie } })).status).toBe(200);
    const put = (headers: Record<string, string>) =>
      anonymous.put('/api/profile', { firstName: 'A' }, { headers: { cookie, ...headers } });
    expect((await put({ origin })).status).toBe(200);
    expect((await put({ 'sec-fetch-site': 'same-origin' })).status).toBe(200);
    expect((await put({ origin: gateway.url })).status).toBe(200);
    for (const headers of [
      {},
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'same-site' },
    ] as Record<string, string>[]) {
      expect(await put(headers)).toMatchObject({ status: 403, body: { code: 'origin_refused' } });
    }
  });

  it('prevents other sites from signing their visitors in', async () => {
    const body = { type: 'sms', phoneNumber: '+27820000001', code: '424242' };
    const reply = await gateway.anonymous.post('/api/verification/verify', body, {
      headers: { origin: 'https://evil.example' },
    });
    expect(reply).toMatchObject({ status: 403, body: { code: 'origin_refused' } });
  });

  it('clears an invalid cookie', async () => {
    const reply = await gateway.anonymous.get('/api/auth/user', { headers: { cookie: 'nolo_session=gone' } });
    expect(reply).toMatchObject({ status: 401, body: { code: 'session_invalid' } });
    expect(reply.headers.getSetCookie().join()).toContain('Max-Age=0');
    // Excludes app storage, which may hold unsent data.
    expect(reply.headers.get('clear-site-data')).toBe('"cache"');
    const byToken = await gateway.anonymous.get('/api/auth/user', { headers: { authorization: 'Bearer gone' } });
    expect([byToken.status, byToken.headers.get('clear-site-data')]).toEqual([401, null]);
  });

  it('ends the previous session when the same browser signs in again', async () => {
    const cookie = await signIn();
    const body = { type: 'sms', phoneNumber: '+27820000001', code: '424242' };
    await gateway.anonymous.post('/api/verification/verify', body, { headers: { cookie, origin: gateway.origin } });
    expect((await gateway.anonymous.get('/api/auth/user', { headers: { cookie } })).status).toBe(401);
  });

  it('signs out by navigation, but not from other sites', async () => {
    const cookie = await signIn();
    const leave = (site: string) =>
      gateway.anonymous.get('/api/logout', { headers: { cookie, 'sec-fetch-site': site } });
    const elsewhere: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
      // An older browser, or one over plain HTTP, on a page that hides its origin.
      {},
      { referer: 'https://elsewhere.example/' },
    ];
    for (const headers of elsewhere) {
      const logoutReply = await gateway.anonymous.get('/api/logout', { headers: { cookie, ...headers } });
      const { status } = logoutReply;
      expect([status, logoutReply.headers.get('location'), logoutReply.headers.getSetCookie()]).toEqual([
        302,
        '/profile?sign_out=1',
        [],
      ]);
    }
    expect((await gateway.anonymous.get('/api/logout')).headers.get('location')).toBe('/');
    expect((await gateway.anonymous.get('/api/auth/user', { headers: { cookie } })).status).toBe(200);
    const done = await leave('same-origin');
    expect([done.status, done.headers.get('location')]).toEqual([302, '/']);
    expect(done.headers.get('clear-site-data')).toContain('"storage"');
    expect((await gateway.anonymous.get('/api/auth/user', { headers: { cookie } })).status).toBe(401);
  });

  it('signs out of a session that has just ended elsewhere', async () => {
    const cookie = await signIn();
    gateway.identity.outage.ending = createAppError(
      'not_found',
      'session_not_found',
      'This session has already ended.',
    );
    try {
      const reply = await gateway.anonymous.get('/api/logout', {
        headers: { cookie, 'sec-fetch-site': 'same-origin' },
      });
      expect([reply.status, reply.headers.get('location')]).toEqual([302, '/']);
      expect(reply.headers.getSetCookie().join()).toContain('nolo_session=;');
    } finally {
      gateway.identity.outage.ending = undefined;
    }
  });

  it('shows a page if signing out fails temporarily, and stays signed in', async () => {
    const cookie = await signIn();
    gateway.identity.outage.ending = createAppError('unavailable', 'storage_unavailable', 'Storage is away.');
    try {
      const reply = await gateway.anonymous.get('/api/logout', {
        headers: { cookie, accept: 'text/html', 'sec-fetch-site': 'same-origin' },
      });
      expect([reply.status, reply.headers.get('location')]).toEqual([302, '/?sign_in_error=unavailable']);
      expect(reply.headers.getSetCookie()).toEqual([]);
    } finally {
      gateway.identity.outage.ending = undefined;
    }
  });

  it('signs in while chat is down, because the code is already used up', async () => {
    gateway.chat.outage.error = createAppError('unavailable', 'service_unavailable', 'chat is away.');
    try {
      const body = { type: 'sms', phoneNumber: '+27820000002', code: '424242' };
      const reply = await gateway.anonymous.post('/api/verification/verify', body);
      expect(reply).toMatchObject({
        status: 200,
        body: { token: expect.any(String), user: { phoneNumber: '+27820000002', shareReceipts: true } },
      });
    } finally {
      gateway.chat.outage.error = undefined;
    }
  });

  it('keeps the cookie as long as the session, which each use extends', async () => {
    const cookie = await signIn();
    const { headers } = await gateway.anonymous.get('/api/auth/user', { headers: { cookie } });
    const [session = '', marker = ''] = headers.getSetCookie();
    expect(session).toContain(cookie.split(';')[0]);
    for (const line of [session, marker]) expect(line).toMatch(/Max-Age=3[56]\d\d;/);
    expect((await user.api.get('/api/auth/user')).headers.getSetCookie()).toEqual([]);
  });

  it('recognizes the browser that requested a code by an unforgeable cookie', async () => {
    const body = { type: 'sms', phoneNumber: '+27820000007' };
    const requestCode = async (cookie?: string) => {
      gateway.identity.devices.length = 0;
      const headers: Record<string, string> = cookie === undefined ? {} : { cookie };
      const reply = await gateway.anonymous.post('/api/verification/send', body, { headers });
      return { given: reply.headers.getSetCookie()[0] ?? '', deviceCookie: gateway.identity.devices[0]?.deviceCookie };
    };
    const first = await requestCode();
    expect(first.given).toMatch(/_asker=.*Path=\/api\/verification; HttpOnly; SameSite=Lax/);
    const cookie = first.given.split(';')[0] ?? '';
    expect((await requestCode(cookie)).deviceCookie).toBe(first.deviceCookie);
    expect((await requestCode(cookie.slice(0, -3))).deviceCookie).not.toBe(first.deviceCookie);
    expect((await requestCode()).deviceCookie).not.toBe(first.deviceCookie);
  });

  it('limits clients behind a proxy by the forwarded network, and reports the full address of gateways', async () => {
    const behind = await startGateway({ TRUST_PROXY: '1' });
    try {
      const { anonymous, identity, billing } = behind;
      const headers = { 'x-forwarded-for': '6.6.6.6, 2001:db8:1:2:3:4:5:6' };
      await anonymous.post('/api/verification/send', { type: 'sms', phoneNumber: '+27820000003' }, { headers });
      expect(identity.devices).toMatchObject([{ address: '2001:db8:1:2::/64' }]);
      const notice = { headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' } };
      await anonymous.post('/api/payfast/notify', 'a=1', notice);
      expect(billing.stored).toMatchObject([{ sourceAddress: '2001:db8:1:2:3:4:5:6' }]);
    } finally {
      await behind.stop();
    }
  });

  it('links a number only to a signed-in account', async () => {
    const body = { type: 'sms', phoneNumber: '+27829999999', code: '424242', link: true };
    expect((await gateway.anonymous.post('/api/verification/verify', body)).status).toBe(401);
    const reply = await user.api.post('/api/verification/verify', body);
    expect(reply).toMatchObject({
      status: 200,
      body: { token: null, user: { id: user.id, phoneNumber: '+27829999999' } },
    });
    expect(reply.headers.getSetCookie()).toEqual([]);
  });

  it('clears the cookie when its session is ended', async () => {
    const cookie = await signIn();
    const { body } = await gateway.anonymous.get('/api/auth/user', { headers: { cookie } });
    const headers = { cookie, origin: gateway.origin };
    const reply = await gateway.anonymous.delete(`/api/sessions/${body.sessionId}`, { headers });
    expect(reply.status).toBe(204);
    expect(reply.headers.getSetCookie().join()).toContain('nolo_session=;');
  });
});

describe('composition of answers', () => {
  it("stores language and time zone, and the browser's language along with them", async () => {
    const headers = { 'accept-language': 'fr-FR, de-CH;q=0.9, en;q=0.8' };
    const profileChanges = { language: 'device', timeZone: 'Europe/Zurich' };
    const reply = await user.api.put('/api/profile', profileChanges, { headers });
    expect(reply).toMatchObject({ status: 200, body: { ...profileChanges, deviceLanguage: 'de' } });
    const plain = await user.api.put('/api/profile', { language: 'en' });
    expect(plain).toMatchObject({ status: 200, body: { language: 'en', deviceLanguage: 'en' } });
  });

  it('embeds people in conversations, and null for deleted ones', async () => {
    const { body: conversation } = await user.api.post('/api/conversations', { otherUserId: other.id });
    expect(conversation.otherUser).toMatchObject({ id: other.id });
    expect((await user.api.get('/api/conversations?limit=1')).headers.get('nolo-next-cursor')).toBe('more');
    gateway.identity.accounts.delete(other.id);
    const { body: after } = await user.api.get(`/api/conversations/${conversation.id}`);
    expect([after.otherUser, after.participant1.id, after.participant2]).toEqual([null, user.id, null]);
  });

  it('starts conversations only with accounts', async () => {
    const otherUserId = '00000000-0000-4000-8000-000000000001';
    const reply = await user.api.post('/api/conversations', { otherUserId });
    expect(reply).toMatchObject({ status: 404, body: { code: 'user_not_found' } });
  });

  it('offers an invitation for people without an account', async () => {
    const { body } = await user.api.post('/api/contacts', { phoneNumber: '+27821234567', displayName: 'Mpho' });
    expect(body).toMatchObject({ userId: null, invitationUrl: `${gateway.origin}/`, displayName: 'Mpho' });
  });
});

describe('an uploaded picture', () => {
  const upload = async () => {
    const { pathname, search } = new URL((await user.api.post('/api/objects/upload')).body.uploadURL);
    return pathname + search;
  };
  const bytes = { headers: { 'content-type': 'application/octet-stream' } };

  it('stops at the limit, announced or not', async () => {
    const path = await upload();
    expect(await gateway.anonymous.put(path, Buffer.alloc(5_300_000), bytes)).toMatchObject({
      status: 413,
      body: { code: 'file_too_large' },
    });
    // Sends four times the limit: a server that accepts all of it has no limit.
    async function* tooMuch() {
      for (let sent = 0; sent < 4 * 5_242_880; sent += 65_536) yield Buffer.alloc(65_536);
    }
    const sending = new AbortController();
    // The server responds midway and closes the connection; which of the two the client notices first is a race.
    const reply = await fetch(new URL(path, gateway.url), {
      method: 'PUT',
      body: tooMuch(),
      duplex: 'half',
      signal: sending.signal,
    } as unknown as RequestInit).then(
      ({ status }) => status,
      () => 413,
    );
    // Aborts the rest, which would wait forever for a server that has stopped reading.
    sending.abort();
    expect(reply).toBe(413);
    const id = path.split(/[/?]/)[4] ?? '';
    expect(gateway.files.uploads.get(id)?.bytes).toHaveLength(0);
  });
});

describe('pages of the gateway', () => {
  it('answers pages with one sentence while the web app is missing, under a strict policy', async () => {
    const { status, body, headers } = await gateway.anonymous.get('/chat/1', { headers: { accept: 'text/html' } });
    expect([status, headers.get('x-content-type-options')]).toEqual([503, 'nosniff']);
    expect(body).toContain('WEB_DIR');
    expect(headers.get('content-security-policy')).toContain("require-trusted-types-for 'script'");
    expect(headers.get('strict-transport-security')).toBeNull();
    expect((await gateway.anonymous.get('/missing.js', { headers: { accept: '*/*' } })).status).toBe(404);
  });
});
