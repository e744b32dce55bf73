import type { AccountKeys } from '@nolo/api';
import { idOf, World, type TestDevice } from '../../tests/keys/keyDevices.ts';
import { linkByCode } from '../../tests/keys/linking.ts';

/** A list of a person that another device saw, and the server does not show (section 6). */

const [ann, ben] = [idOf(1), idOf(2)];
let world: World;

beforeEach(() => {
  world = new World();
});
afterEach(async () => {
  for (const device of world.devices) device.keys.stop();
  await world.idle();
});

/** Hides the newer lists of Ben. */
function hideLists(): () => void {
  const hide = (reply: AccountKeys): AccountKeys => ({
    ...reply,
    newest: { chain: 0, n: 0 },
    lists: reply.lists.filter(({ n }) => n === 0),
  });
  const stops = [
    world.server.lie('lookUpKeys', (replies: AccountKeys[]) => replies.map(hide)),
    world.server.lie('getUserKeys', hide),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

/** Ann's second device, which knows an older list of Ben than the vault. */
async function behind(): Promise<TestDevice> {
  const other = await world.ready(ben);
  const first = await world.ready(ann, 'Laptop');
  const second = await world.ready(ann, 'Phone');
  await linkByCode(world, second, first);
  await second.keys.lookUp([ben]);
  const stop = hideLists();
  const more = await world.ready(ben);
  await linkByCode(world, more, other);
  stop();
  await first.keys.lookUp([ben]);
  await world.pass(30_000);
  second.keys.onFrame({ type: 'vault_changed', data: {} });
  await world.pass(1);
  return second;
}

test('the device that saw a newer list is named, and the list can be set aside until the server shows it', async () => {
  const second = await behind();
  let stop = hideLists();
  expect(await second.keys.lookUp([ben])).toMatchObject([{ blocked: 'old', newerOn: 'Laptop' }]);
  await second.keys.setAside(ben);
  expect(await second.keys.lookUp([ben])).toMatchObject([{ identity: 'known', blocked: null }]);
  await second.restart();
  expect(await second.keys.lookUp([ben])).toMatchObject([{ blocked: null }]);
  stop();
  expect(await second.keys.lookUp([ben])).toMatchObject([{ identity: 'known', blocked: null }]);
  // A device cannot set aside what it fetched itself.
  stop = hideLists();
  await second.keys.setAside(ben);
  expect(await second.keys.lookUp([ben])).toMatchObject([{ blocked: 'old' }]);
  stop();
});
