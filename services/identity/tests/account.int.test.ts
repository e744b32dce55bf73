import { newId } from '@nolo/kit/ids';
import { defaultPrivacySettings, listPrivacyChoices, pickPrivacyChoices, privacyOptionsOf } from '@nolo/rules';
import { eventually, followEvents, randomPhone } from '@nolo/testing';
import { aSignInWithProviderRequest } from '@nolo/testing/protos';
import { up as storeCurrentNames } from '../migrations/0038_current_names.ts';
import { testCallerOf, testDevice, captureRefusal, startIdentity, type TestIdentity } from './startIdentity.ts';

let identity: TestIdentity;
const events: { subject: string; data: unknown }[] = [];
beforeAll(async () => {
  identity = await startIdentity();
  const subjects = ['event.identity.user_deleted', 'event.identity.block_changed'];
  await followEvents(identity.db, subjects, (event) => void events.push(event));
});
afterAll(() => identity.stop());

const dayMs = 86_400_000;
const getSelf = (actorId: string) => identity.client.getSelf({ actorId });

describe('preferences', () => {
  const at = (ms: number) => new Date(identity.clock.now().getTime() + ms);
  const liked = (name: string, value: unknown, ms = 0) => ({ name, json: JSON.stringify(value), ms });
  const choose = (actorId: string, ...preferences: ReturnType<typeof liked>[]) =>
    identity.client.updatePreferences({
      actorId,
      preferences: preferences.map(({ ms, ...one }) => ({ ...one, changedAt: at(ms) })),
    });
  const shown = (preferences: readonly { name?: string | undefined; json?: string | undefined }[]) =>
    Object.fromEntries(preferences.map(({ name, json }) => [name, JSON.parse(json ?? 'null')]));

  test('are stored one by one: the later choice wins, and other devices are notified of changes', async () => {
    const ada = await identity.signUp();
    const gateway = await identity.gateway('replica-preferences');
    await gateway.leases.add(ada.id);
    await choose(ada.id, liked('theme', 'dark', -1_000), liked('recentEmoji', ['👍🏽']));
    const late = await choose(ada.id, liked('theme', 'light', -5_000), liked('density', 'compact'));
    const all = { theme: 'dark', recentEmoji: ['👍🏽'], density: 'compact' };
    expect(shown(late.preferences)).toEqual(all);
    expect(shown((await getSelf(ada.id)).preferences)).toEqual(all);
    await eventually(() => gateway.framesFor(ada.id, 'preferences_changed').length === 2);
    expect(gateway.framesFor(ada.id, 'preferences_changed')[1]).toEqual({
      preferences: { density: { value: 'compact', changedAt: at(0).toISOString() } },
    });
    // A clock that is ahead does not block later choices.
    const ahead = await choose(ada.id, liked('theme', 'system', 86_400_000));
    expect(ahead.preferences.find(({ name }) => name === 'theme')?.changedAt).toEqual(at(0));
    expect(shown((await choose(ada.id, liked('theme', 'light'))).preferences)).toMatchObject({ theme: 'light' });

    const data = JSON.parse((await identity.client.exportAccount(testCallerOf(ada))).json) as Record<string, unknown>;
    expect(data['preferences']).toContainEqual({ name: 'density', value: 'compact', changedAt: at(0).toISOString() });
    const ben = await identity.signUp();
    expect((await getSelf(ben.id)).preferences).toEqual([]);
    await identity.erase(ada);
    expect(await identity.db('preferences').where({ user_id: ada.id })).toEqual([]);
    expect(await captureRefusal(choose(ada.id, liked('theme', 'dark')))).toMatchObject({ code: 'user_not_found' });
  });

  test('have the current name of a text size after the migration of 0.4.0', async () => {
    const ada = await identity.signUp();
    await choose(ada.id, liked('textSize', 'usual'), liked('theme', 'dark'));
    await storeCurrentNames(identity.db);
    expect(shown((await getSelf(ada.id)).preferences)).toEqual({ textSize: 'default', theme: 'dark' });
  });

  test.each([
    [[liked('theme', 'blue')]],
    [[liked('theme', { dark: true })]],
    [[liked('pace', 'dark')]],
    [[{ name: 'theme', json: '"dark', ms: 0 }]],
    [[liked('theme', 'dark'), liked('theme', 'light')]],
    [[liked('recentEmoji', Array(200).fill('👍'))]],
  ])('are rejected if invalid: %j', async (preferences) => {
    const ada = await identity.signUp();
    expect(await captureRefusal(choose(ada.id, ...preferences))).toMatchObject({ code: 'preference_invalid' });
    expect((await getSelf(ada.id)).preferences).toEqual([]);
  });
});

describe('the profile', () => {
  test("is changed field by field, and the person's other devices are notified", async () => {
    const ada = await identity.signUp();
    const gateway = await identity.gateway('replica-a');
    await gateway.leases.add(ada.id);
    const update = {
      firstName: '  Z\u202eoë\u200b ',
      lastName: 'O’Neil-Nkosi',
      statusMessage: '👩‍👩‍👧 at home',
      presenceStatus: 'away',
    };
    const self = await identity.client.updateProfile({ actorId: ada.id, ...update });
    expect(self).toMatchObject({ ...update, firstName: 'Zoë' });
    const next = await identity.client.updateProfile({ actorId: ada.id, lastName: '' });
    expect(next).toMatchObject({ firstName: 'Zoë', lastName: '', statusMessage: update.statusMessage });
    expect(await getSelf(ada.id)).toEqual(next);
    await eventually(() => gateway.framesFor(ada.id, 'self_changed').length === 2);
  });

  test.each([
    ['firstName', ''],
    ['firstName', ' \u200b\u3164 '],
    ['firstName', 'x'.repeat(51)],
    ['lastName', 'x'.repeat(51)],
    ['statusMessage', 'x'.repeat(141)],
    ['presenceStatus', 'invisible'],
    ['presenceStatus', ''],
    ['language', 'fr'],
    ['timeZone', 'Nowhere/Land'],
  ])('refuses %s %j', async (field, value) => {
    const ada = await identity.signUp('Ada');
    expect(await captureRefusal(identity.client.updateProfile({ actorId: ada.id, [field]: value }))).toMatchObject({
      kind: 'invalid',
      code: 'profile_invalid',
      details: { field },
    });
    expect((await getSelf(ada.id)).firstName).toBe('Ada');
  });

  test('includes the language to write in: the chosen one, else that of the device at sign-up', async () => {
    const phoneNumber = randomPhone();
    const german = { ...testDevice, language: 'de' };
    await identity.client.sendCode({ phoneNumber, device: german });
    const { self } = await identity.client.verifyCode({ phoneNumber, code: '424242', device: german });
    expect(self).toMatchObject({ deviceLanguage: 'de', writtenLanguage: 'de' });
    expect(self?.language).toBeUndefined();
    const actorId = self!.id;
    const chosen = await identity.client.updateProfile({ actorId, language: 'en', timeZone: 'Europe/Berlin' });
    expect(chosen).toMatchObject({ language: 'en', writtenLanguage: 'en', timeZone: 'Europe/Berlin' });
    const asDevice = await identity.client.updateProfile({ actorId, language: 'device', deviceLanguage: 'en' });
    expect(asDevice).toMatchObject({ language: 'device', deviceLanguage: 'en', writtenLanguage: 'en' });
  });

  test('has a picture from our own objects, or none', async () => {
    const ada = await identity.signUp('Ada');
    const set = (objectPath: string) => identity.client.setProfileImage({ actorId: ada.id, objectPath });
    const objectPath = `/objects/${newId()}`;
    expect((await set(objectPath)).profileImageUrl).toBe(objectPath);
    for (const wrong of ['https://elsewhere.example/a.png', '/objects/', '/objects/../api', '//x']) {
      expect(await captureRefusal(set(wrong))).toMatchObject({ kind: 'invalid', code: 'profile_invalid' });
    }
    expect((await set('')).profileImageUrl).toBeUndefined();
  });

  test('has privacy settings with a fixed set of values', async () => {
    const ada = await identity.signUp('Ada');
    const update = (changes: object) => identity.client.updatePrivacy({ actorId: ada.id, ...changes });
    expect(await getSelf(ada.id)).toMatchObject(pickPrivacyChoices('identity', defaultPrivacySettings));
    expect(await update({ presenceVisibility: 'contacts' })).toMatchObject({
      presenceVisibility: 'contacts',
      discoverable: false,
    });
    expect(await update({ discoverable: true })).toMatchObject({ presenceVisibility: 'contacts', discoverable: true });
    expect(await update({ transcribeVoiceNotes: true })).toMatchObject({
      discoverable: true,
      transcribeVoiceNotes: true,
    });
    expect(await update({ discoverable: false })).toMatchObject({ discoverable: false, transcribeVoiceNotes: true });
    const choices = listPrivacyChoices('identity').filter((field) => privacyOptionsOf(field));
    for (const field of choices) {
      for (const option of privacyOptionsOf(field)!) {
        expect(await update({ [field]: option })).toMatchObject({ [field]: option });
      }
      expect(await captureRefusal(update({ [field]: 'friends' }))).toMatchObject({ code: 'profile_invalid' });
    }
    expect(await getSelf(ada.id)).toMatchObject(Object.fromEntries(choices.map((field) => [field, 'nobody'])));
  });

  test.each([
    ['', { kind: 'invalid', code: 'actor_invalid' }],
    ['nonsense', { kind: 'invalid', code: 'actor_invalid' }],
    [newId(), { kind: 'not_found', code: 'user_not_found' }],
  ])('does not exist for the account %p', async (actorId, gone) => {
    expect(await captureRefusal(getSelf(actorId))).toMatchObject(gone);
    expect(await captureRefusal(identity.client.updateProfile({ actorId, firstName: 'A' }))).toMatchObject(gone);
    expect(await captureRefusal(identity.client.deleteAccount({ actorId, sessionId: newId() }))).toMatchObject(gone);
  });
});

test('the export contains everything about the person, and no secret', async () => {
  const [ada, ben] = [await identity.signUp('Ada', 'Lovelace'), await identity.signUp('Ben')];
  await identity.client.addContact({ actorId: ada.id, userId: ben.id, phoneNumber: '', displayName: 'Benji' });
  await identity.client.setBlocked({ actorId: ada.id, userId: ben.id, blocked: true });
  await identity.client.signInWithProvider(
    aSignInWithProviderRequest({
      subject: 'export',
      email: 'ada@example.org',
      emailVerified: true,
      idToken: 'secret-id-token',
      device: testDevice,
      linkToUserId: ada.id,
      linkSessionId: ada.sessionId,
    }),
  );
  const { json } = await identity.client.exportAccount(testCallerOf(ada));
  expect(JSON.parse(json)).toMatchObject({
    profile: {
      id: ada.id,
      firstName: 'Ada',
      email: 'ada@example.org',
      transcribeVoiceNotes: false,
      messagesFrom: 'everyone',
    },
    phones: [{ phoneNumber: ada.phoneNumber }],
    providers: [{ issuer: 'https://id.example', subject: 'export' }],
    sessions: [{ id: ada.sessionId, method: 'phone', userAgent: 'Test browser' }],
    contacts: [{ userId: ben.id, displayName: 'Benji' }],
    blocks: [{ userId: ben.id }],
  });
  for (const secret of [ada.token, 'hash', 'secret-id-token', ben.phoneNumber]) expect(json).not.toContain(secret);
});

describe('deleting an account', () => {
  test('closes it for everyone at once, and signing in within seven days can keep it', async () => {
    const [ada, ben, cleo] = [
      await identity.signUp('Ada'),
      await identity.signUp('Ben'),
      await identity.signUp('Cleo'),
    ];
    await identity.client.addContact({ actorId: ben.id, phoneNumber: ada.phoneNumber, displayName: 'Ada L' });
    await identity.client.addContact({ actorId: cleo.id, userId: ada.id });
    const link = await identity.client.getContactLink({ actorId: ada.id });
    const contactsOf = async ({ id }: { id: string }) =>
      (await identity.client.listContacts({ actorId: id })).contacts.map(({ userId, displayName }) => [
        userId,
        displayName,
      ]);
    const before = [await contactsOf(ben), await contactsOf(cleo)];
    await identity.client.deleteAccount(testCallerOf(ada));

    expect(await captureRefusal(identity.client.authenticateSession({ token: ada.token }))).toMatchObject({
      code: 'session_invalid',
    });
    expect((await identity.client.getUsers({ actorId: ben.id, userIds: [ada.id] })).users).toEqual([]);
    expect((await identity.client.searchUsers({ actorId: ben.id, query: ada.phoneNumber })).users).toEqual([]);
    expect((await identity.client.searchUsers({ actorId: ben.id, query: 'Ada L' })).users).toEqual([]);
    const gone = { code: 'user_not_found' };
    expect(
      await captureRefusal(identity.client.findByContactLink({ actorId: ben.id, token: link.token })),
    ).toMatchObject(gone);
    expect(await captureRefusal(identity.client.addContact({ actorId: ben.id, userId: ada.id }))).toMatchObject(gone);
    expect(await contactsOf(ben)).toEqual([[undefined, 'Ada L']]);
    expect(await contactsOf(cleo)).toEqual([]);
    // People who add the number now find it unregistered.
    const dora = await identity.signUp('Dora');
    const added = await identity.client.addContact({ actorId: dora.id, phoneNumber: ada.phoneNumber });
    expect(added.userId).toBeUndefined();

    identity.clock.advance(6 * dayMs);
    const back = await identity.signIn(ada.phoneNumber);
    const deletesAt = back.self?.deletesAt;
    expect(back).toMatchObject({ created: false, self: { id: ada.id } });
    expect(deletesAt?.getTime()).toBe(identity.clock.now().getTime() + dayMs);
    expect(await identity.client.authenticateSession({ token: back.token })).toMatchObject({
      userId: ada.id,
      deletesAt,
    });
    const caller = { actorId: ada.id, sessionId: back.sessionId };
    expect(await captureRefusal(identity.client.keepAccount({ ...caller, sessionId: ada.sessionId }))).toMatchObject({
      code: 'session_invalid',
    });
    expect((await identity.client.keepAccount(caller)).deletesAt).toBeUndefined();
    expect((await identity.client.authenticateSession({ token: back.token })).deletesAt).toBeUndefined();
    expect([await contactsOf(ben), await contactsOf(cleo)]).toEqual(before);
    expect(await contactsOf(dora)).toEqual([[ada.id, 'Ada']]);
    const { notices } = await identity.security.listNotices(caller);
    expect(notices.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['account_closed', 'account_kept']));
    identity.clock.advance(2 * dayMs);
    expect((await getSelf(ada.id)).id).toBe(ada.id);
    const closedEvents = await identity.db('events').where({ key: ada.id }).orderBy('id').select('payload');
    expect(closedEvents.map(({ payload }: { payload: { closed?: boolean } }) => payload.closed)).toEqual([true, false]);
  });

  test('is announced by email with the deletion date', async () => {
    const reply = await identity.client.signInWithProvider(
      aSignInWithProviderRequest({
        email: 'leaving@example.org',
        emailVerified: true,
        givenName: 'Lea',
        device: testDevice,
      }),
    );
    await identity.client.deleteAccount({ actorId: reply.self!.id, sessionId: reply.sessionId! });
    await identity.runMails();
    const mail = identity.mails.findLast(({ to }) => to === 'leaving@example.org');
    expect(mail?.subject).toBe('Your Nolo account will be deleted');
    expect(mail?.text).toContain('To keep it, sign in before then.');
  });

  test('leaves nothing of it after seven days, and notifies the other services', async () => {
    const [ada, ben] = [await identity.signUp('Ada'), await identity.signUp('Ben')];
    await identity.client.addContact({ actorId: ada.id, userId: ben.id, phoneNumber: '' });
    await identity.client.setBlocked({ actorId: ada.id, userId: ben.id, blocked: true });
    await identity.client.setBlocked({ actorId: ben.id, userId: ada.id, blocked: true });
    await identity.client.authenticateSession({ token: ada.token });
    await identity.client.deleteAccount(testCallerOf(ada));
    identity.clock.advance(7 * dayMs - 1);
    expect((await getSelf(ada.id)).id).toBe(ada.id);
    identity.clock.advance(1);
    await eventually(async () => (await identity.db('users').where({ id: ada.id })).length === 0);

    const session = identity.client.authenticateSession({ token: ada.token });
    expect(await captureRefusal(session)).toMatchObject({ code: 'session_invalid' });
    for (const [table, column] of [
      ['users', 'id'],
      ['user_phones', 'user_id'],
      ['sessions', 'user_id'],
      ['contacts', 'owner_id'],
      ['contacts', 'user_id'],
      ['blocks', 'blocker_id'],
      ['blocks', 'blocked_id'],
    ] as const) {
      expect(await identity.db(table).where({ [column]: ada.id })).toEqual([]);
    }
    await eventually(() =>
      events.some(
        ({ subject, data }) => subject.endsWith('user_deleted') && (data as { userId: string }).userId === ada.id,
      ),
    );
    expect((await identity.signIn(ada.phoneNumber)).created).toBe(true);
  });

  test("leaves numbers in other people's contacts if they typed them", async () => {
    const [ada, ben] = [await identity.signUp('Ada'), await identity.signUp('Ben')];
    const add = (target: { userId?: string; phoneNumber?: string }, actorId: string) =>
      identity.client.addContact({ actorId, userId: '', phoneNumber: '', displayName: 'Ben', ...target });
    const cleo = await identity.signUp('Cleo');
    await add({ phoneNumber: ben.phoneNumber }, ada.id);
    await add({ userId: ben.id }, cleo.id);
    await identity.client.deleteAccount(testCallerOf(ben));
    const list = async (actorId: string) => (await identity.client.listContacts({ actorId })).contacts;
    expect(await list(ada.id)).toMatchObject([{ userId: undefined, phoneNumber: ben.phoneNumber, displayName: 'Ben' }]);
    expect(await list(cleo.id)).toEqual([]);
  });

  test('returns the id token for the provider’s sign-out', async () => {
    const reply = await identity.client.signInWithProvider(
      aSignInWithProviderRequest({ givenName: 'Del', idToken: 'hint', device: testDevice }),
    );
    expect(await identity.client.deleteAccount({ actorId: reply.self!.id, sessionId: reply.sessionId! })).toEqual({
      idTokenHint: 'hint',
    });
  });

  test('has the effect of one of the two orders if someone signs in at the same moment', async () => {
    const phoneNumber = randomPhone();
    const first = await identity.signIn(phoneNumber);
    await identity.client.sendCode({ phoneNumber, device: testDevice });
    const [, signedIn] = await Promise.allSettled([
      identity.client.deleteAccount({ actorId: first.self!.id, sessionId: first.sessionId }),
      identity.client.verifyCode({ phoneNumber, code: '424242', device: testDevice, linkToUserId: '' }),
    ]);
    // The new session started in the closed account, or ended with it.
    if (signedIn.status === 'rejected') throw signedIn.reason;
    const { token = '' } = signedIn.value;
    const live = await identity.client.authenticateSession({ token }).catch(() => undefined);
    expect(signedIn.value.created).toBe(false);
    if (live) expect(live.deletesAt).toBeInstanceOf(Date);
  });
});

test('a block is published to other services, once per change', async () => {
  const [ada, ben] = [await identity.signUp('Ada'), await identity.signUp('Ben')];
  const set = (blocked: boolean) => identity.client.setBlocked({ actorId: ada.id, userId: ben.id, blocked });
  for (const blocked of [true, true, false, false]) await set(blocked);
  const mine = () =>
    events.filter(({ data }) => (data as { blockerId?: string }).blockerId === ada.id).map(({ data }) => data);
  const change = { blockerId: ada.id, blockedId: ben.id };
  await eventually(() => mine().length === 2);
  expect(mine()).toEqual([
    { ...change, blocked: true },
    { ...change, blocked: false },
  ]);
});

test('the process reports that it is alive and ready, and counts sign-ins', async () => {
  const at = (path: string) => fetch(`http://127.0.0.1:${identity.ports.metrics}${path}`);
  expect((await at('/livez')).status).toBe(200);
  expect(await (await at('/readyz')).json()).toMatchObject({ ready: true, checks: { postgres: { ok: true } } });
  expect(await (await at('/metrics')).text()).toContain('nolo_sign_ins_total');
});
