import type { AccountKeys, DeviceLink, Epoch, OwnKeys, VaultRow } from '@nolo/api';
import {
  checkFirstList,
  createBoxKeyPairs,
  createSigningKey,
  deviceIdOf,
  encodeBox,
  encodeOffer,
  followList,
  fromUuid,
  hashOfHeader,
  randomBytes,
  readBoxKeys,
  readHeader,
  sealBox,
  signBoxKeys,
  signList,
  toPublicBoxKeys,
} from '@nolo/e2ee';
import { idOf, World, type TestDevice } from '../../tests/keys/keyDevices.ts';
import { beginDigits, fieldOf, isAt, linkByCode, linkByDigits, linkOf } from '../../tests/keys/linking.ts';
import { fromSigned, toSigned, toText } from './wire.ts';

/** A server that lies: each lie is refused or shown, and everything works again once the server is honest. */

const [ann, ben] = [idOf(1), idOf(2)];
let world: World;

beforeEach(() => {
  world = new World();
});
afterEach(async () => {
  for (const device of world.devices) device.keys.stop();
  await world.idle();
});

const isQuiet = ({ state }: TestDevice): boolean => state.phase.name === 'ready' && state.vault === 'open';

/** Two linked devices of Ann. */
async function pair(): Promise<[TestDevice, TestDevice]> {
  const first = await world.ready(ann, 'Laptop');
  const second = await world.ready(ann, 'Phone');
  await linkByCode(world, second, first);
  await world.pass(1_000);
  return [first, second];
}

/** Lets a device look at the server. */
async function look(device: TestDevice): Promise<void> {
  device.keys.onFrame({ type: 'vault_changed', data: {} });
  await world.pass(1);
}

/** Points a device at another server. */
const pointTo = (device: TestDevice, server: World['server']): void => void (device.server = server);

describe('own lists', () => {
  test('an older list is refused while the server shows it', async () => {
    const [first, second] = await pair();
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
    const [, second] = await pair();
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
    const [first, second] = await pair();
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
    const [, second] = await pair();
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
    const [, second] = await pair();
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
    const [first, second] = await pair();
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

describe('the vault', () => {
  const vault = () => [...world.server.vaults.values()][0];

  test('an older epoch than known is refused', async () => {
    const [, second] = await pair();
    const stop = world.server.lie('listEpochs', (reply: { items: Epoch[] }) => ({ ...reply, items: [] }));
    await look(second);
    expect(second.state.phase).toEqual({ name: 'blocked', reason: 'old' });
    stop();
    await look(second);
    expect(isQuiet(second)).toBe(true);
  });

  test('a header in the place of a known one is a fork', async () => {
    const [, second] = await pair();
    const attacker = new World();
    await attacker.ready(ann);
    const [theirs] = [...attacker.server.vaults.values()].flatMap(({ epochs }) => epochs);
    world.server.lie('listEpochs', (reply: { items: Epoch[] }) => ({
      ...reply,
      items: reply.items.map((one) => ({ ...one, ...theirs?.header })),
    }));
    await look(second);
    expect(second.phase).toBe('blocked');
  });

  test('a box with another secret does not open, and another device heals it', async () => {
    const first = await world.ready(ann);
    const second = await world.ready(ann);
    const stop = world.server.lie('listEpochs', async (reply: { items: Epoch[] }, session) => {
      if (session.id !== second.session.id) return reply;
      const device = world.server.account(ann).devices.get(second.state.deviceId ?? '');
      const keys = device?.boxKeys && readBoxKeys(fromSigned(device.boxKeys));
      const items = reply.items.map(async (one) => {
        const statement = fromSigned(one);
        const epoch = { hash: await hashOfHeader(statement), header: readHeader(statement) };
        const box =
          keys && (await sealBox('box', epoch, { device: keys.device, number: 0, keys: keys.keys }, randomBytes(32)));
        return { ...one, box: box ? toText(encodeBox(box)) : null, answer: null };
      });
      return { ...reply, items: await Promise.all(items) };
    });
    await second.keys.beginLink('code');
    await first.keys.scanLinkCode(fieldOf(second, 'code') ?? '');
    await first.keys.confirmLink();
    await world.until(() => second.state.vault === 'waiting');
    expect(linkOf(second)).toEqual({ side: 'new', step: 'finishing', part: 'vault' });
    stop();
    await world.until(() => isQuiet(second) && isAt(second, 'done'));
  });

  test('without a box that opens, the words restart the vault', async () => {
    const first = await world.ready(ann);
    const words = await first.keys.createRecoveryWords();
    await first.keys.setRecovery();
    const fresh = await world.ready(ann);
    const stop = world.server.lie('listEpochs', (reply: { items: Epoch[] }) => ({
      ...reply,
      items: reply.items.map((one) => ({ ...one, recoveryBox: null })),
    }));
    await fresh.keys.recover({ words: words.join(' ') }, [first.state.deviceId ?? '']);
    stop();
    expect(isQuiet(fresh)).toBe(true);
    const newest = vault()?.epochs.at(-1);
    expect(newest && readHeader(fromSigned(newest.header)).reason).toBe(3);
    await fresh.restart();
    expect(isQuiet(fresh)).toBe(true);
  });

  test('withheld records are shown, and read once they come', async () => {
    const first = await world.ready(ann);
    await world.ready(ben);
    await first.keys.setVerified(ben, true);
    await first.keys.setVerified(ben, false);
    await first.keys.setVerified(ben, true);
    const second = await world.ready(ann);
    const [, hidden] = vault()?.rows ?? [];
    const stop = world.server.lie('listVaultRows', (reply: { items: VaultRow[]; more: boolean }, session) =>
      session.id === second.session.id
        ? { ...reply, items: reply.items.filter(({ row }) => row !== hidden?.row) }
        : reply,
    );
    await linkByCode(world, second, first);
    expect(second.state.vault).toBe('incomplete');
    stop();
    await look(second);
    expect(isQuiet(second)).toBe(true);
    expect(await second.keys.lookUp([ben])).toMatchObject([{ verified: true }]);
  });

  test('rows that the server lost are appended again', async () => {
    const first = await world.ready(ann);
    await world.ready(ben);
    await first.keys.setVerified(ben, true);
    const rows = vault()?.rows ?? [];
    rows.splice(0, rows.length);
    await world.pass(86_400_000);
    await look(first);
    await world.until(() => (vault()?.rows.length ?? 0) > 0);
    const second = await world.ready(ann);
    await linkByCode(world, second, first);
    expect(await second.keys.lookUp([ben])).toMatchObject([{ verified: true }]);
  });

  test('swapped box keys get no box, and the device asks once they are right', async () => {
    const [first, second] = await pair();
    const third = await world.ready(ann);
    const pairs = await createBoxKeyPairs();
    const key = await createSigningKey();
    const device = fromUuid(second.state.deviceId ?? '');
    const keys = toPublicBoxKeys(pairs);
    const forged = await signBoxKeys(key, { account: fromUuid(ann), device, number: 5, keys, at: 1 });
    const stop = world.server.lie('getOwnKeys', (reply: OwnKeys) => ({
      ...reply,
      boxKeys: reply.boxKeys.map((one) =>
        one.deviceId === second.state.deviceId ? { ...one, number: 5, ...toSigned(forged) } : one,
      ),
    }));
    await first.restart();
    await linkByCode(world, third, first);
    stop();
    await look(second);
    await world.until(() => [first, second, third].every(isQuiet));
  });
});

describe('linking', () => {
  /** Offer of a device that the server made up. */
  async function fakeOffer() {
    const key = await createSigningKey();
    const account = fromUuid(ann);
    const device = await deviceIdOf(account, key.publicKey);
    const keys = toPublicBoxKeys(await createBoxKeyPairs());
    const boxKeys = await signBoxKeys(key, { account, device, number: 0, keys, at: 1 });
    return encodeOffer({ device, kind: 0, signKey: key.publicKey, boxKeys });
  }

  test('a swapped offer is not the one of the scanned code', async () => {
    const first = await world.ready(ann);
    const fresh = await world.ready(ann);
    const offer = toText(await fakeOffer());
    await fresh.keys.beginLink('code');
    const stop = world.server.lie('getDeviceLink', (link: DeviceLink) => ({ ...link, offer }));
    await first.keys.scanLinkCode(fieldOf(fresh, 'code') ?? '');
    expect(linkOf(first)).toEqual({ side: 'old', step: 'failed', reason: 'refused' });
    stop();
    await linkByCode(world, fresh, first);
  });

  test('an opening of another offer is refused', async () => {
    const first = await world.ready(ann);
    const fresh = await world.ready(ann);
    const offer = toText(await fakeOffer());
    const stop = world.server.lie('getDeviceLink', (link: DeviceLink, session) =>
      session.id === first.session.id && link.offer !== null ? { ...link, offer } : link,
    );
    await beginDigits(world, fresh, first);
    await world.until(() => isAt(first, 'failed'));
    expect(linkOf(first)).toEqual({ side: 'old', step: 'failed', reason: 'refused' });
    stop();
    await fresh.keys.cancelLink();
    await linkByDigits(world, fresh, first);
  });

  test('a list of another account than the old device named is not joined', async () => {
    const first = await world.ready(ann);
    const fresh = await world.ready(ann);
    const attacker = new World();
    await attacker.ready(ann);
    const theirs = attacker.server.account(ann).chains[0]?.[0];
    await fresh.keys.beginLink('code');
    const stop = world.server.lie('getOwnKeys', (reply: OwnKeys, session) =>
      session.id === fresh.session.id
        ? { ...reply, newest: { chain: 0, n: 0 }, lists: [{ chain: 0, n: 0, ...theirs }], more: false }
        : reply,
    );
    await first.keys.scanLinkCode(fieldOf(fresh, 'code') ?? '');
    await first.keys.confirmLink();
    await world.until(() => isAt(fresh, 'finishing'));
    await world.pass(10_000);
    expect(fresh.state.deviceId).toBeNull();
    expect(fresh.state.link).toMatchObject({ step: 'finishing', part: 'list' });
    stop();
    await world.until(() => isAt(fresh, 'done') && isQuiet(fresh));
  });

  test('an answer that the scanner did not seal is refused', async () => {
    const first = await world.ready(ann);
    const fresh = await world.ready(ann);
    await fresh.keys.beginLink('code');
    const answer = toText(randomBytes(64));
    const stop = world.server.lie('getDeviceLink', (link: DeviceLink) => ({ ...link, answer }));
    await world.until(() => isAt(fresh, 'failed'));
    stop();
    await linkByCode(world, fresh, first);
  });
});
