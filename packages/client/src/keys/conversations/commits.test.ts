import type { EpochTarget } from '@nolo/api';
import { Chat } from '../../../tests/keys/chatting.ts';
import { idOf, World, type TestDevice } from '../../../tests/keys/keyDevices.ts';
import { linkByCode } from '../../../tests/keys/linking.ts';
import { ApiError } from '../../http/request.ts';

/** Epochs that wait for no message (docs/encryption.md, section 4, When a new epoch starts). */

const [ann, ben] = [idOf(1), idOf(2)];
let world: World;
let anns: TestDevice;
let bens: TestDevice;
let bensPhone: TestDevice;
let chats: Chat[];

beforeEach(async () => {
  world = new World();
  anns = await world.ready(ann);
  bens = await world.ready(ben, 'Laptop');
  bensPhone = await world.ready(ben, 'Phone');
  await linkByCode(world, bensPhone, bens);
  chats = [new Chat(world, idOf(100), 'direct', [ann, ben]), new Chat(world, idOf(101), 'group', [ann, ben])];
  for (const chat of chats) {
    await chat.send(anns, 'One');
    await chat.read(bens);
  }
});
afterEach(async () => {
  for (const device of world.devices) device.keys.stop();
  await world.idle();
});

const idsOf = (...devices: TestDevice[]) => devices.map(({ state }) => state.deviceId ?? '').toSorted();
const boxesOf = (chat: Chat) => [...chat.served.epochs.at(-1)!.boxes.keys()].toSorted();
const haveAll = (...devices: TestDevice[]) =>
  chats.every((chat) => chat.served.epochs.length === 2 && boxesOf(chat).join() === idsOf(...devices).join());

test('removing a device begins the next epoch of all conversations', async () => {
  await bens.keys.removeDevices(idsOf(bensPhone));
  await world.until(() => haveAll(anns, bens), 'the epochs');
  await world.pass(10_000);
  await bens.restart();
  await world.pass(10_000);
  expect(chats.map(({ served }) => served.epochs.length)).toEqual([2, 2]);
  await chats[0]!.send(anns, 'Two');
  expect(await chats[0]!.read(bens)).toEqual(['One', 'Two']);
});

test('epochs that a restart or a failure prevented come later', async () => {
  await bens.keys.removeDevices(idsOf(bensPhone));
  const end = world.server.lie('getEpochTarget', () => {
    world.server.isUp = false;
    return null;
  });
  await world.pass(2_000);
  expect(haveAll(anns, bens)).toBe(false);
  end();
  await bens.restart();
  world.server.isUp = true;
  await world.until(() => haveAll(anns, bens), 'the epochs');
});

test('accepting an identity commits it at once, in all conversations with the person', async () => {
  const anew = await world.ready(ben, 'New');
  await anew.keys.startOver();
  anns.keys.conversations.onFrame({ type: 'devices_changed', data: { userId: ben } });
  const { send } = await anns.keys.conversations.standing(chats[0]!.facts);
  const [question] = send.state === 'question' ? send.questions : [];
  await anns.keys.conversations.answer(chats[0]!.id, question?.id ?? '', true);
  await world.until(() => haveAll(anns, anew), 'the epochs');
  expect((await anew.keys.conversations.standing(chats[0]!.facts)).send).toEqual({ state: 'sealed' });
});

test('an epoch that would let somebody in unasked waits for the answer', async () => {
  const [, group] = chats as [Chat, Chat];
  await world.ready(idOf(3));
  await group.change(anns, { kind: 'admission', isOpen: true });
  await group.read(bens);
  group.served.members.push({ userId: idOf(3), role: 0 });
  await bens.keys.removeDevices(idsOf(bensPhone));
  await world.pass(10_000);
  expect(group.served.epochs).toHaveLength(2);
  await bens.keys.conversations.answer(group.id, 'joined', true);
  await world.until(() => group.served.epochs.length === 3, 'the epoch');
});

test('recovering with the words without lost devices begins the epochs at once', async () => {
  const words = await bens.keys.createRecoveryWords();
  await bens.keys.setRecovery();
  const fresh = await world.ready(ben, 'Fresh');
  await fresh.keys.recover({ words: words.join(' ') }, idsOf(bens, bensPhone));
  await world.until(() => haveAll(anns, fresh), 'the epochs');
});

test('an epoch that the server refuses does not hold up the others, and is left to the next message', async () => {
  let refused = 0;
  const end = world.server.lie('getEpochTarget', (target: EpochTarget) => {
    if (target.type !== 'direct') return target;
    refused += 1;
    throw new ApiError(403, { code: 'not_a_contact', message: 'Not a contact.' }, 'refused');
  });
  await bens.keys.removeDevices(idsOf(bensPhone));
  await world.until(() => chats[1]!.served.epochs.length === 2, 'the epoch of the group');
  // A look that begins at the end of one pass goes on in the next.
  for (let passes = 0; passes < 3; passes += 1) await world.pass(10_000);
  const before = refused;
  await bens.restart();
  for (let passes = 0; passes < 3; passes += 1) await world.pass(10_000);
  expect(refused).toBe(before);
  end();
});
