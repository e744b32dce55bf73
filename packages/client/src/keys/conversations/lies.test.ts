import type { Message } from '@nolo/api';
import {
  commitTo,
  createEpochSecret,
  encodeBox,
  fromUuid,
  hashOfHeader,
  readBoxKeys,
  readHeader,
  sealBox,
  signHeader,
  signNack,
} from '@nolo/e2ee';
import { ApiError } from '../../http/request.ts';
import { Chat } from '../../../tests/keys/chatting.ts';
import { idOf, World, type TestDevice } from '../../../tests/keys/keyDevices.ts';
import { linkByCode } from '../../../tests/keys/linking.ts';
import { fromSigned, fromText, toText } from '../wire.ts';

/** A server that lies about sealed conversations. */

const [ann, ben, eve] = [idOf(1), idOf(2), idOf(66)];
let world: World;
let anns: TestDevice;
let bens: TestDevice;
let eves: TestDevice;
let chat: Chat;

beforeEach(async () => {
  world = new World();
  anns = await world.ready(ann);
  bens = await world.ready(ben);
  eves = await world.ready(eve);
  chat = new Chat(world, idOf(100), 'direct', [ann, ben]);
});
afterEach(async () => {
  for (const device of world.devices) device.keys.stop();
  await world.idle();
});

const sendState = async (device: TestDevice, of = chat) => (await device.keys.conversations.standing(of.facts)).send;
const first = (): Message => chat.rows[0]!;
const second = (): Message => chat.rows[1]!;
const withSeal = (row: Message, seal: Partial<NonNullable<Message['seal']>>): Message => ({
  ...row,
  seal: { ...row.seal!, ...seal },
});
const openedAs = async (row: Message) => (await chat.open(bens, [row]))[0];

/** Lets a device look at the server anew. */
function look(device: TestDevice): void {
  device.keys.conversations.onFrame({ type: 'devices_changed', data: {} });
}

test('a row with anything else than what was sealed is refused', async () => {
  await chat.send(anns, 'One', { mentions: [ben] });
  await chat.send(bens, 'Two', { replyTo: await chat.target(bens, first()), replyToSeq: 1 });
  const row = first();
  const changed: [Partial<Message>, string][] = [
    [{ mentions: [] }, 'signature'],
    [{ messageType: 'file' }, 'signature'],
    [{ clientMessageId: idOf(5) }, 'signature'],
    [{ fileUrl: `/objects/${idOf(7)}` }, 'signature'],
    [{ senderId: ben }, 'device'],
    [{ sealed: second().sealed! }, 'signature'],
    [{ sealed: 'AAAA' }, 'malformed'],
    [{ replyTo: { seq: 1, messageId: idOf(9), senderId: ben } }, 'signature'],
    [{ seq: 0 }, 'epoch'],
    [{ conversationId: idOf(101) }, 'target'],
  ];
  for (const [fields, reason] of changed)
    expect(await openedAs({ ...row, ...fields })).toEqual({ messageId: row.id, state: 'refused', reason });
  const sealed: Parameters<typeof withSeal>[1][] = [
    { hasLink: true },
    { own: [toText(new Uint8Array(32))] },
    { rowHash: toText(new Uint8Array(32).fill(1)) },
    { draftId: idOf(4) },
  ];
  for (const fields of sealed) expect(await openedAs(withSeal(row, fields))).toMatchObject({ reason: 'signature' });
  const unsealed = { rowHash: toText(new Uint8Array(32)) };
  expect(await openedAs(withSeal(row, unsealed))).toMatchObject({ reason: 'plain' });
  expect(await openedAs(withSeal(row, { deviceId: idOf(3) }))).toMatchObject({ reason: 'device' });
  expect(await openedAs(row)).toMatchObject({ state: 'open', content: 'One' });
  const elsewhere = { ...second(), replyTo: { ...second().replyTo!, messageId: idOf(9) } };
  expect(await openedAs(elsewhere)).toMatchObject({ reason: 'signature' });
});

test('a row of a file takes no place, and is not remembered', async () => {
  await chat.send(anns, 'Pay once');
  const moved = { ...first(), id: idOf(8), seq: 2 };
  const exported = await bens.keys.conversations.open(chat.id, [moved], 'exported');
  expect(exported).toMatchObject([{ state: 'open', content: 'Pay once' }]);
  expect(await openedAs(first())).toMatchObject({ state: 'open' });
  expect(await openedAs(moved)).toMatchObject({ reason: 'twice' });
});

test('a row does not stand twice under one client id', async () => {
  await chat.send(anns, 'Pay once');
  expect(await openedAs(first())).toMatchObject({ state: 'open' });
  expect(await openedAs({ ...first(), id: idOf(8), seq: 2 })).toMatchObject({ reason: 'twice' });
  expect(await openedAs({ ...first(), seq: 2 })).toMatchObject({ reason: 'twice' });
  const capitals = first().clientMessageId!.toUpperCase();
  expect(await openedAs({ ...first(), id: idOf(8), seq: 2, clientMessageId: capitals })).toMatchObject({
    reason: 'twice',
  });
});

test('of the reactions of one person, the newest counts', async () => {
  await chat.send(anns, 'One');
  const target = await chat.target(bens, first());
  await chat.annotate(bens, 'reaction', target, '🎉');
  const [earlier] = first().seal!.annotations;
  await chat.annotate(bens, 'reaction', target, '');
  const [newest] = first().seal!.annotations;
  const both = withSeal(first(), { annotations: [newest!, earlier!] });
  expect(await openedAs(both)).toMatchObject({ reactions: [] });
});

test('nothing is sealed for an identity of which only a header tells', async () => {
  const stop = world.server.lie('lookUpKeys', (replies: { userId: string }[]) =>
    replies.map((one) => (one.userId === ben ? { ...one, newest: null, lists: [], boxKeys: [] } : one)),
  );
  await chat.send(bens, 'Hello Ann');
  expect(await sendState(anns)).toEqual({ state: 'blocked', reason: 'old', userId: ben });
  stop();
  look(anns);
  expect(await sendState(anns)).toEqual({ state: 'sealed' });
});

test('an epoch that was refused is built anew', async () => {
  const draft = chat.draft('Hello');
  const refused = await chat.seal(anns, draft);
  expect((await chat.seal(anns, chat.draft('Other'))).epoch).toEqual(refused.epoch);
  const again = await chat.seal(anns, { ...draft });
  expect(again.epoch).toEqual(refused.epoch);
  expect((await chat.seal(anns, { ...draft })).epoch).not.toEqual(refused.epoch);
});

test('a plain row in a sealed conversation is refused, except a system line', async () => {
  await chat.send(anns, 'One');
  const { seal: _, sealed: __, ...plain } = first();
  expect(await openedAs({ ...plain, seq: 2, content: 'I am Ann', encryption: 'none' })).toMatchObject({
    reason: 'plain',
  });
  expect(await openedAs({ ...plain, seq: 2, messageType: 'system' })).toMatchObject({ state: 'plain' });
});

test('nobody edits, deletes, or takes the reactions of somebody else', async () => {
  await chat.send(anns, 'Mine');
  const target = await chat.target(bens, first());
  await chat.edit(bens, first(), 'Not mine', target);
  const forged = chat.rows[0]!;
  expect(await openedAs(forged)).toMatchObject({ state: 'refused', reason: 'device' });
  expect(await openedAs({ ...forged, senderId: ben })).toMatchObject({ state: 'refused' });
  await chat.annotate(bens, 'reaction', target, '🎉');
  const [annotation] = chat.served.messages[0]!.seal!.annotations;
  chat.served.messages[0] = {
    ...chat.served.messages[0]!,
    seal: { ...forged.seal!, annotations: [{ ...annotation!, userId: ann }] },
  };
  expect(await openedAs(chat.rows[0]!)).toMatchObject({ state: 'refused' });
});

test('a reaction that was sealed for another message does not count', async () => {
  await chat.send(anns, 'One');
  await chat.send(anns, 'Two');
  await chat.annotate(bens, 'reaction', await chat.target(bens, first()), '🎉');
  const [one, two] = chat.rows;
  const moved = withSeal(two!, { annotations: one!.seal!.annotations });
  expect(await chat.open(bens, [one!, moved])).toMatchObject([{ reactions: [{ emoji: '🎉' }] }, { reactions: [] }]);
});

test('a member inserted into a direct conversation gets no epoch', async () => {
  const { facts } = chat;
  chat.served.members.push({ userId: eve, role: 0 });
  const draft = { ...chat.draft('Secret'), conversation: facts };
  expect(await anns.keys.conversations.seal(draft)).toEqual({ state: 'blocked', reason: 'members' });
  chat.served.members = [ann, eve].map((userId) => ({ userId, role: 0 }));
  expect(await anns.keys.conversations.seal(draft)).toEqual({ state: 'blocked', reason: 'members' });
});

test('a header with other members than a direct conversation has is refused', async () => {
  const { facts } = chat;
  chat.served.members = [ann, eve].map((userId) => ({ userId, role: 0 }));
  await chat.send(eves, 'Hello Ann');
  expect((await anns.keys.conversations.standing({ ...facts, sealedFromSeq: 1 })).send).toEqual({
    state: 'blocked',
    reason: 'refused',
  });
});

test('a ghost device in the lists of the peer is refused', async () => {
  await chat.send(anns, 'One');
  const lists = world.server.account(ben).chains[0]!;
  lists.push(world.server.account(eve).chains[0]![0]!);
  look(anns);
  expect(await sendState(anns)).toMatchObject({ state: 'blocked', userId: ben });
});

test('headers that are withheld, replaced, or signed by others stop sending', async () => {
  await chat.send(anns, 'One');
  await world.pass(8 * 86_400_000);
  await chat.send(anns, 'Two');
  expect(chat.served.epochs).toHaveLength(2);
  expect(await chat.read(bens)).toEqual(['One', 'Two']);
  const stop = world.server.lie('listEpochs', (page: { items: { n: number; seq: number | null }[] }) => ({
    ...page,
    items: page.items.filter(({ n, seq }) => seq === null || n === 0),
  }));
  look(bens);
  expect(await sendState(bens)).toEqual({ state: 'blocked', reason: 'old' });
  stop();
  const newest = chat.served.epochs.pop()!;
  chat.served.epochs.push({ ...newest, header: { ...newest.header, signature: toText(new Uint8Array(64)) } });
  const fresh = await world.ready(ben, 'Phone');
  await linkByCode(world, fresh, bens);
  expect(await sendState(fresh)).toEqual({ state: 'blocked', reason: 'refused' });
  chat.served.epochs[1] = newest;
  expect(await sendState(fresh)).toEqual({ state: 'sealed' });
});

test('a server that lost an epoch gets it back with boxes', async () => {
  await chat.send(anns, 'One');
  await world.pass(8 * 86_400_000);
  await chat.send(anns, 'Two');
  chat.served.epochs.pop();
  look(anns);
  expect(await sendState(anns)).toEqual({ state: 'blocked', reason: 'old' });
  expect(await sendState(anns)).toEqual({ state: 'sealed' });
  expect(await chat.read(bens)).toEqual(['One', 'Two']);
});

test('two headers with one number are a fork, which stops sending', async () => {
  await chat.send(anns, 'One');
  await world.pass(8 * 86_400_000);
  const other = await chat.seal(anns, chat.draft('Two'));
  await chat.send(bens, 'Two of Ben');
  expect(await chat.read(anns)).toEqual(['One', 'Two of Ben']);
  const served = chat.served.epochs.pop()!;
  await chat.commit(anns, other.epoch);
  look(bens);
  const asked = { state: 'question', questions: [{ kind: 'fork', removes: [] }] };
  expect(await sendState(bens)).toMatchObject(asked);
  chat.served.epochs[1] = served;
  look(bens);
  expect(await sendState(bens)).toMatchObject(asked);
});

test('a header that only another device of the account saw stops sending until it is set aside', async () => {
  const phone = await world.ready(ann, 'Phone');
  await linkByCode(world, phone, anns);
  const stop = world.server.lie('listEpochs', (page: { items: object[] }, { id }) =>
    id === phone.session.id ? { ...page, items: page.items.filter((one) => 'seq' in one && one.seq === null) } : page,
  );
  await chat.send(anns, 'One');
  await world.pass(30_000);
  phone.keys.onFrame({ type: 'vault_changed', data: {} });
  await world.pass(1);
  const { conversations } = phone.keys;
  const asked = {
    state: 'question',
    questions: [{ kind: 'newer', device: anns.state.deviceId, deviceName: 'Browser' }],
  };
  const send = await sendState(phone);
  expect(send).toMatchObject(asked);
  // The server calls the conversation one that was never sealed.
  const facts = { ...chat.facts, sealedFromSeq: null, hasPlainMessages: true };
  expect(await conversations.standing(facts)).toMatchObject({ send: asked, epoch: null, isSealed: true });
  expect(await conversations.listSealed()).toEqual([chat.id]);
  const { seal: _, sealed: __, ...plain } = first();
  expect(await chat.open(phone, [{ ...plain, content: 'I am Ann', encryption: 'none' }])).toMatchObject([
    { state: 'refused', reason: 'plain' },
  ]);
  const id = send.state === 'question' ? send.questions[0]!.id : '';
  await conversations.answer(chat.id, id, true);
  await phone.restart();
  expect(await phone.keys.conversations.standing(facts)).toMatchObject({ send: { state: 'sealed' }, isSealed: true });
  const withoutKeys = world.server.lie('lookUpKeys', (replies: { userId: string }[]) =>
    replies.map((one) => ({ ...one, newest: null, lists: [], boxKeys: [] })),
  );
  look(phone);
  expect((await phone.keys.conversations.standing(facts)).send).toMatchObject({ state: 'blocked', reason: 'old' });
  withoutKeys();
  stop();
  expect(await sendState(phone)).toEqual({ state: 'sealed' });
  expect((await phone.keys.conversations.standing(chat.facts)).epoch).toBe(0);
});

test('plain text goes to nobody whose keys another device of the account has seen', async () => {
  await anns.keys.lookUp([ben]);
  const phone = await world.ready(ann, 'Phone');
  await linkByCode(world, phone, anns);
  await world.pass(30_000);
  world.server.lie('lookUpKeys', (replies: { userId: string }[]) =>
    replies.map((one) => ({ ...one, newest: null, lists: [], boxKeys: [] })),
  );
  phone.keys.onFrame({ type: 'vault_changed', data: {} });
  await world.pass(1);
  expect(await sendState(phone)).toEqual({ state: 'blocked', reason: 'old', userId: ben });
});

test('a conversation that was seen sealed stays so over a restart, without the server', async () => {
  await chat.send(anns, 'One');
  const facts = { ...chat.facts, sealedFromSeq: null, hasPlainMessages: true };
  await bens.keys.conversations.standing(chat.facts);
  world.server.lie('listEpochs', () => ({ items: [], more: false }));
  world.server.lie('lookUpKeys', () => {
    throw new ApiError(0, {}, 'offline');
  });
  await bens.restart();
  expect(await bens.keys.conversations.listSealed()).toEqual([chat.id]);
  const { send, isSealed } = await bens.keys.conversations.standing(facts);
  expect([send.state, isSealed]).not.toContain('plain');
  expect(isSealed).toBe(true);
});

test('a box with another secret does not open, and the device asks', async () => {
  const draft = chat.draft('Hello');
  const { sealed, epoch } = await chat.seal(anns, draft);
  const statement = fromSigned(epoch!.header);
  const [device] = world.server.account(ben).devices.values();
  const { number, keys } = readBoxKeys(fromSigned(device!.boxKeys!));
  const header = { hash: await hashOfHeader(statement), header: readHeader(statement) };
  const box = await sealBox('box', header, { device: fromUuid(device!.id), number, keys }, createEpochSecret());
  anns.keys.stop();
  world.server.listeners.clear();
  await chat.commit(anns, { ...epoch!, boxes: [{ deviceId: device!.id, box: toText(encodeBox(box)) }] });
  await chat.post(anns, draft, sealed);
  expect(await chat.read(bens)).toEqual(['waiting']);
  expect(chat.served.nacks).toHaveLength(1);
});

test('a request of a ghost, and of a device that was removed, gets no answer', async () => {
  const phone = await world.ready(ben, 'Phone');
  await linkByCode(world, phone, bens);
  await chat.send(anns, 'Hello');
  const [epoch] = chat.served.epochs;
  const nackBy = async ({ keys, storage }: TestDevice, account: string) => {
    const device = (await storage.read('device')) as { signing: Parameters<typeof signNack>[0] };
    const statement = await signNack(device.signing, {
      conversation: fromUuid(chat.id),
      n: 0,
      headerHash: fromText(epoch!.hash),
      account: fromUuid(account),
      device: fromUuid(keys.state().deviceId ?? ''),
      boxNumber: 0,
      at: world.server.now(),
    });
    return { body: toText(statement.body), signature: toText(statement.signature) };
  };
  await bens.keys.removeDevices([phone.state.deviceId ?? '']);
  for (const [device, account] of [
    [eves, eve],
    [eves, ben],
    [phone, ben],
  ] as const)
    chat.served.nacks.push({ ...(await nackBy(device, account)), device: device.state.deviceId ?? '', n: 0 });
  anns.keys.conversations.onFrame({ type: 'nacks_changed', data: { conversationId: chat.id } });
  await world.idle();
  await world.pass(1);
  expect(epoch!.answers.size).toBe(0);
  chat.served.nacks = [{ ...(await nackBy(bens, ben)), device: bens.state.deviceId ?? '', n: 0 }];
  anns.keys.conversations.onFrame({ type: 'nacks_changed', data: { conversationId: chat.id } });
  await world.until(() => epoch!.answers.size === 1, 'the answer');
});

test('a header in the middle is nothing to begin with', async () => {
  const { epoch } = await chat.seal(bens, chat.draft('Hello'));
  const real = readHeader(fromSigned(epoch!.header));
  const secret = createEpochSecret();
  const { signing } = (await eves.storage.read('device')) as { signing: Parameters<typeof signHeader>[0] };
  const header = { ...real, n: 5, previous: real.roster, changes: [], reason: 2 as const };
  const statement = await signHeader(signing, { ...header, commit: await commitTo(secret, real.conversation, 5) });
  const hash = await hashOfHeader(statement);
  const device = world.server.account(ann).devices.values().next().value!;
  const { number, keys } = readBoxKeys(fromSigned(device.boxKeys!));
  const to = { device: fromUuid(device.id), number, keys };
  const box = await sealBox('box', { hash, header: readHeader(statement) }, to, secret);
  chat.served.epochs.push({
    n: 5,
    hash: toText(hash),
    header: { body: toText(statement.body), signature: toText(statement.signature) },
    roster: epoch!.roster,
    boxes: new Map([[device.id, toText(encodeBox(box))]]),
    answers: new Map(),
    previousSecret: null,
    seq: 0,
    changeSeq: 1,
    at: new Date(world.server.now()).toISOString(),
  });
  expect(await sendState(anns)).toEqual({ state: 'blocked', reason: 'refused' });
});
