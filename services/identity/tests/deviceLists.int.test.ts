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
  toMessage,
} from '@nolo/testing/keys';
import { createKeyFixtures, refusedAs } from './keyFixtures.ts';
import { captureRefusal, shareIdentity } from './startIdentity.ts';

const identity = shareIdentity();
const { alsoAt, send, ownKeysOf, keysOf, isSignedIn, forgetProof, stored, withKeys, withTwo, claim } =
  createKeyFixtures(identity);

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
