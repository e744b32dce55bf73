import { randomBytes } from 'node:crypto';
import { checkChain, fromUuid, readList, signList } from '@nolo/e2ee';
import { newId } from '@nolo/kit/ids';
import { limits } from '@nolo/rules';
import { eventually } from '@nolo/testing';
import {
  createTestBoxKeys,
  createTestDevice,
  createTestRecovery,
  firstListOf,
  fromMessage,
  signFirstList,
  signNextList,
  signTestClaim,
  toMessage,
  type SignedList,
  type TestDevice,
} from '@nolo/testing/keys';
import { createSoftAuthenticator, testRelyingParty } from './softAuthenticator.ts';
import { captureRefusal, shareIdentity, testCallerOf, type TestPerson } from './startIdentity.ts';

const identity = shareIdentity();

const dayMs = 86_400_000;

/** Signs the account in on another device. */
const alsoAt = async (person: TestPerson): Promise<TestPerson> => {
  const { token, sessionId } = await identity.signIn(person.phoneNumber);
  return { ...person, token, sessionId };
};
type Message = Omit<SignedList['message'], 'vault'> & Partial<SignedList['message']>;
const send = (person: TestPerson, { message }: { message: Message }, removes?: boolean) =>
  identity.keys.addDeviceList({ ...testCallerOf(person), vault: undefined, ...message, removes });
const replace = (person: TestPerson, { message }: SignedList) =>
  identity.keys.replaceIdentity({ ...testCallerOf(person), ...message, removes: undefined });
const ownKeysOf = (person: TestPerson) => identity.keys.getOwnKeys({ ...testCallerOf(person), after: undefined });
const keysOf = async (viewer: TestPerson, userId: string, after?: { chain: number; n: number }) =>
  (await identity.keys.findKeys({ actorId: viewer.id, accounts: [{ userId, after }] })).accounts[0];
const refusedAs = (reason: string) => ({ kind: 'invalid', code: 'list_refused', details: { reason } });
const isSignedIn = async ({ token }: TestPerson) =>
  identity.client.authenticateSession({ token }).then(
    () => true,
    () => false,
  );
/** Makes the proofs of all sessions of an account stale. */
const forgetProof = ({ id }: TestPerson) =>
  identity
    .db('sessions')
    .where({ user_id: id })
    .update({ proven_at: new Date(0) });
const stored = async ({ id }: TestPerson) => ({
  lists: await identity.db('device_lists').where({ user_id: id }).orderBy(['chain', 'n']).select('chain', 'n'),
  devices: (await identity.db('devices').where({ user_id: id }).select('id', 'removed_at')).length,
});

interface Owner {
  ada: TestPerson;
  laptop: TestDevice;
  first: SignedList;
}

/** Creates an account whose first list is stored. */
async function withKeys(): Promise<Owner> {
  const ada = await identity.signUp('Ada', 'Lovelace');
  const laptop = await createTestDevice(ada.id);
  const first = await signFirstList(laptop);
  await send(ada, first);
  return { ada, laptop, first };
}

/** Adds a device in a session of its own, which it claims. */
async function withTwo() {
  const owner = await withKeys();
  const phone = await createTestDevice(owner.ada.id);
  const second = await signNextList(owner.first.checked, owner.laptop, { add: [phone] });
  await send(owner.ada, second);
  const atPhone = await alsoAt(owner.ada);
  await claim(atPhone, phone);
  return { ...owner, phone, second, atPhone };
}

const claim = async (person: TestPerson, device: TestDevice, sessionId = person.sessionId) =>
  identity.keys.claimDevice({
    ...testCallerOf(person),
    deviceId: device.uuid,
    signature: await signTestClaim(device, sessionId),
  });

describe('a device list', () => {
  it('begins with the device of the session, which everyone can then read', async () => {
    const { ada, laptop, first } = await withKeys();
    const ben = await identity.signUp('Ben');
    expect(await ownKeysOf(ada)).toMatchObject({
      account: { userId: ada.id, newest: { chain: 0, n: 0 }, more: false, suspended: [] },
      devices: [{ id: laptop.uuid, kind: 0, name: 'Test browser', current: true, sessionExpired: false }],
      seeds: [],
      linkIds: [],
    });
    const seen = await keysOf(ben, ada.id);
    expect(seen).toMatchObject({
      newest: { chain: 0, n: 0 },
      boxKeys: [{ deviceId: laptop.uuid, number: 0, statement: first.message.boxKeys[0] }],
    });
    expect(await checkChain(seen!.lists.map(({ statement }) => fromMessage(statement)))).toEqual(first.checked);
    expect(await keysOf(ada, ben.id)).toMatchObject({ newest: undefined, lists: [], boxKeys: [], suspended: [] });
  });

  it('is stored once, and the same list again gets the first answer', async () => {
    const { ada, laptop, first } = await withKeys();
    const again = await send(ada, first);
    expect(again).toEqual({ position: { chain: 0, n: 0 }, hash: Buffer.from(first.checked.hash) });
    const second = await signNextList(first.checked, laptop, { add: [await createTestDevice(ada.id)] });
    const answer = await send(ada, second);
    expect(await send(ada, second)).toEqual(answer);
    expect(await send(ada, first)).toEqual(again);
    expect(await stored(ada)).toEqual({
      lists: [
        { chain: 0, n: 0 },
        { chain: 0, n: 1 },
      ],
      devices: 2,
    });
  });

  it('wins or loses a race as a whole', async () => {
    const ada = await identity.signUp('Ada');
    const rivals = [ada, await alsoAt(ada), await alsoAt(ada), await alsoAt(ada)];
    const lists = await Promise.all(rivals.map(async () => signFirstList(await createTestDevice(ada.id))));
    const results = await Promise.allSettled(rivals.map((rival, at) => send(rival, lists[at]!)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const lost = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as { code: string }] : []));
    expect(lost.map(({ code }) => code)).toEqual(['list_conflict', 'list_conflict', 'list_conflict']);
    expect(await stored(ada)).toEqual({ lists: [{ chain: 0, n: 0 }], devices: 1 });
    const boxKeys = await identity
      .db('box_keys as b')
      .join('devices as d', 'd.id', 'b.device_id')
      .where('d.user_id', ada.id);
    expect(boxKeys).toHaveLength(1);
  });

  it('lets exactly one of two next lists win', async () => {
    const { ada, laptop, first, atPhone, phone, second } = await withTwo();
    const [a, b] = await Promise.all([
      signNextList(second.checked, laptop, { add: [await createTestDevice(ada.id)] }),
      signNextList(second.checked, phone, { add: [await createTestDevice(ada.id)] }),
    ]);
    const results = await Promise.allSettled([send(ada, a), send(atPhone, b)]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(results.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'list_conflict' } });
    expect((await stored(ada)).devices).toBe(3);
    // The loser built on a list that was never accepted.
    const onLoser = await signNextList(
      results[0].status === 'fulfilled' ? b.checked : a.checked,
      results[0].status === 'fulfilled' ? phone : laptop,
      { add: [await createTestDevice(ada.id)] },
    );
    const sender = results[0].status === 'fulfilled' ? atPhone : ada;
    expect(await captureRefusal(send(sender, onLoser))).toMatchObject(refusedAs('order'));
    expect(
      await captureRefusal(
        send(ada, await signNextList(first.checked, laptop, { add: [await createTestDevice(ada.id)] })),
      ),
    ).toMatchObject({
      kind: 'conflict',
      code: 'list_conflict',
    });
  });

  it('is refused if it is not in order, with the reason, and then changes nothing', async () => {
    const { ada, laptop, first } = await withKeys();
    const before = await stored(ada);
    const other = await createTestDevice(ada.id);
    const good = await signNextList(first.checked, laptop, { add: [other] });
    const { list, boxKeys } = good.message;
    const body = list.body!;
    const changed = async (change: object, key = laptop.key) =>
      toMessage(await signList(key, { ...readList(good.statement), ...change }));
    const { laptop: foreign } = await withKeys();
    const devices = readList(good.statement).devices.map((one) =>
      one.seniority === 1 ? { ...one, id: foreign.id } : one,
    );
    const refused: [string, { list: typeof list; boxKeys: typeof boxKeys }][] = [
      ['malformed', { list: { ...list, body: body.subarray(1) }, boxKeys }],
      ['malformed', { list: { ...list, body: Buffer.alloc(limits.deviceListBytes + 1) }, boxKeys }],
      ['malformed', { list: { ...list, signature: Buffer.alloc(63) }, boxKeys }],
      ['malformed', { list: { ...list, body: Buffer.alloc(0) }, boxKeys }],
      ['version', { list: { ...list, body: Buffer.from(body.map((byte, at) => (at === 1 ? 2 : byte))) }, boxKeys }],
      ['signature', { list: { ...list, signature: randomBytes(64) }, boxKeys }],
      ['signature', { list: await changed({}, other.key), boxKeys }],
      ['subject', { list: await changed({ account: fromUuid(newId()) }), boxKeys }],
      ['order', { list: await changed({ n: 2 }), boxKeys }],
      ['order', { list: await changed({ previous: new Uint8Array(32) }), boxKeys }],
      ['order', { list: await changed({ nextSeniority: 7 }), boxKeys }],
      ['order', { list: await changed({ signer: other.id }), boxKeys }],
      ['subject', { list, boxKeys: [] }],
      ['subject', { list, boxKeys: [...boxKeys, ...boxKeys] }],
      ['subject', { list, boxKeys: [toMessage(await createTestBoxKeys(laptop))] }],
      ['order', { list, boxKeys: [toMessage(await createTestBoxKeys(other, { number: 1 }))] }],
      ['signature', { list, boxKeys: [toMessage(await createTestBoxKeys({ ...other, key: laptop.key }))] }],
      ['malformed', { list, boxKeys: [{ ...boxKeys[0], body: randomBytes(100) }] }],
      // The id of a device that another account has.
      ['order', { list: await changed({ devices }), boxKeys }],
    ];
    for (const [reason, message] of refused)
      expect(await captureRefusal(send(ada, { message }))).toMatchObject(refusedAs(reason));
    expect(await stored(ada)).toEqual(before);
    await send(ada, good);
    // A list that would have 33 devices.
    const many = await Promise.all(
      Array.from({ length: limits.devicesPerAccount - 2 }, () => createTestDevice(ada.id)),
    );
    const full = await signNextList(good.checked, laptop, { add: many });
    await send(ada, full);
    await expect(signNextList(full.checked, laptop, { add: [await createTestDevice(ada.id)] })).rejects.toMatchObject({
      code: 'malformed',
    });
    const above = {
      ...readList(full.statement),
      n: 3,
      previous: full.checked.hash,
      devices: [
        ...full.checked.list.devices,
        { id: other.id, kind: 0 as const, signKey: other.signKey, addedBy: laptop.id, seniority: 32 },
      ],
      nextSeniority: 33,
    };
    const statement = toMessage(await signList(laptop.key, above));
    expect(await captureRefusal(send(ada, { message: { list: statement, boxKeys } }))).toMatchObject(
      refusedAs('malformed'),
    );
  });

  it('is accepted only from the session of the device that signed it', async () => {
    const { ada, laptop, first } = await withKeys();
    const elsewhere = await alsoAt(ada);
    const second = await signNextList(first.checked, laptop, { add: [await createTestDevice(ada.id)] });
    expect(await captureRefusal(send(elsewhere, second))).toMatchObject({ kind: 'forbidden', code: 'device_mismatch' });
    const mallory = await identity.signUp('Mallory');
    expect(await captureRefusal(send(mallory, second))).toMatchObject(refusedAs('subject'));
    const stolen = { ...ada, sessionId: mallory.sessionId };
    expect(await captureRefusal(send(stolen, second))).toMatchObject({ code: 'session_invalid' });
    expect((await stored(ada)).lists).toHaveLength(1);
  });

  it('ends the sessions of devices that it removes, with a fresh proof', async () => {
    const { ada, laptop, phone, second, atPhone } = await withTwo();
    const gateway = await identity.gateway('keys-removal');
    await gateway.leases.add(ada.id);
    expect(await isSignedIn(atPhone)).toBe(true);
    const third = await signNextList(second.checked, laptop, { remove: [phone] });
    await forgetProof(ada);
    const unproven = { kind: 'forbidden', code: 'proof_required' };
    expect(await captureRefusal(send(ada, third))).toMatchObject(unproven);
    expect((await stored(ada)).lists).toHaveLength(2);
    // An announced removal needs a proof before anything else is checked.
    const nothing = {
      message: { list: toMessage({ body: new Uint8Array(1), signature: new Uint8Array(64) }), boxKeys: [] },
    };
    expect(await captureRefusal(send(ada, nothing, true))).toMatchObject(unproven);
    await identity.db('sessions').where({ id: ada.sessionId }).update({ proven_at: identity.clock.now() });
    await send(ada, third, true);
    expect(await isSignedIn(atPhone)).toBe(false);
    expect(await isSignedIn(ada)).toBe(true);
    const { devices, account } = await ownKeysOf(ada);
    expect(devices.map(({ id }) => id)).toEqual([laptop.uuid]);
    expect(account!.boxKeys.map(({ deviceId }) => deviceId)).toEqual([laptop.uuid]);
    await eventually(() => gateway.framesFor(ada.id, 'devices_changed').some(({ n }) => n === 2));
    expect(await identity.db('devices').where({ id: phone.uuid }).first()).toMatchObject({
      session_id: null,
      suspended_at: null,
    });
    // A removed device does not come back.
    expect(await captureRefusal(claim(await alsoAt(ada), phone))).toMatchObject({ code: 'device_not_found' });
  });

  it('removes its own signer and suspended devices without a proof', async () => {
    const { ada, laptop, phone, second, atPhone } = await withTwo();
    await identity.client.endSession({ actorId: ada.id, sessionId: atPhone.sessionId });
    await forgetProof(ada);
    const third = await signNextList(second.checked, laptop, { remove: [phone] });
    await send(ada, third);
    const { key, listed } = await createTestRecovery(third.checked);
    const fourth = await signNextList(third.checked, laptop, { recovery: listed });
    await send(ada, fourth);
    const fifth = await signNextList(fourth.checked, laptop, { remove: [laptop] });
    await send(ada, fifth);
    expect(await isSignedIn(ada)).toBe(false);
    // The recovery key still continues the chain.
    const back = await alsoAt(ada);
    const tablet = await createTestDevice(ada.id);
    await send(back, await signNextList(fifth.checked, { key }, { add: [tablet] }));
    expect((await ownKeysOf(back)).devices).toMatchObject([{ id: tablet.uuid, current: true }]);
  });
});

describe('recovery', () => {
  it('adds the device of the session and removes the lost ones', async () => {
    const { ada, laptop, first } = await withKeys();
    const { key, listed } = await createTestRecovery(first.checked);
    await forgetProof(ada);
    // The first recovery key needs no proof.
    const second = await signNextList(first.checked, laptop, { recovery: listed });
    await send(ada, second);
    const back = await alsoAt(ada);
    const tablet = await createTestDevice(ada.id);
    const third = await signNextList(second.checked, { key }, { add: [tablet], remove: [laptop] });
    // Only a session without another device of the list can recover.
    const kept = await signNextList(second.checked, { key }, { add: [tablet] });
    expect(await captureRefusal(send(ada, kept))).toMatchObject({ kind: 'conflict', code: 'device_present' });
    const none = await signNextList(second.checked, { key }, { remove: [laptop] });
    expect(await captureRefusal(send(back, none))).toMatchObject({ code: 'device_mismatch' });
    const two = await signNextList(second.checked, { key }, { add: [tablet, await createTestDevice(ada.id)] });
    expect(await captureRefusal(send(back, two))).toMatchObject(refusedAs('rights'));
    await send(back, third);
    expect(await isSignedIn(ada)).toBe(false);
    expect((await ownKeysOf(back)).devices).toMatchObject([{ id: tablet.uuid, current: true }]);
  });

  it('continues in the session of a device that lost its keys', async () => {
    const { ada, laptop, first } = await withKeys();
    const { key, listed } = await createTestRecovery(first.checked);
    const second = await signNextList(first.checked, laptop, { recovery: listed });
    await send(ada, second);
    const again = await createTestDevice(ada.id);
    await send(ada, await signNextList(second.checked, { key }, { add: [again], remove: [laptop] }));
    expect(await isSignedIn(ada)).toBe(true);
    expect((await ownKeysOf(ada)).devices).toMatchObject([{ id: again.uuid, current: true }]);
  });

  it('replaces its key with a fresh proof, and drops the seeds of the former one', async () => {
    const { ada, laptop, first } = await withKeys();
    const passkey = await addPasskey(ada);
    const { key, listed } = await createTestRecovery(first.checked);
    const second = await signNextList(first.checked, laptop, { recovery: listed });
    await send(ada, second);
    const wrapped = randomBytes(65);
    await identity.keys.putRecoverySeed({ ...testCallerOf(ada), passkeyId: passkey, wrapped });
    expect((await ownKeysOf(ada)).seeds).toMatchObject([{ passkeyId: passkey, wrapped }]);
    const next = await createTestRecovery(first.checked);
    const third = await signNextList(second.checked, { key }, { recovery: next.listed });
    await forgetProof(ada);
    expect(await captureRefusal(send(ada, third))).toMatchObject({ code: 'proof_required' });
    await identity.db('sessions').where({ id: ada.sessionId }).update({ proven_at: identity.clock.now() });
    await send(ada, third);
    expect((await ownKeysOf(ada)).seeds).toEqual([]);
  });
});

const addPasskey = async (person: TestPerson): Promise<string> => {
  const authenticator = createSoftAuthenticator();
  const begun = { ...testCallerOf(person), relyingParty: testRelyingParty };
  const { options = '' } = await identity.passkeys.beginPasskey(begun);
  const response = authenticator.make(options, {});
  return (await identity.passkeys.addPasskey({ ...begun, name: 'Laptop', response })).id!;
};

describe('a wrapped seed', () => {
  it('belongs to a passkey of the account, and ends with it', async () => {
    const { ada } = await withKeys();
    const passkeyId = await addPasskey(ada);
    const wrapped = randomBytes(65);
    const put = (person: TestPerson, id: string, bytes = wrapped) =>
      identity.keys.putRecoverySeed({ ...testCallerOf(person), passkeyId: id, wrapped: bytes });
    await put(ada, passkeyId);
    const another = randomBytes(65);
    await put(ada, passkeyId, another);
    expect((await ownKeysOf(ada)).seeds).toMatchObject([{ passkeyId, wrapped: another }]);
    expect(await captureRefusal(put(ada, newId()))).toMatchObject({ code: 'identity_not_found' });
    expect(await captureRefusal(put(ada, passkeyId, randomBytes(limits.recoverySeedBytes + 1)))).toMatchObject({
      code: 'invalid_request',
    });
    expect(await captureRefusal(put(await alsoAt(ada), passkeyId))).toMatchObject({ code: 'device_required' });
    const ben = await withKeys();
    expect(await captureRefusal(put(ben.ada, passkeyId))).toMatchObject({ code: 'identity_not_found' });
    await identity.keys.deleteRecoverySeed({ ...testCallerOf(ben.ada), passkeyId });
    expect((await ownKeysOf(ada)).seeds).toHaveLength(1);
    await identity.keys.deleteRecoverySeed({ ...testCallerOf(ada), passkeyId });
    expect((await ownKeysOf(ada)).seeds).toEqual([]);
    await put(ada, passkeyId);
    await identity.security.unlinkIdentity({ ...testCallerOf(ada), identityId: passkeyId });
    expect((await ownKeysOf(ada)).seeds).toEqual([]);
  });
});

describe('a changed identity', () => {
  it('needs a proof, begins another chain, and keeps the former one readable', async () => {
    const { ada, laptop, second, atPhone } = await withTwo();
    const again = await createTestDevice(ada.id);
    const fresh = await signFirstList(again);
    expect(await captureRefusal(send(ada, fresh))).toMatchObject({ code: 'list_conflict' });
    await forgetProof(ada);
    expect(await captureRefusal(replace(ada, fresh))).toMatchObject({ code: 'proof_required' });
    await identity.db('sessions').where({ id: ada.sessionId }).update({ proven_at: identity.clock.now() });
    const next = await signNextList(second.checked, laptop, { add: [await createTestDevice(ada.id)] });
    expect(await captureRefusal(replace(ada, next))).toMatchObject(refusedAs('order'));
    const answer = await replace(ada, fresh);
    expect(answer).toEqual({ position: { chain: 1, n: 0 }, hash: Buffer.from(fresh.checked.hash) });
    expect(await replace(ada, fresh)).toEqual(answer);
    const ben = await identity.signUp('Ben');
    expect(await keysOf(ben, ada.id)).toMatchObject({
      newest: { chain: 1, n: 0 },
      lists: [{ position: { chain: 1, n: 0 } }],
      boxKeys: [{ deviceId: again.uuid }],
    });
    const since = await keysOf(ben, ada.id, { chain: 0, n: 0 });
    expect(since!.lists.map(({ position }) => position)).toEqual([
      { chain: 0, n: 1 },
      { chain: 1, n: 0 },
    ]);
    // The sessions stay, and their former devices do not act any more.
    expect(await isSignedIn(atPhone)).toBe(true);
    expect(await captureRefusal(send(atPhone, next))).toMatchObject(refusedAs('order'));
    expect(await captureRefusal(claim(atPhone, laptop))).toMatchObject({ code: 'device_not_found' });
  });
});

describe('keys of others', () => {
  it('are shown as profiles are: unknown and closed accounts are omitted', async () => {
    const [one, two] = [await withKeys(), await withKeys()];
    const ben = await identity.signUp('Ben');
    const ask = async () =>
      (
        await identity.keys.findKeys({
          actorId: ben.id,
          accounts: [two.ada.id, newId(), 'nobody', one.ada.id, two.ada.id].map((userId) => ({
            userId,
            after: undefined,
          })),
        })
      ).accounts.map(({ userId }) => userId);
    expect(await ask()).toEqual([two.ada.id, one.ada.id]);
    await identity.client.deleteAccount(testCallerOf(two.ada));
    expect(await ask()).toEqual([one.ada.id]);
    const many = Array.from({ length: limits.keyLookupAccounts + 1 }, () => ({ userId: newId(), after: undefined }));
    expect(await captureRefusal(identity.keys.findKeys({ actorId: ben.id, accounts: many }))).toMatchObject({
      code: 'too_many_ids',
    });
  });

  it('come in pages', async () => {
    const { ada, laptop, first } = await withKeys();
    let last = first;
    for (let n = 1; n <= limits.deviceListsPerLookup + 1; n += 1) {
      last = await signNextList(last.checked, laptop, { add: [await createTestDevice(ada.id)] });
      await send(ada, last);
    }
    const ben = await withKeys();
    const query = { userId: ada.id, after: undefined };
    const { accounts } = await identity.keys.findKeys({
      actorId: ben.ada.id,
      accounts: [query, { userId: ben.ada.id, after: undefined }],
    });
    expect(accounts[0]).toMatchObject({ more: true, newest: { n: limits.deviceListsPerLookup + 1 } });
    expect(accounts[0]!.lists).toHaveLength(limits.deviceListsPerLookup);
    const rest = await keysOf(ben.ada, ada.id, accounts[0]!.lists.at(-1)!.position as { chain: number; n: number });
    expect(rest).toMatchObject({ more: false, lists: [{ position: { n: 5 } }, { position: { n: 6 } }] });
  });
});

describe('box keys', () => {
  const renew = (person: TestPerson, statement: Awaited<ReturnType<typeof createTestBoxKeys>>) =>
    identity.keys.renewBoxKeys({ ...testCallerOf(person), statement: toMessage(statement) });
  const refused = (reason: string) => ({ kind: 'invalid', code: 'box_keys_refused', details: { reason } });

  it('are renewed by the device of the session, and skip only numbers that were lost', async () => {
    const { ada, laptop } = await withKeys();
    const [one, two] = [await createTestBoxKeys(laptop, { number: 1 }), await createTestBoxKeys(laptop, { number: 2 })];
    const far = await createTestBoxKeys(laptop, { number: 1_001 });
    expect(await captureRefusal(renew(ada, far))).toMatchObject(refused('order'));
    await renew(ada, one);
    await renew(ada, one);
    const twin = await createTestBoxKeys(laptop, { number: 1 });
    expect(await captureRefusal(renew(ada, twin))).toMatchObject(refused('fork'));
    await renew(ada, two);
    expect(await captureRefusal(renew(ada, one))).toMatchObject(refused('old'));
    const [own] = (await ownKeysOf(ada)).account!.boxKeys;
    expect(own).toMatchObject({ number: 2, statement: toMessage(two) });
    const foreign = await createTestDevice(ada.id);
    const later = { number: 5 };
    expect(await captureRefusal(renew(ada, await createTestBoxKeys(foreign, later)))).toMatchObject(refused('subject'));
    const unsigned = await createTestBoxKeys({ ...laptop, key: foreign.key }, later);
    expect(await captureRefusal(renew(ada, unsigned))).toMatchObject(refused('signature'));
    const next = await createTestBoxKeys(laptop, later);
    expect(await captureRefusal(renew(await alsoAt(ada), next))).toMatchObject({ code: 'device_required' });
    const long = { body: new Uint8Array(limits.boxKeysBytes + 1), signature: next.signature };
    expect(await captureRefusal(renew(ada, long))).toMatchObject(refused('malformed'));
    const race = await Promise.allSettled([renew(ada, next), renew(ada, await createTestBoxKeys(laptop, later))]);
    expect(race.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });
});

describe('a suspended device', () => {
  it('is named while its session has ended, and continues where it claims another one', async () => {
    const { ada, phone, atPhone, laptop } = await withTwo();
    const ben = await identity.signUp('Ben');
    const gateway = await identity.gateway('keys-suspension');
    await gateway.leases.add(ada.id);
    expect((await keysOf(ben, ada.id))!.suspended).toEqual([]);
    await identity.client.endSession({ actorId: ada.id, sessionId: atPhone.sessionId });
    expect((await keysOf(ben, ada.id))!.suspended).toEqual([phone.uuid]);
    const suspended = (await ownKeysOf(ada)).devices.find(({ id }) => id === phone.uuid);
    expect(suspended).toMatchObject({ sessionExpired: false, lastUsedAt: undefined });
    expect(suspended!.suspendedAt).toBeInstanceOf(Date);
    await eventually(() => gateway.framesFor(ada.id, 'devices_changed').length === 1);
    const events = () =>
      identity
        .db('events')
        .where({ subject: 'event.identity.devices_changed', key: ada.id })
        .orderBy('written')
        .pluck('payload');
    const before = (await events()).length;
    const back = await alsoAt(ada);
    expect(await captureRefusal(claim(back, laptop, ada.sessionId))).toMatchObject({
      kind: 'forbidden',
      code: 'claim_refused',
    });
    expect(await captureRefusal(claim(back, { ...phone, key: laptop.key }))).toMatchObject({ code: 'claim_refused' });
    await claim(back, phone);
    await claim(back, phone);
    expect((await keysOf(ben, ada.id))!.suspended).toEqual([]);
    expect((await events()).slice(before)).toEqual([{ userId: ada.id, chain: 0, n: 1 }]);
    // A session has one device, and a device belongs to its account.
    expect(await captureRefusal(claim(back, laptop))).toMatchObject({ kind: 'conflict', code: 'device_present' });
    const foreign = await identity.signUp('Mallory');
    expect(await captureRefusal(claim(foreign, phone))).toMatchObject({ kind: 'not_found', code: 'device_not_found' });
  });

  it('is named as expired as soon as its session expired, and continues after another sign-in', async () => {
    const { ada, laptop } = await withKeys();
    const ben = await identity.signUp('Ben');
    identity.clock.advance(91 * dayMs);
    expect((await keysOf(ben, ada.id))!.suspended).toEqual([laptop.uuid]);
    const back = await alsoAt(ada);
    expect((await ownKeysOf(back)).devices).toMatchObject([{ id: laptop.uuid, sessionExpired: true }]);
    await eventually(async () => {
      const row = await identity.db('devices').where({ id: laptop.uuid }).first('session_id', 'suspended_at');
      return row.session_id === null && row.suspended_at !== null;
    });
    expect((await ownKeysOf(back)).devices).toMatchObject([{ id: laptop.uuid, sessionExpired: true }]);
    await claim(back, laptop);
    expect((await ownKeysOf(back)).devices).toMatchObject([{ id: laptop.uuid, sessionExpired: false, current: true }]);
  });

  it('moves from a session that is still alive', async () => {
    const { ada, laptop } = await withKeys();
    const again = await alsoAt(ada);
    await claim(again, laptop);
    expect((await ownKeysOf(again)).devices).toMatchObject([
      { id: laptop.uuid, current: true, suspendedAt: undefined },
    ]);
    expect(await isSignedIn(ada)).toBe(true);
    expect((await ownKeysOf(ada)).devices).toMatchObject([{ id: laptop.uuid, current: false }]);
  });
});

describe('a token', () => {
  it('is a device without a session, which is never suspended', async () => {
    const { ada, laptop, first } = await withKeys();
    const token = await createTestDevice(ada.id, 2);
    await send(ada, await signNextList(first.checked, laptop, { add: [token] }));
    const { account, devices } = await ownKeysOf(ada);
    expect(account!.suspended).toEqual([]);
    expect(devices.find(({ id }) => id === token.uuid)).toMatchObject({ kind: 2, name: '', suspendedAt: undefined });
    expect(await captureRefusal(claim(await alsoAt(ada), token))).toMatchObject({ code: 'device_not_found' });
  });
});

describe('the account', () => {
  it('exports its keys and deletes them', async () => {
    const { ada, laptop, first } = await withKeys();
    const passkeyId = await addPasskey(ada);
    await identity.keys.putRecoverySeed({ ...testCallerOf(ada), passkeyId, wrapped: Buffer.from('wrapped') });
    const { json } = await identity.client.exportAccount(testCallerOf(ada));
    const exported = JSON.parse(json) as Record<string, unknown>;
    expect(exported).toMatchObject({
      devices: [{ id: laptop.uuid, kind: 0, chain: 0, removedAt: null }],
      deviceLists: [{ chain: 0, n: 0, body: Buffer.from(first.statement.body).toString('base64') }],
      boxKeys: [{ deviceId: laptop.uuid, number: 0 }],
      recoverySeeds: [{ passkeyId, wrapped: Buffer.from('wrapped').toString('base64') }],
    });
    await identity.erase(ada);
    for (const table of ['devices', 'device_lists', 'passkey_seeds', 'device_links'])
      expect(await identity.db(table).where({ user_id: ada.id })).toEqual([]);
    expect(await identity.db('box_keys').where({ device_id: laptop.uuid })).toEqual([]);
  });

  it('keeps nothing of a list whose transaction was cut off at any step', async () => {
    const { ada, laptop, phone, second, atPhone } = await withTwo();
    const tablet = await createTestDevice(ada.id);
    const third = await signNextList(second.checked, laptop, { add: [tablet], remove: [phone] });
    const before = await stored(ada);
    const state = async () => ({
      ...(await stored(ada)),
      phone: await isSignedIn(atPhone),
      removed: (await identity.db('devices').where({ id: phone.uuid }).first('removed_at')).removed_at,
      boxKeys: await identity.db('box_keys').where({ device_id: phone.uuid }).pluck('number'),
    });
    // Each step fails once, as if the process or the database had died there.
    for (const table of ['devices', 'box_keys', 'device_lists', 'outbox', 'events']) {
      await identity.db.raw(`
        create function fail_once() returns trigger language plpgsql as $$ begin raise exception 'cut off'; end $$;
        create trigger fail_once before insert on ${table} for each row execute function fail_once();
      `);
      expect(await captureRefusal(send(ada, third))).toMatchObject({ kind: 'internal' });
      await identity.db.raw(`drop trigger fail_once on ${table}; drop function fail_once();`);
      expect(await state()).toEqual({ ...before, phone: true, removed: null, boxKeys: [0] });
    }
    await send(ada, third);
    expect(await isSignedIn(atPhone)).toBe(false);
  });
});

test('a list whose connection dies in the middle leaves nothing, and is accepted when it is sent again', async () => {
  const { ada, laptop, phone, second, atPhone } = await withTwo();
  const tablet = await createTestDevice(ada.id);
  const third = await signNextList(second.checked, laptop, { add: [tablet], remove: [phone] });
  const before = await stored(ada);
  for (const table of ['box_keys', 'device_lists', 'outbox']) {
    const blocker = await identity.db.transaction();
    await blocker.raw(`lock table ${table} in share mode`);
    const sent = captureRefusal(send(ada, third));
    // The transaction waits at this table with everything before it done.
    await eventually(async () => {
      const { rows } = await identity.db.raw<{ rows: unknown[] }>(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock' and (query ilike ? or query ilike ?)`,
        [`%${table}%`, '%send_devices_changed%'],
      );
      return rows.length > 0;
    });
    expect(await sent).toMatchObject({ kind: expect.stringMatching(/^(unavailable|internal)$/) });
    await blocker.rollback();
    expect(await stored(ada)).toEqual(before);
    expect(await isSignedIn(atPhone)).toBe(true);
  }
  expect(await send(ada, third)).toMatchObject({ position: { n: 2 } });
  expect(await isSignedIn(atPhone)).toBe(false);
});

test('the first list has no past, and names a device of a person', async () => {
  const ada = await identity.signUp('Ada');
  const laptop = await createTestDevice(ada.id);
  const boxKeys = [toMessage(await createTestBoxKeys(laptop))];
  for (const change of [{ n: 1 }, { nextSeniority: 2 }, { previous: new Uint8Array(32) }]) {
    const list = toMessage(await signList(laptop.key, { ...firstListOf(laptop), ...change }));
    expect(await captureRefusal(send(ada, { message: { list, boxKeys } }))).toMatchObject(refusedAs('order'));
  }
  const token = { ...laptop, kind: 2 as const };
  const list = toMessage(await signList(laptop.key, firstListOf(token)));
  expect(await captureRefusal(send(ada, { message: { list, boxKeys } }))).toMatchObject(refusedAs('order'));
  expect(await stored(ada)).toEqual({ lists: [], devices: 0 });
});
