import type { Epoch } from '@nolo/api';
import { readHeader } from '@nolo/e2ee';
import { idOf, isQuiet, look, type TestDevice, World } from '../../tests/keys/keyDevices.ts';
import { isAt, linkByCode, fieldOf } from '../../tests/keys/linking.ts';
import { fromSigned } from './wire.ts';

/** Restarts of the vault by one device, about which the others ask their user (section 6). */

const [ann, ben, cat] = [idOf(1), idOf(2), idOf(3)];
const dayMs = 86_400_000;
let world: World;

beforeEach(async () => {
  world = new World();
  await world.ready(ben);
  await world.ready(cat);
});
afterEach(async () => {
  for (const device of world.devices) device.keys.stop();
  await world.idle();
});

const idIn = ({ state }: TestDevice): string => state.deviceId ?? '';
const isVerified = async (device: TestDevice, person: string): Promise<boolean | undefined> =>
  (await device.keys.lookUp([person]))[0]?.verified;

const vaultOf = (device: TestDevice) =>
  [...world.server.vaults.values()].find(({ epochs }) => epochs.at(-1)?.boxes.has(idIn(device)));
const reasonsOf = (device: TestDevice): number[] =>
  vaultOf(device)?.epochs.map(({ header }) => readHeader(fromSigned(header)).reason) ?? [];

/** Hides all boxes from a device. */
const hideBoxes = (session: () => string): (() => void) =>
  world.server.lie('listEpochs', (reply: { items: Epoch[] }, asking) =>
    asking.id === session()
      ? { ...reply, items: reply.items.map((one) => ({ ...one, box: null, answer: null, recoveryBox: null })) }
      : reply,
  );

/** Ann's first device with a decision, and one that recovered by words without a box, which restarted the vault. */
async function recovered(): Promise<[TestDevice, TestDevice]> {
  const first = await world.ready(ann, 'Laptop');
  await first.keys.setVerified(ben, true);
  await world.pass(30_000);
  const words = await first.keys.createRecoveryWords();
  await first.keys.setRecovery();
  const fresh = await world.ready(ann, 'Phone');
  const stop = hideBoxes(() => fresh.session.id);
  await fresh.keys.recover({ words: words.join(' ') }, []);
  stop();
  await world.until(() => isQuiet(fresh));
  await look(first);
  return [first, fresh];
}

test('recovery without a box that opens restarts the vault and warns', async () => {
  const [, fresh] = await recovered();
  expect(fresh.state.notices).toMatchObject([{ kind: 'vault_restarted' }]);
  expect(fresh.state.restart).toBeUndefined();
  expect(await isVerified(fresh, ben)).toBe(false);
});

test('until its user answers, another device takes no records and seals nothing', async () => {
  const [first, fresh] = await recovered();
  expect(first.state.restart).toEqual({
    device: idIn(fresh),
    deviceName: 'Phone',
    removable: true,
    isDeclined: false,
  });
  await fresh.keys.setVerified(cat, true);
  await world.pass(30_000);
  await look(first);
  expect(await isVerified(first, cat)).toBe(false);
  const rows = vaultOf(first)?.rows.length;
  await first.keys.setVerified(cat, true);
  await world.pass(60_000);
  expect(vaultOf(first)?.rows).toHaveLength(rows ?? 0);
  expect(await isVerified(first, cat)).toBe(true);
  await expect(first.keys.createRecoveryWords().then(() => first.keys.setRecovery('wrong'))).rejects.toMatchObject({
    code: 'wrong_words',
  });
});

test('after a yes, it appends again what it holds, once, and takes the records of the other one', async () => {
  const [first, fresh] = await recovered();
  await fresh.keys.setVerified(cat, true);
  await world.pass(30_000);
  await first.keys.answerRestart(idIn(fresh), true);
  expect(first.state.restart).toBeUndefined();
  await world.pass(30_000);
  await look(fresh);
  for (const device of [first, fresh])
    for (const person of [ben, cat]) expect(await isVerified(device, person)).toBe(true);
  const rows = vaultOf(first)?.rows.length;
  await first.restart();
  await world.pass(60_000);
  expect(first.state.restart).toBeUndefined();
  expect(vaultOf(first)?.rows).toHaveLength(rows ?? 0);
});

test('after a no, it removes a junior device, and the vault holds what the others held', async () => {
  const [first, fresh] = await recovered();
  await fresh.keys.setVerified(cat, true);
  await world.pass(30_000);
  await look(first);
  await first.keys.answerRestart(idIn(fresh), false);
  await world.pass(30_000);
  expect(first.state.devices.map(({ id }) => id)).toEqual([idIn(first)]);
  expect(first.state.restart).toBeUndefined();
  expect(fresh.phase).toBe('removed');
  expect(await isVerified(first, ben)).toBe(true);
  expect(await isVerified(first, cat)).toBe(false);
  const third = await world.ready(ann, 'Tablet');
  await linkByCode(world, third, first);
  expect(await isVerified(third, ben)).toBe(true);
});

test('a removal that needs a fresh proof is asked for again', async () => {
  const [first, fresh] = await recovered();
  world.server.isProven = false;
  await expect(first.keys.answerRestart(idIn(fresh), false)).rejects.toMatchObject({ code: 'proof_required' });
  expect(first.state.restart).toMatchObject({ isDeclined: true, removable: true });
  world.server.isProven = true;
  await first.keys.answerRestart(idIn(fresh), false);
  expect(first.state.restart).toBeUndefined();
});

describe('a device without a box that opens', () => {
  /** Links a device that gets no box. */
  async function withoutBox(old: TestDevice): Promise<[TestDevice, () => void]> {
    const fresh = await world.ready(ann, 'Phone');
    const stop = hideBoxes(() => fresh.session.id);
    await fresh.keys.beginLink('code');
    await old.keys.scanLinkCode(fieldOf(fresh, 'code') ?? '');
    await old.keys.confirmLink();
    await world.until(() => fresh.state.vault === 'waiting' && isAt(old, 'done'));
    return [fresh, stop];
  }

  test('waits for a day before it restarts the vault', async () => {
    const first = await world.ready(ann, 'Laptop');
    const [fresh, stop] = await withoutBox(first);
    await world.pass(dayMs - 60_000);
    await look(fresh);
    expect(reasonsOf(fresh)).not.toContain(3);
    await world.pass(dayMs / 2);
    await look(fresh);
    stop();
    expect(reasonsOf(fresh)).toContain(3);
    expect(fresh.state.restart).toBeUndefined();
  });

  test('that is senior cannot be removed: a no takes no records from it, and can become a yes', async () => {
    const first = await world.ready(ann, 'Laptop');
    await first.keys.setVerified(ben, true);
    const second = await world.ready(ann, 'Phone');
    await linkByCode(world, second, first);
    await world.pass(30_000);
    // The first device returns to an epoch without a box that opens, and restarts the vault after a day.
    first.keys.stop();
    await world.pass(8 * dayMs);
    await second.keys.setVerified(ben, true);
    await world.pass(30_000);
    const stop = hideBoxes(() => first.session.id);
    await first.restart();
    expect(first.state.vault).toBe('waiting');
    await world.pass(dayMs + 3_600_000);
    await look(first);
    expect(reasonsOf(first).at(-1)).toBe(3);
    stop();
    await look(second);
    expect(second.state.restart).toMatchObject({ deviceName: 'Laptop', removable: false });
    await first.keys.setVerified(cat, true);
    await world.pass(30_000);
    await second.keys.answerRestart(idIn(first), false);
    expect(second.state.restart).toMatchObject({ isDeclined: true });
    expect(second.state.devices).toHaveLength(2);
    expect(await isVerified(second, cat)).toBe(false);
    expect(await isVerified(second, ben)).toBe(true);
    await second.keys.answerRestart(idIn(first), true);
    expect(second.state.restart).toBeUndefined();
    expect(await isVerified(second, cat)).toBe(true);
  });
});
