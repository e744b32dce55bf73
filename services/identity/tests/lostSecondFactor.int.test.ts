import { limits, rateLimits } from '@nolo/rules';
import { createSecondFactorFixtures, stepMs, elsewhere } from './secondFactorFixtures.ts';
import {
  captureRefusal,
  demoCode,
  requireBegunSession,
  shareIdentity,
  testCallerOf,
  testDevice,
  type TestPerson,
} from './startIdentity.ts';

const identity = shareIdentity();
const { shown, begin, confirm, locked, byPhone, required, pass, stateOf, kindsOf, outdate } =
  createSecondFactorFixtures(identity);

const dayMs = 86_400_000;

test('a person without the second factor waits seven days, with notices, and then needs only the number', async () => {
  const { ada, secret } = await locked();
  await identity.db('users').where({ id: ada.id }).update({ email: 'ada@example.org' });
  const { ticket } = await required(ada.phoneNumber, elsewhere);
  identity.mails.length = 0;
  const wait = await identity.secondFactor.askForAccount({ ticket, device: elsewhere });
  const opensAt = new Date(identity.clock.now().getTime() + limits.accountWaitDays * dayMs);
  expect(wait).toMatchObject({ opensAt });
  // Repeating the request returns the same reply and notifies nobody again.
  identity.clock.advance(1_000);
  expect(await identity.secondFactor.askForAccount({ ticket, device: elsewhere })).toEqual(wait);
  const { notices } = await identity.security.listNotices(testCallerOf(ada));
  expect(notices.filter(({ kind }) => kind === 'account_asked')).toMatchObject([
    { userAgent: elsewhere.userAgent, byThisSession: false, seen: false, undoable: true, opensAt },
  ]);
  await identity.runMails();
  const day = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' }).format(opensAt);
  expect(identity.mails).toMatchObject([{ to: 'ada@example.org', text: expect.stringContaining(day) as string }]);
  expect((await stateOf(ada)).wait).toMatchObject({ opensAt, userAgent: elsewhere.userAgent });

  identity.clock.advance(limits.accountWaitDays * dayMs - 2_000);
  expect(await required(ada.phoneNumber, elsewhere)).toMatchObject({ opensAt: opensAt.toISOString() });
  identity.clock.advance(2_000);
  const reply = requireBegunSession(await byPhone(ada.phoneNumber, elsewhere));
  expect(reply).toMatchObject({ created: false, self: { id: ada.id } });
  expect((await kindsOf(ada)).slice(0, 2).toSorted()).toEqual(['account_given', 'signed_in']);
  expect(await stateOf(ada)).toMatchObject({ addedAt: undefined, wait: undefined });
  requireBegunSession(await byPhone(ada.phoneNumber, elsewhere));

  // The former owner objects: the other person is signed out and the factor is restored.
  const given = (await identity.security.listNotices(testCallerOf(ada))).notices.find(
    ({ kind }) => kind === 'account_given',
  );
  await identity.db('sessions').where({ id: ada.sessionId }).update({ proven_at: identity.clock.now() });
  await identity.security.undoNotice({ ...testCallerOf(ada), noticeId: given?.id ?? '' });
  expect(await captureRefusal(identity.client.authenticateSession({ token: reply.token }))).toMatchObject({
    code: 'session_invalid',
  });
  const back = await required(ada.phoneNumber);
  requireBegunSession(await pass(back.ticket, shown(secret)));
});

test('any device of the owner can refuse without proof, and repeated requests are limited', async () => {
  const { ada, codes } = await locked();
  const ben = await identity.signUp();
  const { ticket } = await required(ada.phoneNumber, elsewhere);
  const askForAccount = () => identity.secondFactor.askForAccount({ ticket, device: elsewhere });
  await outdate(ada);
  for (let asked = 0; asked < rateLimits.accountWaitsPerAccount.points; asked += 1) {
    await askForAccount();
    expect(await captureRefusal(identity.secondFactor.refuseAccountWait(testCallerOf(ben)))).toMatchObject({
      code: 'account_wait_not_found',
    });
    await identity.secondFactor.refuseAccountWait(testCallerOf(ada));
    expect((await stateOf(ada)).wait).toBeUndefined();
  }
  const { notices } = await identity.security.listNotices(testCallerOf(ada));
  expect(notices[0]).toMatchObject({ kind: 'account_refused', byThisSession: true });
  expect(notices.filter(({ kind, undoable }) => kind === 'account_asked' && undoable)).toEqual([]);
  expect(await captureRefusal(askForAccount())).toMatchObject({ kind: 'rate_limited', code: 'account_wait_limited' });
  identity.clock.advance(limits.accountWaitDays * dayMs);
  const late = await required(ada.phoneNumber, elsewhere);
  requireBegunSession(await pass(late.ticket, codes[0] ?? '', elsewhere));
});

test('an unused waiting period expires, and using the second factor ends one', async () => {
  const { ada, secret } = await locked();
  const first = await required(ada.phoneNumber, elsewhere);
  await identity.secondFactor.askForAccount({ ticket: first.ticket, device: elsewhere });
  identity.clock.advance((limits.accountWaitDays + limits.accountWaitOpenDays) * dayMs);
  const second = await required(ada.phoneNumber, elsewhere);
  expect(second.opensAt).toBeNull();
  await identity.secondFactor.askForAccount({ ticket: second.ticket, device: elsewhere });
  requireBegunSession(await pass(second.ticket, shown(secret)));
  expect((await stateOf(ada)).wait).toBeUndefined();
});

test('a replaced number reclaims the account with the earlier second factor, not a later one', async () => {
  const { ada, secret } = await locked();
  const replace = async (person: TestPerson) => {
    const phoneNumber = `${person.phoneNumber.slice(0, -2)}${person.phoneNumber.endsWith('99') ? '98' : '99'}`;
    await identity.client.sendCode({ phoneNumber, device: testDevice });
    const link = { linkToUserId: person.id, linkSessionId: person.sessionId };
    await identity.client.verifyCode({ phoneNumber, code: demoCode, device: testDevice, ...link });
    identity.clock.advance(stepMs);
  };
  await replace(ada);
  const { ticket, mayWait } = await required(ada.phoneNumber, testDevice, true);
  expect(mayWait).toBe(false);
  expect(await captureRefusal(identity.secondFactor.askForAccount({ ticket, device: testDevice }))).toMatchObject({
    code: 'ticket_invalid',
  });
  const back = requireBegunSession(await pass(ticket, shown(secret)));
  expect(back.self).toMatchObject({ id: ada.id, phoneNumber: ada.phoneNumber });

  const ben = await identity.signUp();
  await replace(ben);
  await confirm(ben, shown(await begin(ben)));
  const secondTicket = requireBegunSession(await byPhone(ben.phoneNumber, testDevice, true));
  expect(await identity.secondFactor.getSecondFactor({ actorId: ben.id })).toMatchObject({ addedAt: undefined });
  expect(secondTicket.self).toMatchObject({ id: ben.id, phoneNumber: ben.phoneNumber });
});

test("undoing another person's change restores the second factor, without codes they know", async () => {
  const { ada, secret, codes } = await locked();
  const { ticket } = await required(ada.phoneNumber);
  const reply = requireBegunSession(await pass(ticket, shown(secret)));
  const theirs = { ...ada, token: reply.token, sessionId: reply.sessionId };
  identity.clock.advance(stepMs);
  const renewed = await identity.secondFactor.renewRecoveryCodes(testCallerOf(theirs));
  await identity.secondFactor.setRegistrationLock({ ...testCallerOf(theirs), on: false });
  await identity.secondFactor.removeSecondFactor(testCallerOf(theirs));
  const other = await begin(theirs);
  await confirm(theirs, shown(other));
  const { notices } = await identity.security.listNotices(testCallerOf(ada));
  const first = notices.find(({ kind }) => kind === 'signed_in');
  await identity.db('sessions').where({ id: ada.sessionId }).update({ proven_at: identity.clock.now() });
  await identity.security.undoNotice({ ...testCallerOf(ada), noticeId: first?.id ?? '' });

  expect(await stateOf(ada)).toMatchObject({ registrationLock: true, recoveryCodesLeft: 0 });
  const back = await required(ada.phoneNumber);
  for (const code of [shown(other, 1), renewed.codes[0] ?? '', codes[0] ?? '']) {
    expect(await captureRefusal(pass(back.ticket, code))).toMatchObject({ code: 'second_factor_wrong' });
  }
  requireBegunSession(await pass(back.ticket, shown(secret)));
});
