import { idOf, isQuiet, MemoryKeyStorage, World } from '../../tests/keys/keyDevices.ts';
import { linkByCode, linkByDigits } from '../../tests/keys/linking.ts';

/** Storages that were emptied, copied back, or shared, and clocks that are wrong. */

const [ann, ben] = [idOf(1), idOf(2)];
const dayMs = 86_400_000;
let world: World;

beforeEach(() => {
  world = new World();
});
afterEach(async () => {
  for (const device of world.devices) device.keys.stop();
  await world.idle();
});

const vault = () => [...world.server.vaults.values()][0];

test('after its storage was emptied, a device is linked again or recovers', async () => {
  const first = await world.ready(ann);
  const words = await first.keys.createRecoveryWords();
  await first.keys.setRecovery();
  const second = await world.ready(ann);
  await linkByCode(world, second, first);
  const { deviceId } = second.state;
  second.storage = new MemoryKeyStorage();
  second.signInAgain();
  await second.restart();
  expect(second.state).toMatchObject({ phase: { name: 'unlinked', hasRecovery: true }, deviceId: null });
  await second.keys.recover({ words: words.join(' ') }, [deviceId ?? '']);
  expect(isQuiet(second)).toBe(true);
  expect(second.state.devices).toHaveLength(2);
});

test('a browser that lost its keys but not its session is linked again in that session', async () => {
  const first = await world.ready(ann);
  const second = await world.ready(ann);
  await linkByCode(world, second, first);
  const former = second.state.deviceId;
  second.storage = new MemoryKeyStorage();
  await second.restart();
  expect(second.state.phase).toMatchObject({ name: 'unlinked', hasOtherDevices: true });
  await linkByCode(world, second, first);
  await world.until(() => isQuiet(second));
  expect(second.state.deviceId).not.toBe(former);
  expect(second.state.devices.find(({ id }) => id === former)).toMatchObject({ current: false });
  await world.until(
    () =>
      vault()
        ?.epochs.at(-1)
        ?.boxes.has(former ?? '') === false,
  );
});

test('box keys are renewed weekly while in use, and old ones deleted a week later', async () => {
  const first = await world.ready(ann);
  const numbers = async () => (await first.storage.list('boxes/')).map(([key]) => Number(key.split('/')[1]));
  await world.pass(8 * dayMs);
  await world.until(() => isQuiet(first));
  expect(await numbers()).toEqual([0, 1]);
  await world.pass(6 * dayMs);
  expect(await numbers()).toEqual([0, 1]);
  await world.pass(9 * dayMs);
  expect(await numbers()).not.toContain(0);
  expect(isQuiet(first)).toBe(true);
  await first.restart();
  expect(isQuiet(first)).toBe(true);
});

describe('an old profile', () => {
  test('sees newer lists and box keys, renews, and continues', async () => {
    const first = await world.ready(ann);
    await world.ready(ben);
    const second = await world.ready(ann);
    await linkByCode(world, second, first);
    const copy = second.storage.clone();
    const third = await world.ready(ann);
    await linkByCode(world, third, first);
    await first.keys.setVerified(ben, true);
    await world.pass(8 * dayMs);
    await world.until(() => world.devices.every(isQuiet));
    const number = () => world.server.account(ann).devices.get(second.state.deviceId ?? '')?.boxKeys?.number;
    expect(number()).toBe(1);
    second.storage = copy;
    await second.restart();
    await world.until(() => world.devices.every(isQuiet));
    expect(number()).toBe(2);
    expect(second.state.devices).toHaveLength(3);
    expect(await second.keys.lookUp([ben])).toMatchObject([{ verified: true }]);
  });

  test('of the only device restarts the vault with what it holds', async () => {
    const first = await world.ready(ann);
    await world.ready(ben);
    await first.keys.setVerified(ben, true);
    const copy = first.storage.clone();
    await world.pass(8 * dayMs);
    await world.until(() => isQuiet(first));
    await world.pass(8 * dayMs);
    await world.until(() => isQuiet(first));
    first.storage = copy;
    await first.restart();
    await world.until(() => isQuiet(first));
    expect(await first.keys.lookUp([ben])).toMatchObject([{ verified: true }]);
    const second = await world.ready(ann);
    await linkByCode(world, second, first);
    expect(await second.keys.lookUp([ben])).toMatchObject([{ verified: true }]);
  });

  test('of a removed device is told', async () => {
    const first = await world.ready(ann);
    const second = await world.ready(ann);
    await linkByCode(world, second, first);
    const copy = second.storage.clone();
    await first.keys.removeDevices([second.state.deviceId ?? '']);
    second.storage = copy;
    second.signInAgain();
    await second.restart();
    expect(second.phase).toBe('removed');
  });
});

describe('two tabs', () => {
  test('create one device, and see what the other one did', async () => {
    const device = world.device(ann);
    const other = device.open();
    await Promise.all([device.start(), other.start()]);
    expect(device.phase).toBe('ready');
    expect(other.state()).toMatchObject({ phase: { name: 'ready' }, deviceId: device.state.deviceId });
    expect(world.server.account(ann).devices.size).toBe(1);
    const words = await other.createRecoveryWords();
    await other.setRecovery();
    expect(await device.keys.checkRecoveryWords(words.join(' '))).toBe(true);
    device.keys.onFrame({ type: 'keys_changed', data: null });
    await world.idle();
    expect(device.state.recovery.isSet).toBe(true);
    other.stop();
  });

  test('append each record once, and renew box keys once', async () => {
    const device = world.device(ann);
    const other = device.open();
    await Promise.all([device.start(), other.start()]);
    await world.ready(ben);
    await Promise.all([device.keys.lookUp([ben]), other.lookUp([ben])]);
    await Promise.all([device.keys.setVerified(ben, true), other.setVerified(ben, true)]);
    await world.pass(8 * dayMs);
    await world.until(() => isQuiet(device));
    expect(world.server.account(ann).devices.get(device.state.deviceId ?? '')?.boxKeys?.number).toBe(1);
    const ids = vault()?.rows.map(({ clientMessageId }) => clientMessageId) ?? [];
    expect(new Set(ids).size).toBe(ids.length);
    other.stop();
  });
});

test.each([dayMs - 60_000, -dayMs])(
  'a clock that is off by %d ms neither stops linking nor the vault',
  async (offset) => {
    await world.pass(10 * dayMs);
    const first = world.device(ann);
    first.clockOffset = offset;
    await first.start();
    const second = await world.ready(ann);
    await linkByDigits(world, second, first);
    const third = world.device(ann);
    third.clockOffset = offset;
    await third.start();
    await linkByCode(world, third, second);
    await first.keys.removeDevices([third.state.deviceId ?? '']);
    await world.until(() => isQuiet(first) && isQuiet(second));
  },
);
