import { newId } from '@nolo/kit/ids';
import { eventually, randomPhone } from '@nolo/testing';
import { createSecurityFixtures, issuer } from './securityFixtures.ts';
import { captureRefusal, demoCode, shareIdentity, testCallerOf, testDevice, type TestPerson } from './startIdentity.ts';

const identity = shareIdentity();
const { byProvider, linkProvider, verify, linkPhone, identitiesOf, noticesOf, undo, alsoAt } =
  createSecurityFixtures(identity);

const minuteMs = 60_000;
const dayMs = 86_400_000;
const isSignedIn = async ({ token }: TestPerson) =>
  identity.client.authenticateSession({ token }).then(
    () => true,
    () => false,
  );

describe('“This wasn’t me”', () => {
  test('ends all other sessions and reverts their changes, but not earlier or own ones', async () => {
    const ada = await identity.signUp();
    await linkProvider(ada, 'own-before');
    identity.clock.advance(minuteMs);
    const thief = await alsoAt(ada);
    const stolen = randomPhone();
    await linkPhone(thief, stolen);
    await linkProvider(thief, 'of-the-thief', { issuer: 'https://thief.example' });
    const { identities } = await identity.security.listIdentities({ actorId: ada.id });
    const own = identities.find((one) => one.issuer === issuer);
    await identity.security.unlinkIdentity({ ...testCallerOf(thief), identityId: own?.id ?? '' });
    await linkProvider(ada, 'own-after', { issuer: 'https://own.example' });
    expect((await identitiesOf(ada)).sort()).toEqual(['https://own.example', 'https://thief.example', stolen].sort());

    const gateway = await identity.gateway('replica-undo');
    await gateway.leases.add(ada.id);
    expect(await undo(ada, 'signed_in')).toEqual({ endedSessions: 1, undoneChanges: 3 });
    expect((await identitiesOf(ada)).sort()).toEqual(['https://own.example', issuer, ada.phoneNumber].sort());
    expect([await isSignedIn(ada), await isSignedIn(thief)]).toEqual([true, false]);
    await eventually(() => gateway.framesFor(ada.id, 'notices_changed').length > 0);
    expect((await byProvider('own-before')).created).toBe(false);
    // The thief's sign-in methods open nothing and take nothing back.
    expect((await byProvider('of-the-thief', { issuer: 'https://thief.example' })).created).toBe(true);
    expect((await verify(stolen)).created).toBe(true);
  });

  test('works once, for other sessions, in the first week, and not for itself', async () => {
    const ada = await identity.signUp();
    const laptop = await alsoAt(ada);
    expect(await captureRefusal(undo(laptop, 'signed_in'))).toMatchObject({ kind: 'conflict', code: 'notice_settled' });
    const [signedIn] = await noticesOf(ada);
    expect(signedIn).toMatchObject({ kind: 'signed_in', undoable: true });
    const retryRequest = identity.security.undoNotice({ ...testCallerOf(ada), noticeId: signedIn?.id ?? '' });
    expect(await retryRequest).toEqual({ endedSessions: 1, undoneChanges: 0 });
    expect(await captureRefusal(undo(ada, 'signed_in'))).toMatchObject({ code: 'notice_settled' });
    expect(await captureRefusal(undo(ada, 'undone'))).toMatchObject({ code: 'notice_settled' });
    await alsoAt(ada);
    identity.clock.advance(7 * dayMs);
    await verify(ada.phoneNumber, { proveSessionId: ada.sessionId });
    expect(await captureRefusal(undo(ada, 'signed_in'))).toMatchObject({ code: 'notice_settled' });
  });

  test('can be proven with the replaced number', async () => {
    const ada = await identity.signUp();
    const thief = await alsoAt(ada);
    const stolen = randomPhone();
    await linkPhone(thief, stolen);
    identity.clock.advance(5 * minuteMs);
    expect(await captureRefusal(undo(ada, 'phone_replaced'))).toMatchObject({ code: 'proof_required' });
    const { phoneNumbers } = await identity.security.getProof(testCallerOf(ada));
    expect(phoneNumbers.sort()).toEqual([ada.phoneNumber, stolen].sort());
    await verify(ada.phoneNumber, { proveSessionId: ada.sessionId });
    expect(await undo(ada, 'phone_replaced')).toEqual({ endedSessions: 1, undoneChanges: 1 });
    expect(await identitiesOf(ada)).toEqual([ada.phoneNumber]);
    expect((await identity.security.getProof(testCallerOf(ada))).phoneNumbers).toEqual([ada.phoneNumber]);
  });

  test('wins or loses against a concurrent change, but never halfway', async () => {
    for (let round = 0; round < 5; round += 1) {
      const ada = await identity.signUp();
      const thief = await alsoAt(ada);
      const stolen = randomPhone();
      await identity.client.sendCode({ phoneNumber: stolen, device: testDevice });
      const { id: linkToUserId, sessionId: linkSessionId } = thief;
      await Promise.allSettled([
        undo(ada, 'signed_in'),
        identity.client.verifyCode({
          phoneNumber: stolen,
          code: demoCode,
          device: testDevice,
          linkToUserId,
          linkSessionId,
        }),
        linkProvider(thief, `race-${round}`),
      ]);
      expect(await isSignedIn(thief)).toBe(false);
      expect(await identitiesOf(ada)).toEqual([ada.phoneNumber]);
    }
  });

  test('leaves a sign-in method if all earlier ones belong to others by now', async () => {
    const ada = await identity.signUp();
    const thief = await alsoAt(ada);
    const next = randomPhone();
    await linkPhone(thief, next);
    expect((await verify(ada.phoneNumber, { takeBack: false })).created).toBe(true);
    expect(await undo(ada, 'phone_replaced')).toMatchObject({ endedSessions: 1 });
    expect(await identitiesOf(ada)).toEqual([next]);
  });
});

describe('a replaced number', () => {
  const replaced = async () => {
    const ada = await identity.signUp('Ada');
    const thief = await alsoAt(ada);
    await identity.client.endOtherSessions({ actorId: ada.id, keepSessionId: thief.sessionId });
    const stolen = randomPhone();
    await linkPhone(thief, stolen);
    return { ada, thief, stolen };
  };

  test('offers a choice, and can reclaim its account', async () => {
    const { ada, thief, stolen } = await replaced();
    await linkProvider(thief, newId());
    const releasedAt = identity.clock.now();
    identity.clock.advance(7 * dayMs - minuteMs);
    const verifyRefusal = await captureRefusal(verify(ada.phoneNumber));
    expect(verifyRefusal).toMatchObject({
      kind: 'conflict',
      code: 'number_replaced',
      details: {
        replacedAt: releasedAt.toISOString(),
        takeBackUntil: new Date(releasedAt.getTime() + 7 * dayMs).toISOString(),
      },
    });
    // The code is still valid.
    const given = { phoneNumber: ada.phoneNumber, code: demoCode, device: testDevice, linkToUserId: '' };
    const back = await identity.client.verifyCode({ ...given, takeBack: true });
    expect(back).toMatchObject({ created: false, self: { id: ada.id, phoneNumber: ada.phoneNumber } });
    expect(await identitiesOf(ada)).toEqual([ada.phoneNumber]);
    expect(await isSignedIn(thief)).toBe(false);
    const owner = { ...ada, sessionId: back.sessionId! };
    expect((await noticesOf(owner))[0]).toMatchObject({ kind: 'taken_back', byThisSession: true, undoable: false });
    expect((await verify(stolen)).created).toBe(true);
    expect((await identity.signIn(ada.phoneNumber)).self?.id).toBe(ada.id);
  });

  test('starts a new account if the person wants one, and after seven days', async () => {
    const { ada, thief } = await replaced();
    const fresh = await verify(ada.phoneNumber, { takeBack: false });
    expect(fresh.created).toBe(true);
    expect(await isSignedIn(thief)).toBe(true);
    const { ada: ben } = await replaced();
    identity.clock.advance(7 * dayMs);
    expect((await verify(ben.phoneNumber)).created).toBe(true);
  });

  test('reclaims it once, even with concurrent attempts', async () => {
    const { ada } = await replaced();
    await identity.client.sendCode({ phoneNumber: ada.phoneNumber, device: testDevice });
    const given = {
      phoneNumber: ada.phoneNumber,
      code: demoCode,
      device: testDevice,
      linkToUserId: '',
      takeBack: true,
    };
    const results = await Promise.allSettled(Array.from({ length: 4 }, () => identity.client.verifyCode(given)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await identitiesOf(ada)).toEqual([ada.phoneNumber]);
  });
});
