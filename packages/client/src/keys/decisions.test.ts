import { idOf, look, type TestDevice, World } from '../../tests/keys/keyDevices.ts';
import { linkByCode } from '../../tests/keys/linking.ts';
import type { PersonKeys } from './types.ts';

/** Decisions about people that a device made which another one removed since (section 6). */

const [ann, ben] = [idOf(1), idOf(2)];
let world: World;
let first: TestDevice;
let second: TestDevice;
let third: TestDevice;

const idIn = ({ state }: TestDevice): string => state.deviceId ?? '';
const benOn = async (device: TestDevice): Promise<PersonKeys | undefined> => (await device.keys.lookUp([ben]))[0];

/** Lets records reach all devices. */
async function share(): Promise<void> {
  await world.pass(30_000);
  for (const device of [first, second, third]) await look(device);
}

/** Ben's keys change, and the second device accepts them. */
async function replaceIdentity(): Promise<void> {
  await first.keys.lookUp([ben]);
  await share();
  const anew = await world.ready(ben);
  await anew.keys.startOver();
  expect(await benOn(second)).toMatchObject({ identity: 'changed' });
  await second.keys.acceptIdentity(ben);
  await share();
  expect(await benOn(first)).toMatchObject({ identity: 'known', decidedOn: 'Phone' });
}

beforeEach(async () => {
  world = new World();
  await world.ready(ben);
  first = await world.ready(ann, 'Laptop');
  second = await world.ready(ann, 'Phone');
  await linkByCode(world, second, first);
  third = await world.ready(ann, 'Tablet');
  await linkByCode(world, third, first);
});
afterEach(async () => {
  for (const device of world.devices) device.keys.stop();
  await world.idle();
});

test('a mark of a device that another one removed is asked again, except on the one that removed it', async () => {
  await second.keys.setVerified(ben, true);
  await share();
  expect(await benOn(third)).toMatchObject({ identity: 'known', verified: true, decidedOn: 'Phone' });
  await first.keys.removeDevices([idIn(second)]);
  await share();
  expect(await benOn(first)).toMatchObject({ identity: 'known', verified: true });
  expect(await benOn(third)).toEqual({
    userId: ben,
    identity: 'undecided',
    verified: false,
    wasVerified: true,
    blocked: null,
    decidedOn: 'Phone',
  });
  expect(await third.keys.numberWith(ben)).toMatch(/^\d{60}$/);
});

test('a person who is verified anew is decided on all devices', async () => {
  await second.keys.setVerified(ben, true);
  await share();
  await first.keys.removeDevices([idIn(second)]);
  await share();
  await third.keys.setVerified(ben, true);
  expect(await benOn(third)).toMatchObject({ identity: 'known', verified: true, decidedOn: null });
  await share();
  expect(await benOn(first)).toMatchObject({ identity: 'known', verified: true, decidedOn: 'Tablet' });
});

test('keys that are accepted anew without a comparison lose the mark', async () => {
  await second.keys.setVerified(ben, true);
  await share();
  await first.keys.removeDevices([idIn(second)]);
  await share();
  await third.keys.acceptIdentity(ben);
  expect(await benOn(third)).toMatchObject({ identity: 'known', verified: false });
  await share();
  expect(await benOn(first)).toMatchObject({ identity: 'known', verified: false });
});

test('an accepted identity is asked again, until the user accepts it anew', async () => {
  await replaceIdentity();
  await first.keys.removeDevices([idIn(second)]);
  await share();
  expect(await benOn(first)).toMatchObject({ identity: 'known' });
  expect(await benOn(third)).toMatchObject({ identity: 'undecided', wasVerified: false, decidedOn: 'Phone' });
  await third.keys.acceptIdentity(ben);
  expect(await benOn(third)).toMatchObject({ identity: 'known', decidedOn: null });
  await share();
  await third.restart();
  expect(await benOn(third)).toMatchObject({ identity: 'known', decidedOn: null });
});

test('comparing numbers decides about an accepted identity', async () => {
  await replaceIdentity();
  await first.keys.removeDevices([idIn(second)]);
  await share();
  await third.keys.setVerified(ben, true);
  expect(await benOn(third)).toMatchObject({ identity: 'known', verified: true });
  await third.keys.setVerified(ben, false);
  expect(await benOn(third)).toMatchObject({ identity: 'known', verified: false });
});
