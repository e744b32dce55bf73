import type { AccountKeys, Message } from '@nolo/api';
import { readDeletion } from '@nolo/e2ee';
import { Chat } from '../../../tests/keys/chatting.ts';
import { idOf, World, type TestDevice } from '../../../tests/keys/keyDevices.ts';
import { ApiError } from '../../http/request.ts';

/** Sealed groups: who joins, leaves, and decides (docs/encryption.md, section 4, Changes and evidence). */

const dayMs = 86_400_000;
const [ann, ben, cara, dan] = [idOf(1), idOf(2), idOf(3), idOf(4)];
let world: World;
let anns: TestDevice;
let bens: TestDevice;
let caras: TestDevice;
let dans: TestDevice;
let chat: Chat;

beforeEach(async () => {
  world = new World();
  anns = await world.ready(ann);
  bens = await world.ready(ben);
  caras = await world.ready(cara);
  dans = await world.ready(dan);
  chat = new Chat(world, idOf(100), 'group', [ann, ben, cara]);
});
afterEach(async () => {
  for (const device of world.devices) device.keys.stop();
  await world.idle();
});

const standing = (device: TestDevice) => device.keys.conversations.standing(chat.facts);
const linesOn = async (device: TestDevice) => (await standing(device)).lines.map(({ by, change }) => ({ by, change }));
/** Returns an edited row as the server would serve it if the edit had a certain change number. */
const withPlace = (row: Message, place: number): Message => ({ ...row, seal: { ...row.seal!, place } });
/** Tells a device that lists or epochs may have changed. */
const look = (device: TestDevice): void => device.keys.conversations.onFrame({ type: 'devices_changed', data: {} });

test('the members that the owner chose read each other', async () => {
  await chat.send(anns, 'Hello all');
  await chat.send(caras, 'Hello');
  expect(await chat.read(bens)).toEqual(['Hello all', 'Hello']);
  expect((await standing(bens)).members).toEqual([
    { userId: ann, role: 2, devices: 1 },
    { userId: ben, role: 0, devices: 1 },
    { userId: cara, role: 0, devices: 1 },
  ]);
  expect(await linesOn(bens)).toEqual([{ by: ann, change: { kind: 'started' } }]);
});

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

test('an added member checks from the header that the evidence names, and reads from there on', async () => {
  await chat.send(anns, 'Before');
  await chat.change(anns, { kind: 'add', userId: dan });
  await chat.send(bens, 'Welcome');
  expect(await chat.read(dans)).toEqual(['earlier', 'Welcome']);
  await chat.send(dans, 'Thanks');
  expect(await chat.read(caras)).toEqual(['Before', 'Welcome', 'Thanks']);
  expect((await linesOn(caras)).at(-1)).toEqual({ by: ann, change: { kind: 'added', userId: dan } });
});

test('a removed member is gone with the signed epoch, and what they sealed before comes late', async () => {
  await chat.send(anns, 'One');
  await chat.send(caras, 'Two');
  expect(await chat.read(anns)).toEqual(['One', 'Two']);
  const draft = chat.draft('Held back');
  const late = await chat.seal(caras, draft);
  await chat.post(caras, draft, late.sealed);
  await chat.change(anns, { kind: 'remove', userId: cara });
  await chat.send(bens, 'Three');
  const opened = await chat.open(bens);
  expect(opened.map((row) => row.state === 'open' && row.late)).toEqual([false, false, true, false]);
  expect([...chat.served.epochs[1]!.boxes.keys()]).toHaveLength(2);
  expect((await linesOn(bens)).at(-1)).toEqual({ by: ann, change: { kind: 'removed', userId: cara } });
});

test('the server removes a member without evidence, and the next sender commits it', async () => {
  await chat.send(anns, 'One');
  chat.apply({ kind: 'remove', userId: cara });
  chat.served.removalPending = true;
  await chat.send(bens, 'Two');
  expect(chat.served.removalPending).toBe(false);
  expect(chat.served.epochs).toHaveLength(2);
  expect((await linesOn(anns)).at(-1)).toEqual({ by: null, change: { kind: 'removed', userId: cara } });
});

test('a leave is signed by the member and committed by the next sender', async () => {
  await chat.send(anns, 'One');
  await chat.read(caras);
  const leave = await caras.keys.conversations.signLeave(chat.id);
  chat.served.leaves.set(cara, leave ?? '');
  chat.apply({ kind: 'remove', userId: cara });
  await chat.send(bens, 'Two');
  expect((await linesOn(anns)).at(-1)).toEqual({ by: cara, change: { kind: 'left', userId: cara } });
});

test('roles change with evidence, and the group is handed over', async () => {
  await chat.send(anns, 'One');
  await chat.change(anns, { kind: 'role', userId: ben, role: 1 });
  await chat.change(bens, { kind: 'add', userId: dan });
  await chat.change(anns, { kind: 'role', userId: ben, role: 2 }, { kind: 'role', userId: ann, role: 0 });
  expect((await standing(caras)).members.map(({ role }) => role)).toEqual([0, 2, 0, 0]);
  await expect(chat.change(anns, { kind: 'remove', userId: dan })).rejects.toThrow('members');
});

test('a member whom the server inserts gets no key', async () => {
  await chat.send(anns, 'One');
  chat.served.members.push({ userId: dan, role: 0 });
  await chat.send(anns, 'Two');
  expect(await chat.read(dans)).toEqual(['earlier', 'earlier']);
  expect(await standing(anns)).toMatchObject({ members: { length: 3 }, outsiders: [dan] });
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

test('a member who starts a group confirms its members, also if the server says that nobody wrote', async () => {
  const asked = { state: 'question', questions: [{ id: 'members', kind: 'members' }] };
  expect(await bens.keys.conversations.seal(chat.draft('One'))).toMatchObject(asked);
  await bens.keys.conversations.answer(chat.id, 'members', true);
  await chat.send(bens, 'One');
  expect(await chat.read(anns)).toEqual(['One']);
});

test('an edit is late once its reader knows of the change before it', async () => {
  await chat.send(anns, 'One');
  const [row] = chat.rows;
  await chat.edit(anns, row!, 'Two', await chat.target(anns, row!));
  await chat.read(bens);
  const stop = world.server.lie('listEpochs', (page: { items: { n: number; seq: number | null }[] }) => ({
    ...page,
    items: page.items.filter(({ n, seq }) => seq === null || n === 0),
  }));
  await chat.change(anns, { kind: 'role', userId: ben, role: 1 });
  await world.pass(1_000);
  const edited = withPlace(chat.rows[0]!, chat.served.changeSeq + 1);
  const late = async () => (await chat.open(bens, [edited])).map((one) => one.state === 'open' && one.late);
  expect(await late()).toEqual([false]);
  stop();
  look(bens);
  await standing(bens);
  expect(await late()).toEqual([true]);
});

test('a role that the server gives follows from no change', async () => {
  await chat.send(anns, 'One');
  const change = await caras.keys.conversations.change(chat.facts, [{ kind: 'role', userId: cara, role: 2 }]);
  expect(change).toEqual({ state: 'blocked', reason: 'members' });
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

test('a member without keys joins a sealed group without a key', async () => {
  await chat.send(anns, 'One');
  await chat.change(anns, { kind: 'add', userId: idOf(9) });
  await chat.send(anns, 'Two');
  expect((await standing(bens)).members.at(-1)).toEqual({ userId: idOf(9), role: 0, devices: 0 });
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

test('a timer comes with a signed epoch, ends it, and keeps its secrets on the device', async () => {
  await chat.send(anns, 'Stays');
  await chat.change(anns, { kind: 'timer', seconds: 600 });
  await chat.send(anns, 'Goes');
  expect(await chat.read(bens)).toEqual(['Stays', 'Goes']);
  expect((await standing(bens)).timer).toBe(600);
  await world.pass(9 * 60_000);
  await chat.send(anns, 'Same epoch');
  expect(chat.served.epochs).toHaveLength(2);
  await world.pass(2 * 60_000);
  await chat.send(anns, 'Next epoch');
  expect(chat.served.epochs).toHaveLength(3);
  const stored = await anns.storage.list('conversations/');
  expect(stored.length).toBeGreaterThan(0);
  await world.pass(11 * 60_000);
  await chat.send(anns, 'Later');
  const secrets = (await anns.storage.list('conversations/'))
    .filter(([key]) => key.includes('/epochs/'))
    .map(([, value]) => (value as { secret: unknown }).secret !== null);
  expect(secrets).toEqual([true, false, true, true]);
});

test('a secret whose time is over does not come back from a box of the server', async () => {
  await chat.send(anns, 'One');
  await chat.change(anns, { kind: 'timer', seconds: 60 });
  await chat.send(anns, 'Goes');
  expect(await chat.read(bens)).toEqual(['One', 'Goes']);
  await world.pass(7 * 60_000);
  look(bens);
  await standing(bens);
  const epochs = (await bens.storage.list('conversations/')).filter(([key]) => key.includes('/epochs/'));
  expect(epochs.map(([, value]) => (value as { secret: unknown }).secret !== null)).toEqual([true, false]);
});

test('a deletion that is signed again names the newest header', async () => {
  await chat.send(anns, 'One');
  const row = await chat.send(bens, 'Two');
  const { messageId, rowHash } = await chat.target(bens, row);
  const sign = async () => {
    const { body } = await bens.keys.conversations.signDeletion(chat.id, { messageId, rowHash: rowHash! });
    return readDeletion({ body: Uint8Array.from(Buffer.from(body, 'base64url')) }).n;
  };
  expect(await sign()).toBe(0);
  world.server.listeners.clear();
  await chat.change(anns, { kind: 'remove', userId: cara });
  expect(await sign()).toBe(1);
});

test('an edit is as late as its change number says, whatever the clocks of the server say', async () => {
  await chat.send(anns, 'One');
  const [row] = chat.rows;
  await chat.edit(anns, row!, 'Two', await chat.target(anns, row!));
  await chat.change(anns, { kind: 'role', userId: ben, role: 1 });
  const ahead = { ...chat.rows[0]!, editedAt: new Date(world.server.now() + 60_000).toISOString() };
  await standing(bens);
  expect(await chat.open(bens, [ahead])).toMatchObject([{ content: 'Two', late: false }]);
  await standing(caras);
  expect(await chat.open(caras, [withPlace(ahead, chat.served.changeSeq + 1)])).toMatchObject([{ late: true }]);
});

test('an edit in a conversation with a timer stays open after a reaction of the next epoch', async () => {
  await chat.send(anns, 'One');
  await chat.change(anns, { kind: 'timer', seconds: 3_600 });
  await world.pass(50 * 60_000);
  const row = await chat.send(anns, 'Typo');
  await chat.edit(anns, row, 'Text', await chat.target(anns, row));
  await world.pass(11 * 60_000);
  await chat.annotate(bens, 'reaction', await chat.target(bens, chat.rows[1]!));
  expect(chat.served.epochs).toHaveLength(3);
  // A reaction of an epoch that is not known yet is a reason to ask.
  expect(await chat.open(caras, [chat.rows[1]!])).toMatchObject([{ content: 'Text', reactions: [{ userId: ben }] }]);
  const late = withPlace(chat.rows[1]!, chat.served.changeSeq + 1);
  expect(await chat.open(caras, [late])).toMatchObject([{ state: 'refused', reason: 'epoch' }]);
});

test('a draft opens as a draft only', async () => {
  await chat.send(anns, 'One');
  const draft = await chat.send(bens, 'Please look', { held: true });
  expect(await anns.keys.conversations.open(chat.id, [draft])).toMatchObject([{ state: 'refused', reason: 'held' }]);
  const opened = await anns.keys.conversations.open(chat.id, [draft], 'drafts');
  expect(opened).toMatchObject([{ state: 'open', content: 'Please look' }]);
  expect(await anns.keys.conversations.open(chat.id, [draft])).toMatchObject([{ state: 'refused', reason: 'held' }]);
  expect(await anns.keys.conversations.open(chat.id, [chat.rows[0]!], 'drafts')).toMatchObject([{ reason: 'held' }]);
  // The server does not name the recording of a draft.
  const spoken = {
    ...(await chat.send(bens, 'Listen', { held: true, fileIds: [idOf(7)] })),
    voiceMessageUrl: null,
  };
  expect(await anns.keys.conversations.open(chat.id, [spoken], 'drafts')).toMatchObject([{ content: 'Listen' }]);
  const second = await chat.send(bens, 'Sent plainly');
  expect(second.seal?.own).toEqual([]);
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

test('an overview says what the headers say, and asks for the keys of nobody again', async () => {
  await chat.send(anns, 'One');
  await chat.read(bens);
  let asked = 0;
  world.server.lie('lookUpKeys', (reply: never) => {
    asked += 1;
    return reply;
  });
  expect(await bens.keys.conversations.overview(chat.id)).toMatchObject({
    send: null,
    epoch: 0,
    members: [{ userId: ann }, { userId: ben }, { userId: cara }],
    lines: [{ by: ann, change: { kind: 'started' } }],
  });
  expect(asked).toBe(0);
  expect((await standing(bens)).send).toEqual({ state: 'sealed' });
  expect(asked).toBeGreaterThan(0);
});

test('an epoch of somebody who is no admin is refused by everyone', async () => {
  await chat.send(anns, 'One');
  await chat.read(bens);
  const removal = await bens.keys.conversations.change(chat.facts, [{ kind: 'remove', userId: cara }]);
  expect(removal).toEqual({ state: 'blocked', reason: 'members' });
  chat.apply({ kind: 'add', userId: dan });
  await expect(chat.send(dans, 'I am in')).rejects.toThrow('sealed');
  look(anns);
  expect((await standing(anns)).epoch).toBe(0);
});
