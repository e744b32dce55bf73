import type { Epoch } from '@nolo/api';
import { equalBytes, fromUuid, readHeader, readRoster } from '@nolo/e2ee';
import { ApiError } from '../http/request.ts';
import { idOf, isQuiet, look, type TestDevice, World } from '../../tests/keys/keyDevices.ts';
import type { KeyServer } from '../../tests/keys/keyServer.ts';
import { linkByCode } from '../../tests/keys/linking.ts';
import { fromSigned, fromText } from './wire.ts';

/** Forks of the vault that a lying server makes: devices that have both secrets resolve them, or users do. */

const [ann, ben, cem, dan] = [idOf(1), idOf(2), idOf(3), idOf(4)];
/** World of three linked devices of Ann and three people, from which each test starts. */
let start: World;
let world: World;

beforeAll(async () => {
  start = new World();
  // The first vault is Ann's.
  const first = await start.ready(ann, 'Laptop');
  for (const person of [ben, cem, dan]) await start.ready(person);
  for (const name of ['Phone', 'Tablet']) await linkByCode(start, await start.ready(ann, name), first);
  await start.pass(60_000);
  for (const device of start.devices) device.keys.stop();
  await start.idle();
});
beforeEach(async () => {
  world = await start.copy(start.devices.filter(({ session }) => session.userId === ann));
});
afterEach(async () => {
  for (const device of world.devices) device.keys.stop();
  await world.idle();
});

const pointTo = (device: TestDevice, server: KeyServer): void => void (device.server = server);
const vaultOf = (server: KeyServer) => [...server.vaults.values()][0];
const headersOf = (server: KeyServer) =>
  (vaultOf(server)?.epochs ?? []).map(({ header }) => readHeader(fromSigned(header)));
const resolutionsOf = (server: KeyServer) =>
  headersOf(server).filter(({ changes }) => changes.some(({ type }) => type === 8));

type Three = [TestDevice, TestDevice, TestDevice];

/** The laptop, the phone, and the tablet. */
const three = (): Three => world.devices.slice(0, 3) as Three;

/** Tells a server that a device's session ended, or is back: the others begin an epoch without it, or with it. */
function suspend(server: KeyServer, device: TestDevice, isSuspended = true): void {
  const served = server.account(ann).devices.get(device.state.deviceId ?? '');
  if (served) served.suspendedAt = isSuspended ? new Date(server.now()).toISOString() : null;
}

/** Has a device begin another epoch on its server. */
async function beginEpoch(device: TestDevice, leftOut: TestDevice): Promise<void> {
  const before = headersOf(device.server).length;
  suspend(device.server, leftOut);
  await look(device);
  suspend(device.server, leftOut, false);
  await look(device);
  expect(headersOf(device.server)).toHaveLength(before + 2);
}

/** People whom a device shows as verified. */
async function verifiedOn(device: TestDevice): Promise<boolean[]> {
  return (await device.keys.lookUp([ben, cem, dan])).map(({ verified }) => verified);
}

/** Splits the vault: the second device continues it on a branch that the server hides from the others. */
async function split(first: TestDevice, second: TestDevice, third: TestDevice): Promise<KeyServer> {
  const branch = world.server.clone();
  pointTo(second, branch);
  await beginEpoch(first, third);
  await first.keys.setVerified(ben, true);
  await beginEpoch(second, third);
  await second.keys.setVerified(cem, true);
  return branch;
}

/** Takes the boxes of an epoch away from all devices but one. */
function stripBoxes(server: KeyServer, n: number, kept: TestDevice): void {
  for (const epoch of vaultOf(server)?.epochs.slice(n) ?? [])
    for (const device of epoch.boxes.keys()) if (device !== kept.state.deviceId) epoch.boxes.delete(device);
}

async function expectShared(devices: readonly TestDevice[], verified: readonly boolean[]): Promise<void> {
  await world.pass(60_000);
  for (const device of devices) await look(device);
  await world.pass(60_000);
  for (const device of devices) {
    await look(device);
    expect(isQuiet(device)).toBe(true);
    expect(await verifiedOn(device)).toEqual(verified);
  }
}

/** Devices of the newest epoch of a server. */
const rosterOf = (server: KeyServer) =>
  readRoster(fromText(vaultOf(server)?.epochs.at(-1)?.roster ?? '')).flatMap(({ devices }) => devices);

test('a device with both secrets resolves a fork, and the others keep the records of both branches', async () => {
  const [first, second, third] = three();
  await split(first, second, third);
  await look(third);
  expect(isQuiet(third)).toBe(true);

  pointTo(second, world.server);
  await look(second);
  expect(isQuiet(second)).toBe(true);
  expect(resolutionsOf(world.server)).toHaveLength(1);
  await expectShared([first, second, third], [true, true, false]);
  await third.keys.setVerified(dan, true);
  await expectShared([first, second, third], [true, true, true]);
  expect(resolutionsOf(world.server)).toHaveLength(1);
  const [notice] = first.state.notices.filter(({ kind }) => kind === 'fork_resolved');
  await first.keys.dismissNotice(notice?.id ?? '');
  await first.restart();
  expect(first.state.notices.some(({ kind }) => kind === 'fork_resolved')).toBe(false);
  expect(second.state.notices).toMatchObject([{ kind: 'device_added' }, { kind: 'fork_resolved' }]);
});

test('devices of the branch that was given up follow the resolution, and bring their records', async () => {
  const [first, second, third] = three();
  const branch = await split(first, second, third);
  await look(third);
  // The server keeps the second device's branch from now on.
  world.server.showVaults(branch);
  pointTo(second, world.server);
  await look(first);
  expect(isQuiet(first)).toBe(true);
  expect(resolutionsOf(world.server)).toHaveLength(1);
  await look(third);
  expect(isQuiet(third)).toBe(true);
  await expectShared([first, second, third], [true, true, false]);
  for (const device of [first, second, third]) await device.restart();
  await second.keys.setVerified(dan, true);
  await expectShared([first, second, third], [true, true, true]);
});

test('a device that cannot open the other branch waits for one that can, and takes its secret from the vault', async () => {
  const [first, second, third] = three();
  const branch = await split(first, second, third);
  await look(third);
  const honest = world.server.clone();
  world.server.showVaults(branch);
  stripBoxes(world.server, 3, second);
  await look(third);
  expect(third.state.phase).toEqual({ name: 'blocked', reason: 'fork' });
  expect(third.state.forkQuestion).toBeUndefined();
  world.server.showVaults(honest);
  await look(third);
  expect(third.state.phase).toEqual({ name: 'blocked', reason: 'fork' });

  pointTo(second, world.server);
  await look(second);
  await expectShared([first, second, third], [true, true, false]);
  const others = [...third.storage.values].filter(([key]) => key.includes('/others/'));
  expect(others.map(([, epoch]) => (epoch as { secret: unknown }).secret !== null)).toEqual([true, true]);
});

test('a shorter branch is a fork too', async () => {
  const [first, second, third] = three();
  const branch = world.server.clone();
  pointTo(second, branch);
  await beginEpoch(second, third);
  await beginEpoch(first, third);
  await beginEpoch(first, third);
  world.server.showVaults(branch);
  await look(first);
  expect(isQuiet(first)).toBe(true);
  expect(resolutionsOf(world.server)).toHaveLength(1);
});

test('a device that only the other branch has added may write there', async () => {
  const [first, second, third] = three();
  const branch = world.server.clone();
  const fourth = world.device(ann, { name: 'Desktop' });
  for (const device of [second, fourth]) pointTo(device, branch);
  await fourth.start();
  await linkByCode(world, fourth, second);
  await beginEpoch(fourth, third);
  await beginEpoch(first, third);
  world.server.take(branch);
  for (const device of [second, fourth]) pointTo(device, world.server);
  await look(first);
  expect(isQuiet(first)).toBe(true);
  expect(resolutionsOf(world.server)).toHaveLength(1);
});

test('two resolutions that name each other are resolved again', async () => {
  const [first, second, third] = three();
  const branch = await split(first, second, third);
  pointTo(first, branch);
  pointTo(second, world.server);
  await look(first);
  await look(second);
  expect([resolutionsOf(branch).length, resolutionsOf(world.server).length]).toEqual([1, 1]);
  pointTo(first, world.server);
  await look(first);
  expect(resolutionsOf(world.server)).toHaveLength(2);
  await expectShared([first, second, third], [true, true, false]);
});

test('a resolution is repeated after a kill at any step, and nothing is lost', async () => {
  const [first, second, third] = three();
  await split(first, second, third);
  pointTo(second, world.server);
  const [server, storage] = [world.server.clone(), second.storage.clone()];
  let step = 0;
  for (let isHit = true; isHit && step < 100; step += 1) {
    world.server.take(server);
    second.storage = storage.clone();
    await second.restart({ step: step + 1, when: step % 2 === 0 ? 'before' : 'after' }).catch(() => undefined);
    isHit = second.isDead;
    await second.restart();
    await world.until(() => isQuiet(second));
    expect(resolutionsOf(world.server)).toHaveLength(1);
    expect(await verifiedOn(second)).toEqual([true, true, false]);
  }
  expect(step).toBeGreaterThan(5);
  await expectShared([first, second, third], [true, true, false]);
});

/** The second device continues the vault on a hidden branch, and the first one removes it. */
async function removeWriter(): Promise<[...Three, KeyServer]> {
  const [first, second, third] = three();
  const branch = await split(first, second, third);
  await first.keys.removeDevices([second.state.deviceId ?? '']);
  await look(third);
  expect(isQuiet(third)).toBe(true);
  second.keys.stop();
  return [first, second, third, branch];
}

test('what a removed device wrote on a branch that nobody opens is set aside once the user says yes', async () => {
  const [first, second, third, branch] = await removeWriter();
  const honest = world.server.clone();
  world.server.showVaults(branch);
  stripBoxes(world.server, 3, second);
  await look(third);
  expect(third.state.phase).toEqual({ name: 'blocked', reason: 'fork' });
  expect(third.state.forkQuestion).toMatchObject({ kind: 'set_aside', deviceName: 'Phone' });
  await third.keys.agreeToFork(third.state.forkQuestion?.id ?? '');
  expect(third.phase).toBe('blocked');
  expect(third.state.forkQuestion).toBeUndefined();

  world.server.showVaults(honest);
  await look(third);
  expect(isQuiet(third)).toBe(true);
  expect(resolutionsOf(world.server)).toHaveLength(1);
  await expect(third.keys.agreeToFork('00')).rejects.toMatchObject({ code: 'conflict' });
  await expectShared([first, third], [true, false, false]);
});

test('a branch of a removed device that opens is given up without a question', async () => {
  const [first, , third, branch] = await removeWriter();
  const honest = world.server.clone();
  world.server.showVaults(branch);
  await look(third);
  expect(third.phase).toBe('blocked');
  expect(third.state.forkQuestion).toBeUndefined();
  expect(resolutionsOf(world.server)).toHaveLength(0);
  world.server.showVaults(honest);
  await look(third);
  expect(isQuiet(third)).toBe(true);
  expect(resolutionsOf(world.server)).toHaveLength(1);
  await expectShared([first, third], [true, false, false]);
});

test('a resolution by a device that was removed counts only once the user says yes', async () => {
  const [first, second, third] = three();
  const branch = await split(first, second, third);
  // The second device is shown the first one's branch, where its own resolution does not arrive.
  const aside = world.server.clone();
  aside.lie('commitEpoch', () => {
    throw new ApiError(0, { code: 'network_error' }, 'network_error');
  });
  pointTo(second, aside);
  await look(second);
  pointTo(second, branch);
  await look(second);
  expect(resolutionsOf(branch)).toHaveLength(1);
  await first.keys.removeDevices([second.state.deviceId ?? '']);
  await look(third);
  second.keys.stop();

  world.server.showVaults(branch);
  await look(third);
  expect(third.state.phase).toEqual({ name: 'blocked', reason: 'fork' });
  expect(third.state.forkQuestion).toMatchObject({ kind: 'follow', deviceName: 'Phone' });
  await third.keys.agreeToFork(third.state.forkQuestion?.id ?? '');
  expect(isQuiet(third)).toBe(true);
  const removed = fromUuid(second.state.deviceId ?? '');
  expect(rosterOf(world.server).some((one) => equalBytes(one, removed))).toBe(false);
  await look(first);
  expect(first.state.forkQuestion).toMatchObject({ kind: 'follow' });
});

test('a branch whose headers are not in order is no fork', async () => {
  const [first, second, third] = three();
  const branch = await split(first, second, third);
  const forged = vaultOf(branch)?.epochs.at(-1)?.header;
  const stop = world.server.lie('listEpochs', (reply: { items: Epoch[] }, { userId }) =>
    userId === ann ? { ...reply, items: reply.items.map((one) => ({ ...one, ...forged })) } : reply,
  );
  await look(third);
  expect(third.phase).toBe('blocked');
  stop();
  await look(third);
  expect(isQuiet(third)).toBe(true);
  expect(resolutionsOf(world.server)).toHaveLength(0);
});
