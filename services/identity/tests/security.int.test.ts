import { newId } from '@nolo/kit/ids';
import { limits } from '@nolo/rules';
import { eventually, randomPhone } from '@nolo/testing';
import { createSecurityFixtures, issuer } from './securityFixtures.ts';
import {
  captureRefusal,
  demoCode,
  requireSelf,
  shareIdentity,
  testCallerOf,
  testDevice,
  type TestPerson,
} from './startIdentity.ts';

const identity = shareIdentity();
const { byProvider, linkProvider, verify, linkPhone, identitiesOf, noticesOf, noticeOf, undo, alsoAt } =
  createSecurityFixtures(identity);

const minuteMs = 60_000;

describe('fresh proof', () => {
  const attempts: [string, (person: TestPerson) => Promise<unknown>][] = [
    ['linking a number', (person) => linkPhone(person, randomPhone())],
    ['linking a provider', (person) => linkProvider(person, newId())],
    [
      'unlinking',
      async (person) => {
        const { identities } = await identity.security.listIdentities({ actorId: person.id });
        return identity.security.unlinkIdentity({ ...testCallerOf(person), identityId: identities[0]?.id ?? '' });
      },
    ],
    ['the export', (person) => identity.client.exportAccount(testCallerOf(person))],
    ['the deletion', (person) => identity.client.deleteAccount(testCallerOf(person))],
    ['undoing', (person) => undo(person, 'provider_added')],
  ];

  test.each(attempts)('is required by %s, and given by a code', async (_name, attempt) => {
    const ada = await identity.signUp('Ada');
    await linkProvider(await alsoAt(ada), newId());
    identity.clock.advance(5 * minuteMs);
    expect(await captureRefusal(attempt(ada))).toMatchObject({ kind: 'forbidden', code: 'proof_required' });
    const { validUntil, phoneNumbers } = await identity.security.getProof(testCallerOf(ada));
    expect([validUntil, phoneNumbers]).toEqual([undefined, [ada.phoneNumber]]);
    const reply = await verify(ada.phoneNumber, { proveSessionId: ada.sessionId });
    expect(reply).toMatchObject({ token: undefined, sessionId: undefined });
    await attempt(ada);
  });

  test('does not count for another session', async () => {
    const ada = await identity.signUp();
    const other = await alsoAt(ada);
    identity.clock.advance(5 * minuteMs);
    await verify(ada.phoneNumber, { proveSessionId: other.sessionId });
    expect(await captureRefusal(identity.client.exportAccount(testCallerOf(ada)))).toMatchObject({
      code: 'proof_required',
    });
    await identity.client.exportAccount(testCallerOf(other));
    const borrowed = { actorId: ada.id, sessionId: (await identity.signUp()).sessionId };
    expect(await captureRefusal(identity.client.exportAccount(borrowed))).toMatchObject({ code: 'proof_required' });
  });

  test('is given by the account’s own number and identities only, and starts no session', async () => {
    const [ada, ben] = [await identity.signUp(), await identity.signUp()];
    await linkProvider(ada, 'proof-of-ada');
    await linkProvider(ben, 'proof-of-ben');
    identity.clock.advance(5 * minuteMs);
    const proveSessionId = ada.sessionId;
    expect(await captureRefusal(verify(ben.phoneNumber, { proveSessionId }))).toMatchObject({ code: 'proof_mismatch' });
    expect(await captureRefusal(byProvider('proof-of-ben', { proveSessionId }))).toMatchObject({
      code: 'proof_mismatch',
    });
    expect(await captureRefusal(byProvider('proof-of-nobody', { proveSessionId }))).toMatchObject({
      code: 'proof_mismatch',
    });
    expect(await captureRefusal(byProvider('proof-of-ada', { proveSessionId: newId() }))).toMatchObject({
      code: 'session_invalid',
    });
    expect(await captureRefusal(identity.client.exportAccount(testCallerOf(ada)))).toMatchObject({
      code: 'proof_required',
    });
    expect(await byProvider('proof-of-ada', { proveSessionId })).toMatchObject({
      token: undefined,
      sessionId: undefined,
    });
    await identity.client.exportAccount(testCallerOf(ada));
  });

  test('leaves a code valid that was rejected for lack of it', async () => {
    const ada = await identity.signUp();
    identity.clock.advance(5 * minuteMs);
    const next = randomPhone();
    expect(await captureRefusal(linkPhone(ada, next))).toMatchObject({ code: 'proof_required' });
    await verify(ada.phoneNumber, { proveSessionId: ada.sessionId });
    const retryRequest = {
      phoneNumber: next,
      code: demoCode,
      device: testDevice,
      linkToUserId: ada.id,
      linkSessionId: ada.sessionId,
    };
    expect(requireSelf(await identity.client.verifyCode(retryRequest)).phoneNumber).toBe(next);
  });
});

describe('the sign-in methods', () => {
  test('are listed with when and where they were added, to their owner only', async () => {
    const ada = await identity.signUp();
    const laptop = await alsoAt(ada, 'Laptop');
    identity.clock.advance(minuteMs);
    await linkProvider(laptop, 'listed', { email: 'ada@example.org' });
    const { identities } = await identity.security.listIdentities({ actorId: ada.id });
    expect(identities).toMatchObject([
      { phoneNumber: ada.phoneNumber, issuer: undefined, addedBy: 'Test browser' },
      { phoneNumber: undefined, issuer, email: 'ada@example.org', addedBy: 'Laptop', addedAt: identity.clock.now() },
    ]);
    const ben = await identity.signUp();
    const theft = identity.security.unlinkIdentity({ ...testCallerOf(ben), identityId: identities[0]?.id ?? '' });
    expect(await captureRefusal(theft)).toMatchObject({ kind: 'not_found', code: 'identity_not_found' });
  });

  test('can be removed except the last one, even with concurrent attempts', async () => {
    const ada = await identity.signUp();
    const laptop = await alsoAt(ada);
    await linkProvider(ada, 'one-of-two', { email: 'two@example.org', emailVerified: true });
    const { identities } = await identity.security.listIdentities({ actorId: ada.id });
    const outcomes = await Promise.allSettled(
      identities.map(({ id }, index) =>
        identity.security.unlinkIdentity({ ...testCallerOf(index === 0 ? ada : laptop), identityId: id }),
      ),
    );
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'last_way_in' } });
    expect(await identitiesOf(ada)).toHaveLength(1);
  });

  test('remove the email address that they provided', async () => {
    const ada = await identity.signUp();
    await linkProvider(ada, 'gave-mail', { email: 'gave@example.org', emailVerified: true });
    const { identities } = await identity.security.listIdentities({ actorId: ada.id });
    await identity.security.unlinkIdentity({ ...testCallerOf(ada), identityId: identities[1]?.id ?? '' });
    expect((await identity.client.getSelf({ actorId: ada.id })).email).toBeUndefined();
    // The previous address is notified.
    await identity.runMails();
    expect(identity.mails.at(-1)).toMatchObject({
      to: 'gave@example.org',
      subject: 'A sign-in method was removed from your Nolo account',
      text: expect.stringContaining('Sign-in with id.example was removed'),
    });
  });

  test('are limited to twenty', async () => {
    const ada = await identity.signUp();
    // Leaves room for two, including the number, so two of the simultaneous requests succeed.
    for (let ways = 1; ways < limits.identitiesPerUser - 2; ways += 1) await linkProvider(ada, newId());
    const results = await Promise.allSettled(Array.from({ length: 4 }, () => linkProvider(ada, newId())));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    expect(await captureRefusal(linkProvider(ada, newId()))).toMatchObject({
      kind: 'conflict',
      code: 'identity_limit',
    });
    await linkPhone(ada, randomPhone());
  });
});

describe('notices', () => {
  test("are emailed in the chosen language, else that of the device, in the person's local time", async () => {
    const ada = await identity.signUp('Ada');
    await linkProvider(ada, 'german', { email: 'german@example.org', emailVerified: true });
    identity.mails.splice(0);
    const subjectOf = async (language?: string) => {
      const device = { userAgent: 'Test browser', address: '192.0.2.1', language };
      await identity.client.sendCode({ phoneNumber: ada.phoneNumber, device });
      await identity.client.verifyCode({ phoneNumber: ada.phoneNumber, code: demoCode, device });
      await identity.runMails();
      // Respects the limit on code requests.
      identity.clock.advance(5 * minuteMs);
      return identity.mails.at(-1)?.subject;
    };
    expect(await subjectOf()).toBe('New sign-in to your Nolo account');
    expect(await subjectOf('de')).toBe('Neue Anmeldung bei deinem Nolo-Konto');
    await identity.client.updateProfile({ actorId: ada.id, language: 'en', deviceLanguage: 'de' });
    expect(await subjectOf('de')).toBe('New sign-in to your Nolo account');
    await identity.client.updateProfile({ actorId: ada.id, language: 'de', timeZone: 'Africa/Johannesburg' });
    expect(await subjectOf('en')).toBe('Neue Anmeldung bei deinem Nolo-Konto');
    expect(identity.mails.at(-1)?.text).toMatch(/um \d\d:\d\d (?:GMT\+2|SAST)/);
  });

  test('reach every device and the email address after sign-ins and changes, and wait for absent ones', async () => {
    const ada = await identity.signUp('Ada');
    await linkProvider(ada, 'told', { email: 'told@example.org', emailVerified: true });
    identity.clock.advance(minuteMs);
    const gateway = await identity.gateway('replica-notices');
    await gateway.leases.add(ada.id);
    identity.mails.splice(0);
    const laptop = await alsoAt(ada);
    await eventually(() => gateway.framesFor(ada.id, 'notices_changed').length === 1);
    await identity.runMails();
    expect(identity.mails).toMatchObject([{ to: 'told@example.org', subject: 'New sign-in to your Nolo account' }]);
    expect(identity.mails[0]?.text).toContain('on Firefox on Linux (');

    const seen = async (person: TestPerson) => (await noticesOf(person)).map((notice) => [notice.kind, notice.seen]);
    expect(await seen(ada)).toEqual([
      ['signed_in', false],
      ['provider_added', true],
    ]);
    // A new device sees changes of recent days, but no sign-ins before its own.
    expect(await seen(laptop)).toEqual([
      ['signed_in', true],
      ['provider_added', false],
    ]);
    const noticeId = (await noticeOf(ada, 'signed_in')).id;
    await identity.security.markNoticesSeen({ ...testCallerOf(ada), noticeId });
    expect(await seen(ada)).toMatchObject([
      ['signed_in', true],
      ['provider_added', true],
    ]);
    expect(await seen(laptop)).toMatchObject([
      ['signed_in', true],
      ['provider_added', false],
    ]);
  });

  test('are private, and listed in pages', async () => {
    const [ada, ben] = [await identity.signUp(), await identity.signUp()];
    for (let count = 0; count < 3; count += 1) {
      identity.clock.advance(11 * minuteMs);
      await alsoAt(ada);
    }
    const page = (cursor?: string) => identity.security.listNotices({ ...testCallerOf(ada), cursor, limit: 2 });
    const first = await page();
    const second = await page(first.nextCursor);
    expect([first.notices.length, second.notices.length, second.nextCursor]).toEqual([2, 1, undefined]);
    expect(new Set([...first.notices, ...second.notices].map(({ id }) => id)).size).toBe(3);
    expect(await noticesOf(ben)).toEqual([]);
    const noticeId = first.notices[0]?.id ?? '';
    await verify(ben.phoneNumber, { proveSessionId: ben.sessionId });
    const theft = identity.security.undoNotice({ ...testCallerOf(ben), noticeId });
    expect(await captureRefusal(theft)).toMatchObject({ kind: 'not_found', code: 'notice_not_found' });
    const peep = identity.security.markNoticesSeen({ ...testCallerOf(ben), noticeId });
    expect(await captureRefusal(peep)).toMatchObject({ code: 'notice_not_found' });
    expect(await identity.security.listNotices({ actorId: ada.id, sessionId: ben.sessionId })).toEqual({
      notices: [],
      nextCursor: undefined,
    });
  });
});
