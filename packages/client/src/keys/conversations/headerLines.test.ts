import { Chat } from '../../../tests/keys/chatting.ts';
import { idOf, World, type TestDevice } from '../../../tests/keys/keyDevices.ts';
import { linkByCode } from '../../../tests/keys/linking.ts';

/** Lines of headers about devices (docs/encryption.md, sections 3 and 4). */

const [ann, ben] = [idOf(1), idOf(2)];
let world: World;
let anns: TestDevice;
let bens: TestDevice;
let chat: Chat;

beforeEach(async () => {
  world = new World();
  anns = await world.ready(ann);
  bens = await world.ready(ben);
  chat = new Chat(world, idOf(100), 'direct', [ann, ben]);
  await chat.send(anns, 'One');
});
afterEach(async () => {
  for (const device of world.devices) device.keys.stop();
  await world.idle();
});

const changesOn = async ({ keys }: TestDevice) => {
  const shown = (await keys.conversations.standing(chat.facts)).lines;
  expect((await keys.conversations.overview(chat.id)).lines).toEqual(shown);
  return shown.map(({ by, change }) => ({ by, change }));
};

test('a new device of a verified person shows a line, once the person is verified', async () => {
  await linkByCode(world, await world.ready(ben, 'Tablet'), bens);
  await world.pass(3_600_001);
  anns.keys.conversations.onFrame({ type: 'devices_changed', data: { userId: ben } });
  await chat.send(anns, 'Two');
  const line = { by: null, change: { kind: 'device_added', userId: ben } };
  expect(await changesOn(anns)).not.toContainEqual(line);
  await anns.keys.setVerified(ben, true);
  expect(await changesOn(anns)).toContainEqual(line);
  expect(await changesOn(bens)).not.toContainEqual(line);
});

test('an epoch that came early for a device without the secret names who began it', async () => {
  chat = new Chat(world, idOf(101), 'direct', [ann, ben]);
  const draft = chat.draft('One');
  const { sealed, epoch } = await chat.seal(anns, draft);
  world.server.listeners.clear();
  await chat.commit(anns, { ...epoch!, boxes: [] });
  await chat.post(anns, draft, sealed);
  expect(await chat.read(bens)).toEqual(['waiting']);
  await world.pass(61_000);
  await chat.send(bens, 'Two');
  const line = { by: ben, change: { kind: 'renewed' } };
  expect(await changesOn(bens)).toContainEqual(line);
  anns.keys.conversations.onFrame({ type: 'reconnected', data: {} });
  expect(await changesOn(anns)).toContainEqual(line);
});

test('an epoch after the time of the one before shows no line', async () => {
  await world.pass(8 * 86_400_000);
  await chat.send(anns, 'Two');
  expect(await changesOn(anns)).toEqual([{ by: ann, change: { kind: 'started' } }]);
});
