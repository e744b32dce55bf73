import type { AccountKeys } from '@nolo/api';
import { Chat } from '../../../tests/keys/chatting.ts';
import {
  ann,
  anns,
  ben,
  bens,
  cara,
  caras,
  chat,
  dan,
  linesOn,
  look,
  setUpGroup,
  standing,
  world,
} from '../../../tests/keys/groupOfThree.ts';
import { idOf, type TestDevice } from '../../../tests/keys/keyDevices.ts';
import { ApiError } from '../../http/request.ts';

/** Lookups and questions before a device seals for a group (docs/encryption.md, section 4). */

const dayMs = 86_400_000;

setUpGroup();

test('a member who begins a group is asked first about the members that the server supplies', async () => {
  const asked = { state: 'question', questions: [{ id: 'members', kind: 'members', userIds: [ann, ben, cara] }] };
  expect(await bens.keys.conversations.seal(chat.draft('Hello'))).toEqual(asked);
  expect((await standing(bens)).send).toEqual(asked);
  await bens.keys.conversations.answer(chat.id, 'members', true);
  await chat.send(bens, 'Hello');
  expect(await chat.read(caras)).toEqual(['Hello']);
  expect((await standing(caras)).send).toEqual(asked);
  expect(await linesOn(caras)).toEqual([{ by: ben, change: { kind: 'started_by_server_members' } }]);
});

test('who joined by the code gets nothing before the user said yes', async () => {
  await chat.send(anns, 'One');
  await chat.change(anns, { kind: 'admission', isOpen: true });
  chat.served.members.push({ userId: dan, role: 0 });
  const seal = () => bens.keys.conversations.seal(chat.draft('Two'));
  const asked = { state: 'question', questions: [{ id: 'joined', kind: 'joined', userIds: [dan] }] };
  expect(await seal()).toEqual(asked);
  expect(await seal()).toEqual(asked);
  await bens.keys.conversations.answer(chat.id, 'joined', true);
  await chat.send(bens, 'Two');
  expect((await standing(bens)).members).toHaveLength(4);
});

test('a change of the group lets nobody in by the code before the user said yes, except a removal', async () => {
  await chat.send(anns, 'One');
  await chat.change(anns, { kind: 'admission', isOpen: true });
  chat.served.members.push({ userId: dan, role: 0 });
  const change = () => anns.keys.conversations.change(chat.facts, [{ kind: 'timer', seconds: 3_600 }]);
  const asked = { state: 'question', questions: [{ id: 'joined', kind: 'joined', userIds: [dan] }] };
  expect(await change()).toEqual(asked);
  expect(await anns.keys.conversations.createInvite(chat.facts)).toEqual(asked);
  // The conversation shows what the change waits for.
  expect((await standing(anns)).send).toEqual(asked);
  const removal = await anns.keys.conversations.change(chat.facts, [{ kind: 'remove', userId: cara }]);
  expect(removal.state).toBe('sealed');
  await anns.keys.conversations.answer(chat.id, 'joined', true);
  expect((await standing(anns)).send).toEqual({ state: 'sealed' });
  expect((await change()).state).toBe('sealed');
});

test('one question names all who joined by the code', async () => {
  const eve = idOf(5);
  await world.ready(eve);
  await chat.send(anns, 'One');
  await chat.change(anns, { kind: 'admission', isOpen: true });
  await anns.keys.conversations.answer(chat.id, 'joined', true);
  for (const userId of [dan, eve]) {
    chat.served.members.push({ userId, role: 0 });
    await chat.send(anns, 'Welcome');
  }
  await chat.read(bens);
  expect((await standing(bens)).send).toEqual({
    state: 'question',
    questions: [{ id: 'joined', kind: 'joined', userIds: [dan, eve] }],
  });
});

test('a member who starts a group confirms its members, also if the server says that nobody wrote', async () => {
  const asked = { state: 'question', questions: [{ id: 'members', kind: 'members' }] };
  expect(await bens.keys.conversations.seal(chat.draft('One'))).toMatchObject(asked);
  await bens.keys.conversations.answer(chat.id, 'members', true);
  await chat.send(bens, 'One');
  expect(await chat.read(anns)).toEqual(['One']);
});

test('members that the server supplied are confirmed before anything is sealed', async () => {
  chat.hasPlainMessages = true;
  const asked = { state: 'question', questions: [{ id: 'members', kind: 'members' }] };
  expect((await standing(bens)).send).toMatchObject(asked);
  await bens.keys.conversations.answer(chat.id, 'members', true);
  await chat.send(bens, 'Sealed from now on');
  expect((await standing(caras)).send).toMatchObject(asked);
  await caras.keys.conversations.answer(chat.id, 'members', false);
  expect((await standing(caras)).send).toMatchObject(asked);
  expect(await chat.read(caras)).toEqual(['Sealed from now on']);
  await caras.keys.conversations.answer(chat.id, 'members', true);
  await chat.send(caras, 'Fine');
  expect((await linesOn(caras))[0]).toMatchObject({ change: { kind: 'started_by_server_members' } });
});

test('a new group waits until somebody else has keys', async () => {
  const alone = new Chat(world, idOf(101), 'group', [ann, idOf(9)]);
  expect((await anns.keys.conversations.standing(alone.facts)).send).toEqual({
    state: 'waiting_for_key',
    withoutKeys: [idOf(9)],
  });
  const mixed = new Chat(world, idOf(102), 'group', [ann, ben, idOf(9)]);
  await mixed.send(anns, 'For the two who have keys');
  expect(await mixed.read(bens)).toEqual(['For the two who have keys']);
  expect((await bens.keys.conversations.standing(mixed.facts)).members.map(({ devices }) => devices)).toEqual([
    1, 1, 0,
  ]);
});

test('plain text goes to a group only after its user said yes, which holds over a restart', async () => {
  const other = new Chat(world, idOf(101), 'group', [ann, idOf(9)]);
  other.hasPlainMessages = true;
  const sendOf = async (device: TestDevice) => (await device.keys.conversations.standing(other.facts)).send;
  const question = { id: 'not_encrypted', kind: 'not_encrypted', userIds: [idOf(9)] };
  expect(await sendOf(anns)).toEqual({ state: 'question', questions: [question] });
  await anns.keys.conversations.answer(other.id, 'not_encrypted', false);
  expect(await sendOf(anns)).toEqual({ state: 'question', questions: [question] });
  await anns.keys.conversations.answer(other.id, 'not_encrypted', true);
  expect(await sendOf(anns)).toEqual({ state: 'plain', withoutKeys: [idOf(9)] });
  await anns.restart();
  expect(await sendOf(anns)).toEqual({ state: 'plain', withoutKeys: [idOf(9)] });
});

test('a change of one member’s devices fetches the lists of that member alone', async () => {
  await chat.send(anns, 'One');
  const asked: string[] = [];
  world.server.lie('lookUpKeys', (reply: { userId: string }[]) => {
    asked.push(...reply.map(({ userId }) => userId));
    return reply;
  });
  anns.keys.conversations.onFrame({ type: 'epochs_changed', data: { conversationId: chat.id } });
  await chat.send(anns, 'Two');
  expect(asked).toEqual([]);
  anns.keys.conversations.onFrame({ type: 'devices_changed', data: { userId: ben } });
  await chat.send(anns, 'Three');
  await chat.send(anns, 'Four');
  expect(asked).toEqual([ben]);
  look(anns);
  await chat.send(anns, 'Five');
  expect(asked).toEqual([ben, ben, cara]);
});

test('an epoch fetches the box keys that changed, and no others', async () => {
  await chat.send(anns, 'One');
  const fetched: string[] = [];
  world.server.lie('lookUpKeys', (reply: AccountKeys[], { userId }) => {
    if (userId === ann) fetched.push(...reply.flatMap(({ userId: of, boxKeys }) => boxKeys.map(() => of)));
    return reply;
  });
  // Devices renew their keys, and the epoch is over.
  await world.pass(8 * dayMs);
  await chat.send(anns, 'Two');
  expect(fetched).toEqual([ben, cara]);
  await chat.change(anns, { kind: 'remove', userId: cara });
  await chat.send(anns, 'Three');
  expect(fetched).toEqual([ben, cara]);
  expect(await chat.read(bens)).toEqual(['One', 'Two', 'Three']);
});

test('other members, or none yet, cost one look at the lists of all', async () => {
  let rounds = 0;
  world.server.lie('lookUpKeys', (reply: AccountKeys[], { userId }) => {
    if (userId === ben) rounds += 1;
    return reply;
  });
  await bens.keys.conversations.answer(chat.id, 'members', true);
  await chat.send(bens, 'One');
  expect(rounds).toBe(1);
  chat.apply({ kind: 'remove', userId: cara });
  chat.served.removalPending = true;
  await chat.send(bens, 'Two');
  expect(rounds).toBe(2);
  expect(chat.served.epochs).toHaveLength(2);
});

test('new headers count although a request after them failed', async () => {
  await chat.send(anns, 'One');
  await chat.read(bens);
  await standing(bens);
  let isUp = false;
  const end = world.server.lie('lookUpKeys', (reply: readonly never[], { userId }) => {
    // The new header needs the keys of one member. The look at all members after it fails.
    if (userId === ben && (!isUp || reply.length > 1)) throw new ApiError(503, { code: 'unavailable' }, 'unavailable');
    return reply;
  });
  await chat.change(anns, { kind: 'add', userId: dan });
  await world.idle();
  isUp = true;
  expect(await standing(bens)).toMatchObject({ epoch: 1, send: { state: 'sealed' } });
  end();
  await chat.change(anns, { kind: 'remove', userId: dan });
  await chat.send(anns, 'Two');
  await chat.send(bens, 'Three');
  expect(await chat.read(caras)).toEqual(['One', 'Two', 'Three']);
});
