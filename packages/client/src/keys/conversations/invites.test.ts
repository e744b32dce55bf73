import { Chat } from '../../../tests/keys/chatting.ts';
import { acceptEpoch } from '../../../tests/keys/conversationHandlers.ts';
import { idOf, World, type TestDevice } from '../../../tests/keys/keyDevices.ts';

/** Joining sealed private groups by links and invitations (docs/encryption.md, section 4, Changes and evidence). */

const [ann, ben, dan] = [idOf(1), idOf(2), idOf(4)];
let world: World;
let anns: TestDevice;
let bens: TestDevice;
let dans: TestDevice;
let chat: Chat;

beforeEach(async () => {
  world = new World();
  anns = await world.ready(ann);
  bens = await world.ready(ben);
  dans = await world.ready(dan);
  chat = new Chat(world, idOf(100), 'group', [ann, ben]);
  await chat.send(anns, 'Before');
  await chat.read(bens);
});
afterEach(async () => {
  for (const device of world.devices) device.keys.stop();
  await world.idle();
});

const standing = ({ keys }: TestDevice) => keys.conversations.standing(chat.facts);

/** Makes an invite link, and returns what its fragment carries. */
async function invite(): Promise<string> {
  const result = await anns.keys.conversations.createInvite(chat.facts);
  if (result.state !== 'sealed') throw new Error('no link');
  await acceptEpoch(world.server, chat.id, result.epoch);
  await world.idle();
  return result.key;
}

/** Has the server take Dan in, with an addition that somebody signed. */
function enter(addition?: string | null): void {
  chat.served.members.push({ userId: dan, role: 0 });
  if (addition) chat.served.additions.set(dan, addition);
}

test('who joins by a link is let in by the next message, with the evidence of the link', async () => {
  const key = await invite();
  enter(await dans.keys.conversations.signEntry(chat.id, key));
  expect((await standing(bens)).outsiders).toEqual([]);
  await chat.send(bens, 'Welcome');
  expect(await chat.read(dans)).toEqual(['earlier', 'Welcome']);
  const { members, lines } = await standing(dans);
  expect(members.map(({ userId }) => userId)).toEqual([ann, ben, dan]);
  expect(lines.at(-1)).toMatchObject({ by: null, change: { kind: 'added', userId: dan } });
  await chat.send(dans, 'Thanks');
  expect(await chat.read(anns)).toEqual(['Before', 'Welcome', 'Thanks']);
});

test('who joins by a link enters with an own first message', async () => {
  const key = await invite();
  enter(await dans.keys.conversations.signEntry(chat.id, key));
  await chat.send(dans, 'Hello');
  expect(await chat.read(bens)).toEqual(['Before', 'Hello']);
});

test('who is invited enters with what the inviter signed', async () => {
  const [addition] = await anns.keys.conversations.signAdditions(chat.id, [dan]);
  await chat.send(bens, 'Meanwhile');
  enter(addition);
  await chat.send(bens, 'Welcome');
  expect(await chat.read(dans)).toEqual(['earlier', 'earlier', 'Welcome']);
  expect((await standing(bens)).lines.at(-1)).toMatchObject({ by: ann, change: { kind: 'added', userId: dan } });
});

test('whom nobody signed for reads nothing, stops nobody, and is let in by a member', async () => {
  enter();
  expect((await standing(bens)).outsiders).toEqual([dan]);
  await chat.send(bens, 'Without Dan');
  expect(chat.served.epochs).toHaveLength(1);
  expect((await standing(dans)).send).toEqual({ state: 'waiting_for_entry', letInBy: [ann, ben] });
  expect(await dans.keys.conversations.seal(chat.draft('No'))).toEqual({
    state: 'waiting_for_entry',
    letInBy: [ann, ben],
  });
  const result = await bens.keys.conversations.change(chat.facts, [{ kind: 'add', userId: dan }]);
  if (result.state !== 'sealed') throw new Error(`not signed: ${result.state}`);
  await chat.commit(bens, result.epoch);
  await chat.send(anns, 'With Dan');
  expect(await chat.read(dans)).toEqual(['earlier', 'earlier', 'With Dan']);
  expect((await standing(bens)).outsiders).toEqual([]);
});

test('a link counts no longer once it was taken away, or somebody was removed', async () => {
  const key = await invite();
  await chat.change(anns, { kind: 'invite', key: null });
  enter(await dans.keys.conversations.signEntry(chat.id, key));
  expect((await standing(bens)).outsiders).toEqual([dan]);
  await chat.send(bens, 'Without Dan');
  chat.served.members.pop();
  const again = await invite();
  await chat.change(anns, { kind: 'remove', userId: ben });
  enter(await dans.keys.conversations.signEntry(chat.id, again));
  expect((await standing(anns)).outsiders).toEqual([dan]);
});

test('headers without the one that a link names, and an inviter with another identity, are refused', async () => {
  const key = await invite();
  const addition = await dans.keys.conversations.signEntry(chat.id, key);
  const stop = world.server.lie('listEpochs', (page: { items: { n: number; seq: number | null }[] }) => ({
    ...page,
    items: page.items.filter(({ n, seq }) => seq === null || n === 0),
  }));
  enter(addition);
  expect((await standing(dans)).send).toEqual({ state: 'blocked', reason: 'refused' });
  stop();
  const other = Buffer.from(key, 'base64url');
  other[other.length - 1]! ^= 1;
  await dans.keys.conversations.signEntry(chat.id, other.toString('base64url'));
  dans.keys.conversations.onFrame({ type: 'reconnected', data: null });
  expect((await standing(dans)).send).toEqual({ state: 'blocked', reason: 'refused' });
  await dans.keys.conversations.signEntry(chat.id, key);
  dans.keys.conversations.onFrame({ type: 'reconnected', data: null });
  expect((await standing(dans)).send).toEqual({ state: 'sealed' });
  expect(await dans.keys.conversations.signEntry(chat.id, 'AAAA')).toBeNull();
});

test('a member who was let in after a link was made can check who joins by it', async () => {
  const key = await invite();
  await chat.change(anns, { kind: 'role', userId: ben, role: 1 });
  const caras = await world.ready(idOf(3));
  await chat.change(anns, { kind: 'add', userId: idOf(3) });
  expect(await chat.read(caras)).toEqual(['earlier']);
  enter(await dans.keys.conversations.signEntry(chat.id, key));
  await chat.send(bens, 'Welcome');
  expect(await chat.read(caras)).toEqual(['earlier', 'Welcome']);
  await chat.send(caras, 'Hello');
  expect(await chat.read(dans)).toEqual(['earlier', 'Welcome', 'Hello']);
});
