import { createAppError } from '@nolo/kit/errors';
import { rateLimits } from '@nolo/rules';
import { eventually } from '@nolo/testing';
import {
  createTestBoxKeys,
  createTestDevice,
  createTestRecovery,
  signFirstList,
  signNextList,
  toMessage,
  type SignedList,
  type TestDevice,
} from '@nolo/testing/keys';
import { signVaultEpoch } from '@nolo/testing/vaults';
import { captureRefusal, startIdentity, testCallerOf, type TestIdentity } from './startIdentity.ts';
import {
  send,
  ownKeysOf,
  alsoAt,
  claim,
  stored,
  commitsOf,
  failOnce,
  failAlways,
  withKeys,
  withTwo,
  alone,
  pending,
} from './vaultListFixtures.ts';

let identity: TestIdentity;
beforeAll(async () => {
  identity = await startIdentity();
});
afterEach(() => {
  identity.epochs.hooks.before = undefined;
  identity.epochs.hooks.after = undefined;
});
afterAll(() => identity.stop());

describe('a list that changes who can open the vault', () => {
  const withoutVault = { kind: 'invalid', code: 'list_refused', details: { reason: 'vault' } };

  it('is refused without an epoch of the vault, and any other list goes alone', async () => {
    const ada = await identity.signUp('Ada');
    const laptop = await createTestDevice(ada.id);
    const first = await signFirstList(laptop);
    expect(await captureRefusal(send(identity, ada, alone(first)))).toMatchObject(withoutVault);
    await send(identity, ada, first);
    const phone = await createTestDevice(ada.id);
    const second = await signNextList(first.checked, laptop, { add: [phone] });
    expect(await captureRefusal(send(identity, ada, alone(second)))).toMatchObject(withoutVault);
    const { listed } = await createTestRecovery(first.checked);
    const words = await signNextList(first.checked, laptop, { recovery: listed });
    expect(await captureRefusal(send(identity, ada, alone(words)))).toMatchObject(withoutVault);
    expect(await stored(identity, ada)).toEqual({ lists: [0], waiting: [] });
    await send(identity, ada, second);
    const third = await signNextList(second.checked, laptop, { remove: [phone] });
    expect(third.message.vault).toBeUndefined();
    await send(identity, ada, third);
    const token = await createTestDevice(ada.id, 2);
    await send(identity, ada, await signNextList(third.checked, laptop, { add: [token] }));
    expect(commitsOf(identity, ada)).toHaveLength(2);
  });

  it('hands the epoch over with the list that it follows from', async () => {
    const { ada, laptop, first, second } = await withTwo(identity);
    const [, commit] = commitsOf(identity, ada);
    expect(commit).toMatchObject({
      epoch: second.message.vault,
      keys: {
        list: second.message.list.body,
        hash: Buffer.from(second.checked.hash),
        identity: Buffer.from(first.checked.hash),
        suspended: [],
        deviceId: laptop.uuid,
        receivedAt: expect.any(Date),
      },
    });
    const state = await identity.keys.getListState({ userId: ada.id, sessionId: ada.sessionId });
    expect(state).toMatchObject({
      list: second.message.list.body,
      hash: Buffer.from(second.checked.hash),
      identity: Buffer.from(first.checked.hash),
      suspended: [],
      deviceId: laptop.uuid,
      receivedAt: undefined,
    });
    const ben = await identity.signUp('Ben');
    const without = { list: undefined, suspended: [], deviceId: undefined };
    expect(await identity.keys.getListState({ userId: ben.id, sessionId: ben.sessionId })).toMatchObject(without);
    await identity.client.endSession({ actorId: ada.id, sessionId: ada.sessionId });
    const after = await identity.keys.getListState({ userId: ada.id, sessionId: ada.sessionId });
    expect(after).toMatchObject({ suspended: [laptop.uuid], deviceId: undefined });
  });

  it('hands over which devices have no box keys, also those of lists that wait, until they have some', async () => {
    const { ada, laptop, phone, second, atPhone } = await withTwo(identity);
    await identity.db('box_keys').where({ device_id: phone.uuid }).delete();
    const keylessOf = async () =>
      (await identity.keys.getListState({ userId: ada.id, sessionId: ada.sessionId })).keyless;
    expect(await keylessOf()).toEqual([phone.uuid]);
    const third = await signNextList(second.checked, laptop, { add: [await createTestDevice(ada.id)] });
    failOnce(identity, 'before');
    expect(await captureRefusal(send(identity, ada, third))).toMatchObject(pending);
    const statement = toMessage(await createTestBoxKeys(phone));
    await identity.keys.renewBoxKeys({ ...testCallerOf(atPhone), statement });
    expect(await keylessOf()).toEqual([]);
    // Each try has what decided when the list arrived.
    expect(commitsOf(identity, ada).map(({ keys }) => keys?.keyless)).toEqual([[], [], [phone.uuid], [phone.uuid]]);
  });

  it('is not accepted if its epoch is refused, and neither is kept', async () => {
    const { ada, laptop, first } = await withKeys(identity);
    const second = await signNextList(first.checked, laptop, { add: [await createTestDevice(ada.id)] });
    failOnce(identity, 'before', () => createAppError('invalid', 'epoch_refused', 'Refused.', { reason: 'left_out' }));
    expect(await captureRefusal(send(identity, ada, second))).toMatchObject({
      kind: 'invalid',
      code: 'epoch_refused',
      details: { reason: 'left_out' },
    });
    expect(await stored(identity, ada)).toEqual({ lists: [0], waiting: [] });
    // A device was faster with an epoch: the same list comes again with another one.
    const between = await signVaultEpoch(first.checked, laptop, first.epoch);
    identity.epochs.chains
      .get(commitsOf(identity, ada)[0]!.conversationId!)!
      .push(Buffer.from(between.checked.hash).toString('hex'));
    expect(await captureRefusal(send(identity, ada, second))).toMatchObject({ code: 'epoch_stale', details: { n: 1 } });
    expect(await stored(identity, ada)).toEqual({ lists: [0], waiting: [] });
    const { message } = await signVaultEpoch(second.checked, laptop, between);
    await send(identity, ada, { message: { ...second.message, vault: message } });
    expect(await stored(identity, ada)).toEqual({ lists: [0, 1], waiting: [] });
  });
});

describe('a list whose epoch has no known outcome', () => {
  it.each(['before', 'after'] as const)('waits, and the same bytes continue: cut off %s the epoch', async (when) => {
    const { ada, laptop, first } = await withKeys(identity);
    const second = await signNextList(first.checked, laptop, { add: [await createTestDevice(ada.id)] });
    failAlways(identity, when);
    expect(await captureRefusal(send(identity, ada, second))).toMatchObject(pending);
    expect(await captureRefusal(send(identity, ada, second))).toMatchObject(pending);
    expect(await stored(identity, ada)).toEqual({ lists: [0], waiting: [Buffer.from(second.checked.hash)] });
    identity.epochs.hooks[when] = undefined;
    expect(await send(identity, ada, second)).toEqual({
      position: { chain: 0, n: 1 },
      hash: Buffer.from(second.checked.hash),
    });
    expect(await send(identity, ada, second)).toMatchObject({ position: { chain: 0, n: 1 } });
    expect(await stored(identity, ada)).toEqual({ lists: [0, 1], waiting: [] });
    expect(identity.epochs.chains.get(commitsOf(identity, ada)[0]!.conversationId!)).toHaveLength(2);
    // Each try was the same, so each had the same outcome.
    const [, ...tries] = commitsOf(identity, ada);
    expect(tries).toHaveLength(3);
    for (const one of tries) expect(one).toEqual(tries[0]);
  });

  it.each(['pending_lists', 'devices', 'box_keys', 'device_lists', 'security_notices', 'outbox', 'events'])(
    'is accepted once when a process died while it wrote %s',
    async (table) => {
      const { ada, laptop, first } = await withKeys(identity);
      const second = await signNextList(first.checked, laptop, { add: [await createTestDevice(ada.id)] });
      await identity.db.raw(`
        create function fail_once() returns trigger language plpgsql as $$ begin raise exception 'cut off'; end $$;
        create trigger fail_once before insert on ${table} for each row execute function fail_once();
      `);
      expect(await captureRefusal(send(identity, ada, second))).toMatchObject({ kind: 'internal' });
      await identity.db.raw(`drop trigger fail_once on ${table}; drop function fail_once();`);
      expect((await stored(identity, ada)).lists).toEqual([0]);
      await send(identity, ada, second);
      expect(await stored(identity, ada)).toEqual({ lists: [0, 1], waiting: [] });
      expect(identity.epochs.chains.get(commitsOf(identity, ada)[0]!.conversationId!)).toHaveLength(2);
    },
  );

  it('is settled by whoever reads the keys', async () => {
    const { ada, laptop, first } = await withKeys(identity);
    const phone = await createTestDevice(ada.id);
    const second = await signNextList(first.checked, laptop, { add: [phone] });
    failAlways(identity, 'before');
    expect(await captureRefusal(send(identity, ada, second))).toMatchObject(pending);
    // The keys are as before while it cannot be settled.
    expect(await ownKeysOf(identity, ada)).toMatchObject({ account: { newest: { n: 0 } } });
    identity.epochs.hooks.before = undefined;
    const { list } = await identity.keys.getListState({ userId: ada.id, sessionId: ada.sessionId });
    expect(list).toEqual(second.message.list.body);
    expect(await ownKeysOf(identity, ada)).toMatchObject({ account: { newest: { n: 1 } } });
    const third = await signNextList(second.checked, laptop, { add: [await createTestDevice(ada.id)] });
    failOnce(identity, 'after');
    expect(await captureRefusal(send(identity, ada, third))).toMatchObject(pending);
    expect(await ownKeysOf(identity, ada)).toMatchObject({ account: { newest: { n: 2 } } });
  });

  it('is settled without anybody, and dropped if its epoch is refused meanwhile', async () => {
    const [one, two] = [await withKeys(identity), await withKeys(identity)];
    failAlways(identity, 'after');
    const accepted = await signNextList(one.first.checked, one.laptop, { add: [await createTestDevice(one.ada.id)] });
    expect(await captureRefusal(send(identity, one.ada, accepted))).toMatchObject(pending);
    failAlways(identity, 'before');
    const refused = await signNextList(two.first.checked, two.laptop, { add: [await createTestDevice(two.ada.id)] });
    expect(await captureRefusal(send(identity, two.ada, refused))).toMatchObject(pending);
    identity.epochs.hooks.before = undefined;
    identity.epochs.hooks.after = undefined;
    const between = await signVaultEpoch(two.first.checked, two.laptop, two.first.epoch);
    identity.epochs.chains
      .get(commitsOf(identity, two.ada)[0]!.conversationId!)!
      .push(Buffer.from(between.checked.hash).toString('hex'));
    identity.clock.advance(60_000);
    await eventually(
      async () =>
        (await stored(identity, one.ada)).waiting.length + (await stored(identity, two.ada)).waiting.length === 0,
    );
    expect((await stored(identity, one.ada)).lists).toEqual([0, 1]);
    expect((await stored(identity, two.ada)).lists).toEqual([0]);
  });

  it('is accepted although the session that sent it ended, and its device claims another one', async () => {
    const { ada, laptop, first } = await withKeys(identity);
    const { key, listed } = await createTestRecovery(first.checked);
    const second = await signNextList(first.checked, laptop, { recovery: listed });
    await send(identity, ada, second);
    const back = await alsoAt(identity, ada);
    const tablet = await createTestDevice(ada.id);
    const third = await signNextList(second.checked, { key }, { add: [tablet], remove: [laptop] });
    failOnce(identity, 'after');
    expect(await captureRefusal(send(identity, back, third))).toMatchObject(pending);
    await identity.client.endSession({ actorId: ada.id, sessionId: back.sessionId });
    const again = await alsoAt(identity, ada);
    expect(await ownKeysOf(identity, again)).toMatchObject({
      account: { newest: { n: 2 }, suspended: [tablet.uuid] },
      devices: [{ id: tablet.uuid, current: false }],
    });
    await claim(identity, again, tablet);
    expect(await ownKeysOf(identity, again)).toMatchObject({ devices: [{ id: tablet.uuid, current: true }] });
  });

  it('blocks other lists of the account until it is settled', async () => {
    const { ada, laptop, phone, second, atPhone } = await withTwo(identity);
    const third = await signNextList(second.checked, laptop, { add: [await createTestDevice(ada.id)] });
    const rival = await signNextList(second.checked, phone, { add: [await createTestDevice(ada.id)] });
    const removal = await signNextList(second.checked, laptop, { remove: [phone] });
    failAlways(identity, 'before');
    expect(await captureRefusal(send(identity, ada, third))).toMatchObject(pending);
    expect(await captureRefusal(send(identity, atPhone, rival))).toMatchObject(pending);
    expect(await captureRefusal(send(identity, ada, removal))).toMatchObject(pending);
    identity.epochs.hooks.before = undefined;
    expect(await captureRefusal(send(identity, atPhone, rival))).toMatchObject({ code: 'list_conflict' });
    expect(await captureRefusal(send(identity, ada, removal))).toMatchObject({ code: 'list_conflict' });
    expect(await send(identity, ada, third)).toMatchObject({ position: { n: 2 } });
    expect(await stored(identity, ada)).toEqual({ lists: [0, 1, 2], waiting: [] });
  });
});

test('two devices that send different lists with one number: one is accepted with its epoch', async () => {
  const { ada, laptop, phone, second, atPhone } = await withTwo(identity);
  const arrived: (() => void)[] = [];
  // The epoch of whoever is first waits until both lists have arrived.
  identity.epochs.hooks.before = () => new Promise<void>((resolve) => void arrived.push(resolve));
  const [a, b] = [
    await signNextList(second.checked, laptop, { add: [await createTestDevice(ada.id)] }),
    await signNextList(second.checked, phone, { add: [await createTestDevice(ada.id)] }),
  ];
  const sent = Promise.allSettled([send(identity, ada, a), send(identity, atPhone, b)]);
  await eventually(() => arrived.length === 2);
  identity.epochs.hooks.before = undefined;
  for (const go of arrived) go();
  const results = await sent;
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  expect(results.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'list_conflict' } });
  expect(await stored(identity, ada)).toEqual({ lists: [0, 1, 2], waiting: [] });
  const winner = results[0].status === 'fulfilled' ? a : b;
  const hash = Buffer.from(winner.epoch.checked.hash).toString('hex');
  expect(identity.epochs.chains.get(commitsOf(identity, ada)[0]!.conversationId!)!.at(-1)).toBe(hash);
});

test('a late refusal of an earlier attempt leaves a later one of the same list alone', async () => {
  const { ada, laptop, first } = await withKeys(identity);
  const second = await signNextList(first.checked, laptop, { add: [await createTestDevice(ada.id)] });
  const stale = () => createAppError('conflict', 'epoch_stale', 'Another change was faster.', { n: 1 });
  let release: (() => void) | undefined;
  identity.epochs.hooks.before = async () => {
    await new Promise<void>((resolve) => (release = resolve));
    throw stale();
  };
  const early = captureRefusal(send(identity, ada, second));
  await eventually(() => release !== undefined);
  failOnce(identity, 'before', stale);
  expect(await captureRefusal(send(identity, ada, second))).toMatchObject({ code: 'epoch_stale' });
  const { message } = await signVaultEpoch(second.checked, laptop, first.epoch);
  const later = { message: { ...second.message, vault: message } };
  failOnce(identity, 'after');
  expect(await captureRefusal(send(identity, ada, later))).toMatchObject(pending);
  release!();
  expect(await early).toMatchObject({ code: 'epoch_stale' });
  expect((await stored(identity, ada)).waiting).toHaveLength(1);
  await send(identity, ada, later);
  expect(await stored(identity, ada)).toEqual({ lists: [0, 1], waiting: [] });
});

test('an identity is replaced together with the first epoch of another vault', async () => {
  const { ada, laptop } = await withKeys(identity);
  const fresh = await signFirstList(await createTestDevice(ada.id));
  const replace = ({ message }: Pick<SignedList, 'message'>) =>
    identity.keys.replaceIdentity({ ...testCallerOf(ada), ...message, removes: undefined });
  expect(await captureRefusal(replace(alone(fresh)))).toMatchObject({ details: { reason: 'vault' } });
  failOnce(identity, 'after');
  expect(await captureRefusal(replace(fresh))).toMatchObject(pending);
  expect(await ownKeysOf(identity, ada)).toMatchObject({ account: { newest: { chain: 1, n: 0 } } });
  expect(await replace(fresh)).toMatchObject({ position: { chain: 1, n: 0 } });
  const vaults = new Set(commitsOf(identity, ada).map(({ conversationId }) => conversationId));
  expect(vaults.size).toBe(2);
  expect((await ownKeysOf(identity, ada)).devices.map(({ id }) => id)).not.toContain(laptop.uuid);
});

test('each device adds a few devices a day, and removes as many as it likes', async () => {
  const { ada, laptop, phone, second, atPhone } = await withTwo(identity);
  let last = second;
  const add = async (signer: TestDevice) =>
    signNextList(last.checked, signer, { add: [await createTestDevice(ada.id)] });
  const { points } = rateLimits.deviceListsPerDeviceDay;
  await identity.db('device_lists').insert(
    Array.from({ length: points - 1 }, (_, at) => ({
      user_id: ada.id,
      chain: -1,
      n: at + 1,
      body: Buffer.alloc(1),
      signature: Buffer.alloc(64),
      hash: Buffer.alloc(32),
      signer: laptop.uuid,
      adds: true,
      created_at: identity.clock.now(),
    })),
  );
  expect(await captureRefusal(send(identity, ada, await add(laptop)))).toMatchObject({ kind: 'rate_limited' });
  expect(await stored(identity, ada)).toMatchObject({ waiting: [] });
  // The limit holds up no other device, and no removal.
  last = await add(phone);
  await send(identity, atPhone, last);
  last = await signNextList(last.checked, laptop, { remove: [phone] });
  await send(identity, ada, last);
  identity.clock.advance(86_400_000);
  await send(identity, ada, await add(laptop));
});

test('the owner is notified of added devices, recovery words, and a new identity', async () => {
  const { ada, laptop, first } = await withKeys(identity);
  await identity.db('users').where({ id: ada.id }).update({ email: 'ada@example.org' });
  const noticesOf = async () =>
    (await identity.security.listNotices({ ...testCallerOf(ada), cursor: undefined, limit: 20 })).notices.map(
      ({ kind }) => kind,
    );
  expect((await noticesOf()).filter((kind) => kind !== 'signed_in')).toEqual([]);
  const second = await signNextList(first.checked, laptop, { add: [await createTestDevice(ada.id)] });
  await send(identity, ada, second);
  const { key, listed } = await createTestRecovery(first.checked);
  const third = await signNextList(second.checked, laptop, { recovery: listed });
  await send(identity, ada, third);
  const another = await createTestRecovery(first.checked);
  await send(identity, ada, await signNextList(third.checked, { key }, { recovery: another.listed }));
  const { message } = await signFirstList(await createTestDevice(ada.id));
  await identity.keys.replaceIdentity({ ...testCallerOf(ada), ...message, removes: undefined });
  expect((await noticesOf()).filter((kind) => kind !== 'signed_in')).toEqual([
    'identity_replaced',
    'recovery_replaced',
    'recovery_set',
    'device_added',
  ]);
  await identity.runMails();
  expect(
    identity.mails
      .filter(({ to }) => to === 'ada@example.org')
      .map(({ subject }) => subject)
      .toSorted(),
  ).toEqual([
    'A device was added to your Nolo account',
    'Recovery words were set for your Nolo account',
    'The keys of your Nolo account were replaced',
    'The recovery words of your Nolo account were replaced',
  ]);
});
