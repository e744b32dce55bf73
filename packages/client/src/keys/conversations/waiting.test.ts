import { Chat } from '../../../tests/keys/chatting.ts';
import { idOf, World, type TestDevice } from '../../../tests/keys/keyDevices.ts';

/** Messages that wait for a tap, and secrets that go (docs/encryption.md, section 5, Sending, and section 4, Timer). */

const [ann, ben, cara, dan] = [idOf(1), idOf(2), idOf(3), idOf(4)];
let world: World;
let anns: TestDevice;
let bens: TestDevice;
let dans: TestDevice;
let chat: Chat;

beforeEach(async () => {
  world = new World();
  anns = await world.ready(ann);
  bens = await world.ready(ben);
  await world.ready(cara);
  dans = await world.ready(dan);
});
afterEach(async () => {
  for (const device of world.devices) device.keys.stop();
  await world.idle();
});

const look = (device: TestDevice): void => device.keys.conversations.onFrame({ type: 'devices_changed', data: {} });
const sealAs = (device: TestDevice, writtenAt: number) =>
  device.keys.conversations.seal(chat.draft('Written', { writtenAt }));

/** Says yes to everything that a device asks. */
async function agree(device: TestDevice): Promise<void> {
  const { send } = await device.keys.conversations.standing(chat.facts);
  for (const { id } of send.state === 'question' ? send.questions : [])
    await device.keys.conversations.answer(chat.id, id, true);
}

test('a message from before somebody joined by the code waits for a tap, over a restart too', async () => {
  chat = new Chat(world, idOf(100), 'group', [ann, ben, cara]);
  await chat.send(anns, 'One');
  await chat.change(anns, { kind: 'admission', isOpen: true });
  await chat.read(bens);
  const writtenAt = world.clock.timers.now();
  await world.pass(1_000);
  chat.served.members.push({ userId: dan, role: 0 });
  look(bens);
  expect(await sealAs(bens, writtenAt)).toMatchObject({ state: 'question', questions: [{ kind: 'joined' }] });
  await bens.keys.conversations.answer(chat.id, 'joined', true);
  const waits = { state: 'written_before', userIds: [dan] };
  expect(await sealAs(bens, writtenAt)).toEqual(waits);
  await bens.restart();
  expect(await sealAs(bens, writtenAt)).toEqual(waits);
  await world.pass(1_000);
  const tapped = await sealAs(bens, world.clock.timers.now());
  if (tapped.state === 'sealed') await chat.commit(bens, tapped.epoch);
  // The header that the tap began is no later change, and an old message still waits.
  await world.pass(1_000);
  expect(await sealAs(bens, world.clock.timers.now() - 2_500)).toEqual(waits);
  expect(await sealAs(bens, world.clock.timers.now() - 500)).toMatchObject({ state: 'sealed' });
  await agree(anns);
  expect(await sealAs(anns, writtenAt)).toEqual(waits);
});

test('a member who enters without a signature confirms the members first', async () => {
  chat = new Chat(world, idOf(100), 'group', [ann, ben, idOf(9)]);
  await chat.send(anns, 'One');
  await chat.change(anns, { kind: 'admission', isOpen: true });
  chat.served.members.push({ userId: dan, role: 0 });
  const others = await world.ready(idOf(9));
  await world.pass(3_600_001);
  await agree(bens);
  await bens.keys.conversations.answer(chat.id, 'joined', true);
  await chat.send(bens, 'Welcome');
  // The others by their first list, Dan by the code.
  expect(await chat.read(others)).toEqual(['earlier', 'Welcome']);
  for (const device of [others, dans]) {
    const { send } = await device.keys.conversations.standing(chat.facts);
    expect(send.state === 'question' && send.questions.map(({ kind }) => kind)).toContain('members');
    await agree(device);
    await chat.send(device, 'Thanks');
  }
  expect(await chat.read(bens)).toEqual(['One', 'Welcome', 'Thanks', 'Thanks']);
});

test('a message from before an identity change waits for a tap', async () => {
  chat = new Chat(world, idOf(100), 'direct', [ann, ben]);
  await chat.send(anns, 'One');
  await chat.send(bens, 'Two');
  const writtenAt = world.clock.timers.now();
  await world.pass(1_000);
  await bens.keys.startOver();
  look(anns);
  await anns.keys.lookUp([ben]);
  expect(await sealAs(anns, writtenAt)).toMatchObject({ state: 'question', questions: [{ kind: 'identity' }] });
  await agree(anns);
  expect(await sealAs(anns, writtenAt)).toEqual({ state: 'written_before', userIds: [ben] });
  await world.pass(1_000);
  expect(await sealAs(anns, world.clock.timers.now())).toMatchObject({ state: 'sealed' });
});

test('secrets of a conversation with a timer go while nothing happens, also after a restart', async () => {
  chat = new Chat(world, idOf(100), 'direct', [ann, ben]);
  await chat.send(anns, 'Stays');
  await chat.change(anns, { kind: 'timer', seconds: 600 });
  await chat.send(anns, 'Goes');
  expect(await chat.read(bens)).toEqual(['Stays', 'Goes']);
  const secretsOn = ({ storage }: TestDevice): number[] =>
    [...storage.values].flatMap(([key, value]) => {
      const epoch = value as { n: number; secret: unknown };
      return /^conversations\/.*\/epochs\//.test(key) && epoch.secret !== null ? [epoch.n] : [];
    });
  expect(secretsOn(bens)).toEqual([0, 1]);
  await anns.restart();
  // The epoch lasts as long as the timer, and then its messages do.
  await world.pass(2 * 600_000 - 5_000);
  expect(secretsOn(anns)).toEqual([0, 1]);
  await world.pass(10_000);
  await world.until(() => [anns, bens].every((device) => secretsOn(device).length === 1), 'the deletion');
  expect(secretsOn(anns)).toEqual([0]);
});
