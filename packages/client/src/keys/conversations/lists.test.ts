import { Chat } from '../../../tests/keys/chatting.ts';
import { idOf, World, type TestDevice } from '../../../tests/keys/keyDevices.ts';
import { acceptEpoch } from '../../../tests/keys/conversationHandlers.ts';
import { linkByCode } from '../../../tests/keys/linking.ts';

/** Device lists that change while a conversation is sealed (docs/encryption.md, section 4, When a new epoch starts). */

const [ann, ben] = [idOf(1), idOf(2)];
let world: World;
let anns: TestDevice;
let bens: TestDevice;
let bensPhone: TestDevice;
let chat: Chat;

beforeEach(async () => {
  world = new World();
  anns = await world.ready(ann);
  bens = await world.ready(ben, 'Laptop');
  bensPhone = await world.ready(ben, 'Phone');
  await linkByCode(world, bensPhone, bens);
  chat = new Chat(world, idOf(100), 'direct', [ann, ben]);
});
afterEach(async () => {
  for (const device of world.devices) device.keys.stop();
  await world.idle();
});

const sendState = async (device: TestDevice) => (await device.keys.conversations.standing(chat.facts)).send;
const newestBoxes = (): string[] => [...(chat.served.epochs.at(-1)?.boxes.keys() ?? [])].toSorted();
const idsOf = (...devices: TestDevice[]): string[] => devices.map(({ state }) => state.deviceId ?? '').toSorted();

/** Tells a device of changed lists. */
const tell = (device: TestDevice): void =>
  device.keys.conversations.onFrame({ type: 'devices_changed', data: { userId: ben } });

test('nothing is sealed for a removed device once its removal is known', async () => {
  await chat.send(anns, 'One');
  expect(newestBoxes()).toEqual(idsOf(anns, bens, bensPhone));
  await bens.keys.removeDevices(idsOf(bensPhone));
  tell(anns);
  await chat.send(anns, 'Two');
  expect(chat.served.epochs).toHaveLength(2);
  expect(newestBoxes()).toEqual(idsOf(anns, bens));
  expect(await chat.read(bens)).toEqual(['One', 'Two']);
});

test('lists are stored when they change, and not each time that they are looked at', async () => {
  await chat.send(anns, 'One');
  tell(anns);
  await sendState(anns);
  const { storage } = anns;
  const written: string[] = [];
  const write = storage.write.bind(storage);
  storage.write = (values) => {
    written.push(...Object.keys(values).filter((key) => key.startsWith('people/')));
    return write(values);
  };
  tell(anns);
  await sendState(anns);
  expect(written).toEqual([]);
  await bens.keys.removeDevices(idsOf(bensPhone));
  tell(anns);
  await sendState(anns);
  expect(written).not.toEqual([]);
});

test('rows of a removed device that its last row does not reach are late', async () => {
  await chat.send(anns, 'One');
  await chat.send(bensPhone, 'Known');
  const draft = chat.draft('Held back');
  const late = await chat.seal(bensPhone, draft);
  expect(await chat.read(anns)).toEqual(['One', 'Known']);
  expect(await chat.read(bens)).toEqual(['One', 'Known']);
  await chat.post(bensPhone, draft, late.sealed);
  await bens.keys.removeDevices(idsOf(bensPhone));
  tell(anns);
  await chat.send(anns, 'Two');
  expect((await chat.open(bens)).map((row) => row.state === 'open' && [row.content, row.late])).toEqual([
    ['One', false],
    ['Known', false],
    ['Held back', true],
    ['Two', false],
  ]);
});

test('a suspended device is left out, and comes back with a line for each', async () => {
  await chat.send(anns, 'One');
  const suspended = world.server.account(ben).devices.get(idsOf(bensPhone)[0] ?? '');
  suspended!.suspendedAt = new Date().toISOString();
  tell(anns);
  await chat.send(anns, 'Two');
  expect(newestBoxes()).toEqual(idsOf(anns, bens));
  suspended!.suspendedAt = null;
  tell(anns);
  await chat.send(anns, 'Three');
  expect(newestBoxes()).toEqual(idsOf(anns, bens, bensPhone));
  const { lines } = await anns.keys.conversations.standing(chat.facts);
  expect(lines.map(({ change }) => change)).toEqual([
    { kind: 'started' },
    { kind: 'device_left_out', userId: ben, device: idsOf(bensPhone)[0] },
    { kind: 'device_returned', userId: ben, device: idsOf(bensPhone)[0] },
  ]);
});

test('an added device joins with a batch after an hour, or at once when it sends', async () => {
  await chat.send(anns, 'One');
  const tablet = await world.ready(ben, 'Tablet');
  await linkByCode(world, tablet, bens);
  tell(anns);
  await chat.send(anns, 'Two');
  expect(chat.served.epochs).toHaveLength(1);
  await world.pass(3_600_001);
  await chat.send(anns, 'Three');
  expect(newestBoxes()).toEqual(idsOf(anns, bens, bensPhone, tablet));
  const laptop = await world.ready(ann, 'Laptop');
  await linkByCode(world, laptop, anns);
  await chat.send(laptop, 'Four');
  expect(newestBoxes()).toEqual(idsOf(anns, bens, bensPhone, tablet, laptop));
  // Ben's other devices put the secrets into the vault, although none of them showed the conversation.
  expect(await chat.read(tablet)).toEqual(['One', 'Two', 'Three', 'Four']);
});

test('an epoch ends after seven days', async () => {
  await chat.send(anns, 'One');
  await world.pass(6 * 86_400_000);
  await chat.send(anns, 'Two');
  expect(chat.served.epochs).toHaveLength(1);
  await world.pass(2 * 86_400_000);
  await chat.send(anns, 'Three');
  expect(chat.served.epochs).toHaveLength(2);
});

test('a changed identity gets nothing until the user accepts it, and then the next epoch', async () => {
  await chat.send(anns, 'One');
  const anew = await world.ready(ben, 'New');
  await anew.keys.startOver();
  tell(anns);
  const send = await sendState(anns);
  expect(send).toMatchObject({ state: 'question', questions: [{ kind: 'identity', userId: ben }] });
  expect(await anns.keys.conversations.seal(chat.draft('Two'))).toMatchObject({ state: 'question' });
  const [question] = send.state === 'question' ? send.questions : [];
  await anns.keys.conversations.answer(chat.id, question?.id ?? '', true);
  await world.until(() => chat.served.epochs.length === 2, 'the epoch after the acceptance');
  expect(await sendState(anew)).toEqual({ state: 'sealed' });
  await chat.send(anns, 'Two');
  expect(chat.served.epochs).toHaveLength(2);
  expect(newestBoxes()).toEqual(idsOf(anns, anew));
  expect(await chat.read(anew)).toEqual(['earlier', 'Two']);
  await chat.send(anew, 'Back');
  expect(await chat.read(anns)).toEqual(['One', 'Two', 'Back']);
  const { lines } = await anns.keys.conversations.standing(chat.facts);
  expect(lines.at(-1)?.change).toEqual({ kind: 'identity_changed', userId: ben });
});

test('a conversation whose people all have new identities starts anew', async () => {
  await chat.send(anns, 'One');
  const [annsNew, bensNew] = [await world.ready(ann, 'New'), await world.ready(ben, 'New')];
  await annsNew.keys.startOver();
  expect(await sendState(annsNew)).toEqual({ state: 'waiting_for_key' });
  await bensNew.keys.startOver();
  tell(annsNew);
  const send = await sendState(annsNew);
  const [question] = send.state === 'question' ? send.questions : [];
  if (question) await annsNew.keys.conversations.answer(chat.id, question.id, true);
  await chat.send(annsNew, 'Anew');
  expect(await chat.read(annsNew)).toEqual(['earlier', 'Anew']);
  expect(await sendState(bensNew)).toMatchObject({ state: 'question', questions: [{ kind: 'restart', userId: ann }] });
  const asked = await sendState(bensNew);
  for (const { id } of asked.state === 'question' ? asked.questions : [])
    await bensNew.keys.conversations.answer(chat.id, id, true);
  await chat.send(bensNew, 'Fine');
  expect(await chat.read(annsNew)).toEqual(['earlier', 'Anew', 'Fine']);
});

test('a header by a device whose removal was known is asked about', async () => {
  await chat.send(anns, 'One');
  await world.pass(8 * 86_400_000);
  const { epoch } = await chat.seal(bensPhone, chat.draft('From the phone'));
  await bens.keys.removeDevices(idsOf(bensPhone));
  tell(anns);
  expect(await sendState(anns)).toEqual({ state: 'sealed' });
  await acceptEpoch(world.server, chat.id, epoch!);
  await world.idle();
  tell(anns);
  const send = await sendState(anns);
  expect(send).toMatchObject({ state: 'question', questions: [{ kind: 'removed_device', userId: ben }] });
  const [question] = send.state === 'question' ? send.questions : [];
  await anns.keys.conversations.answer(chat.id, question?.id ?? '', true);
  await chat.send(anns, 'Two');
  expect(newestBoxes()).toEqual(idsOf(anns, bens));
});

test('a group goes on with the devices that its header names while the server shows two versions of them', async () => {
  const group = new Chat(world, idOf(101), 'group', [ann, ben]);
  await group.send(anns, 'One');
  await group.read(bens);
  const bothDevices = [...group.served.epochs[0]!.boxes.keys()];
  const elsewhere = world.server.clone();
  const watch = world.device(ben, { name: 'Watch' });
  for (const device of [watch, bensPhone]) device.server = elsewhere;
  await watch.start();
  await linkByCode(world, await world.ready(ben, 'Tablet'), bens);
  await anns.keys.lookUp([ben]);
  await linkByCode(world, watch, bensPhone);
  world.server.account(ben).chains = elsewhere.account(ben).chains;
  tell(anns);
  expect(await sendState(anns)).toEqual({ state: 'blocked', reason: 'fork', userId: ben });
  const groupState = async () => (await anns.keys.conversations.standing(group.facts)).send;
  const state = await groupState();
  expect(state).toMatchObject({ state: 'question', questions: [{ kind: 'device_fork', userId: ben }] });
  const id = state.state === 'question' ? state.questions[0]!.id : '';
  await anns.keys.conversations.answer(group.id, id, true);
  await anns.restart();
  expect(await groupState()).toEqual({ state: 'sealed' });
  await world.pass(8 * 86_400_000);
  await group.send(anns, 'Two');
  expect(group.served.epochs).toHaveLength(2);
  expect([...group.served.epochs[1]!.boxes.keys()].toSorted()).toEqual(bothDevices.toSorted());
  expect(await sendState(anns)).toEqual({ state: 'blocked', reason: 'fork', userId: ben });
});

test('a header that names devices of a branch that ended leads to the branch that stays', async () => {
  const group = new Chat(world, idOf(101), 'group', [ann, ben]);
  await group.send(anns, 'One');
  const [original, elsewhere] = [world.server, world.server.clone()];
  const [watch, band] = [world.device(ben, { name: 'Watch' }), world.device(ben, { name: 'Band' })];
  for (const device of [watch, band, bensPhone, anns]) device.server = elsewhere;
  const tablet = await world.ready(ben, 'Tablet');
  await linkByCode(world, tablet, bens);
  await bens.keys.removeDevices(idsOf(bensPhone));
  for (const device of [watch, band]) {
    await device.start();
    await linkByCode(world, device, bensPhone);
  }
  world.server = elsewhere;
  await world.pass(8 * 86_400_000);
  tell(anns);
  await group.send(anns, 'Two');
  const boxes = () => [...group.served.epochs.at(-1)!.boxes.keys()].toSorted();
  expect(boxes()).toEqual(idsOf(anns, bens, bensPhone, watch, band));
  Object.assign(elsewhere.account(ben), original.account(ben));
  tell(anns);
  await group.send(anns, 'Three');
  expect(boxes()).toEqual(idsOf(anns, bens, tablet));
  await anns.restart();
  expect(await group.read(anns)).toEqual(['One', 'Two', 'Three']);
  await group.send(anns, 'Four');
  expect(group.served.epochs).toHaveLength(3);
});
