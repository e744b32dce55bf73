import { newId } from '@nolo/kit/ids';
import { eventually } from '@nolo/testing';
import { limits } from '@nolo/rules';
import { createOperatorFixtures } from './operatorFixtures.ts';
import { captureRefusal, demoCode, shareIdentity, testCallerOf, testDevice, type TestPerson } from './startIdentity.ts';

const identity = shareIdentity();
const { command, refusedCommand, operator, about } = createOperatorFixtures(identity);

const minuteMs = 60_000;
const dayMs = 86_400_000;
const prove = async ({ phoneNumber, sessionId }: TestPerson) => {
  await identity.client.sendCode({ phoneNumber, device: testDevice });
  await identity.client.verifyCode({ phoneNumber, code: demoCode, device: testDevice, proveSessionId: sessionId });
};
const actsAbout = async (opal: TestPerson, person: { id: string }) =>
  (await identity.operators.listActs({ ...testCallerOf(opal), userId: person.id })).acts;
const signedIn = ({ token }: TestPerson) =>
  identity.client.authenticateSession({ token }).then(
    () => true,
    () => false,
  );

test('operators are appointed on the command line, and only they can see that they are', async () => {
  const [ada, ben] = [await identity.signUp('Ada'), await identity.signUp('Ben')];
  expect(await command('operators', 'add', ada.phoneNumber)).toEqual([`${ada.id} is now an operator.`]);
  expect(await command('operators', 'add', ada.id)).toEqual([`${ada.id} is already an operator.`]);
  expect((await command('operators')).some((line) => line.startsWith(ada.id))).toBe(true);
  expect((await identity.client.getSelf({ actorId: ada.id })).operator).toBe(true);
  expect((await identity.client.getSelf({ actorId: ben.id })).operator).toBe(false);
  await identity.operators.checkOperator(testCallerOf(ada));

  expect(await command('operators', 'remove', ada.id)).toEqual([`${ada.id} is no longer an operator.`]);
  expect(await captureRefusal(identity.operators.checkOperator(testCallerOf(ada)))).toMatchObject({
    kind: 'forbidden',
    code: 'not_operator',
  });
  expect(await refusedCommand('operators', 'add', '+27820000000000')).toContain('No account matches');
  expect(await refusedCommand('users', 'suspend', ben.id)).toContain('--reason');
  expect(await refusedCommand('users', 'dance')).toContain('users find <account>');
});

test('everyone else is refused everything, whatever session they name, and nothing happens', async () => {
  const [opal, ada, ben] = [await operator(), await identity.signUp('Ada'), await identity.signUp()];
  const before = (await identity.db('operator_acts').count('* as n').first()) as { n: string };
  const { operators } = identity;
  for (const caller of [testCallerOf(ada), { actorId: ada.id, sessionId: opal.sessionId }]) {
    const operation = { ...caller, userId: ben.id, reason: 'A test.' };
    for (const attempt of [
      operators.checkOperator(caller),
      operators.findAccounts({ ...caller, query: ben.id }),
      operators.findAccounts({ ...caller, query: 'nobody at all' }),
      operators.suspendAccount(operation),
      operators.liftSuspension(operation),
      operators.signOutAccount(operation),
      operators.eraseAccount(operation),
      operators.listActs(caller),
      operators.verifyActs(caller),
    ]) {
      expect(await captureRefusal(attempt)).toMatchObject({ kind: 'forbidden', code: 'not_operator' });
    }
  }
  expect(await signedIn(ben)).toBe(true);
  expect(await identity.db('operator_acts').count('* as n').first()).toEqual(before);
});

test('operators need proof from the last fifteen minutes, by passkey if they have one', async () => {
  const opal = await operator();
  const check = () => identity.operators.checkOperator(testCallerOf(opal));
  const until = new Date(identity.clock.now().getTime() + limits.operatorProofSeconds * 1000);
  expect(await check()).toEqual({ provenUntil: until });
  identity.clock.advance(15 * minuteMs);
  expect(await captureRefusal(check())).toMatchObject({ kind: 'forbidden', code: 'proof_required' });
  await prove(opal);
  await check();

  await identity.db('user_passkeys').insert({
    id: newId(),
    user_id: opal.id,
    credential_id: Buffer.from(newId()),
    public_key: Buffer.from('x'),
    counter: 0,
    transports: [],
    multi_device: false,
    backed_up: false,
    name: 'Laptop',
    added_at: identity.clock.now(),
    added_by: '',
  });
  // The code that sufficed a moment ago is no longer enough.
  await prove(opal);
  expect(await captureRefusal(check())).toMatchObject({ code: 'proof_required', details: { way: 'passkey' } });
  await identity.db('sessions').where({ id: opal.sessionId }).update({ proven_by: 'passkey' });
  await check();
});

test('accounts are found by exact identifiers only, and show only facts', async () => {
  const [opal, ada] = [await operator(), await identity.signUp('Ada', 'Adams')];
  await identity.client.setUsername({ actorId: ada.id, username: 'ada_of_tests' });
  await identity.db('users').where({ id: ada.id }).update({ email: 'Ada@example.org' });
  await identity.signIn(ada.phoneNumber);
  const find = async (query: string) =>
    (await identity.operators.findAccounts({ ...testCallerOf(opal), query })).accounts;
  const facts = {
    id: ada.id,
    name: 'Ada Adams',
    phoneNumber: ada.phoneNumber,
    email: 'Ada@example.org',
    username: 'ada_of_tests',
    devices: 2,
    operator: false,
    suspension: undefined,
  };
  for (const query of [ada.id, ada.phoneNumber, 'ada@EXAMPLE.org', '@ada_of_tests', 'ada_of_tests']) {
    expect(await find(query)).toMatchObject([facts]);
  }
  for (const query of ['Ada', 'ada@example', ada.phoneNumber.slice(0, -1), 'a b', '', newId()]) {
    expect({ query, found: await find(query) }).toEqual({ query, found: [] });
  }
  const [act] = await actsAbout(opal, ada);
  // The entry contains neither number nor address, which must not be stored permanently.
  expect(act).toMatchObject({ action: 'account_looked_up', operatorId: opal.id, details: '{"by":"username"}' });
});

test('a suspended person is signed out everywhere until the suspension ends or is lifted', async () => {
  const [opal, ada] = [await operator(), await identity.signUp('Ada')];
  const ended: unknown[] = [];
  identity.bus.subscribe('gateway.all.session_ended', (data) => void ended.push(data));
  await identity.bus.flush();
  // Puts the session into the cache too.
  expect(await signedIn(ada)).toBe(true);
  const { secret } = await identity.tokens.createAccessToken({
    ...testCallerOf(ada),
    name: 'Export',
    scopes: ['messages:read'],
    expiresInDays: 300,
  });
  const until = new Date(identity.clock.now().getTime() + dayMs);
  const suspended = await identity.operators.suspendAccount(about(opal, ada, { reason: 'Spam.', until }));
  expect(suspended).toMatchObject({ id: ada.id, devices: 0, suspension: { reason: 'Spam.', until } });
  expect(await signedIn(ada)).toBe(false);
  await eventually(() => ended.length > 0);
  expect(ended[0]).toEqual({ userId: ada.id, sessionIds: [ada.sessionId], suspended: true });

  const refused = {
    kind: 'forbidden',
    code: 'account_suspended',
    details: { reason: 'Spam.', until: until.toISOString() },
  };
  expect(await captureRefusal(identity.signIn(ada.phoneNumber))).toMatchObject(refused);
  expect(await captureRefusal(identity.tokens.authenticateAccessToken({ secret }))).toMatchObject({
    code: 'token_invalid',
  });

  identity.clock.advance(dayMs);
  await identity.signIn(ada.phoneNumber);
  await identity.tokens.authenticateAccessToken({ secret });

  await prove(opal);
  await identity.operators.suspendAccount(about(opal, ada));
  expect(await captureRefusal(identity.signIn(ada.phoneNumber))).toMatchObject({ details: { reason: 'A test.' } });
  expect((await identity.operators.liftSuspension(about(opal, ada))).suspension).toBeUndefined();
  await identity.signIn(ada.phoneNumber);
  expect(await captureRefusal(identity.operators.liftSuspension(about(opal, ada)))).toMatchObject({
    code: 'not_suspended',
  });
  const did = (await actsAbout(opal, ada)).map(({ action, reason }) => [action, reason]);
  expect(did).toEqual([
    ['suspension_lifted', 'A test.'],
    ['account_suspended', 'A test.'],
    ['account_suspended', 'Spam.'],
  ]);
});

test('a suspension concurrent with sign-ins leaves nobody signed in', async () => {
  const [opal, ada] = [await operator(), await identity.signUp('Ada')];
  await Promise.allSettled([
    ...Array.from({ length: 5 }, () => identity.signIn(ada.phoneNumber)),
    identity.operators.suspendAccount(about(opal, ada)),
  ]);
  expect(await identity.db('sessions').where({ user_id: ada.id })).toEqual([]);
});

test("signing out only ends sessions; deleting removes the account, but never an operator's", async () => {
  const [opal, ada, ben] = [await operator(), await identity.signUp('Ada'), await operator()];
  expect((await identity.operators.signOutAccount(about(opal, ada))).devices).toBe(0);
  expect(await signedIn(ada)).toBe(false);
  await identity.signIn(ada.phoneNumber);
  await identity.operators.eraseAccount(about(opal, ada));
  const events: { payload: unknown }[] = await identity.db('events').where({ key: ada.id }).select('payload');
  expect(events.map(({ payload }) => payload)).toContainEqual({ userId: ada.id, closed: true });
  expect((await actsAbout(opal, ada)).map(({ action }) => action)).toEqual(['account_closed', 'account_signed_out']);
  const { accounts } = await identity.operators.findAccounts({ ...testCallerOf(opal), query: ada.id });
  const deletesAt = new Date(identity.clock.now().getTime() + 7 * dayMs);
  expect(accounts).toMatchObject([{ id: ada.id, devices: 0, deletesAt }]);

  for (const attempt of [
    identity.operators.suspendAccount(about(opal, ben)),
    identity.operators.eraseAccount(about(opal, ben)),
    identity.operators.eraseAccount(about(opal, opal)),
  ]) {
    expect(await captureRefusal(attempt)).toMatchObject({ kind: 'conflict', code: 'account_is_operator' });
  }
  for (const [change, code] of [
    [{ reason: ' ' }, 'reason_invalid'],
    [{ reason: 'x'.repeat(501) }, 'reason_invalid'],
    [{ until: new Date(0) }, 'suspension_invalid'],
    [{ userId: newId() }, 'user_not_found'],
    [{ userId: 'x' }, 'user_not_found'],
  ] as const) {
    expect({
      change,
      ...(await captureRefusal(identity.operators.suspendAccount(about(opal, ben, change)))),
    }).toMatchObject({
      change,
      code,
    });
  }
});

test('command line actions work like those on the page, and are audited as such', async () => {
  const [opal, ada] = [await operator(), await identity.signUp('Ada')];
  expect(await signedIn(ada)).toBe(true);
  const [line] = await command('users', 'suspend', ada.phoneNumber, '--reason', 'Spam.', '--days', '3');
  expect(line).toContain('suspended until');
  expect(await signedIn(ada)).toBe(false);
  await command('users', 'lift', ada.id, '--reason', 'Asked.');
  await identity.signIn(ada.phoneNumber);
  await command('users', 'signout', ada.id, '--reason', 'Asked.');
  const [closed] = await command('users', 'delete', ada.id, '--reason', 'Asked.');
  expect(closed).toMatch(/is closed and will be deleted at 20/);
  expect(await command('users', 'delete', ada.id, '--reason', 'Asked.', '--now')).toEqual([`${ada.id} was deleted.`]);
  expect(await identity.db('users').where({ id: ada.id })).toEqual([]);
  const acts = await actsAbout(opal, ada);
  expect(acts.filter(({ operatorId }) => operatorId !== undefined)).toEqual([]);
  expect(acts.map(({ action }) => action).filter((action) => action !== 'account_looked_up')).toEqual([
    'account_deleted',
    'account_closed',
    'account_signed_out',
    'suspension_lifted',
    'account_suspended',
  ]);
});

test('a closed account can be reopened within its grace period, and its owner is notified', async () => {
  const [opal, ada, ben] = [await operator(), await identity.signUp('Ada'), await identity.signUp('Ben')];
  const email = 'ada@example.org';
  await identity.db('users').where({ id: ada.id }).update({ email });
  const reopen = (caller: object) => identity.operators.reopenAccount({ ...about(opal, ada), ...caller });
  expect(await captureRefusal(reopen({}))).toMatchObject({ kind: 'conflict', code: 'account_open' });
  await identity.client.deleteAccount(testCallerOf(ada));
  expect(await captureRefusal(reopen(testCallerOf(ben)))).toMatchObject({ kind: 'forbidden', code: 'not_operator' });
  expect(await captureRefusal(reopen({ reason: ' ' }))).toMatchObject({ code: 'reason_invalid' });
  expect((await reopen({})).deletesAt).toBeUndefined();
  await identity.runMails();
  const { text } = identity.mails.findLast(({ to }) => to === email)!;
  expect(text).toContain('The operators of this Nolo reopened it, and you keep it.');
  await identity.signIn(ada.phoneNumber);
  expect((await actsAbout(opal, ada)).map(({ action, reason }) => [action, reason])).toEqual([
    ['account_reopened', 'A test.'],
  ]);

  await command('users', 'delete', ada.id, '--reason', 'Asked.');
  expect((await command('users', 'reopen', ada.id, '--reason', 'Asked.'))[0]).not.toContain('closed');
  expect(await refusedCommand('users', 'reopen', ada.id, '--reason', 'Asked.')).toBe('This account is not closed.');
});
