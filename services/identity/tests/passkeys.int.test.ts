import { newId } from '@nolo/kit/ids';
import { limits } from '@nolo/rules';
import { aSignInWithProviderRequest } from '@nolo/testing/protos';
import {
  testRelyingParty,
  createSoftAuthenticator,
  type AuthenticatorChanges,
  type SoftAuthenticator,
} from './softAuthenticator.ts';
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

const minuteMs = 60_000;
const relyingParty = testRelyingParty;
const refused = { kind: 'invalid', code: 'passkey_refused' };
const expired = { kind: 'invalid', code: 'passkey_expired' };

const optionsFor = async (person: TestPerson) => {
  const { options = '' } = await identity.passkeys.beginPasskey({ ...testCallerOf(person), relyingParty });
  return options;
};
const add = async (person: TestPerson, key: SoftAuthenticator, changes: AuthenticatorChanges = {}, name = 'Laptop') =>
  identity.passkeys.addPasskey({
    ...testCallerOf(person),
    relyingParty,
    name,
    response: key.make(await optionsFor(person), changes),
  });
const requestOptions = async (proveSessionId?: string) => {
  const { options = '' } = await identity.passkeys.beginPasskeySignIn({ relyingParty, proveSessionId });
  return options;
};
const bring = (response: string, proveSessionId?: string) =>
  identity.passkeys.signInWithPasskey({ relyingParty, response, device: testDevice, proveSessionId });
const signIn = async (key: SoftAuthenticator, changes: AuthenticatorChanges = {}) =>
  bring(key.sign(await requestOptions(), changes));
const withPasskey = async (key = createSoftAuthenticator()) => {
  const ada = await identity.signUp('Ada', 'Lovelace');
  return { ada, key, id: (await add(ada, key)).id };
};
const identitiesOf = async ({ id }: TestPerson) => (await identity.security.listIdentities({ actorId: id })).identities;
const noticesOf = async (person: TestPerson) => (await identity.security.listNotices(testCallerOf(person))).notices;
/** Signs the account in on another device. */
const alsoAt = async (person: TestPerson) => {
  const { token, sessionId } = await identity.signIn(person.phoneNumber);
  return { ...person, token, sessionId };
};

test('a passkey is added after fresh proof with a notice, listed with its last use, and can sign in', async () => {
  const { ada, key, id } = await withPasskey();
  expect(await identitiesOf(ada)).toMatchObject([
    { phoneNumber: ada.phoneNumber },
    {
      id,
      name: 'Laptop',
      synced: true,
      addedAt: identity.clock.now(),
      addedBy: testDevice.userAgent,
      lastUsedAt: undefined,
    },
  ]);
  expect((await noticesOf(ada))[0]).toMatchObject({ kind: 'passkey_added', passkeyName: 'Laptop' });
  identity.clock.advance(minuteMs);
  const reply = requireBegunSession(await signIn(key));
  expect(reply).toMatchObject({ created: false, self: { id: ada.id } });
  expect((await identity.client.authenticateSession({ token: reply.token })).userId).toBe(ada.id);
  expect((await identitiesOf(ada))[1]?.lastUsedAt).toEqual(identity.clock.now());
  const { sessions } = await identity.client.listSessions({ actorId: ada.id });
  expect(sessions.map(({ method }) => method).sort()).toEqual(['passkey', 'phone']);
  // The other device is notified of this sign-in like any other.
  expect((await noticesOf(ada))[0]).toMatchObject({ kind: 'signed_in' });

  const shown = JSON.parse(await optionsFor(ada)) as Record<string, unknown>;
  expect(shown).toMatchObject({
    rp: { id: 'localhost' },
    user: { name: ada.phoneNumber, displayName: 'Ada Lovelace' },
    attestation: 'none',
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  expect(shown['excludeCredentials']).toHaveLength(1);
  const data = JSON.parse((await identity.client.exportAccount(testCallerOf(ada))).json) as Record<string, unknown>;
  expect(data['passkeys']).toMatchObject([{ name: 'Laptop', synced: true }]);
});

test('a passkey is not added without fresh proof, and the rejected response works after it', async () => {
  const ada = await identity.signUp();
  const key = createSoftAuthenticator();
  const response = key.make(await optionsFor(ada));
  const rpcRequest = { ...testCallerOf(ada), relyingParty, name: 'Phone', response };
  identity.clock.advance(limits.passkeyChallengeSeconds * 1_000 - 1);
  await identity
    .db('sessions')
    .where({ id: ada.sessionId })
    .update({ proven_at: new Date(0) });
  expect(await captureRefusal(optionsFor(ada))).toMatchObject({ code: 'proof_required' });
  expect(await captureRefusal(identity.passkeys.addPasskey(rpcRequest))).toMatchObject({ code: 'proof_required' });
  await identity.client.sendCode({ phoneNumber: ada.phoneNumber, device: testDevice });
  const proof = { phoneNumber: ada.phoneNumber, code: demoCode, device: testDevice, proveSessionId: ada.sessionId };
  await identity.client.verifyCode(proof);
  await identity.passkeys.addPasskey(rpcRequest);
});

test('a challenge accepts one response, from the session that started it, for five minutes', async () => {
  const { ada, key } = await withPasskey();
  const answer = key.sign(await requestOptions());
  requireBegunSession(await bring(answer));
  expect(await captureRefusal(bring(answer))).toMatchObject(expired);

  const late = key.sign(await requestOptions());
  identity.clock.advance(limits.passkeyChallengeSeconds * 1_000);
  expect(await captureRefusal(bring(late))).toMatchObject(expired);
  expect(await captureRefusal(signIn(key, { challenge: 'bWFkZSB1cA' }))).toMatchObject(expired);

  const other = await alsoAt(ada);
  const another = createSoftAuthenticator();
  const response = another.make(await optionsFor(other));
  const mine = await alsoAt(ada);
  const rpcRequest = { ...testCallerOf(mine), relyingParty, name: 'Phone', response };
  expect(await captureRefusal(identity.passkeys.addPasskey(rpcRequest))).toMatchObject(refused);
  // A challenge for adding cannot sign in, and one for signing in cannot add.
  expect(await captureRefusal(bring(key.sign(await optionsFor(other))))).toMatchObject(refused);
  const turned = another.make(JSON.stringify({ ...JSON.parse(await requestOptions()), user: { id: '' } }));
  expect(await captureRefusal(identity.passkeys.addPasskey({ ...rpcRequest, response: turned }))).toMatchObject(
    refused,
  );
});

test.each<[string, AuthenticatorChanges]>([
  ['another page', { origin: 'https://nolo.example' }],
  ['another site', { rpId: 'nolo.example' }],
  ['a person without user verification', { unverified: true }],
])('a response from %s is rejected', async (_name, changes) => {
  const { key, ada } = await withPasskey();
  expect(await captureRefusal(signIn(key, changes))).toMatchObject(refused);
  expect(await captureRefusal(add(ada, createSoftAuthenticator(), changes))).toMatchObject(refused);
  expect(await identitiesOf(ada)).toHaveLength(2);
});

test('unknown passkeys, foreign handles, forged signatures and nonsense are rejected alike', async () => {
  const { key } = await withPasskey();
  expect(await captureRefusal(signIn(createSoftAuthenticator(), { userHandle: 'AA' }))).toMatchObject(refused);
  expect(await captureRefusal(signIn(key, { userHandle: 'AAAA' }))).toMatchObject(refused);
  const forged = JSON.parse(key.sign(await requestOptions())) as { response: { signature: string } };
  forged.response.signature = createSoftAuthenticator().sign(await requestOptions());
  expect(await captureRefusal(bring(JSON.stringify(forged)))).toMatchObject(refused);
  for (const nonsense of ['', '{}', 'null', '[]', '{"id":7}', '{"id":"AA","response":{"clientDataJSON":"AA"}}']) {
    expect(await captureRefusal(bring(nonsense))).toMatchObject(refused);
  }
});

test('a passkey whose counter does not increase is rejected as cloned', async () => {
  const { key } = await withPasskey(createSoftAuthenticator({ counts: true }));
  requireBegunSession(await signIn(key, { counter: 7 }));
  expect(await captureRefusal(signIn(key, { counter: 7 }))).toMatchObject(refused);
  expect(await captureRefusal(signIn(key, { counter: 6 }))).toMatchObject(refused);
  requireBegunSession(await signIn(key, { counter: 8 }));
});

test('a passkey renews the proof of a session for five minutes, of its own account only', async () => {
  const { ada, key } = await withPasskey();
  const { key: bens } = await withPasskey();
  identity.clock.advance(5 * minuteMs);
  const proof = await identity.security.getProof(testCallerOf(ada));
  expect(proof).toMatchObject({ validUntil: undefined, hasPasskey: true });
  const options = JSON.parse(await requestOptions(ada.sessionId)) as { allowCredentials: unknown[] };
  expect(options.allowCredentials).toHaveLength(1);
  expect(await captureRefusal(bring(bens.sign(await requestOptions(ada.sessionId)), ada.sessionId))).toMatchObject({
    code: 'proof_mismatch',
  });
  // A challenge for another session or for signing in proves nothing.
  const other = await alsoAt(ada);
  expect(await captureRefusal(bring(key.sign(await requestOptions(other.sessionId)), ada.sessionId))).toMatchObject(
    refused,
  );
  expect(await captureRefusal(bring(key.sign(await requestOptions()), ada.sessionId))).toMatchObject(refused);
  expect(await captureRefusal(bring(key.sign(await requestOptions(ada.sessionId))))).toMatchObject(refused);
  expect(await captureRefusal(identity.client.exportAccount(testCallerOf(ada)))).toMatchObject({
    code: 'proof_required',
  });
  expect(await captureRefusal(requestOptions(newId()))).toMatchObject({ code: 'session_invalid' });

  const reply = await bring(key.sign(await requestOptions(ada.sessionId)), ada.sessionId);
  expect(reply).toMatchObject({ token: undefined, self: { id: ada.id } });
  await identity.client.exportAccount(testCallerOf(ada));
});

test('a passkey can be the only sign-in method, and cannot be removed then', async () => {
  const { ada, key, id } = await withPasskey();
  const [phone] = await identitiesOf(ada);
  await identity.security.unlinkIdentity({ ...testCallerOf(ada), identityId: phone?.id ?? '' });
  const last = identity.security.unlinkIdentity({ ...testCallerOf(ada), identityId: id });
  expect(await captureRefusal(last)).toMatchObject({ code: 'last_way_in' });
  expect(requireBegunSession(await signIn(key)).self).toMatchObject({ id: ada.id, phoneNumber: undefined });
});

test('only its owner can rename a passkey, and it opens one account', async () => {
  const { ada, key, id } = await withPasskey();
  const ben = await identity.signUp();
  const rename = (actor: TestPerson, name: string) =>
    identity.passkeys.renamePasskey({ actorId: actor.id, identityId: id, name });
  expect(await captureRefusal(rename(ben, 'Mine'))).toMatchObject({ code: 'identity_not_found' });
  expect(await captureRefusal(rename(ada, '\u202e'))).toMatchObject({ code: 'passkey_name_invalid' });
  await rename(ada, ' Key on my ring ');
  expect((await identitiesOf(ada))[1]).toMatchObject({ name: 'Key on my ring' });
  expect(await captureRefusal(add(ben, key))).toMatchObject({ kind: 'conflict', code: 'passkey_taken' });
  expect(await captureRefusal(add(ben, createSoftAuthenticator(), {}, ''))).toMatchObject({
    code: 'passkey_name_invalid',
  });
});

test('“This wasn’t me” removes a passkey added by another device, and restores a removed one', async () => {
  const { ada, key, id } = await withPasskey();
  identity.clock.advance(minuteMs);
  const thief = await alsoAt(ada);
  const theirs = createSoftAuthenticator();
  await add(thief, theirs, {}, 'Theirs');
  await identity.security.unlinkIdentity({ ...testCallerOf(thief), identityId: id });
  expect(await captureRefusal(signIn(key))).toMatchObject(refused);

  const added = (await noticesOf(ada)).find(({ passkeyName }) => passkeyName === 'Theirs');
  await identity.security.undoNotice({ ...testCallerOf(ada), noticeId: added?.id ?? '' });
  expect((await identitiesOf(ada)).map(({ name }) => name)).toEqual([undefined, 'Laptop']);
  expect(await captureRefusal(signIn(theirs))).toMatchObject(refused);
  requireBegunSession(await signIn(key));
});

test('all devices and the email address are notified of added and removed passkeys', async () => {
  const email = `${newId()}@example.org`;
  const reply = requireBegunSession(
    await identity.client.signInWithProvider(
      aSignInWithProviderRequest({ email, emailVerified: true, device: testDevice }),
    ),
  );
  const ada = { id: reply.self?.id ?? '', phoneNumber: '', token: reply.token, sessionId: reply.sessionId };
  const { id } = await add(ada, createSoftAuthenticator());
  await identity.security.unlinkIdentity({ ...testCallerOf(ada), identityId: id });
  await identity.runMails();
  const mailSubjects = identity.mails.filter(({ to }) => to === email).map(({ subject }) => subject);
  expect(mailSubjects.sort()).toEqual([
    'A passkey was added to your Nolo account',
    'A passkey was removed from your Nolo account',
  ]);
  expect((await noticesOf(ada)).map(({ kind }) => kind)).toEqual(['passkey_removed', 'passkey_added']);
});

test('a passkey opens no account if its challenge is lost', async () => {
  const { key } = await withPasskey();
  const answer = key.sign(await requestOptions());
  await identity.emptyRedis();
  expect(await captureRefusal(bring(answer))).toMatchObject(expired);
});
