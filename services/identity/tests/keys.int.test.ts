import { newId } from '@nolo/kit/ids';
import { limits } from '@nolo/rules';
import { eventually } from '@nolo/testing';
import { createTestBoxKeys, createTestDevice, signNextList, toMessage } from '@nolo/testing/keys';
import { dropUnnamedLists } from '../src/jobs/dropUnnamedLists.ts';
import { createKeptListStore } from '../src/store/keptLists.ts';
import { createKeyFixtures } from './keyFixtures.ts';
import { captureRefusal, shareIdentity, testCallerOf, type TestPerson } from './startIdentity.ts';

const identity = shareIdentity();
const { alsoAt, send, ownKeysOf, keysOf, isSignedIn, stored, withKeys, withTwo, claim, addPasskey } =
  createKeyFixtures(identity);

const dayMs = 86_400_000;

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
    for (const table of ['devices', 'passkey_seeds', 'device_links'])
      expect(await identity.db(table).where({ user_id: ada.id })).toEqual([]);
    expect(await identity.db('box_keys').where({ device_id: laptop.uuid })).toEqual([]);
  });

  it('leaves its signed lists to people whose conversations name it, until none does', async () => {
    const { ada, laptop, first } = await withKeys();
    const { ada: ben } = await withKeys();
    const stranger = await identity.signUp('Dora');
    identity.epochs.named.set(ada.id, [ben.id]);
    await identity.client.deleteAccount(testCallerOf(ada));
    const shown = {
      newest: { chain: 0, n: 0 },
      lists: [{ position: { chain: 0, n: 0 }, statement: toMessage(first.statement) }],
      boxKeys: [],
    };
    expect(await keysOf(ben, ada.id)).toMatchObject({ ...shown, suspended: [laptop.uuid] });
    expect(await keysOf(stranger, ada.id)).toBeUndefined();
    await identity.db('closures').where({ user_id: ada.id }).update({ deletes_at: identity.clock.now() });
    await eventually(async () => (await identity.db('users').where({ id: ada.id })).length === 0);
    expect(await keysOf(ben, ada.id, { chain: 0, n: -1 })).toMatchObject({ ...shown, suspended: [] });
    expect(await keysOf(stranger, ada.id)).toBeUndefined();
    // Other services learn of no lists of an account that is gone.
    const query = { userId: ada.id, named: [], known: [] };
    expect((await identity.keys.findListStates({ sessionId: undefined, accounts: [query] })).accounts).toEqual([]);
    expect(await identity.keys.getListState({ userId: ada.id, sessionId: undefined, named: undefined })).toMatchObject({
      suspended: [],
      list: undefined,
    });

    const sweep = dropUnnamedLists({
      keptLists: createKeptListStore(identity.db),
      namedAccounts: { amongAll: async (ids) => new Set(ids.filter((id) => identity.epochs.named.has(id))) },
      clock: identity.clock,
    });
    await sweep();
    expect((await stored(ada)).lists).toHaveLength(1);
    identity.epochs.named.delete(ada.id);
    await sweep();
    expect((await stored(ada)).lists).toHaveLength(1);
    identity.clock.advance(dayMs);
    await sweep();
    expect((await stored(ada)).lists).toEqual([]);
    expect(await identity.db('kept_lists').where({ user_id: ada.id })).toEqual([]);
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
