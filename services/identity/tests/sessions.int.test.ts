import { newId } from '@nolo/kit/ids';
import type { SignInWithProviderRequest } from '@nolo/proto/identity';
import { eventually } from '@nolo/testing';
import { aSignInWithProviderRequest } from '@nolo/testing/protos';
import {
  testDevice,
  captureRefusal,
  requireSelf,
  startIdentity,
  type TestPerson,
  type TestIdentity,
} from './startIdentity.ts';

let identity: TestIdentity;
let ended: { userId: string; sessionIds: string[] }[];
beforeAll(async () => {
  identity = await startIdentity();
  ended = [];
  identity.bus.subscribe('gateway.all.session_ended', (data) => void ended.push(data as (typeof ended)[number]));
  await identity.bus.flush();
});
afterAll(() => identity.stop());

const dayMs = 86_400_000;
const authenticate = (token: string) => identity.client.authenticateSession({ token });
const endedIds = () => ended.flatMap((notice) => notice.sessionIds);

function byProvider(subject: string, changes: Partial<SignInWithProviderRequest> = {}) {
  return identity.client.signInWithProvider(aSignInWithProviderRequest({ subject, device: testDevice, ...changes }));
}

describe('a session', () => {
  test('is resolved from its token, of which only the hash is stored', async () => {
    const person = await identity.signUp();
    const session = await authenticate(person.token);
    expect(session).toMatchObject({ sessionId: person.sessionId, userId: person.id });
    expect(session.expiresAt?.getTime()).toBe(identity.clock.now().getTime() + 90 * dayMs);
    const { rows } = await identity.db.raw('select row_to_json(s)::text as text from sessions s');
    expect(JSON.stringify(rows)).not.toContain(person.token);
  });

  test.each(['', 'nonsense', 'a'.repeat(43)])('is not found by the token %p', async (token) => {
    expect(await captureRefusal(authenticate(token))).toMatchObject({
      kind: 'unauthenticated',
      code: 'session_invalid',
    });
  });

  test('survives an emptied Redis', async () => {
    const person = await identity.signUp();
    await authenticate(person.token);
    await identity.emptyRedis();
    expect((await authenticate(person.token)).userId).toBe(person.id);
  });

  test('lasts while it is used, and ends after ninety days without use', async () => {
    const person = await identity.signUp();
    for (let step = 0; step < 3; step += 1) {
      identity.clock.advance(60 * dayMs);
      await identity.emptyRedis();
      await authenticate(person.token);
      await eventually(async () => {
        const row = await identity.db('sessions').where({ id: person.sessionId }).first();
        return row.expires_at.getTime() === identity.clock.now().getTime() + 90 * dayMs;
      });
    }
    identity.clock.advance(90 * dayMs);
    expect(await captureRefusal(authenticate(person.token))).toMatchObject({ code: 'session_invalid' });
  });

  test('records its use every five minutes, and its renewal once a day', async () => {
    const person = await identity.signUp();
    const row = () => identity.db('sessions').where({ id: person.sessionId }).first();
    const before = await row();
    identity.clock.advance(60_000);
    await authenticate(person.token);
    expect((await row()).last_used_at).toEqual(before.last_used_at);
    identity.clock.advance(300_000);
    await identity.emptyRedis();
    await authenticate(person.token);
    await eventually(async () => (await row()).last_used_at.getTime() === identity.clock.now().getTime());
    expect((await row()).expires_at).toEqual(before.expires_at);
  });

  test('is ended by its owner at once, even if cached, and gateways are notified', async () => {
    const person = await identity.signUp();
    await authenticate(person.token);
    const reply = await identity.client.endSession({ actorId: person.id, sessionId: person.sessionId });
    expect(reply).toEqual({ idTokenHint: undefined });
    expect(await captureRefusal(authenticate(person.token))).toMatchObject({ code: 'session_invalid' });
    await eventually(() => endedIds().includes(person.sessionId));
    const retry = identity.client.endSession({ actorId: person.id, sessionId: person.sessionId });
    expect(await captureRefusal(retry)).toMatchObject({ kind: 'not_found', code: 'session_not_found' });
  });

  test('cannot be ended, listed or seen by another person', async () => {
    const [ada, ben] = [await identity.signUp(), await identity.signUp()];
    const theft = identity.client.endSession({ actorId: ben.id, sessionId: ada.sessionId });
    expect(await captureRefusal(theft)).toMatchObject({ code: 'session_not_found' });
    await identity.client.endOtherSessions({ actorId: ben.id, keepSessionId: ben.sessionId });
    expect((await authenticate(ada.token)).userId).toBe(ada.id);
    const { sessions } = await identity.client.listSessions({ actorId: ben.id });
    expect(sessions.map((session) => session.id)).toEqual([ben.sessionId]);
  });

  test('is not restored by a lookup that started before it ended', async () => {
    const person = await identity.signUp();
    await identity.emptyRedis();
    const results = await Promise.allSettled([
      ...Array.from({ length: 20 }, () => authenticate(person.token)),
      identity.client.endSession({ actorId: person.id, sessionId: person.sessionId }),
      ...Array.from({ length: 20 }, () => authenticate(person.token)),
    ]);
    expect(results[20]?.status).toBe('fulfilled');
    expect(await captureRefusal(authenticate(person.token))).toMatchObject({ code: 'session_invalid' });
  });
});

describe('the sessions of an account', () => {
  test('are listed by latest use, and all but one can be ended', async () => {
    const ada = await identity.signUp();
    identity.clock.advance(600_000);
    const second = await identity.signIn(ada.phoneNumber);
    identity.clock.advance(600_000);
    const third = await identity.signIn(ada.phoneNumber);
    const list = async () => (await identity.client.listSessions({ actorId: ada.id })).sessions;
    expect((await list()).map((session) => session.id)).toEqual([third.sessionId, second.sessionId, ada.sessionId]);
    expect((await list())[0]).toMatchObject({ userAgent: 'Test browser', method: 'phone' });

    const reply = await identity.client.endOtherSessions({ actorId: ada.id, keepSessionId: second.sessionId });
    expect(reply.ended).toBe(2);
    expect((await list()).map((session) => session.id)).toEqual([second.sessionId]);
    await eventually(() => [ada.sessionId, third.sessionId].every((id) => endedIds().includes(id)));
    expect(await captureRefusal(authenticate(third.token))).toMatchObject({ code: 'session_invalid' });
  });

  test('show where they were last used, and no more than a person needs', async () => {
    const ada = await identity.signUp();
    const network = async () => (await identity.client.listSessions({ actorId: ada.id })).sessions[0]?.network;
    expect(await network()).toBe('192.0.2.x');
    const open = { actorId: ada.id, sessionId: ada.sessionId };
    await identity.client.getSelf({ ...open, address: '2001:db8:1:2::/64' });
    await eventually(async () => (await network()) === '2001:db8:1::/48');
    // Sessions of other people are unaffected, and an invalid address changes nothing.
    const ben = await identity.signUp();
    await identity.client.getSelf({ actorId: ben.id, sessionId: ada.sessionId, address: '203.0.113.5' });
    await identity.client.getSelf({ ...open, address: 'unknown' });
    await identity.client.getSelf({ actorId: ben.id, sessionId: ben.sessionId, address: '203.0.113.5' });
    const theirs = async () => (await identity.client.listSessions({ actorId: ben.id })).sessions[0]?.network;
    await eventually(async () => (await theirs()) === '203.0.113.x');
    expect(await network()).toBe('2001:db8:1::/48');
    const rows = JSON.stringify(await identity.db('sessions').where({ user_id: ada.id }));
    for (const address of ['192.0.2.1', '2001:db8:1:2']) expect(rows).not.toContain(address);
  });

  test('are limited to a hundred: the longest unused one is ended', async () => {
    const first = await byProvider('many-devices');
    const { id } = requireSelf(first);
    const next = () => {
      identity.clock.advance(1000);
      return byProvider('many-devices');
    };
    const second = await next();
    for (let count = 2; count < 100; count += 1) await next();
    expect((await authenticate(first.token!)).userId).toBe(id);
    await next();
    expect(await captureRefusal(authenticate(first.token!))).toMatchObject({ code: 'session_invalid' });
    expect((await authenticate(second.token!)).userId).toBe(id);
    const parallel = await Promise.all(Array.from({ length: 5 }, () => byProvider('many-devices')));
    expect(await captureRefusal(authenticate(second.token!))).toMatchObject({ code: 'session_invalid' });
    const { sessions } = await identity.client.listSessions({ actorId: id });
    expect(sessions).toHaveLength(100);
    for (const { sessionId } of parallel) expect(sessions.map((session) => session.id)).toContain(sessionId);
    await eventually(() => endedIds().includes(first.sessionId!));
  });

  test('can be checked by gateways that missed an event', async () => {
    const [ada, ben] = [await identity.signUp(), await identity.signUp()];
    await identity.client.endSession({ actorId: ben.id, sessionId: ben.sessionId });
    const sessionIds = [ada.sessionId, ben.sessionId, newId(), 'nonsense'];
    const reply = await identity.client.filterLiveSessions({ sessionIds });
    expect(reply.sessionIds).toEqual([ada.sessionId]);
    const tooMany = identity.client.filterLiveSessions({ sessionIds: Array.from({ length: 1001 }, () => newId()) });
    expect(await captureRefusal(tooMany)).toMatchObject({ kind: 'invalid', code: 'too_many_ids' });
  });

  test('are summarized for signed-in people as a number of devices and a day', async () => {
    const [ada, ben] = [await identity.signUp(), await identity.signUp()];
    await identity.client.endSession({ actorId: ben.id, sessionId: ben.sessionId });
    const { sessions } = await identity.client.listSessions({ actorId: ada.id });
    const lastUsedOn = sessions[0]?.lastUsedAt?.toISOString().slice(0, 10);
    const { summaries } = await identity.client.summarizeSessions({ userIds: [ada.id, ben.id, newId()] });
    expect(summaries).toEqual([{ userId: ada.id, devices: 1, lastUsedOn }]);
    expect(await identity.client.summarizeSessions({ userIds: [] })).toEqual({ summaries: [] });
  });
});

describe('signing in with a provider', () => {
  test('creates an account with names and verified email, and finds it again', async () => {
    const claims = {
      email: 'Ada@example.org',
      emailVerified: true,
      givenName: ' Ada ',
      familyName: 'Lovelace',
      idToken: 'jwt',
    };
    const first = await byProvider('ada', claims);
    expect(first.created).toBe(true);
    expect(requireSelf(first)).toMatchObject({
      email: 'Ada@example.org',
      firstName: 'Ada',
      lastName: 'Lovelace',
      phoneNumber: undefined,
      providerIssuers: ['https://id.example'],
    });
    const retry = await byProvider('ada', { ...claims, givenName: 'Augusta' });
    expect(retry.created).toBe(false);
    expect(requireSelf(retry)).toMatchObject({ id: requireSelf(first).id, firstName: 'Ada' });
    const reply = await identity.client.endSession({ actorId: requireSelf(first).id, sessionId: first.sessionId! });
    expect(reply.idTokenHint).toBe('jwt');
  });

  test('never merges accounts by email, and stores no unverified address', async () => {
    const [one, two] = [
      await byProvider('mail-1', { email: 'same@example.org', emailVerified: true }),
      await byProvider('mail-2', { email: 'same@example.org', emailVerified: true }),
    ];
    expect(requireSelf(one).id).not.toBe(requireSelf(two).id);
    expect(requireSelf(await byProvider('mail-3', { email: 'x@example.org' })).email).toBeUndefined();
  });

  test('creates one account from concurrent first sign-ins', async () => {
    const replies = await Promise.all(Array.from({ length: 10 }, () => byProvider('at-once')));
    expect(new Set(replies.map((reply) => requireSelf(reply).id)).size).toBe(1);
    expect(replies.filter((reply) => reply.created)).toHaveLength(1);
  });

  test('cleans and shortens names from the provider', async () => {
    const { firstName, lastName } = requireSelf(
      await byProvider('odd', { givenName: `A\u202e\u0000${'x'.repeat(99)}`, familyName: '\u200b' }),
    );
    expect(firstName).toBe(`A ${'x'.repeat(48)}`);
    expect(lastName).toBe('');
  });

  test('links the identity to an account, unless another has it', async () => {
    const [ada, ben] = [await identity.signUp(), await identity.signUp()];
    const linkTo = ({ id, sessionId }: TestPerson) => ({ linkToUserId: id, linkSessionId: sessionId });
    const linked = await byProvider('link', { ...linkTo(ada), email: 'link@example.org', emailVerified: true });
    expect(linked).toMatchObject({ token: undefined, sessionId: undefined, created: false });
    expect(requireSelf(linked)).toMatchObject({
      id: ada.id,
      email: 'link@example.org',
      providerIssuers: ['https://id.example'],
    });
    expect(requireSelf(await byProvider('link', linkTo(ada))).id).toBe(ada.id);
    expect(await captureRefusal(byProvider('link', linkTo(ben)))).toMatchObject({
      kind: 'conflict',
      code: 'provider_taken',
      message: 'This sign-in belongs to another account.',
    });
    const nobody = { linkToUserId: newId(), linkSessionId: ada.sessionId };
    expect(await captureRefusal(byProvider('nobody', nobody))).toMatchObject({ code: 'proof_required' });
  });

  test('rejects an identity without a subject', async () => {
    expect(await captureRefusal(byProvider(''))).toMatchObject({ kind: 'invalid', code: 'provider_invalid' });
  });
});
