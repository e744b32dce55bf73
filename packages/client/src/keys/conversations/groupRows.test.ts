import type { Message } from '@nolo/api';
import { readDeletion } from '@nolo/e2ee';
import {
  anns,
  ben,
  bens,
  cara,
  caras,
  chat,
  look,
  setUpGroup,
  standing,
  world,
} from '../../../tests/keys/groupOfThree.ts';
import { idOf } from '../../../tests/keys/keyDevices.ts';

/** Rows of sealed groups: timers, late edits, deletions, and drafts (docs/encryption.md, section 4). */

setUpGroup();

/** Returns an edited row as the server would serve it if the edit had a certain change number. */
const withPlace = (row: Message, place: number): Message => ({ ...row, seal: { ...row.seal!, place } });

test('a server that sets its clock back keeps no secret under a timer', async () => {
  await chat.send(anns, 'Stays');
  await chat.change(anns, { kind: 'timer', seconds: 600 });
  await chat.send(anns, 'Goes');
  anns.correction = -86_400_000;
  await world.pass(21 * 60_000);
  const secrets = (await anns.storage.list('conversations/'))
    .filter(([key]) => key.includes('/epochs/'))
    .map(([, value]) => (value as { secret: unknown }).secret !== null);
  expect(secrets).toEqual([true, false]);
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
