import { newId } from '@nolo/kit/ids';
import { limits, rateLimits } from '@nolo/rules';
import { createSecondFactorFixtures, stepMs, elsewhere } from './secondFactorFixtures.ts';
import { testRelyingParty, createSoftAuthenticator } from './softAuthenticator.ts';
import {
  captureRefusal,
  requireBegunSession,
  shareIdentity,
  testCallerOf,
  testDevice,
  type TestPerson,
} from './startIdentity.ts';

const identity = shareIdentity();
const { shown, begin, confirm, locked, byPhone, required, pass, stateOf, kindsOf, outdate } =
  createSecondFactorFixtures(identity);

test('the second factor is enabled with a correct code and fresh proof, announced, and stored encrypted', async () => {
  const ada = await identity.signUp('Ada');
  expect(await stateOf(ada)).toMatchObject({ addedAt: undefined, recoveryCodesLeft: 0 });
  expect(await captureRefusal(confirm(ada, '000000'))).toMatchObject({ code: 'second_factor_expired' });
  const forgotten = await begin(ada);
  const secret = await begin(ada);
  expect(await captureRefusal(confirm(ada, shown(forgotten)))).toMatchObject({ code: 'second_factor_wrong' });
  // A factor that was begun but not confirmed is off.
  requireBegunSession(await byPhone(ada.phoneNumber));
  const codes = await confirm(ada, shown(secret, 1));
  expect(codes).toHaveLength(limits.recoveryCodes);
  expect(await stateOf(ada)).toMatchObject({
    addedAt: identity.clock.now(),
    registrationLock: true,
    recoveryCodesLeft: limits.recoveryCodes,
    wait: undefined,
  });
  expect((await kindsOf(ada))[0]).toBe('factor_added');
  expect(await captureRefusal(begin(ada))).toMatchObject({ kind: 'conflict', code: 'second_factor_on' });

  const kept = JSON.stringify([
    await identity.db('second_factors').where({ user_id: ada.id }),
    await identity.db('recovery_codes').select(),
    (await identity.client.exportAccount(testCallerOf(ada))).json,
  ]);
  for (const secretText of [secret, Buffer.from(secret).toString('hex'), ...codes]) {
    expect(kept).not.toContain(secretText);
  }
  const data = JSON.parse((await identity.client.exportAccount(testCallerOf(ada))).json) as Record<string, unknown>;
  expect(data['secondFactor']).toMatchObject({ registrationLock: true, recoveryCodesLeft: limits.recoveryCodes });
});

test('a pending secret expires, and accounts without a number cannot enable it', async () => {
  const ada = await identity.signUp();
  const secret = await begin(ada);
  identity.clock.advance(limits.secondFactorBeginSeconds * 1_000);
  await identity.db('sessions').where({ id: ada.sessionId }).update({ proven_at: identity.clock.now() });
  expect(await captureRefusal(confirm(ada, shown(secret)))).toMatchObject({ code: 'second_factor_expired' });
  await identity.db('user_phones').where({ user_id: ada.id }).delete();
  expect(await captureRefusal(begin(ada))).toMatchObject({ code: 'second_factor_no_phone' });
});

test('every change requires fresh proof, from a session of the account', async () => {
  const { ada, secret } = await locked();
  const ben = await identity.signUp();
  const { secondFactor } = identity;
  await outdate(ada);
  for (const caller of [testCallerOf(ada), { actorId: ada.id, sessionId: ben.sessionId }]) {
    for (const call of [
      () => secondFactor.beginSecondFactor(caller),
      () => secondFactor.confirmSecondFactor({ ...caller, code: shown(secret) }),
      () => secondFactor.removeSecondFactor(caller),
      () => secondFactor.renewRecoveryCodes(caller),
      () => secondFactor.setRegistrationLock({ ...caller, on: false }),
    ]) {
      expect(await captureRefusal(call())).toMatchObject({ kind: 'forbidden', code: 'proof_required' });
    }
  }
  const own = testCallerOf(ben);
  for (const call of [
    () => secondFactor.removeSecondFactor(own),
    () => secondFactor.renewRecoveryCodes(own),
    () => secondFactor.setRegistrationLock({ ...own, on: false }),
  ]) {
    expect(await captureRefusal(call())).toMatchObject({ kind: 'conflict', code: 'second_factor_off' });
  }
});

test('a text message code gives a ticket and no session; a one-time password turns it into one, once', async () => {
  const { ada, secret } = await locked();
  const sessions = async () => (await identity.client.listSessions({ actorId: ada.id })).sessions.length;
  const { ticket, passkey, mayWait, opensAt } = await required(ada.phoneNumber);
  expect({ passkey, mayWait, opensAt }).toEqual({ passkey: false, mayWait: true, opensAt: null });
  expect(await sessions()).toBe(1);
  expect(await captureRefusal(pass(ticket, '000000'))).toMatchObject({
    code: 'second_factor_wrong',
    details: { triesLeft: limits.secondFactorTriesPerTicket - 1 },
  });
  const code = shown(secret);
  const reply = requireBegunSession(await pass(ticket, ` ${code.slice(0, 3)} ${code.slice(3)}`));
  expect((await identity.client.authenticateSession({ token: reply.token })).userId).toBe(ada.id);
  expect((await kindsOf(ada))[0]).toBe('signed_in');
  expect(await captureRefusal(pass(ticket, shown(secret, 1)))).toMatchObject({ code: 'ticket_invalid' });

  // A person who watched the user cannot sign in with a used code or an earlier one.
  const secondTicket = await required(ada.phoneNumber);
  expect(await captureRefusal(pass(secondTicket.ticket, code))).toMatchObject({ code: 'second_factor_wrong' });
  expect(await captureRefusal(pass(secondTicket.ticket, shown(secret, -1)))).toMatchObject({
    code: 'second_factor_wrong',
  });
  requireBegunSession(await pass(secondTicket.ticket, shown(secret, 1)));
});

test('one of two sign-ins with the same password or recovery code succeeds', async () => {
  const { ada, secret, codes } = await locked();
  for (const code of [shown(secret), codes[0] ?? '']) {
    const tickets = [await required(ada.phoneNumber), await required(ada.phoneNumber, elsewhere)];
    const results = await Promise.allSettled(tickets.map(({ ticket }) => pass(ticket, code)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    // A network gets at most three codes in ten minutes.
    identity.clock.advance(600_000);
  }
});

test('a recovery code opens the account once, and new ones replace the old', async () => {
  const { ada, codes } = await locked();
  const [first = '', second = ''] = codes;
  const { ticket } = await required(ada.phoneNumber);
  requireBegunSession(await pass(ticket, first.toUpperCase().replaceAll('-', ' ')));
  expect(await stateOf(ada)).toMatchObject({ recoveryCodesLeft: limits.recoveryCodes - 1 });
  const next = await required(ada.phoneNumber);
  expect(await captureRefusal(pass(next.ticket, first))).toMatchObject({ code: 'second_factor_wrong' });
  const renewed = await identity.secondFactor.renewRecoveryCodes(testCallerOf(ada));
  expect((await kindsOf(ada))[0]).toBe('recovery_renewed');
  expect(await stateOf(ada)).toMatchObject({ recoveryCodesLeft: limits.recoveryCodes });
  expect(await captureRefusal(pass(next.ticket, second))).toMatchObject({ code: 'second_factor_wrong' });
  requireBegunSession(await pass(next.ticket, renewed.codes[1] ?? ''));
});

test('a passkey counts as a second factor', async () => {
  const { ada } = await locked();
  const relyingParty = testRelyingParty;
  const key = createSoftAuthenticator();
  const { options = '' } = await identity.passkeys.beginPasskey({ ...testCallerOf(ada), relyingParty });
  await identity.passkeys.addPasskey({
    ...testCallerOf(ada),
    relyingParty,
    name: 'Laptop',
    response: key.make(options),
  });
  const { ticket, passkey } = await required(ada.phoneNumber);
  expect(passkey).toBe(true);
  await identity.secondFactor.askForAccount({ ticket, device: testDevice });
  const { options: asked = '' } = await identity.passkeys.beginPasskeySignIn({ relyingParty });
  requireBegunSession(
    await identity.passkeys.signInWithPasskey({ relyingParty, response: key.sign(asked), device: testDevice }),
  );
  expect((await stateOf(ada)).wait).toBeUndefined();
});

test('a ticket is limited in time and attempts, and forged ones are rejected', async () => {
  const { ada, secret, codes } = await locked();
  const { ticket } = await required(ada.phoneNumber);
  identity.clock.advance(limits.secondFactorTicketSeconds * 1_000);
  expect(await captureRefusal(pass(ticket, shown(secret)))).toMatchObject({ kind: 'invalid', code: 'ticket_invalid' });
  for (const madeUp of ['', 'AA', Buffer.alloc(32).toString('base64url')]) {
    expect(await captureRefusal(pass(madeUp, shown(secret)))).toMatchObject({ code: 'ticket_invalid' });
  }
  const next = await required(ada.phoneNumber);
  for (let tried = 1; tried < limits.secondFactorTriesPerTicket; tried += 1) {
    expect(await captureRefusal(pass(next.ticket, 'abcd-abcd-abcd'))).toMatchObject({ code: 'second_factor_wrong' });
  }
  expect(await captureRefusal(pass(next.ticket, 'abcd-abcd-abcd'))).toMatchObject({ code: 'second_factor_spent' });
  expect(await captureRefusal(pass(next.ticket, codes[0] ?? ''))).toMatchObject({ code: 'second_factor_spent' });
});

test('guessing strangers use up only their own attempts, and never those of recovery codes', async () => {
  const { ada, secret, codes } = await locked();
  const stranger = { ...elsewhere, mark: newId() };
  const { ticket } = await required(ada.phoneNumber, stranger);
  // Simulates that they requested enough codes for that.
  await identity.redis.set(
    `limit:secondFactorTriesPerAccount:${ada.id}`,
    rateLimits.secondFactorTriesPerAccount.points,
    'EX',
    600,
  );
  expect(await captureRefusal(pass(ticket, shown(secret), stranger))).toMatchObject({
    kind: 'rate_limited',
    code: 'second_factor_limited',
  });
  const own = await required(ada.phoneNumber);
  requireBegunSession(await pass(own.ticket, shown(secret)));
  requireBegunSession(await pass(ticket, codes[0] ?? '', stranger));
});

test('a text message code is sufficient while the lock is off, with a notice', async () => {
  const { ada } = await locked();
  await identity.secondFactor.setRegistrationLock({ ...testCallerOf(ada), on: false });
  expect((await kindsOf(ada))[0]).toBe('lock_off');
  requireBegunSession(await byPhone(ada.phoneNumber));
  await identity.secondFactor.setRegistrationLock({ ...testCallerOf(ada), on: true });
  await required(ada.phoneNumber);
  await identity.secondFactor.removeSecondFactor(testCallerOf(ada));
  expect((await kindsOf(ada))[0]).toBe('factor_removed');
  requireBegunSession(await byPhone(ada.phoneNumber));
});

const prove = (person: TestPerson, code: string) =>
  identity.secondFactor.proveBySecondFactor({ ...testCallerOf(person), code });

test('an authenticator code is fresh proof, once; recovery codes and wrong ones are not', async () => {
  const { ada, secret, codes } = await locked();
  await outdate(ada);
  expect(await identity.security.getProof(testCallerOf(ada))).toMatchObject({
    validUntil: undefined,
    hasAuthenticator: true,
  });
  for (const code of ['000000', codes[0] ?? '', '']) {
    expect(await captureRefusal(prove(ada, code))).toMatchObject({ kind: 'invalid', code: 'second_factor_wrong' });
  }
  const remove = () => identity.secondFactor.removeSecondFactor(testCallerOf(ada));
  expect(await captureRefusal(remove())).toMatchObject({ code: 'proof_required' });
  const code = shown(secret);
  await prove(ada, code);
  const proof = await identity.security.getProof(testCallerOf(ada));
  expect(proof.validUntil).toEqual(new Date(identity.clock.now().getTime() + limits.proofSeconds * 1_000));
  await outdate(ada);
  for (const used of [code, shown(secret, -1)]) {
    expect(await captureRefusal(prove(ada, used))).toMatchObject({ code: 'second_factor_wrong' });
  }
  identity.clock.advance(stepMs);
  await prove(ada, shown(secret).replace(/^.../, '$& '));
  await remove();
  expect(await captureRefusal(prove(ada, shown(secret, 1)))).toMatchObject({
    kind: 'conflict',
    code: 'second_factor_off',
  });
});

test('an authenticator code proves only sessions of its account, with limited attempts per day', async () => {
  const { ada, secret } = await locked();
  const ben = await identity.signUp();
  const theirs = { actorId: ada.id, sessionId: ben.sessionId, code: shown(secret) };
  expect(await captureRefusal(identity.secondFactor.proveBySecondFactor(theirs))).toMatchObject({
    code: 'session_invalid',
  });
  // The refused call does not use up the password.
  await prove(ada, shown(secret));
  for (let tried = 2; tried < rateLimits.secondFactorProofsPerAccount.points; tried += 1) {
    expect(await captureRefusal(prove(ada, '000000'))).toMatchObject({ code: 'second_factor_wrong' });
  }
  identity.clock.advance(stepMs);
  expect(await captureRefusal(prove(ada, shown(secret)))).toMatchObject({
    kind: 'rate_limited',
    code: 'proof_limited',
  });
  // The limit does not affect other users, and text message codes still work.
  expect(await captureRefusal(prove(ben, '000000'))).toMatchObject({ code: 'second_factor_off' });
});

test("a provider sign-in relies on the provider's own factors", async () => {
  const { ada } = await locked();
  const identityThere = {
    issuer: 'https://id.example',
    subject: newId(),
    emailVerified: false,
    idToken: 'token',
    device: testDevice,
  };
  const link = { linkToUserId: ada.id, linkSessionId: ada.sessionId };
  await identity.client.signInWithProvider({ ...identityThere, ...link });
  requireBegunSession(await identity.client.signInWithProvider(identityThere));
});

test('the second factor is deleted with the account', async () => {
  const { ada } = await locked();
  const { ticket } = await required(ada.phoneNumber);
  await identity.secondFactor.askForAccount({ ticket, device: testDevice });
  await identity.erase(ada);
  for (const table of ['second_factors', 'factor_tickets', 'account_waits']) {
    expect(await identity.db(table).where({ user_id: ada.id })).toEqual([]);
  }
  expect(await captureRefusal(pass(ticket, '000000'))).toMatchObject({ code: 'ticket_invalid' });
});
