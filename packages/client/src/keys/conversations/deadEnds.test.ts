import { Chat } from '../../../tests/keys/chatting.ts';
import { idOf, World, type TestDevice } from '../../../tests/keys/keyDevices.ts';

/** Conversations that nobody can continue, and those that only look like it (docs/encryption.md, section 4). */

const [ann, ben, cara, dan] = [idOf(1), idOf(2), idOf(3), idOf(4)];
let world: World;
let anns: TestDevice;
let chat: Chat;

beforeEach(async () => {
  world = new World();
  anns = await world.ready(ann);
});
afterEach(async () => {
  for (const device of world.devices) device.keys.stop();
  await world.idle();
});

const ended = { state: 'blocked', reason: 'ended' };

async function sendState(device: TestDevice) {
  device.keys.conversations.onFrame({ type: 'devices_changed', data: {} });
  return (await device.keys.conversations.standing(chat.facts)).send;
}

/** Says yes to everything that a device asks, also about the epoch that a message would begin. */
async function agree(device: TestDevice): Promise<void> {
  for (const ask of [sendState, () => device.keys.conversations.seal(chat.draft('Asks'))]) {
    const send = await ask(device);
    for (const { id } of send.state === 'question' ? send.questions : [])
      await device.keys.conversations.answer(chat.id, id, true);
  }
}

/** The server has a member no more, and the one who has the highest role then is the owner. */
function drop(userId: string): void {
  chat.apply({ kind: 'remove', userId });
  const [next] = chat.served.members;
  if (next) chat.apply({ kind: 'role', userId: next.userId, role: 2 });
}

describe('two versions from the start', () => {
  /** Shows Ann the beginning by another device in the place of her own. */
  async function begin(type: 'direct' | 'group', members: readonly string[]): Promise<TestDevice> {
    const bens = await world.ready(ben);
    world.server.listeners.clear();
    chat = new Chat(world, idOf(100), type, members);
    const empty = { ...chat.served, epochs: [], messages: [] };
    await chat.send(anns, 'One');
    const first = { epochs: chat.served.epochs, messages: chat.served.messages };
    Object.assign(chat.served, empty);
    await agree(bens);
    await chat.send(bens, 'Instead');
    // Messages of both stand there, as if the server had merged them.
    chat.served.messages = [...first.messages, ...chat.served.messages];
    return bens;
  }

  test.each(['direct', 'group'] as const)('end a %s conversation for good', async (type) => {
    await begin(type, [ann, ben]);
    expect(await sendState(anns)).toEqual(ended);
    expect(await anns.keys.conversations.seal(chat.draft('No'))).toEqual(ended);
    await anns.restart();
    expect(await sendState(anns)).toEqual(ended);
    expect((await anns.keys.conversations.overview(chat.id)).send).toEqual(ended);
  });

  test('stay the end, although the server shows one of them, or none, from then on', async () => {
    await begin('direct', [ann, ben]);
    await sendState(anns);
    chat.served.epochs = [];
    expect(await sendState(anns)).toEqual(ended);
    // The client showed its own beginning to a server that seemed to have lost it.
    expect(chat.served.epochs).toHaveLength(1);
    expect(await sendState(anns)).toEqual(ended);
  });

  test('leave what was read readable', async () => {
    await begin('direct', [ann, ben]);
    await sendState(anns);
    const [mine] = chat.rows;
    expect(await chat.open(anns, [mine!])).toMatchObject([{ state: 'open', content: 'One' }]);
  });

  test('let the two people start another conversation, which a plain message does not reach', async () => {
    const bens = await begin('direct', [ann, ben]);
    await sendState(anns);
    chat = new Chat(world, idOf(101), 'direct', [ann, ben]);
    world.server.lie('lookUpKeys', (reply: { chain: unknown }[]) => reply.map((one) => ({ ...one, lists: [] })));
    chat.hasPlainMessages = true;
    expect(await sendState(anns)).not.toMatchObject({ state: 'plain' });
    chat.hasPlainMessages = false;
    await chat.send(anns, 'Anew');
    await chat.send(bens, 'Good');
    expect(await chat.read(anns)).toEqual(['Anew', 'Good']);
  });
});

describe('a private group whose signed members left', () => {
  const createGroup = async (...members: string[]) => {
    chat = new Chat(world, idOf(100), 'group', members);
    await chat.send(anns, 'One');
  };

  test('is known by those who are in no header, as long as nobody can let them in', async () => {
    const [bens, caras] = [await world.ready(ben), await world.ready(cara)];
    await createGroup(ann, ben);
    chat.served.members.push({ userId: cara, role: 0 });
    expect(await sendState(caras)).toEqual({ state: 'waiting_for_entry', letInBy: [ann, ben] });
    drop(ann);
    expect(await sendState(caras)).toEqual({ state: 'waiting_for_entry', letInBy: [ben] });
    drop(ben);
    expect(await sendState(caras)).toEqual({ state: 'waiting_for_entry', letInBy: [] });
    // A server that only claimed it has not harmed the group.
    chat.served.members = [ann, ben, cara].map((userId, at) => ({ userId, role: at === 0 ? 2 : 0 }));
    const result = await bens.keys.conversations.change(chat.facts, [{ kind: 'add', userId: cara }]);
    if (result.state !== 'sealed') throw new Error(`not signed: ${result.state}`);
    await chat.commit(bens, result.epoch);
    expect(await sendState(caras)).toMatchObject({ state: 'sealed' });
  });

  test.each([false, true])('starts anew with a member who had no keys (plain messages: %s)', async (isPlain) => {
    await world.ready(dan);
    chat = new Chat(world, idOf(100), 'group', [ann, ben, cara, dan]);
    chat.hasPlainMessages = isPlain;
    await agree(anns);
    await chat.send(anns, 'One');
    const bens = await world.ready(ben);
    await agree(bens);
    // A member who has keys lets him in.
    expect(await sendState(bens)).toEqual({ state: 'waiting_for_key' });
    for (const gone of [ann, dan]) drop(gone);
    const asked = { state: 'question', questions: [{ kind: 'members', userIds: [ben, cara] }] };
    expect(await bens.keys.conversations.seal(chat.draft('Two'))).toMatchObject(asked);
    await agree(bens);
    await chat.send(bens, 'Two');
    const { members, lines } = await bens.keys.conversations.standing(chat.facts);
    expect(members).toEqual([
      { userId: ben, role: 2, devices: 1 },
      { userId: cara, role: 0, devices: 0 },
    ]);
    expect(lines.map(({ change }) => change.kind)).toContain('restarted');
    const caras = await world.ready(cara);
    await world.pass(3_600_001);
    await sendState(bens);
    await chat.send(bens, 'Three');
    await agree(caras);
    await chat.send(caras, 'Four');
    expect(await chat.read(caras)).toEqual(['earlier', 'earlier', 'Three', 'Four']);
    expect(await chat.read(bens)).toEqual(['earlier', 'Two', 'Three', 'Four']);
  });

  test('stays a dead end for newcomers until a member without keys gets some', async () => {
    await world.ready(dan);
    await createGroup(ann, ben, dan);
    const caras = await world.ready(cara);
    for (const gone of [ann, dan]) drop(gone);
    chat.served.members.push({ userId: cara, role: 0 });
    expect(await sendState(caras)).toEqual({ state: 'waiting_for_entry', letInBy: [] });
    const bens = await world.ready(ben);
    await agree(bens);
    await chat.send(bens, 'Two');
    expect(await sendState(caras)).toMatchObject({ state: 'waiting_for_entry', letInBy: [ben] });
  });

  test('starts anew with those who have new identities', async () => {
    await world.ready(ben);
    await createGroup(ann, ben);
    const anew = await world.ready(ben, 'New');
    await anew.keys.startOver();
    expect(await sendState(anew)).toEqual({ state: 'waiting_for_key' });
    drop(ann);
    await agree(anew);
    expect(await sendState(anew)).toEqual({ state: 'sealed' });
    await chat.send(anew, 'Anew');
    expect(await chat.read(anew)).toEqual(['earlier', 'Anew']);
    const { lines } = await anew.keys.conversations.standing(chat.facts);
    expect(lines.map(({ change }) => change.kind)).toContain('restarted');
  });
});
