import { idOf, isQuiet, World } from '../../tests/keys/keyDevices.ts';
import { linkByCode } from '../../tests/keys/linking.ts';

/** A server that was restored from an old backup gets back what it lost, from whichever device is there. */

const ann = idOf(1);
const dayMs = 86_400_000;
let world: World;

beforeEach(() => {
  world = new World();
});
afterEach(async () => {
  for (const device of world.devices) device.keys.stop();
  await world.idle();
});

const shown = () => ({
  lists: world.server.account(ann).chains[0]?.map(({ body }) => body),
  epochs: [...world.server.vaults.values()][0]?.epochs.map(({ hash }) => hash),
});

/** Stops all devices, and restores the server. Returns what it showed before. */
async function restore(backup: World['server']): Promise<ReturnType<typeof shown>> {
  await world.pass(30_000);
  for (const device of world.devices) device.keys.stop();
  await world.idle();
  const before = shown();
  world.server.take(backup);
  expect(shown()).not.toEqual(before);
  return before;
}

test('another device than the signer shows the lists and headers', async () => {
  const first = await world.ready(ann, 'Laptop');
  const second = await world.ready(ann, 'Phone');
  await linkByCode(world, second, first);
  await world.pass(1_000);
  const backup = world.server.clone();
  await first.keys.createRecoveryWords();
  await first.keys.setRecovery();
  const third = await world.ready(ann, 'Tablet');
  await linkByCode(world, third, first);
  await first.keys.removeDevices([third.state.deviceId ?? '']);
  await world.pass(8 * dayMs);
  await world.until(() => isQuiet(first) && isQuiet(second));
  const before = await restore(backup);
  await second.restart();
  await world.until(() => isQuiet(second));
  const after = shown();
  expect(after.lists).toEqual(before.lists);
  expect(after.epochs?.slice(0, before.epochs?.length)).toEqual(before.epochs);
  await first.restart();
  await world.until(() => isQuiet(first));
  await third.restart();
  expect(third.phase).toBe('removed');
});

test('a device that the server no longer knows shows the list that adds it, and continues', async () => {
  const first = await world.ready(ann, 'Laptop');
  await world.pass(8 * dayMs);
  const backup = world.server.clone();
  const second = await world.ready(ann, 'Phone');
  await linkByCode(world, second, first);
  await world.pass(8 * dayMs);
  await world.until(() => isQuiet(first) && isQuiet(second));
  const before = await restore(backup);
  second.signInAgain();
  await second.restart();
  await world.until(() => isQuiet(second));
  expect(shown().lists).toEqual(before.lists);
  expect(shown().epochs?.slice(0, before.epochs?.length)).toEqual(before.epochs);
  expect(second.state.devices.find(({ id }) => id === second.state.deviceId)).toMatchObject({ current: true });
  await first.restart();
  await world.until(() => isQuiet(first));
});

test('a server that lost everything gets it back from a device that was linked later', async () => {
  const backup = world.server.clone();
  const first = await world.ready(ann, 'Laptop');
  const second = await world.ready(ann, 'Phone');
  await linkByCode(world, second, first);
  await world.pass(8 * dayMs);
  await world.until(() => isQuiet(first) && isQuiet(second));
  const before = await restore(backup);
  second.signInAgain();
  await second.restart();
  await world.until(() => isQuiet(second));
  expect(shown().lists).toEqual(before.lists);
  expect(shown().epochs?.slice(0, before.epochs?.length)).toEqual(before.epochs);
  first.signInAgain();
  await first.restart();
  await world.until(() => isQuiet(first) && isQuiet(second));
});
