import { randomUUID } from 'node:crypto';
import { limits, rateLimits } from '@nolo/rules';
import { eventually, computeOneTimePassword } from '@nolo/testing';
import {
  captureRefusal,
  demoCode,
  requireBegunSession,
  requireSelf,
  shareIdentity,
  testCallerOf,
  testDevice,
  type TestPerson,
} from './startIdentity.ts';

const identity = shareIdentity();

const dayMs = 86_400_000;
const anAddress = () => `${randomUUID()}@example.org`;
const linking = ({ id, sessionId }: TestPerson) => ({ linkToUserId: id, linkSessionId: sessionId });

const send = (email: string, changes: object = {}) =>
  identity.mailCodes.sendMailCode({ email, device: testDevice, ...changes });
const verify = (email: string, changes: object = {}) =>
  identity.mailCodes.verifyMailCode({ email, code: demoCode, device: testDevice, ...changes });
const link = async (person: TestPerson, email: string) => {
  await send(email, linking(person));
  return verify(email, linking(person));
};
/** Creates a user with a verified email address. */
async function reachable(email = anAddress()) {
  const ada = await identity.signUp('Ada');
  await link(ada, email);
  return { ada, email };
}
/** Signs the account in on another device. */
const alsoAt = async (person: TestPerson) => ({
  ...person,
  ...requireBegunSession(await identity.signIn(person.phoneNumber)),
});
const mailOf = async ({ id }: TestPerson) =>
  (await identity.security.listIdentities({ actorId: id })).identities.find(({ email }) => email !== undefined);
const noticesOf = async (person: TestPerson) => (await identity.security.listNotices(testCallerOf(person))).notices;
const written = (email: string) => identity.mails.filter(({ to }) => to === email).map(({ subject }) => subject);
const outdate = ({ sessionId }: TestPerson) =>
  identity
    .db('sessions')
    .where({ id: sessionId })
    .update({ proven_at: new Date(0) });
const remove = async (person: TestPerson) =>
  identity.security.unlinkIdentity({ ...testCallerOf(person), identityId: (await mailOf(person))?.id ?? '' });

describe('an address', () => {
  test('is added with fresh proof and a code, with notices to the devices and both addresses', async () => {
    const { ada, email } = await reachable();
    expect(await mailOf(ada)).toMatchObject({ email, issuer: undefined, phoneNumber: undefined });
    expect((await identity.security.getProof(testCallerOf(ada))).email).toBe(email);
    const next = anAddress();
    await outdate(ada);
    expect(await captureRefusal(send(next, linking(ada)))).toMatchObject({ code: 'proof_required' });
    expect(await captureRefusal(verify(next, linking(ada)))).toMatchObject({ code: 'proof_required' });
    const newSession = await alsoAt(ada);
    await link(newSession, next);
    expect((await noticesOf(ada)).slice(0, 3)).toMatchObject([
      { kind: 'email_replaced', email: next, previousEmail: email, undoable: true },
      { kind: 'signed_in' },
      { kind: 'email_added', email },
    ]);
    await identity.runMails();
    const replaced = 'The email address of your Nolo account was changed';
    await eventually(() => written(email).includes(replaced) && written(next).includes(replaced));
    expect(JSON.stringify(identity.mails.filter(({ subject }) => subject === replaced))).not.toMatch(
      new RegExp(`"text":"[^"]*${next}`),
    );
    const data = JSON.parse((await identity.client.exportAccount(testCallerOf(newSession))).json) as Record<
      string,
      unknown
    >;
    expect(data['emails']).toMatchObject([{ email: next }]);
  });

  test('is the same however it is written, belongs to one account, and finds nobody', async () => {
    const { ada, email } = await reachable();
    const ben = await identity.signUp('Ben');
    await send(email.toUpperCase(), linking(ben));
    expect(await captureRefusal(verify(email.toUpperCase(), linking(ben)))).toMatchObject({ code: 'mail_taken' });
    expect(await mailOf(ben)).toBeUndefined();
    const { users } = await identity.client.searchUsers({ actorId: ben.id, query: email, limit: 10 });
    expect(users).toEqual([]);
    for (const nonsense of ['', 'ada', 'a@b@c.org', 'ada@example.org\r\nBcc: all@example.org']) {
      expect(await captureRefusal(send(nonsense))).toMatchObject({ code: 'mail_address_invalid' });
    }
    expect(await mailOf(ada)).toMatchObject({ email });
  });

  test('is removed with fresh proof and a notice, unless it is the only sign-in method', async () => {
    const { ada, email } = await reachable();
    await remove(ada);
    expect(await mailOf(ada)).toBeUndefined();
    await eventually(() => written(email).includes('The email address of your Nolo account was removed'));
    expect(await captureRefusal(verify(email))).toMatchObject({ code: 'code_expired' });
    await link(ada, email);
    const phone = (await identity.security.listIdentities({ actorId: ada.id })).identities[0]?.id ?? '';
    const unlinked = identity.security.unlinkIdentity({ ...testCallerOf(ada), identityId: phone });
    expect(await captureRefusal(unlinked)).toMatchObject({ code: 'last_way_in' });
  });

  test('is restored or removed again with "This wasn’t me"', async () => {
    const { ada, email } = await reachable();
    const thief = await alsoAt(ada);
    await link(thief, anAddress());
    await remove(thief);
    const first = (await noticesOf(ada)).find(({ kind }) => kind === 'email_replaced');
    await identity.security.undoNotice({ ...testCallerOf(ada), noticeId: first?.id ?? '' });
    expect(await mailOf(ada)).toMatchObject({ email });

    const ben = await identity.signUp('Ben');
    const other = await alsoAt(ben);
    await link(other, anAddress());
    const added = (await noticesOf(ben)).find(({ kind }) => kind === 'email_added');
    await identity.security.undoNotice({ ...testCallerOf(ben), noticeId: added?.id ?? '' });
    expect(await mailOf(ben)).toBeUndefined();
  });

  test('is deleted with the account, along with the browsers recognized by it', async () => {
    const { ada, email } = await reachable();
    const { rows } = await identity.db.raw('select row_to_json(k)::text as kept from known_askers k');
    expect(JSON.stringify(rows)).not.toContain(email);
    const known = async () => (await identity.db('known_askers')).length;
    const before = await known();
    await identity.erase(ada);
    expect(await identity.db('user_emails').where({ email })).toEqual([]);
    // Entries of the number and of the address.
    await eventually(async () => (await known()) === before - 2);
  });
});

describe('signing in by email', () => {
  test('starts a session of the account, with notices to all devices and addresses', async () => {
    const { ada, email } = await reachable();
    await send(email.toUpperCase());
    await eventually(() => written(email).filter((subject) => subject === 'Your Nolo code').length === 2);
    const signedIn = requireBegunSession(await verify(email));
    expect(requireSelf(signedIn).id).toBe(ada.id);
    const { sessions } = await identity.client.listSessions({ actorId: ada.id });
    expect(sessions.map(({ method }) => method).toSorted()).toEqual(['mail', 'phone']);
    expect((await noticesOf(ada))[0]?.kind).toBe('signed_in');
    // A code works once, and only for the browser that requested it.
    expect(await captureRefusal(verify(email))).toMatchObject({ code: 'code_expired' });
    await send(email);
    const elsewhere = { device: { userAgent: '', address: '198.51.100.9' } };
    expect(await captureRefusal(verify(email, elsewhere))).toMatchObject({ code: 'code_expired' });
  });

  test('answers alike for unknown addresses, sends them nothing and creates no account', async () => {
    const { email } = await reachable();
    const nobody = anAddress();
    expect(await send(nobody)).toEqual(await send(email));
    const wrong = { code: '000000' };
    expect(await captureRefusal(verify(nobody, wrong))).toEqual(await captureRefusal(verify(email, wrong)));
    expect(await captureRefusal(verify(nobody))).toMatchObject({ code: 'code_expired' });
    await identity.runMails();
    expect(written(nobody)).toEqual([]);
  });

  test('requires the second factor if the account is locked', async () => {
    const { ada, email } = await reachable();
    const { secret = '' } = await identity.secondFactor.beginSecondFactor(testCallerOf(ada));
    const shown = () => computeOneTimePassword(secret, identity.clock.now());
    await identity.secondFactor.confirmSecondFactor({ ...testCallerOf(ada), code: shown() });
    identity.clock.advance(60_000);
    await send(email);
    const refused = await captureRefusal(verify(email));
    expect(refused).toMatchObject({ code: 'second_factor_required', details: { mayWait: true } });
    const { ticket } = refused['details'] as { ticket: string };
    expect(
      await captureRefusal(identity.secondFactor.passSecondFactor({ ticket, code: '000000', device: testDevice })),
    ).toMatchObject({
      code: 'second_factor_wrong',
    });
    const passed = await identity.secondFactor.passSecondFactor({ ticket, code: shown(), device: testDevice });
    expect(requireSelf(passed).id).toBe(ada.id);
    const { sessions } = await identity.client.listSessions({ actorId: ada.id });
    expect(sessions.map(({ method }) => method)).toContain('mail');

    // The address stops working when it leaves the account.
    identity.clock.advance(60_000);
    await send(email);
    const { ticket: late } = (await captureRefusal(verify(email)))['details'] as { ticket: string };
    await identity.db('user_emails').where({ email }).delete();
    expect(
      await captureRefusal(identity.secondFactor.passSecondFactor({ ticket: late, code: shown(), device: testDevice })),
    ).toMatchObject({ code: 'ticket_invalid' });
  });

  test('renews the proof of a session, with an address of its own account only', async () => {
    const { ada, email } = await reachable();
    const { email: other } = await reachable();
    await outdate(ada);
    await send(other);
    expect(await captureRefusal(verify(other, { proveSessionId: ada.sessionId }))).toMatchObject({
      code: 'proof_mismatch',
    });
    await send(email);
    await verify(email, { proveSessionId: ada.sessionId });
    expect((await identity.security.getProof(testCallerOf(ada))).validUntil).toBeDefined();
  });
});

describe('limits of email codes', () => {
  test('are those of text message codes: attempts, and sends per address', async () => {
    const { email } = await reachable();
    await send(email);
    for (let tried = 1; tried < limits.verificationTriesPerCode; tried += 1) {
      expect(await captureRefusal(verify(email, { code: '000000' }))).toMatchObject({ code: 'code_wrong' });
    }
    expect(await captureRefusal(verify(email, { code: '000000' }))).toMatchObject({ code: 'code_exhausted' });
    expect(await captureRefusal(verify(email))).toMatchObject({ code: 'code_exhausted' });

    const nobody = anAddress();
    const { points } = rateLimits.codeSendsPerNumberShort;
    for (let sent = 0; sent < points; sent += 1) await send(nobody);
    expect(await captureRefusal(send(nobody))).toMatchObject({ code: 'code_send_limited' });
  });

  test('include the number of addresses that a person can name per day', async () => {
    const ada = await identity.signUp('Ada');
    const { points } = rateLimits.mailCodesPerUserDay;
    for (let sent = 0; sent < points; sent += 1) await send(anAddress(), linking(ada));
    expect(await captureRefusal(send(anAddress(), linking(ada)))).toMatchObject({ code: 'code_send_limited' });
  });

  test('include a budget of email, with a reserve for known browsers', async () => {
    const [{ email, ada }, { email: strange }] = [await reachable(), await reachable()];
    const codesTo = (address: string) => written(address).filter((subject) => subject === 'Your Nolo code').length;
    await identity.runMails();
    const before = [codesTo(email), codesTo(strange)];
    await identity.redis.set('limit:mailCodesPerDay:all', rateLimits.mailCodesPerDay.points, 'PX', dayMs);
    // The responses are equal. This browser is known for both addresses, but one code is requested from elsewhere.
    await send(email);
    await send(strange, { device: { userAgent: '', address: '198.51.100.44' } });
    await eventually(() => codesTo(email) === before[0]! + 1);
    await identity.redis.set('limit:mailCodesReservePerDay:all', rateLimits.mailCodesReservePerDay.points, 'PX', dayMs);
    const next = send(anAddress(), linking(ada));
    expect(await captureRefusal(next)).toMatchObject({ kind: 'unavailable', code: 'mail_unavailable' });
    expect(codesTo(strange)).toBe(before[1]);
  });
});
