import { routes, type Message, type NewSealed } from '@nolo/api';
import {
  encodeOriginal,
  fromUuid,
  sealMessage,
  takeOriginal,
  toUuid,
  type BoundMessage,
  type Original,
} from '@nolo/e2ee';
import { Chat } from '../../../tests/keys/chatting.ts';
import { idOf, World, type TestDevice } from '../../../tests/keys/keyDevices.ts';
import { deviceKey, type DeviceKeys } from '../deviceKeys.ts';
import { createKeyStore } from '../keyStore.ts';
import { fromText, toText } from '../wire.ts';
import { isSealed } from './boundRows.ts';
import { loadConversation, newestOf } from './conversation.ts';
import { boundOfDraft } from './heldDrafts.ts';
import { openKeptRow } from './openKeptRow.ts';
import { keyOf } from './opening.ts';

/** Drafts of members that an admin approves, and admins and servers that lie about them. */

const [ann, ben, cara, dan] = [idOf(1), idOf(2), idOf(3), idOf(4)];
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
  chat = new Chat(world, idOf(100), 'group', [ann, ben, cara]);
  await chat.send(anns, 'One');
});
afterEach(async () => {
  for (const device of world.devices) device.keys.stop();
  await world.idle();
});

const openOne = async (device: TestDevice, row: Message) => (await chat.open(device, [row]))[0];
const refused = (reason: string) => ({ state: 'refused', reason });

/** Keys of a device, and what it knows of the conversation. */
async function secretsOf(device: TestDevice) {
  const store = createKeyStore({ storage: device.storage, keyForm: device.options.keyForm ?? 'engine' });
  const conversation = await loadConversation({ store }, fromUuid(chat.id));
  const epoch = newestOf(conversation);
  const keys = await store.read<DeviceKeys>(deviceKey);
  if (!epoch || !keys) throw new Error('The device is not in the conversation.');
  return { conversation, epoch, keys };
}

async function originalOf(device: TestDevice, draft: Message): Promise<Original> {
  const { conversation } = await secretsOf(device);
  const epoch = conversation.epochs.find(({ n }) => n === draft.seal?.epoch);
  if (!epoch || !isSealed(draft)) throw new Error('The draft is not sealed for an epoch of the conversation.');
  return takeOriginal(fromText(draft.sealed ?? ''), keyOf(epoch), boundOfDraft(conversation.id, draft, epoch));
}

/** Stores a message that approves a draft, as a member does whose client checks nothing. */
async function forge(
  device: TestDevice,
  { id, seal }: Message,
  content: string | Original,
  shown: Partial<BoundMessage> = {},
): Promise<Message> {
  const { conversation, epoch, keys } = await secretsOf(device);
  const target = { kind: 4, messageId: fromUuid(id), row: fromText(seal?.rowHash ?? '') } as const;
  const bound: BoundMessage = {
    conversation: conversation.id,
    epoch: epoch.n,
    headerHash: epoch.hash,
    clientMessageId: fromUuid(idOf(800_000 + chat.rows.length)),
    account: fromUuid(device.session.userId),
    device: keys.id,
    type: 'text',
    version: 0,
    mentions: [],
    files: [],
    hasLink: false,
    timer: 0,
    held: false,
    target,
    own: [],
    ...shown,
  };
  const sealed = await sealMessage(keys.signing, keyOf(epoch), bound, {
    sentAt: 0,
    seen: null,
    content: typeof content === 'string' ? content : toText(encodeOriginal(content)),
  });
  const row = toText(bound.target?.row ?? new Uint8Array(32));
  const body = {
    conversationId: chat.id,
    clientMessageId: toUuid(bound.clientMessageId),
    encryption: 'epochs',
    mentions: bound.mentions.map(toUuid),
    sealed: { sealed: toText(sealed), own: [], targetRow: row, draftId: id } satisfies NewSealed,
  };
  return device.server.call(device.session, routes.sendMessage as never, { body }) as Promise<Message>;
}

test('everyone sees an approved draft as a message of its author', async () => {
  const draft = await chat.send(bens, 'Please look', { held: true, mentions: [cara] });
  const post = await chat.approve(anns, draft);
  expect(post.seal).toMatchObject({ draftId: draft.id, targetRow: draft.seal?.rowHash });
  for (const device of [anns, bens, caras])
    expect(await openOne(device, post)).toMatchObject({ state: 'open', content: 'Please look', draftAuthor: ben });
  expect(await openOne(caras, chat.rows[0]!)).toMatchObject({ content: 'One', draftAuthor: null });
});

test('a draft and its approval show the message that they answer, and no other', async () => {
  const question = chat.rows[0]!;
  const answer = { replyTo: await chat.target(bens, question), replyToSeq: question.seq };
  const draft = await chat.send(bens, 'Please look', { held: true, ...answer });
  const replyTo = { seq: question.seq, messageId: question.id, senderId: ann };
  const other = { ...replyTo, messageId: draft.id };
  const openDraft = async (row: Message) => (await anns.keys.conversations.open(chat.id, [row], 'drafts'))[0];
  for (const served of [null, replyTo])
    expect(await openDraft({ ...draft, replyTo: served })).toMatchObject({ state: 'open', content: 'Please look' });
  expect(await openDraft({ ...draft, replyTo: other })).toMatchObject(refused('target'));
  const post = await chat.approve(anns, draft);
  for (const served of [null, replyTo])
    expect(await openOne(caras, { ...post, replyTo: served })).toMatchObject({ state: 'open', draftAuthor: ben });
  expect(await openOne(caras, { ...post, replyTo: other })).toMatchObject(refused('target'));
});

test('a notification names the author of an approved draft', async () => {
  await chat.read(caras);
  const post = await chat.approve(anns, await chat.send(bens, 'Please look', { held: true }));
  const opened = await openKeptRow(caras.storage, post, world.clock.timers.now());
  expect(opened).toMatchObject({ content: 'Please look', senderId: ben, opening: { approvedBy: ann } });
});

test('members without the secret of the draft’s epoch open its approval', async () => {
  const draft = await chat.send(bens, 'Please look', { held: true });
  const dans = await world.ready(dan);
  await chat.change(anns, { kind: 'add', userId: dan });
  const post = await chat.approve(anns, draft);
  expect(post.seal?.epoch).toBe(1);
  expect(await chat.open(dans)).toMatchObject([
    { state: 'earlier' },
    { state: 'refused', reason: 'held' },
    { state: 'open', content: 'Please look', draftAuthor: ben },
  ]);
});

test('a member who entered after the draft’s epoch does not see its approval', async () => {
  const draft = await chat.send(bens, 'Please look', { held: true });
  const dans = await world.ready(dan);
  await chat.change(anns, { kind: 'role', userId: cara, role: 1 });
  await chat.change(anns, { kind: 'add', userId: dan });
  expect(await openOne(dans, await chat.approve(anns, draft))).toMatchObject({ state: 'earlier', isDraft: true });
});

test('an approval without the author’s original is refused', async () => {
  const draft = await chat.send(bens, 'Please look', { held: true });
  expect(await openOne(caras, await forge(anns, draft, '{"v":1,"text":"Please look"}'))).toMatchObject(
    refused('malformed'),
  );
});

test('a changed original is refused', async () => {
  const draft = await chat.send(bens, 'Please look', { held: true });
  const original = await originalOf(anns, draft);
  const other = await originalOf(anns, await chat.send(bens, 'Another', { held: true }));
  const caraDevice = await secretsOf(caras);
  const changes: [Partial<Original>, string][] = [
    [{ key: new Uint8Array(32) }, 'signature'],
    [{ sealed: other.sealed }, 'signature'],
    [{ ...other }, 'target'],
    [{ bound: { ...original.bound, clientMessageId: fromUuid(idOf(9)) } }, 'signature'],
    [{ bound: { ...original.bound, account: fromUuid(cara) } }, 'device'],
    [{ bound: { ...original.bound, account: fromUuid(cara), device: caraDevice.keys.id } }, 'signature'],
    [{ bound: { ...original.bound, conversation: fromUuid(idOf(101)) } }, 'target'],
    [{ bound: { ...original.bound, headerHash: new Uint8Array(32) } }, 'epoch'],
    [{ bound: { ...original.bound, held: false } }, 'held'],
    [{ bound: { ...original.bound, version: 1 } }, 'held'],
  ];
  for (const [change, reason] of changes)
    expect([reason, await openOne(caras, await forge(anns, draft, { ...original, ...change }))]).toMatchObject([
      reason,
      refused(reason),
    ]);
  expect(await openOne(caras, await forge(anns, draft, original))).toMatchObject({ content: 'Please look' });
});

test('words that an admin signed, and claims somebody else held, are refused', async () => {
  const { epoch, keys } = await secretsOf(anns);
  const draft = await chat.send(bens, 'Please look', { held: true });
  const { bound } = await originalOf(anns, draft);
  const envelope = { sentAt: 0, seen: null, content: 'I resign' };
  const sealed = await sealMessage(keys.signing, keyOf(epoch), bound, envelope);
  const forged = await takeOriginal(sealed, keyOf(epoch), bound);
  expect(await openOne(caras, await forge(anns, draft, forged))).toMatchObject(refused('signature'));
});

test('nobody but an admin or owner approves', async () => {
  const draft = await chat.send(bens, 'Please look', { held: true });
  const original = await originalOf(caras, draft);
  expect(await openOne(anns, await forge(caras, draft, original))).toMatchObject(refused('approval'));
  expect(await openOne(anns, await forge(bens, draft, original))).toMatchObject(refused('approval'));
  await chat.change(anns, { kind: 'role', userId: cara, role: 1 });
  await chat.send(caras, 'I am an admin');
  expect(await openOne(bens, await forge(caras, draft, original))).toMatchObject({ draftAuthor: ben });
});

test('an approval that shows other mentions or another type than the draft is refused', async () => {
  const draft = await chat.send(bens, 'Please look', { held: true, mentions: [ann] });
  const original = await originalOf(anns, draft);
  expect(await openOne(caras, await forge(anns, draft, original))).toMatchObject(refused('approval'));
  const mentions = [fromUuid(ann)];
  expect(await openOne(caras, await forge(anns, draft, original, { mentions }))).toMatchObject({ draftAuthor: ben });
});

test('a message that was not held is no draft', async () => {
  const row = await chat.send(bens, 'Only for now');
  const original = await originalOf(anns, row);
  expect(await openOne(caras, await forge(anns, row, original))).toMatchObject(refused('held'));
  const sealing = anns.keys.conversations.seal({
    kind: 'approval',
    conversation: chat.facts,
    clientMessageId: idOf(9),
    draft: row,
    seen: null,
  });
  expect(await sealing).toEqual({ state: 'blocked', reason: 'refused' });
});

test('a draft is shown once, also after a restart', async () => {
  const draft = await chat.send(bens, 'Please look', { held: true });
  const post = await chat.approve(anns, draft);
  expect(await openOne(caras, post)).toMatchObject({ state: 'open' });
  const again = await forge(anns, draft, await originalOf(anns, draft));
  expect(await openOne(caras, again)).toMatchObject(refused('twice'));
  await world.pass(5_000);
  await caras.restart();
  expect(await openOne(caras, again)).toMatchObject(refused('twice'));
});

test('a draft of a device that has gone is not approved', async () => {
  const draft = await chat.send(bens, 'Please look', { held: true });
  const original = await originalOf(anns, draft);
  expect(await anns.keys.conversations.open(chat.id, [draft], 'drafts')).toMatchObject([{ state: 'open' }]);
  await chat.change(anns, { kind: 'remove', userId: ben });
  await chat.send(anns, 'Two');
  expect(await anns.keys.conversations.open(chat.id, [draft], 'drafts')).toMatchObject([refused('device')]);
  await expect(chat.approve(anns, draft)).rejects.toThrow('refused');
  expect(await openOne(caras, await forge(anns, draft, original))).toMatchObject(refused('device'));
});

test('its author or an admin deletes an approved draft, and nobody edits it', async () => {
  const hold = () => chat.send(bens, 'Please look', { held: true });
  const approve = async () => chat.approve(anns, await hold());
  const deleteBy = async (device: TestDevice, { id, seal }: Message) => chat.erase(device, id, seal?.rowHash ?? '');
  const draft = await hold();
  const [first, second, third] = [await chat.approve(anns, draft), await approve(), await approve()];
  const byAuthor = await deleteBy(bens, first);
  expect(await openOne(caras, byAuthor)).toMatchObject({ state: 'deleted', by: ben, draftAuthor: ben });
  expect(await openOne(caras, await forge(anns, draft, await originalOf(anns, draft)))).toMatchObject(refused('twice'));
  expect(await openOne(anns, await deleteBy(anns, second))).toMatchObject({ state: 'deleted', by: ann });
  expect(await openOne(bens, await deleteBy(caras, third))).toMatchObject(refused('signature'));
  // A draft of which the server keeps nothing has no known author.
  const { seal } = byAuthor;
  const bare = { ...byAuthor, seal: { ...seal!, draftOrigin: null } };
  expect(await openOne(caras, bare)).toMatchObject(refused('signature'));
  const elsewhere = {
    ...byAuthor,
    seal: { ...seal!, draftOrigin: (await deleteBy(anns, await approve())).seal!.draftOrigin },
  };
  expect(await openOne(caras, elsewhere)).toMatchObject(refused('target'));

  const post = await approve();
  const target = await chat.target(anns, post);
  const edited = await chat.edit(anns, post, 'My words', target);
  expect(await openOne(caras, edited)).toMatchObject(refused('target'));
});

test('a draft that fits into no approval is refused when it is sealed', async () => {
  const held = { held: true } as const;
  const largest = await chat.send(bens, '🌱'.repeat(23_900), held);
  expect(await openOne(caras, await chat.approve(anns, largest))).toMatchObject({ state: 'open', draftAuthor: ben });
  const sealing = bens.keys.conversations.seal(chat.draft('🌱'.repeat(24_700), held));
  await expect(sealing).rejects.toMatchObject({ code: 'too_large' });
});
