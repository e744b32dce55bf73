import { routes, type OperatorAuditEntry, type RouteName } from '@nolo/api';
import { eventually, signUpByPhone, TestApi, TestSocket } from '@nolo/testing';
import { adminExpectations } from '../support/authorization/adminAuthorizationTable.ts';
import { createAuthorizationCast, type AuthorizationCast } from '../support/authorization/authorizationCast.ts';
import {
  createSessionCookieHeaders,
  callWithProof,
  describeMatrix,
  serializeReply,
} from '../support/authorization/authorizationMatrix.ts';
import { routeExpectations } from '../support/authorization/authorizationTable.ts';
import { billingExpectations } from '../support/authorization/billingAuthorizationTable.ts';
import { createGuestPass } from '../support/authorization/meetingCast.ts';
import {
  callWithToken,
  createScopeTokens,
  sessionAccessRoutes,
  describeTokenVerdict,
} from '../support/authorization/tokenMatrix.ts';
import { openSharedTestStack } from '../support/stacks/testStack.ts';

const names = Object.keys(routes) as RouteName[];

const running = openSharedTestStack();
let cast: AuthorizationCast;

beforeAll(async () => {
  cast = await createAuthorizationCast(running.urls[0]!);
});

// Tests send far more requests than a person does.
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

describe('the table of expectations', () => {
  it('has an entry for every route and nothing else', () => {
    expect(Object.keys(routeExpectations).toSorted()).toEqual(names.toSorted());
  });

  it('gives the owner what they ask for, so that no refusal is due to a broken request', () => {
    const refused = names.filter((name) => routeExpectations[name].expected.owner >= 400);
    expect(refused).toEqual([
      // Needs what only the right person has: a code, or a signed address and the parts uploaded to it.
      'verifyCode',
      'verifyMailCode',
      // Needs an authenticator, which identity's own tests have.
      'addPasskey',
      'renamePasskey',
      'signInWithPasskey',
      // Needs an authenticator with the account's secret, and a ticket opened by a code by text message: identity's own
      // tests.
      'confirmSecondFactor',
      'removeSecondFactor',
      'renewRecoveryCodes',
      'setRegistrationLock',
      'proveBySecondFactor',
      'refuseAccountWait',
      'passSecondFactor',
      'askForAccount',
      // Would remove the only way to sign in, or sign out the owner's other devices: identity's own tests cover them.
      'unlinkIdentity',
      'undoNotice',
      // Needs a device with keys: identity's own tests sign lists, and link a second device.
      'addDeviceList',
      'replaceIdentity',
      'renewBoxKeys',
      'claimDevice',
      'putRecoverySeed',
      'deleteRecoverySeed',
      'challengeDeviceLink',
      'openDeviceLink',
      'answerDeviceLink',
      'confirmDeviceLink',
      'listEpochs',
      'commitEpoch',
      'sendNack',
      'listNacks',
      'answerNack',
      'listVaultRows',
      'addVaultRow',
      'deleteVaultRows',
      // People cannot report themselves, and reports are for operators.
      'createReport',
      'listReports',
      'changeReport',
      'getReportPicture',
      // Needs a finished archive, which files' own tests read.
      'readExport',
      'createLinkPreview',
      // Is the member's message, about which the owner decides.
      'withdrawHeldMessage',
      'completeMultipart',
      'getTemporaryCredentials',
      'writeFile',
      'writePart',
      // Needs a page on the internet, like the previews; the others need a setting that is on.
      'getLinkMeta',
      'writeUpload',
      'readSignedObject',
      'transcribeVoice',
      // Needs a picture that exists and is no logo.
      'readBrandLogo',
      // Needs a payment, which billing's own tests make, or an operator.
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
      'reconcileMeters',
      'grantPlan',
      'openAdmin',
      'getAdminState',
      'getAdminWork',
      'listSetAsideWork',
      'retrySetAsideWork',
      'discardSetAsideWork',
      'listLiveRooms',
      'endLiveRoom',
      'listAnnouncements',
      'makeAnnouncement',
      'endAnnouncement',
      'listSettings',
      'changeSetting',
      'findAccounts',
      'suspendAccount',
      'liftSuspension',
      'signOutAccount',
      'eraseAccount',
      'reopenAccount',
      'listOperatorActs',
      'verifyOperatorActs',
      'listBarredHosts',
      'barHosts',
      'unbarHost',
      'listMailInvitations',
      'inviteByMail',
      'withdrawMailInvitation',
      // Needs a new webhook, and a failed delivery: the service's own tests do both.
      'rotateWebhookSecret',
      'resendWebhookDelivery',
    ]);
  });
});

// The routes of billing are tested where billing runs, with its limits: plans.int.test.ts.
describeMatrix(
  names.filter((name) => !Object.hasOwn(billingExpectations, name)),
  () => cast,
  () => running,
);

describe('an operator', () => {
  it('has access to everything reserved for operators, and all of it is audited', async () => {
    const [operator, subscriber] = [await signUpByPhone(cast.baseUrl), await signUpByPhone(cast.baseUrl)];
    await running.letIn(operator.id);
    const seen: Record<string, number> = {};
    for (const name of Object.keys(adminExpectations) as (keyof typeof adminExpectations)[]) {
      const attempt = await routeExpectations[name].attempt({ ...cast, owner: subscriber });
      seen[name] = (await callWithProof(running, operator, name, attempt)).status;
    }
    const wanted = Object.entries(adminExpectations).map(([name, expectation]) => [name, expectation.operator]);
    expect(seen).toEqual(Object.fromEntries(wanted));
    const audit = (await operator.api.get('/api/admin/audit?limit=100')).body as OperatorAuditEntry[];
    const acts = audit.filter(({ operatorId }) => operatorId === operator.id);
    expect(acts.map(({ action, userId }) => [action, userId])).toEqual([
      ['reports_read', null],
      ['account_reopened', subscriber.id],
      ['account_closed', subscriber.id],
      ['account_signed_out', subscriber.id],
      ['suspension_lifted', subscriber.id],
      ['account_suspended', subscriber.id],
      ['account_looked_up', subscriber.id],
      // Recorded before the action, even if its target then turns out not to exist.
      ['room_ended', null],
      ['work_discarded', null],
      ['work_retried', null],
    ]);
  });
});

describe('a guest pass', () => {
  it('is not a session, and is worth nothing over HTTP', async () => {
    const { cookie } = await createGuestPass(cast.baseUrl, cast.guestRoomCode);
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
  it('is a session for reading, and for changes that our own page requests', async () => {
    const anonymous = new TestApi(cast.baseUrl);
    const headers = createSessionCookieHeaders(cast.member.api);
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
    const foreign = createSessionCookieHeaders(cast.member.api, {
      origin: 'https://evil.example',
      'sec-fetch-site': 'cross-site',
    });
    const read = await anonymous.get('/api/auth/user', { headers: foreign });
    expect([...read.headers.keys()].filter((header) => header.startsWith('access-control'))).toEqual([]);
    expect((await anonymous.get('/api/logout', { headers: foreign })).status).toBe(302);
    expect((await cast.member.api.get('/api/auth/user')).status).toBe(200);
  });

  it('opens a socket only from our own pages', async () => {
    const attempts: [string | undefined, string][] = [
      [undefined, '403'],
      ['https://evil.example', '403'],
      ['null', '403'],
    ];
    for (const [origin, status] of attempts) {
      const opening = TestSocket.open(cast.baseUrl, undefined, {
        ...(origin === undefined ? {} : { origin }),
        headers: createSessionCookieHeaders(cast.member.api),
      });
      await expect(opening).rejects.toThrow(`answered with ${status}`);
    }
    const socket = await TestSocket.open(cast.baseUrl, undefined, {
      origin: new URL(cast.baseUrl).origin,
      headers: createSessionCookieHeaders(cast.member.api),
    });
    expect((await socket.next('hello')).data['userId']).toBe(cast.member.id);
    await socket.close();
  });
});

describe('a personal access token', () => {
  let tokens: Awaited<ReturnType<typeof createScopeTokens>>;
  beforeAll(async () => {
    tokens = await createScopeTokens(cast.baseUrl);
  });

  it('is accepted by the routes of its scope and refused by all others, also by those without a scope', async () => {
    const seen: Record<string, string[]> = {};
    const wanted: Record<string, string[]> = {};
    for (const [name, { scope }] of sessionAccessRoutes) {
      if (scope === undefined) {
        seen[name] = [describeTokenVerdict(await callWithToken(cast.baseUrl, name, tokens.all))];
        wanted[name] = ['403 token_not_allowed'];
        continue;
      }
      const other = scope === 'profile:read' ? 'webhooks:read' : 'profile:read';
      const calls = [tokens.only[scope], tokens.only[other]].map((token) => callWithToken(cast.baseUrl, name, token));
      seen[name] = (await Promise.all(calls)).map(describeTokenVerdict);
      wanted[name] = ['let through', `403 insufficient_scope ${scope}`];
    }
    expect(seen).toEqual(wanted);
  });

  it('gives no access to account security, payments or other tokens', () => {
    const open = sessionAccessRoutes.filter(
      ([, { path, scope }]) =>
        scope !== undefined &&
        /^\/api\/(account|sessions|billing|admin|paypal|payfast|email|verification)\b/.test(path),
    );
    expect(open).toEqual([]);
  });

  it('opens no socket, is not accepted as a cookie, and takes precedence over one', async () => {
    await expect(TestSocket.open(cast.baseUrl, tokens.all)).rejects.toThrow('answered with 403');
    const anonymous = new TestApi(cast.baseUrl);
    const inCookie = await anonymous.get('/api/auth/user', { headers: { cookie: `nolo_session=${tokens.all}` } });
    expect(inCookie.status).toBe(401);
    const both = {
      authorization: `Bearer ${tokens.only['profile:read']}`,
      ...createSessionCookieHeaders(cast.owner.api),
    };
    expect((await anonymous.get('/api/auth/user', { headers: both })).body.id).not.toBe(cast.owner.id);
    const refused = await anonymous.get('/api/sessions', { headers: both });
    expect([refused.status, refused.body.code]).toEqual([403, 'token_not_allowed']);
  });

  it('is worth nothing at any gateway once it is revoked, and guessing tokens is rate limited', async () => {
    const body = { name: 'Short', scopes: ['profile:read'], expiresInDays: 1 };
    const made = (await tokens.owner.post('/api/account/tokens', body)).body as {
      secret: string;
      token: { id: string };
    };
    const apis = running.urls.map((url) => new TestApi(url, made.secret));
    const statuses = () => Promise.all(apis.map(async (api) => (await api.get('/api/auth/user')).status));
    expect(await statuses()).toEqual(apis.map(() => 200));
    await tokens.owner.delete(`/api/account/tokens/${made.token.id}`);
    await eventually(async () => (await statuses()).every((status) => status === 401));
    await running.forgetLimits('wrongTokensPerAddress');
    const wrong = new TestApi(cast.baseUrl, `${made.secret.slice(0, -1)}x`);
    const tried = await Promise.all(Array.from({ length: 120 }, () => wrong.get('/api/auth/user')));
    expect(new Set(tried.map(({ status }) => status))).toEqual(new Set([401, 429]));
    // Holders of a valid one are not slowed down by it.
    const good = new TestApi(cast.baseUrl, tokens.only['profile:read']);
    expect((await good.get('/api/auth/user')).status).toBe(200);
    await running.forgetLimits('wrongTokensPerAddress');
  });
});

describe('a blocked person', () => {
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

  it('still finds the owner by number, as adding the number would show too, but not by name', async () => {
    const search = async (q: string) =>
      (await cast.blocked.api.get(`/api/search/users?q=${encodeURIComponent(q)}`)).body as Record<string, unknown>[];
    expect(await search(cast.owner.phone)).toMatchObject([{ id: cast.owner.id, isOnline: false, statusMessage: '' }]);
    expect(await search(cast.canaries.name)).toEqual([]);
  });

  it('cannot enter the conversations of others', async () => {
    const reply = await cast.blocked.api.get('/api/conversations');
    const ids = (reply.body as { id: string }[]).map(({ id }) => id);
    expect(ids).toContain(cast.blockedConversationId);
    expect(ids).not.toContain(cast.conversationId);
    expect(serializeReply(reply)).not.toContain(cast.canaries.status);
  });
});
