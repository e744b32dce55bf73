import { routes, type Message, type Seal } from '@nolo/api';
import { readHeader } from '@nolo/e2ee';
import { Chat } from '../../../tests/keys/chatting.ts';
import { idOf, World, type TestDevice } from '../../../tests/keys/keyDevices.ts';
import { linkByCode } from '../../../tests/keys/linking.ts';
import { fromSigned } from '../wire.ts';
import { openKeptRow } from './openKeptRow.ts';

/** Sealed direct conversations (docs/encryption.md, sections 4 and 5). */

const [ann, ben] = [idOf(1), idOf(2)];
const conversation = idOf(100);
let world: World;
let annsLaptop: TestDevice;
let bens: TestDevice;
let chat: Chat;

beforeEach(async () => {
  world = new World();
  annsLaptop = await world.ready(ann, 'Laptop');
  bens = await world.ready(ben);
  chat = new Chat(world, conversation, 'direct', [ann, ben]);
});
afterEach(async () => {
  for (const device of world.devices) device.keys.stop();
  await world.idle();
});

test('two people read what they seal, and the server does not', async () => {
  expect(await annsLaptop.keys.conversations.standing(chat.facts)).toMatchObject({
    send: { state: 'sealed' },
    epoch: null,
  });
  await chat.send(annsLaptop, 'Hello Ben');
  await chat.send(bens, 'Hello Ann');
  expect(await chat.read(annsLaptop)).toEqual(['Hello Ben', 'Hello Ann']);
  expect(await chat.read(bens)).toEqual(['Hello Ben', 'Hello Ann']);
  expect(JSON.stringify(chat.rows)).not.toContain('Hello');
  expect(chat.served.epochs).toHaveLength(1);
  expect(await bens.keys.conversations.standing(chat.facts)).toMatchObject({
    send: { state: 'sealed' },
    epoch: 0,
    suite: 2,
    lines: [{ seq: 0, by: ann, change: { kind: 'started' } }],
  });
});

test('a new conversation with a person without keys waits for the first one', async () => {
  const other = new Chat(world, idOf(101), 'direct', [ann, idOf(3)]);
  const { conversations } = annsLaptop.keys;
  const waiting = { state: 'waiting_for_key', withoutKeys: [idOf(3)] };
  expect((await conversations.standing(other.facts)).send).toEqual(waiting);
  await world.ready(idOf(3));
  await world.pass(3_600_001);
  expect((await conversations.standing(other.facts)).send).toEqual({ state: 'sealed' });
});

test('a peer without keys gets plain messages only in a plain conversation before it has a header', async () => {
  const other = new Chat(world, idOf(101), 'direct', [ann, idOf(3)]);
  other.hasPlainMessages = true;
  const { conversations } = annsLaptop.keys;
  expect((await conversations.standing(other.facts)).send).toEqual({ state: 'plain', withoutKeys: [idOf(3)] });
  await world.ready(idOf(3));
  await world.pass(3_600_001);
  expect((await conversations.standing(other.facts)).send).toEqual({ state: 'sealed' });
});

test('a client that has a pin of the peer sends nothing plain when the server shows no keys', async () => {
  await annsLaptop.keys.conversations.standing(chat.facts);
  world.server.lie('lookUpKeys', (reply: { newest: unknown }[]) =>
    reply.map((one) => ({ ...one, newest: null, lists: [], boxKeys: [] })),
  );
  annsLaptop.keys.conversations.onFrame({ type: 'devices_changed', data: { userId: ben } });
  expect((await annsLaptop.keys.conversations.standing(chat.facts)).send).toMatchObject({ state: 'blocked' });
});

test('edits, replies, reactions, and pins open for the message that they were sealed for', async () => {
  const first = await chat.send(annsLaptop, 'First');
  const target = await chat.target(bens, first);
  await chat.send(bens, 'Reply', { replyTo: target, replyToSeq: 1 });
  await chat.annotate(bens, 'reaction', target, '🎉');
  await chat.annotate(annsLaptop, 'pin', target);
  await chat.edit(annsLaptop, first, 'First, better', target);
  const opened = await chat.open(bens);
  expect(opened).toMatchObject([
    { content: 'First, better', late: false, reactions: [{ userId: ben, emoji: '🎉' }], pinnedBy: ann },
    { content: 'Reply', late: false, outOfOrder: false },
  ]);
  await chat.annotate(bens, 'reaction', target, '');
  expect(await chat.open(annsLaptop)).toMatchObject([{ reactions: [] }, {}]);
});

test('the author deletes a message for everyone, and the server cannot', async () => {
  const first = await chat.send(annsLaptop, 'First');
  const second = await chat.send(annsLaptop, 'Second');
  const { rowHash } = await chat.target(annsLaptop, first);
  await chat.erase(annsLaptop, first.id, rowHash ?? '');
  const erased = chat.served.messages[1];
  chat.served.messages[1] = { ...second, sealed: '', deletedAt: new Date().toISOString(), seal: erased!.seal! };
  expect(await chat.open(bens)).toMatchObject([{ state: 'deleted', by: ann }, { state: 'removed' }]);
});

test('a notification opens a row with what the device keeps, without a request and without writing', async () => {
  await chat.send(annsLaptop, 'Seen before');
  expect(await chat.read(bens)).toEqual(['Seen before']);
  const row = await chat.send(annsLaptop, 'Pushed');
  // The last records are appended, so that stopping writes nothing.
  await world.pass(30_000);
  bens.keys.stop();
  const before = bens.storage.clone();
  const open = (message: Message) => openKeptRow(bens.storage, message, world.clock.timers.now());
  expect(await open(row)).toMatchObject({ content: 'Pushed', sealed: null, opening: { state: 'open', late: false } });
  expect(await open({ ...row, messageType: 'image' })).toMatchObject({ content: '', opening: { state: 'refused' } });
  expect(await open({ ...row, sealed: null, seal: undefined } as Message)).toMatchObject({
    opening: { state: 'refused', reason: 'plain' },
  });
  const unknown = { ...row, seal: { ...row.seal!, epoch: 1 } };
  expect(await open(unknown)).toMatchObject({ content: '', opening: { state: 'waiting' } });
  expect(bens.storage).toEqual(before);
});

test('a message names the acknowledged ones of its device that none named', async () => {
  const rows = [];
  for (const content of ['One', 'Two', 'Three']) rows.push(await chat.send(annsLaptop, content));
  const [one, two, three] = rows.map(({ seal }) => seal);
  expect(one?.own).toEqual([]);
  expect(two?.own).toEqual([one?.rowHash]);
  expect(three?.own).toEqual([two?.rowHash]);
});

test('another device of the account opens the history from the vault', async () => {
  await chat.send(annsLaptop, 'Before the phone');
  await chat.send(bens, 'Indeed');
  await world.pass(30_000);
  const phone = await world.ready(ann, 'Phone');
  await linkByCode(world, phone, annsLaptop);
  expect(await chat.read(phone)).toEqual(['Before the phone', 'Indeed']);
  await chat.send(phone, 'From the phone');
  expect(chat.served.epochs).toHaveLength(2);
  expect(await chat.read(bens)).toEqual(['Before the phone', 'Indeed', 'From the phone']);
  expect(await chat.read(annsLaptop)).toEqual(['Before the phone', 'Indeed', 'From the phone']);
});

test('a device without a box waits, asks, and opens the message once another device answered', async () => {
  const draft = chat.draft('Hello');
  const { sealed, epoch } = await chat.seal(annsLaptop, draft);
  await chat.commit(annsLaptop, epoch && { ...epoch, boxes: [] });
  await chat.post(annsLaptop, draft, sealed);
  expect(await chat.read(bens)).toEqual(['waiting']);
  await world.idle();
  expect(chat.served.nacks).toHaveLength(0);
  await world.pass(11_000);
  expect(await chat.read(bens)).toEqual(['Hello']);
});

test('a restarted process goes on from its storage', async () => {
  await chat.send(annsLaptop, 'Hello');
  await chat.send(bens, 'Hi');
  await bens.restart();
  world.server.isUp = false;
  expect(await chat.read(bens)).toEqual(['Hello', 'Hi']);
  world.server.isUp = true;
  await chat.send(bens, 'Still here');
  expect(chat.served.epochs).toHaveLength(1);
  expect(chat.served.messages[2]?.seal?.own).toEqual([chat.served.messages[1]?.seal?.rowHash]);
});

test('a kill between building, sending, and storing an epoch loses nothing', async () => {
  const first = chat.draft('First');
  const sealed = await chat.seal(annsLaptop, first);
  await annsLaptop.restart();
  const again = await chat.seal(annsLaptop, first);
  expect(again.epoch).toEqual(sealed.epoch);
  await chat.commit(annsLaptop, again.epoch);
  await annsLaptop.restart();
  await chat.post(annsLaptop, first, again.sealed);
  await annsLaptop.restart();
  await chat.send(annsLaptop, 'Second');
  expect(chat.served.epochs).toHaveLength(1);
  expect(await chat.read(annsLaptop)).toEqual(['First', 'Second']);
  expect(await chat.read(bens)).toEqual(['First', 'Second']);
});

test('a row whose epoch began just after the last look opens at once, without a frame', async () => {
  await chat.send(annsLaptop, 'One');
  expect(await chat.read(bens)).toEqual(['One']);
  world.server.listeners.clear();
  await chat.change(annsLaptop, { kind: 'timer', seconds: 3_600 });
  annsLaptop.keys.conversations.onFrame({ type: 'epochs_changed', data: { conversationId: chat.id } });
  await chat.send(annsLaptop, 'Two');
  expect(await chat.read(bens)).toEqual(['One', 'Two']);
});

test('two devices that begin an epoch at once end up in one', async () => {
  const [one, two] = [chat.draft('From Ann'), chat.draft('From Ben')];
  const [anns, bensSealed] = [await chat.seal(annsLaptop, one), await chat.seal(bens, two)];
  await chat.commit(annsLaptop, anns.epoch);
  await chat.post(annsLaptop, one, anns.sealed);
  await expect(chat.commit(bens, bensSealed.epoch)).rejects.toMatchObject({ code: 'epoch_stale' });
  const again = await chat.seal(bens, two);
  expect(again.epoch).toBeNull();
  await chat.post(bens, two, again.sealed);
  expect(await chat.read(annsLaptop)).toEqual(['From Ann', 'From Ben']);
});

test('a device that cannot open the newest secret for a minute begins the next epoch', async () => {
  const draft = chat.draft('Hello');
  const { sealed, epoch } = await chat.seal(annsLaptop, draft);
  const box = epoch!.boxes.find(({ deviceId }) => deviceId === annsLaptop.state.deviceId);
  annsLaptop.keys.stop();
  world.server.listeners.clear();
  await chat.commit(annsLaptop, { ...epoch!, boxes: [box!] });
  await chat.post(annsLaptop, draft, sealed);
  expect((await bens.keys.conversations.standing(chat.facts)).send).toEqual({ state: 'waiting_for_key' });
  await world.pass(61_000);
  await chat.send(bens, 'I go on');
  expect(await chat.read(bens)).toEqual(['waiting', 'I go on']);
});

test('an unsealed message counts before a header that says that people wrote before it, and before no other', async () => {
  for (const [hasPlainMessages, expected] of [
    [true, { state: 'plain' }],
    [false, { state: 'refused', reason: 'plain' }],
  ] as const) {
    const id = idOf(hasPlainMessages ? 110 : 111);
    const other = new Chat(world, id, 'direct', [ann, ben]);
    const body = { conversationId: id, clientMessageId: idOf(810), content: 'Before' };
    const plain = (await world.server.call(annsLaptop.session, routes.sendMessage, { body })) as Message;
    other.hasPlainMessages = hasPlainMessages;
    await other.send(annsLaptop, 'Sealed');
    expect(await other.read(bens)).toContain('Sealed');
    expect(await other.open(bens, [plain])).toMatchObject([expected]);
  }
});

test('the first header is built again if somebody wrote unsealed in the meantime', async () => {
  const reasonOf = async () =>
    readHeader(fromSigned((await chat.seal(annsLaptop, chat.draft('Sealed'))).epoch!.header)).reason;
  expect(await reasonOf()).toBe(0);
  chat.hasPlainMessages = true;
  expect(await reasonOf()).toBe(4);
});

test('a message from before the first header takes sealed reactions and edits', async () => {
  chat.hasPlainMessages = true;
  const body = { conversationId: conversation, clientMessageId: idOf(800), content: 'Before' };
  const plain = (await world.server.call(annsLaptop.session, routes.sendMessage, { body })) as Message;
  await chat.send(annsLaptop, 'Sealed');
  await chat.read(bens);
  const target = { messageId: plain.id, rowHash: null };
  const base = { conversation: chat.facts, target };
  const reaction = { ...base, kind: 'reaction', clientMessageId: idOf(801), emoji: '🎉' } as const;
  const reacted = (await chat.seal(bens, reaction)).sealed;
  const zeros = reacted.targetRow ?? '';
  const answer = { ...chat.draft('In reply'), replyTo: target };
  expect((await chat.seal(bens, answer)).sealed.targetRow).toBe(zeros);
  const seal: Seal = {
    epoch: 0,
    deviceId: idOf(0),
    version: 0,
    place: 0,
    own: [],
    targetRow: null,
    rowHash: zeros,
    origin: null,
    hasLink: false,
    deletion: null,
    annotations: [
      {
        kind: 'reaction',
        userId: ben,
        deviceId: bens.state.deviceId ?? '',
        clientMessageId: reaction.clientMessageId,
        epoch: 0,
        sealed: reacted.sealed,
        place: 10,
      },
    ],
    held: false,
    draftId: null,
    draftOrigin: null,
  };
  const open = (row: Message) => chat.open(annsLaptop, [row]);
  const reactions = [{ userId: ben, emoji: '🎉' }];
  expect(await open({ ...plain, sealed: null, seal })).toMatchObject([{ state: 'plain', reactions }]);
  const {
    kind: _,
    replyTo: __,
    ...written
  } = chat.draft('After') as Extract<ReturnType<typeof chat.draft>, { kind: 'message' }>;
  const clientMessageId = plain.clientMessageId ?? '';
  const { sealed } = await chat.seal(annsLaptop, { ...written, kind: 'edit', clientMessageId, target, version: 1 });
  const edited = { ...plain, sealed: sealed.sealed, changeSeq: 20, editedAt: plain.createdAt, content: '' };
  const ofEdit = { ...seal, version: 1, place: 20, targetRow: zeros, deviceId: annsLaptop.state.deviceId ?? '' };
  expect(await open({ ...edited, seal: ofEdit })).toMatchObject([{ state: 'open', content: 'After', reactions }]);
  expect(await open({ ...edited, seq: 3, seal: ofEdit })).toMatchObject([{ state: 'refused' }]);
  expect(await open({ ...edited, senderId: ben, seal: ofEdit })).toMatchObject([{ state: 'refused' }]);
});
