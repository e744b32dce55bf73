import { createTestEnvironment, eventually, startTestBilling, type TestBilling } from '@nolo/testing';
import { newId } from '@nolo/kit/ids';
import { limits, tokenScopes } from '@nolo/rules';
import { generateAccessTokenText } from '../src/domain/accessTokens.ts';
import {
  captureRefusal,
  demoCode,
  shareIdentity,
  startIdentity,
  testCallerOf,
  testDevice,
  type TestIdentity,
  type TestPerson,
} from './startIdentity.ts';

const identity = shareIdentity();

const minuteMs = 60_000;
const dayMs = 86_400_000;

const create = async (person: TestPerson, changes: object = {}) => {
  const rpcRequest = {
    ...testCallerOf(person),
    name: 'Export',
    scopes: ['messages:read'],
    expiresInDays: 30,
    ...changes,
  };
  const { secret = '', token } = await identity.tokens.createAccessToken(rpcRequest);
  return { secret, id: token?.id ?? '', token };
};
const authenticate = (secret: string) => identity.tokens.authenticateAccessToken({ secret });
const listed = async ({ id }: TestPerson) => (await identity.tokens.listAccessTokens({ actorId: id })).tokens;
const prove = async ({ phoneNumber, sessionId }: TestPerson) => {
  await identity.client.sendCode({ phoneNumber, device: testDevice });
  await identity.client.verifyCode({
    phoneNumber,
    code: demoCode,
    device: testDevice,
    linkToUserId: '',
    proveSessionId: sessionId,
  });
};
const wrong = { kind: 'unauthenticated', code: 'token_invalid' };

test('a token can do what its scopes allow, for its account, until it expires', async () => {
  const ada = await identity.signUp();
  const { secret, id } = await create(ada, {
    scopes: ['posts:write', 'messages:read', 'posts:write'],
    expiresInDays: 7,
  });
  const expiresAt = new Date(identity.clock.now().getTime() + 7 * dayMs);
  const scopes = ['messages:read', 'posts:write'];
  expect(await authenticate(secret)).toEqual({ tokenId: id, userId: ada.id, scopes, expiresAt });
  identity.clock.advance(7 * dayMs - 1);
  await authenticate(secret);
  identity.clock.advance(1);
  expect(await captureRefusal(authenticate(secret))).toMatchObject(wrong);
  // The owner still sees what happened to it, and it no longer counts against the limit.
  expect(await listed(ada)).toMatchObject([{ id, expiresAt }]);
});

test('only its hash is stored, and its use is recorded every few minutes', async () => {
  const ada = await identity.signUp();
  const { secret, id } = await create(ada);
  const row: unknown = await identity.db('access_tokens').where({ id }).first();
  expect(JSON.stringify(row)).not.toContain(secret.slice(9, 30));
  const usedAt = async () => (await listed(ada))[0]?.lastUsedAt;
  expect(await usedAt()).toBeUndefined();
  const first = identity.clock.now();
  await authenticate(secret);
  await eventually(async () => (await usedAt()) !== undefined);
  identity.clock.advance(4 * minuteMs);
  await authenticate(secret);
  expect(await usedAt()).toEqual(first);
  identity.clock.advance(minuteMs);
  await authenticate(secret);
  await eventually(async () => (await usedAt())?.getTime() === first.getTime() + 5 * minuteMs);
});

test('creating one requires fresh proof, a name, known scopes and an expiry', async () => {
  const ada = await identity.signUp();
  for (const [change, code] of [
    [{ name: ' ' }, 'token_name_invalid'],
    [{ name: 'x'.repeat(limits.accessTokenNameLength + 1) }, 'token_name_invalid'],
    [{ scopes: [] }, 'token_scopes_invalid'],
    [{ scopes: ['messages:read', 'everything'] }, 'token_scopes_invalid'],
    [{ expiresInDays: 0 }, 'token_expiry_invalid'],
    [{ expiresInDays: undefined }, 'token_expiry_invalid'],
    [{ expiresInDays: 366 }, 'token_expiry_invalid'],
  ] as const) {
    expect({ change, ...(await captureRefusal(create(ada, change))) }).toMatchObject({ change, kind: 'invalid', code });
  }
  await create(ada, { name: 'x'.repeat(limits.accessTokenNameLength), scopes: tokenScopes, expiresInDays: 365 });
  identity.clock.advance(5 * minuteMs);
  expect(await captureRefusal(create(ada))).toMatchObject({ kind: 'forbidden', code: 'proof_required' });
  // A fresh session of another account does not help.
  const { sessionId } = await identity.signUp();
  expect(await captureRefusal(create(ada, { sessionId }))).toMatchObject({ code: 'proof_required' });
  await prove(ada);
  await create(ada);
});

test('an account has at most twenty active tokens, even with concurrent requests', async () => {
  const ada = await identity.signUp();
  const made = await Promise.allSettled(Array.from({ length: 24 }, () => create(ada)));
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(limits.accessTokensPerUser);
  expect(await captureRefusal(create(ada))).toMatchObject({ kind: 'conflict', code: 'token_limit' });
  const page = await identity.tokens.listAccessTokens({ actorId: ada.id, limit: 15 });
  const rest = await identity.tokens.listAccessTokens({ actorId: ada.id, limit: 15, cursor: page.nextCursor });
  expect([page.tokens.length, rest.tokens.length, rest.nextCursor]).toEqual([15, 5, undefined]);
  expect(new Set([...page.tokens, ...rest.tokens].map(({ id }) => id)).size).toBe(20);
  await identity.tokens.revokeAccessToken({ actorId: ada.id, tokenId: rest.tokens[0]?.id });
  await create(ada);
});

test('a revoked token fails at once, gateways are notified, and only its owner can revoke it', async () => {
  const [ada, ben] = [await identity.signUp(), await identity.signUp()];
  const { secret, id } = await create(ada);
  const ended: unknown[] = [];
  identity.bus.subscribe('gateway.all.session_ended', (data) => void ended.push(data));
  await identity.bus.flush();
  const missing = { kind: 'not_found', code: 'token_not_found' };
  for (const tokenId of [id, newId(), 'x']) {
    expect(await captureRefusal(identity.tokens.revokeAccessToken({ actorId: ben.id, tokenId }))).toMatchObject(
      missing,
    );
  }
  await authenticate(secret);
  await identity.tokens.revokeAccessToken({ actorId: ada.id, tokenId: id });
  expect(await captureRefusal(authenticate(secret))).toMatchObject(wrong);
  await eventually(() => ended.length > 0);
  expect(ended).toEqual([{ userId: ada.id, sessionIds: [id] }]);
  expect(await listed(ada)).toEqual([]);
  expect(await captureRefusal(identity.tokens.revokeAccessToken({ actorId: ada.id, tokenId: id }))).toMatchObject(
    missing,
  );
});

test('a hundred wrong tokens are all rejected, most of them without a query', async () => {
  const { secret } = await create(await identity.signUp());
  const tried = Array.from({ length: 50 }, (_, index) =>
    // Replaces the character at that position with a different one.
    index % 2 === 0
      ? generateAccessTokenText()
      : secret.slice(0, 10 + index) + (secret[10 + index] === 'x' ? 'y' : 'x'),
  );
  for (const one of [...tried, ...tried, '', secret.toUpperCase()]) {
    expect(await captureRefusal(authenticate(one))).toMatchObject(wrong);
  }
});

test('every device and the email address are notified of a new one, and "This wasn’t me" revokes it', async () => {
  const ada = await identity.signUp();
  const own = await create(ada, { name: 'Before' });
  identity.clock.advance(minuteMs);
  const thief = { ...ada, ...(await identity.signIn(ada.phoneNumber)) };
  await identity.db('users').where({ id: ada.id }).update({ email: 'ada@example.org' });
  const gateway = await identity.gateway('replica-tokens');
  await gateway.leases.add(ada.id);
  const stolen = await create(thief, { name: 'Backdoor' });
  await eventually(() => gateway.framesFor(ada.id, 'notices_changed').length > 0);
  await eventually(() => identity.mails.some(({ to }) => to === 'ada@example.org'));
  expect(identity.mails.at(-1)?.subject).toBe('A personal access token was created for your Nolo account');
  const { notices } = await identity.security.listNotices({ ...testCallerOf(ada), cursor: '', limit: 0 });
  const notice = notices.find(({ tokenName }) => tokenName === 'Backdoor');
  expect(notice).toMatchObject({ kind: 'token_created', undoable: true });
  const undone = identity.security.undoNotice({ ...testCallerOf(ada), noticeId: notice?.id ?? '' });
  expect(await undone).toEqual({ endedSessions: 1, undoneChanges: 1 });
  expect(await captureRefusal(authenticate(stolen.secret))).toMatchObject(wrong);
  await authenticate(own.secret);
});

test('tokens are exported without their text, deleted with the account, and forgotten a month after expiry', async () => {
  const ada = await identity.signUp();
  const { secret } = await create(ada, { name: 'In the export' });
  const { json } = await identity.client.exportAccount(testCallerOf(ada));
  expect(JSON.parse(json)).toMatchObject({ accessTokens: [{ name: 'In the export', revokedAt: null }] });
  expect(json).not.toContain(secret.slice(9, 30));
  await identity.client.deleteAccount(testCallerOf(ada));
  expect(await captureRefusal(authenticate(secret))).toMatchObject(wrong);
  await identity.db('closures').where({ user_id: ada.id }).update({ deletes_at: identity.clock.now() });
  await eventually(async () => (await identity.db('access_tokens').where({ user_id: ada.id })).length === 0);

  const ben = await identity.signUp();
  const { id } = await create(ben, { expiresInDays: 1 });
  const isKept = async () => (await identity.db('access_tokens').where({ id })).length === 1;
  identity.clock.advance(31 * dayMs - 1);
  expect(await isKept()).toBe(true);
  identity.clock.advance(minuteMs);
  await eventually(async () => !(await isKept()));
});

describe('tokens where plans are sold', () => {
  let sold: TestIdentity;
  let billing: TestBilling;
  beforeAll(async () => {
    const environment = await createTestEnvironment(['identity']);
    billing = await startTestBilling(environment, 'a secret that only tests know');
    sold = await startIdentity({ BILLING_ADDR: billing.address }, environment);
  });
  afterAll(async () => {
    await sold.stop();
    await billing.stop();
  });

  test('require Business: a downgrade keeps but disables them, and an upgrade enables them again', async () => {
    const ada = await sold.signUp();
    const rpcRequest = { ...testCallerOf(ada), name: 'Export', scopes: ['messages:read'], expiresInDays: 30 };
    await billing.sell(ada.id, 'plus');
    expect(await captureRefusal(sold.tokens.createAccessToken(rpcRequest))).toMatchObject({
      kind: 'plan_limited',
      code: 'plan_limit',
      details: { feature: 'apiAccess', limit: 0, liftedBy: ['business'] },
    });
    const does = (call: () => Promise<unknown>) =>
      eventually(() =>
        call().then(
          () => true,
          () => false,
        ),
      );
    await billing.sell(ada.id, 'business');
    await does(() => sold.tokens.createAccessToken(rpcRequest));
    const { secret = '' } = await sold.tokens.createAccessToken(rpcRequest);
    const use = () => sold.tokens.authenticateAccessToken({ secret });
    await use();
    await billing.sell(ada.id, 'free');
    await eventually(async () =>
      use().then(
        () => false,
        () => true,
      ),
    );
    expect(await captureRefusal(use())).toMatchObject({ kind: 'forbidden', code: 'plan_limit' });
    const { tokens } = await sold.tokens.listAccessTokens({ actorId: ada.id });
    expect(tokens).toHaveLength(2);
    await sold.tokens.revokeAccessToken({ actorId: ada.id, tokenId: tokens[1]?.id });
    await billing.sell(ada.id, 'business');
    await does(use);
  });
});
