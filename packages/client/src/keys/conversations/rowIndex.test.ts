import type { Message } from '@nolo/api';
import { randomBytes } from '@nolo/e2ee';
import { Chat } from '../../../tests/keys/chatting.ts';
import { idOf, World, type TestDevice } from '../../../tests/keys/keyDevices.ts';
import { toText } from '../wire.ts';
import { blockRows } from './rowBlocks.ts';
import { RowIndex } from './rowIndex.ts';
import type { RowGap } from './rowTypes.ts';

/** Rows tell about each other which are missing, which stand twice, and a restart forgets none of it. */

const [ann, ben, cara] = [idOf(1), idOf(2), idOf(3)];
let world: World;
let anns: TestDevice;
let bens: TestDevice;
let chat: Chat;

beforeEach(async () => {
  world = new World();
  anns = await world.ready(ann);
  bens = await world.ready(ben);
  chat = new Chat(world, idOf(100), 'direct', [ann, ben]);
});
afterEach(async () => {
  for (const device of world.devices) device.keys.stop();
  await world.idle();
});

const at = (seq: number, row: Message | undefined): Message => ({ ...row!, seq });
const hashOf = (place: number): string => chat.rows[place]?.seal?.rowHash ?? '';
const gaps = (from = 1, followedFrom = from, device = bens, seesDeletions = true): Promise<readonly RowGap[]> =>
  device.keys.conversations.gaps(chat.id, { from, followedFrom, seesDeletions });

/** Stores what the device knows of rows, and starts it anew. */
async function restart(device: TestDevice): Promise<void> {
  await world.pass(5_000);
  await device.restart();
}

test('a row that its sender names, and that the server leaves out, is missing until it arrives', async () => {
  for (const text of ['One', 'Two', 'Three', 'Four']) await chat.send(anns, text);
  const [one, two, three, four] = chat.rows;
  await chat.open(bens, [one!, at(2, three), at(3, four)]);
  const missing = [{ seq: 2, rows: [hashOf(1)] }];
  expect(await gaps()).toEqual(missing);
  await restart(bens);
  // The finding holds, whatever the new process has shown so far.
  expect(await gaps(3, 3)).toEqual(missing);
  expect(await chat.open(bens, [at(4, two)])).toMatchObject([{ state: 'open' }]);
  expect(await gaps()).toEqual([]);
  await restart(bens);
  expect(await gaps()).toEqual([]);
});

test('a row that somebody else was shown is missing', async () => {
  for (const text of ['One', 'Two']) await chat.send(anns, text);
  await chat.send(bens, 'I saw two', { seen: hashOf(1) });
  await chat.open(bens, [chat.rows[0]!, at(2, chat.rows[2])]);
  expect(await gaps()).toEqual([{ seq: 2, rows: [hashOf(1)] }]);
  await chat.open(bens);
  expect(await gaps()).toEqual([]);
});

test('the target of a reply is missing if another row stands in its place', async () => {
  for (const text of ['One', 'Two', 'Three']) await chat.send(anns, text);
  await chat.send(bens, 'To two', { replyTo: await chat.target(bens, chat.rows[1]!), replyToSeq: 2 });
  const [, two, three, reply] = chat.rows;
  await restart(bens);
  bens.storage.values = new Map([...bens.storage.values].filter(([key]) => !key.includes('/rows/')));
  await bens.restart();
  const shown = { ...reply!, replyTo: { ...reply!.replyTo!, seq: 3 } };
  await chat.open(bens, [three!, shown]);
  expect(await gaps(3, 4)).toEqual([{ seq: 4, rows: [two?.seal?.rowHash] }]);
});

test('nothing is missing that may stand before the rows that were opened', async () => {
  for (const text of ['One', 'Two', 'Three']) await chat.send(anns, text);
  await chat.send(bens, 'Hi', { seen: hashOf(1) });
  await chat.open(anns, chat.rows.slice(2));
  expect(await gaps(3, 4, anns)).toEqual([]);
  await chat.open(anns, chat.rows.slice(0, 1));
  // Two is not loaded.
  expect(await gaps(3, 4, anns)).toEqual([]);
  await chat.open(anns);
  expect(await gaps(1, 1, anns)).toEqual([]);
});

test('deleted rows, deletions, edits, and reactions are no gaps', async () => {
  for (const text of ['One', 'Two']) await chat.send(anns, text);
  await chat.open(bens);
  await chat.erase(anns, chat.rows[0]!.id, hashOf(0));
  await chat.send(anns, 'Names the deletion');
  await chat.annotate(anns, 'reaction', await chat.target(anns, chat.rows[1]!));
  await chat.edit(anns, chat.rows[1]!, 'Two, better', await chat.target(anns, chat.rows[1]!));
  await chat.send(anns, 'Names the message');
  const [, , third, fourth] = chat.rows;
  // The deletion may be of a message that nobody looked at since.
  await chat.open(bens, [third!, fourth!]);
  expect(await gaps(3, 4)).toEqual([]);
  await chat.open(bens);
  expect(await gaps()).toEqual([]);
  expect((await chat.open(bens)).map((row) => row.state === 'open' && row.outOfOrder)).toEqual([
    false,
    false,
    false,
    false,
  ]);
});

test('a deletion that the server withholds is missing', async () => {
  for (const text of ['One', 'Two']) await chat.send(anns, text);
  const before = chat.rows;
  await chat.open(bens, before);
  await chat.erase(anns, before[0]!.id, hashOf(0));
  await chat.send(anns, 'Three');
  await chat.open(bens, [...before, chat.rows[2]!]);
  // The row may belong to a message that the user hid.
  expect(await gaps(1, 2, bens, false)).toEqual([]);
  expect(await gaps(1, 2)).toMatchObject([{ seq: 3 }]);
  await chat.open(bens, [chat.rows[0]!]);
  expect(await gaps(1, 2)).toEqual([]);
  // A row that somebody else was shown says nothing about it either.
  const seen = toText(randomBytes(32));
  await chat.erase(anns, before[1]!.id, hashOf(1));
  await chat.send(anns, 'Four', { seen });
  await chat.open(bens, chat.rows.slice(3));
  expect(await gaps(1, 4, bens, false)).toEqual([{ seq: 4, rows: [seen] }]);
});

test('rows from before the account was a member are no gaps', async () => {
  const group = new Chat(world, idOf(101), 'group', [ann, ben]);
  for (const text of ['One', 'Two']) await group.send(anns, text);
  await group.send(bens, 'Three');
  const caras = await world.ready(cara);
  await group.change(anns, { kind: 'add', userId: cara });
  await group.send(anns, 'Four', { seen: group.rows[2]!.seal!.rowHash });
  await group.send(anns, 'Five');
  const missing = () => caras.keys.conversations.gaps(group.id, { from: 4, followedFrom: 4, seesDeletions: false });
  await group.open(caras, group.rows.slice(3));
  expect(await missing()).toEqual([]);
  await group.open(caras);
  expect(await missing()).toEqual([]);
});

test('a row does not stand twice under one client id after a restart', async () => {
  await chat.send(anns, 'Pay once');
  await chat.send(anns, 'Thanks');
  await chat.open(bens);
  await restart(bens);
  const again = { ...chat.rows[0]!, id: idOf(8), seq: 3 };
  expect(await chat.open(bens, [again])).toMatchObject([{ state: 'refused', reason: 'twice' }]);
});

test('after a jump into history, a row is late only if no unknown row may name it', async () => {
  const group = new Chat(world, idOf(102), 'group', [ann, ben, cara]);
  const caras = await world.ready(cara);
  await group.send(anns, 'Welcome');
  await caras.keys.conversations.answer(group.id, 'members', true);
  for (const text of ['One', 'Two', 'Three', 'Not known to Ann']) await group.send(caras, text);
  await group.open(anns, group.rows.slice(0, 4));
  await group.change(anns, { kind: 'remove', userId: cara });
  await bens.keys.conversations.standing(group.facts);
  const lateIn = async (rows: readonly Message[]) =>
    (await group.open(bens, rows)).map((row) => (row.state === 'open' ? row.late : row.state));
  expect(await lateIn(group.rows.slice(1, 2))).toEqual([false]);
  // The last row that Ann knew is not here yet, and may come after this one.
  expect(await lateIn(group.rows.slice(4))).toEqual([false]);
  expect(await lateIn(group.rows)).toEqual([false, false, false, false, true]);
  await restart(bens);
  expect(await lateIn(group.rows.slice(1, 2))).toEqual([false]);
  expect(await lateIn(group.rows.slice(4))).toEqual([true]);
});

test('the device stores the newest rows, and marks of older ones', async () => {
  const index = new RowIndex();
  const row = (seq: number) => ({
    hash: randomBytes(32),
    device: new Uint8Array(16),
    epoch: 0,
    own: [],
    seq,
    erasedAt: null,
    messageId: new Uint8Array(16),
    clientMessageId: new Uint8Array(16),
    seen: null,
    reply: null,
    draft: null,
  });
  for (let block = 0; block < 600; block++) index.add(row(block * blockRows));
  const changes = await index.takeChanges(() => Promise.resolve(undefined));
  const kept = [...changes.values()].flatMap((block) => block ?? []);
  expect(kept).toHaveLength(512);
  expect(kept.filter(({ rows }) => rows.length > 0)).toHaveLength(4);
  expect(index.isStored).toBe(true);
});
