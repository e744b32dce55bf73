import type { AccountKeys, OwnKeys } from '@nolo/api';
import { checkFirstList, createSigningKey, deviceIdOf, followList, fromUuid, randomBytes, signList } from '@nolo/e2ee';
import { idOf, isQuiet, look, type TestDevice, World } from '../../tests/keys/keyDevices.ts';
import { fieldOf, linkByCode, linkedPair } from '../../tests/keys/linking.ts';
import { fromSigned, toSigned, toText } from './wire.ts';

/** A server that lies about device lists: each lie is refused or shown, and all works once it is honest. */

const [ann, ben] = [idOf(1), idOf(2)];
let world: World;

beforeEach(() => {
  world = new World();
});
afterEach(async () => {
  for (const device of world.devices) device.keys.stop();
  await world.idle();
});

/** Points a device at another server. */
const pointTo = (device: TestDevice, server: World['server']): void => void (device.server = server);

describe('own lists', () => {
  test('an older list is refused while the server shows it', async () => {
    const [first, second] = await linkedPair(world, ann);
    const stop = world.server.lie('getOwnKeys', (reply: OwnKeys) => ({
      ...reply,
      newest: { chain: 0, n: 0 },
      lists: reply.lists.filter(({ n }) => n === 0),
      more: false,
    }));
    await look(second);
    expect(second.state.phase).toEqual({ name: 'blocked', reason: 'old' });
    await expect(second.keys.removeDevices([second.state.devices[1]?.id ?? ''])).rejects.toMatchObject({
      code: 'blocked',
    });
    stop();
    await look(second);
    expect(isQuiet(second)).toBe(true);
    expect(isQuiet(first)).toBe(true);
  });

  test('a restored server gets back the lists and headers that it lost', async () => {
    const first = await world.ready(ann, 'Laptop');
    const backup = world.server.clone();
    const second = await world.ready(ann, 'Phone');
    await linkByCode(world, second, first);
    await first.keys.createRecoveryWords();
    await first.keys.setRecovery();
    await world.pass(30_000);
    first.keys.stop();
    second.keys.stop();
    world.server.take(backup);
    await first.restart();
    expect(isQuiet(first)).toBe(true);
    expect(world.server.account(ann).chains[0]).toHaveLength(3);
    // The last one leaves out the phone, which is suspended until it claims its session again.
    expect([...world.server.vaults.values()][0]?.epochs).toHaveLength(4);
    await second.restart();
    await world.until(() => isQuiet(second));
  });

  test('a list that is not in order is refused: a ghost device, or one of another account', async () => {
    const [, second] = await linkedPair(world, ann);
    const other = await world.ready(ben);
    const key = await createSigningKey();
    const ghost = { id: await deviceIdOf(fromUuid(ann), key.publicKey), kind: 0, signKey: key.publicKey } as const;
    const [list0] = world.server.account(ann).chains[0] ?? [];
    const before = await checkFirstList(fromSigned(list0 ?? { body: '', signature: '' }));
    const added = await signList(key, followList(before, before.list.signer, 1, { add: [ghost] }));
    const [theirs] = world.server.account(ben).chains[0] ?? [];
    for (const forged of [toSigned(added), theirs]) {
      const stop = world.server.lie('getOwnKeys', (reply: OwnKeys, { userId }) =>
        userId === ben
          ? reply
          : {
              ...reply,
              newest: { chain: 0, n: 2 },
              lists: [...reply.lists, { chain: 0, n: 2, ...forged }],
              more: false,
            },
      );
      await look(second);
      expect(second.state.phase).toEqual({ name: 'blocked', reason: 'fork' });
      expect(second.state.devices).toHaveLength(2);
      stop();
      await look(second);
      expect(isQuiet(second)).toBe(true);
    }
    expect(other.phase).toBe('ready');
  });

  test('a fork stops everything until the branch that removes the other author ends it', async () => {
    const [first, second] = await linkedPair(world, ann);
    const third = await world.ready(ann, 'Tablet');
    await linkByCode(world, third, first);
    await world.until(() => second.state.devices.length === 3);
    const branch = world.server.clone();
    // The second device adds a device on a branch that the server keeps to itself.
    pointTo(second, branch);
    const hidden = world.device(ann, { name: 'Hidden' });
    pointTo(hidden, branch);
    branch.names.set(hidden.session.id, 'Hidden');
    await hidden.start();
    await hidden.keys.beginLink('code');
    await second.keys.scanLinkCode(fieldOf(hidden, 'code') ?? '');
    await second.keys.confirmLink();
    const fourth = await world.ready(ann, 'Fourth');
    await linkByCode(world, fourth, first);
    await look(third);
    expect(third.state.devices).toHaveLength(4);

    pointTo(third, branch);
    await look(third);
    expect(third.state.phase).toEqual({ name: 'blocked', reason: 'fork' });
    pointTo(third, world.server);
    await look(third);
    expect(third.state.phase).toEqual({ name: 'blocked', reason: 'fork' });
    await expect(third.keys.setVerified(ben, true)).rejects.toMatchObject({ code: 'no_keys' });

    await first.keys.removeDevices([second.state.deviceId ?? '']);
    await look(third);
    expect(isQuiet(third)).toBe(true);
    expect(third.state.devices.map(({ name }) => name)).toEqual(['Laptop', 'Tablet', 'Fourth']);
  });

  test('a list of another version is said to need an update', async () => {
    const [, second] = await linkedPair(world, ann);
    const stop = world.server.lie('getOwnKeys', (reply: OwnKeys) => ({
      ...reply,
      newest: { chain: 0, n: 2 },
      // The array's first item is 2.
      lists: [
        ...reply.lists,
        { chain: 0, n: 2, body: toText(Uint8Array.of(0x81, 2)), signature: toText(randomBytes(64)) },
      ],
      more: false,
    }));
    await look(second);
    expect(second.state.phase).toEqual({ name: 'blocked', reason: 'version' });
    stop();
    await look(second);
    expect(isQuiet(second)).toBe(true);
  });

  test('another identity of the own account is shown, and joined only by a link', async () => {
    const [, second] = await linkedPair(world, ann);
    const attacker = new World();
    const fake = await attacker.ready(ann);
    const theirs = attacker.server.account(ann).chains[0]?.[0];
    const stop = world.server.lie('getOwnKeys', (reply: OwnKeys) => ({
      ...reply,
      newest: { chain: 1, n: 0 },
      lists: [{ chain: 1, n: 0, ...theirs }],
      more: false,
    }));
    await look(second);
    expect(second.phase).toBe('unlinked');
    expect(second.state.notices).toMatchObject([{ kind: 'identity_replaced' }]);
    stop();
    await look(second);
    expect(isQuiet(second)).toBe(true);
    fake.keys.stop();
  });
});

/** Lies about Ben on both routes that serve people's keys. */
function lieAboutBen(tamper: (reply: AccountKeys) => AccountKeys): () => void {
  const stops = [
    world.server.lie('lookUpKeys', (replies: AccountKeys[]) => replies.map((one) => ({ ...tamper(one), more: false }))),
    world.server.lie('getUserKeys', (reply: AccountKeys) => ({ ...tamper(reply), more: false })),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

describe('people', () => {
  test('an older list of a person is refused, and known keys count', async () => {
    const first = await world.ready(ann);
    const other = await world.ready(ben);
    const more = await world.ready(ben);
    await linkByCode(world, more, other);
    await first.keys.lookUp([ben]);
    const stop = lieAboutBen((reply) => ({
      ...reply,
      newest: { chain: 0, n: 0 },
      lists: reply.lists.filter(({ n }) => n === 0),
    }));
    expect(await first.keys.lookUp([ben])).toMatchObject([{ identity: 'known', blocked: 'old' }]);
    stop();
    expect(await first.keys.lookUp([ben])).toMatchObject([{ identity: 'known', blocked: null }]);
  });

  test('a forged list of a person is refused', async () => {
    const first = await world.ready(ann);
    await world.ready(ben);
    await first.keys.lookUp([ben]);
    const own = world.server.account(ann).chains[0]?.[0];
    const stop = lieAboutBen((reply) => ({
      ...reply,
      newest: { chain: 0, n: 1 },
      lists: [...reply.lists, { chain: 0, n: 1, ...(own ?? { body: '', signature: '' }) }],
    }));
    expect(await first.keys.lookUp([ben])).toMatchObject([{ blocked: 'fork' }]);
    stop();
    expect(await first.keys.lookUp([ben])).toMatchObject([{ identity: 'known', blocked: null }]);
  });

  test('a newer list that only another device of the account was shown blocks the person', async () => {
    const [first, second] = await linkedPair(world, ann);
    const other = await world.ready(ben);
    await second.keys.lookUp([ben]);
    const more = await world.ready(ben);
    await linkByCode(world, more, other);
    await first.keys.lookUp([ben]);
    await world.pass(11_000);
    await look(second);
    const stop = lieAboutBen((reply) => ({
      ...reply,
      newest: { chain: 0, n: 0 },
      lists: reply.lists.filter(({ n }) => n === 0),
    }));
    expect(await second.keys.lookUp([ben])).toMatchObject([{ blocked: 'old' }]);
    stop();
    expect(await second.keys.lookUp([ben])).toMatchObject([{ blocked: null }]);
  });

  test('an identity that the server put in the place of a verified one is never silent', async () => {
    const first = await world.ready(ann);
    const other = await world.ready(ben);
    await first.keys.scanVerificationCode(ben, (await other.keys.verificationCode(ann)) ?? '');
    const attacker = new World();
    await attacker.ready(ben);
    const theirs = attacker.server.account(ben).chains[0]?.[0];
    const stop = lieAboutBen((reply) => ({
      ...reply,
      newest: { chain: 1, n: 0 },
      lists: [{ chain: 1, n: 0, ...(theirs ?? { body: '', signature: '' }) }],
    }));
    expect(await first.keys.lookUp([ben])).toMatchObject([{ identity: 'changed', verified: false, wasVerified: true }]);
    const code = (await other.keys.verificationCode(ann)) ?? '';
    expect(await first.keys.scanVerificationCode(ben, code)).toBe('different');
    stop();
    expect(await first.keys.lookUp([ben])).toMatchObject([{ identity: 'known', verified: true }]);
  });
});
