import { Chat } from '../../../tests/keys/chatting.ts';
import { idOf, World, type TestDevice } from '../../../tests/keys/keyDevices.ts';

/** Two versions of a conversation, as a server shows them that lost one, and how they end (section 4). */

const [ann, ben, cara] = [idOf(1), idOf(2), idOf(3)];
let world: World;
let anns: TestDevice;
let bens: TestDevice;
let caras: TestDevice;
let chat: Chat;

beforeEach(async () => {
  world = new World();
  anns = await world.ready(ann);
  bens = await world.ready(ben);
  caras = await world.ready(cara);
  // Devices look when the test says so.
  world.server.listeners.clear();
});
afterEach(async () => {
  for (const device of world.devices) device.keys.stop();
  await world.idle();
});

const look = (device: TestDevice): void => device.keys.conversations.onFrame({ type: 'devices_changed', data: {} });
const standing = (device: TestDevice) => device.keys.conversations.standing(chat.facts);
async function sendState(device: TestDevice) {
  look(device);
  return (await standing(device)).send;
}
const questionOn = async (device: TestDevice) => {
  const send = await sendState(device);
  return send.state === 'question' ? send.questions[0] : send;
};
async function sayYes(device: TestDevice): Promise<void> {
  const question = await questionOn(device);
  if (!question || !('id' in question)) throw new Error('There is no question.');
  await device.keys.conversations.answer(chat.id, question.id, true);
}

/** Restores a state of the server's epochs and messages, which is older. */
function keepState(): () => void {
  const { epochs, messages, members } = chat.served;
  const kept = { epochs: [...epochs], messages: [...messages], members: [...members] };
  return () => void Object.assign(chat.served, kept);
}

/** Lets Ann's client commit a header that the server loses, and Ben's client another one. */
async function fork(act: () => Promise<unknown> = () => chat.send(anns, 'Lost'), by = bens): Promise<void> {
  await chat.send(anns, 'One');
  for (const device of [anns, bens, caras]) await chat.read(device).catch(() => []);
  const restore = keepState();
  await world.pass(8 * 86_400_000);
  await act();
  await sendState(anns);
  restore();
  await chat.send(by, 'Instead');
}

test('either person ends two versions of a direct conversation, and the other one is asked', async () => {
  chat = new Chat(world, idOf(100), 'direct', [ann, ben]);
  await fork();
  expect(await questionOn(anns)).toMatchObject({ kind: 'fork', removes: [] });
  expect(await anns.keys.conversations.seal(chat.draft('No'))).toMatchObject({ state: 'question' });
  await anns.restart();
  await sayYes(anns);
  expect(chat.served.epochs).toHaveLength(3);
  await chat.send(anns, 'Together');
  expect(await questionOn(bens)).toMatchObject({ kind: 'fork_ended', userId: ann });
  await sayYes(bens);
  await chat.send(bens, 'Good');
  for (const device of [anns, bens]) expect(await chat.read(device)).toEqual(['One', 'Instead', 'Together', 'Good']);
  expect((await standing(bens)).lines.map(({ by, change }) => [by, change.kind])).toContainEqual([ann, 'resolved']);
});

test('members of a group wait until an owner ends two versions, and are asked', async () => {
  chat = new Chat(world, idOf(100), 'group', [ann, ben, cara]);
  await fork(async () => {
    await chat.send(anns, 'Lost');
    expect(await chat.read(caras)).toEqual(['One', 'Lost']);
  });
  expect(await sendState(caras)).toEqual({ state: 'blocked', reason: 'fork' });
  await sayYes(anns);
  expect(await questionOn(caras)).toMatchObject({ kind: 'fork_ended', userId: ann });
  await caras.restart();
  await sayYes(caras);
  await chat.send(caras, 'Fine');
  expect(await chat.read(anns)).toEqual(['One', 'Instead', 'Fine']);
});

test('a member whom the lost version removed is removed again', async () => {
  chat = new Chat(world, idOf(100), 'group', [ann, ben, cara]);
  await fork(() => chat.change(anns, { kind: 'remove', userId: cara }));
  expect(await questionOn(anns)).toMatchObject({ kind: 'fork', removes: [cara] });
  await sayYes(anns);
  expect(chat.served.members.map(({ userId }) => userId)).toEqual([ann, ben]);
  expect(await sendState(anns)).toEqual({ state: 'sealed' });
  await sayYes(bens);
  await chat.send(bens, 'Two of us');
  expect(await chat.read(anns)).toEqual(['One', 'Instead', 'Two of us']);
});

test('a version by whom the other one removed counts for nobody who knows that, until an owner goes on with it', async () => {
  chat = new Chat(world, idOf(100), 'group', [ann, ben, cara]);
  await fork(async () => {
    await chat.change(anns, { kind: 'remove', userId: cara });
    await chat.send(bens, 'Without Cara');
  }, caras);
  expect(await sendState(bens)).toEqual({ state: 'blocked', reason: 'fork' });
  expect(await questionOn(anns)).toMatchObject({ kind: 'fork', removes: [cara] });
  await sayYes(anns);
  await sayYes(bens);
  await chat.send(bens, 'Again');
  expect(await chat.read(anns)).toEqual(['One', 'Instead', 'Again']);
});

test('a client takes the version that removed whoever began its own, and shows it', async () => {
  chat = new Chat(world, idOf(100), 'group', [ann, ben, cara]);
  await chat.send(anns, 'One');
  for (const device of [bens, caras]) await chat.read(device);
  const restore = keepState();
  await world.pass(8 * 86_400_000);
  await chat.send(caras, 'By Cara');
  expect(await chat.read(bens)).toEqual(['One', 'By Cara']);
  restore();
  await chat.change(anns, { kind: 'remove', userId: cara });
  expect(await sendState(bens)).toEqual({ state: 'sealed' });
  await chat.send(bens, 'Without her');
  await sendState(anns);
  expect(await chat.read(anns)).toEqual(['One', 'Without her']);
  const kinds = (await standing(bens)).lines.map(({ change }) => change.kind);
  expect(kinds).toEqual(['started', 'switched', 'removed']);
});

test('rows of a version that a client left stay, as late ones', async () => {
  chat = new Chat(world, idOf(100), 'direct', [ann, ben]);
  let lost: typeof chat.rows = [];
  await fork(async () => {
    await chat.send(anns, 'Lost');
    lost = chat.rows.slice(-1);
  });
  await sayYes(anns);
  expect(await chat.open(anns, lost)).toMatchObject([{ state: 'open', content: 'Lost', late: true }]);
});
