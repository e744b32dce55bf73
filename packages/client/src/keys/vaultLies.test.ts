import type { Epoch, OwnKeys, VaultRow } from '@nolo/api';
import {
  createBoxKeyPairs,
  createSigningKey,
  encodeBox,
  fromUuid,
  hashOfHeader,
  randomBytes,
  readBoxKeys,
  readHeader,
  sealBox,
  signBoxKeys,
  toPublicBoxKeys,
} from '@nolo/e2ee';
import { idOf, isQuiet, look, World } from '../../tests/keys/keyDevices.ts';
import { fieldOf, isAt, linkByCode, linkedPair, linkOf } from '../../tests/keys/linking.ts';
import { fromSigned, toSigned, toText } from './wire.ts';

/** A server that lies about the vault: each lie is refused or shown, and is healed once the server is honest. */

const [ann, ben] = [idOf(1), idOf(2)];
let world: World;

beforeEach(() => {
  world = new World();
});
afterEach(async () => {
  for (const device of world.devices) device.keys.stop();
  await world.idle();
});

const vault = () => [...world.server.vaults.values()][0];

test('an older epoch than known is refused', async () => {
  const [, second] = await linkedPair(world, ann);
  const stop = world.server.lie('listEpochs', (reply: { items: Epoch[] }) => ({ ...reply, items: [] }));
  await look(second);
  expect(second.state.phase).toEqual({ name: 'blocked', reason: 'old' });
  stop();
  await look(second);
  expect(isQuiet(second)).toBe(true);
});

test('a header in the place of a known one is a fork', async () => {
  const [, second] = await linkedPair(world, ann);
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
  const [first, second] = await linkedPair(world, ann);
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
