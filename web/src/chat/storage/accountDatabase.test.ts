import 'fake-indexeddb/auto';
import type { Conversation, Message, Self } from '@nolo/api';
import { offlineChatLimits } from '@nolo/client/chat/offlineChats';
import type { OfflineTimeline, UnsentMessage } from '@nolo/client/chat/ports';
import { openAccountDatabase, type AccountDatabase } from './accountDatabase.ts';
import { forgetStoredMessages, measureStoredMessages } from './keptSizes.ts';
import { eraseStoredAccounts, listStoredAccounts } from '../../device/eraseStoredAccounts.ts';

const opened: AccountDatabase[] = [];
const open = (userId = 'ada'): AccountDatabase => {
  const database = openAccountDatabase(userId);
  opened.push(database);
  return database;
};
afterEach(async () => {
  for (const database of opened.splice(0)) database.close();
  await eraseStoredAccounts();
});

const time = (n: number) => new Date(n * 1_000).toISOString();
const row = (id: string, changeSeq: number, at = 0): Conversation =>
  ({ id, changeSeq, createdAt: time(at), lastMessage: null }) as unknown as Conversation;
const timeline = (conversationId: string, changeSeq: number, at = 0): OfflineTimeline => ({
  conversationId,
  changeSeq,
  activity: time(at),
  hasOlder: false,
  count: 1,
  nextExpiry: null,
  messages: [{ id: `${conversationId}-${changeSeq}`, expiresAt: null } as Message],
});
const unsent = (clientMessageId: string): UnsentMessage => ({
  clientMessageId,
  conversationId: 'c1',
  content: clientMessageId,
  createdAt: 1,
  refused: null,
});

test('the next page load finds the person, the list, and the messages of the opened conversation', async () => {
  const before = open();
  await before.putSelf({ id: 'ada' } as Self);
  await before.writeChats({
    rows: [row('c1', 3), row('c2', 1)],
    timelines: [timeline('c1', 3), timeline('c2', 1)],
    people: [],
  });
  await before.putUnsent(unsent('one'));
  before.close();
  const kept = await open().readAccount('c1');
  expect(kept.self).toEqual({ id: 'ada' });
  expect(kept.listed).toBe(true);
  expect(kept.rows.map(({ id }) => id)).toEqual(['c1', 'c2']);
  expect(kept.timelines.map(({ conversationId }) => conversationId)).toEqual(['c1']);
  expect(kept.unsent).toEqual([unsent('one')]);
});

test('a tab with older data does not overwrite what another tab received', async () => {
  const [ahead, behind] = [open(), open()];
  await ahead.writeChats({ rows: [row('c1', 7)], timelines: [timeline('c1', 7)], people: [] });
  await behind.writeChats({ rows: [row('c1', 6)], timelines: [timeline('c1', 6)], people: [] });
  const kept = await behind.readAccount('c1');
  expect(kept.rows[0]?.changeSeq).toBe(7);
  expect(kept.timelines[0]).toMatchObject({ changeSeq: 7, messages: [{ id: 'c1-7' }] });
});

test('only a limited number of the latest conversations is stored', async () => {
  const database = open();
  const all = Array.from({ length: offlineChatLimits.rows + 5 }, (_, n) => n);
  await database.writeChats({
    rows: all.map((n) => row(`c${n}`, 1, n)),
    timelines: all.slice(-60).map((n) => timeline(`c${n}`, 1, n)),
    people: [],
  });
  const kept = await database.readAccount();
  expect(kept.rows).toHaveLength(offlineChatLimits.rows);
  expect(kept.rows.some(({ id }) => id === 'c4')).toBe(false);
  const checkpoints = await database.listTimelineCheckpoints();
  expect(checkpoints).toHaveLength(offlineChatLimits.timelines);
  const newest = offlineChatLimits.rows + 4;
  expect(await database.readTimeline(`c${newest - offlineChatLimits.timelines}`)).toBeUndefined();
  expect(await database.readTimeline(`c${newest}`)).toMatchObject({ changeSeq: 1 });
});

test('unsent messages keep the order in which they were written, also when one is written again', async () => {
  const database = open();
  for (const id of ['one', 'two', 'three']) await database.putUnsent(unsent(id));
  await database.putUnsent({ ...unsent('two'), refused: { code: 'blocked', message: '' } });
  expect((await database.listUnsent()).map(({ clientMessageId }) => clientMessageId)).toEqual(['one', 'two', 'three']);
  await database.removeUnsent('one');
  await database.removeUnsent('never there');
  expect((await database.listUnsent()).map(({ refused }) => refused?.code)).toEqual(['blocked', undefined]);
});

test('the files of an unsent message stay with it, with their upload state, and are deleted with it', async () => {
  const before = open();
  await before.putUnsent(unsent('one'));
  await before.putFiles('one', { file: new Blob(['picture']) });
  await before.putUploadPlace('one', { key: 'uploads/f', uploadId: 'u' });
  before.close();
  const database = open();
  expect(await database.readUnsent('one')).toEqual(unsent('one'));
  expect(await database.readFiles('one')).toMatchObject({ place: { key: 'uploads/f', uploadId: 'u' } });
  await database.removeUnsent('one');
  expect(await database.readFiles('one')).toBeUndefined();
  expect(await database.readUnsent('one')).toBeUndefined();
});

test('a suspended page ends its transaction, so that no other page waits for it, and resumes on return', async () => {
  const [away, other] = [open(), open()];
  await away.putSelf({ id: 'ada' } as Self);
  const chats = { rows: [row('c1', 1)], timelines: [timeline('c1', 1)], people: [] };
  const writing = away.writeChats(chats);
  // Steps until the transaction has started. Its requests complete later.
  for (let steps = 0; steps < 20; steps++) await Promise.resolve();
  away.rest();
  await expect(writing).rejects.toThrow(/abort/i);
  await expect(away.listTimelineCheckpoints()).rejects.toThrow('The page is hidden');
  expect(await other.readTimeline('c1')).toBeUndefined();

  away.wake();
  await away.writeChats(chats);
  expect(await other.readTimeline('c1')).toMatchObject({ changeSeq: 1 });
});

test('erasing removes all accounts but the given one, and no open tab writes anything back', async () => {
  const [ada, ben] = [open('ada'), open('ben')];
  await ada.putSelf({ id: 'ada' } as Self);
  await ben.putSelf({ id: 'ben' } as Self);
  await eraseStoredAccounts('ben');
  expect(await listStoredAccounts()).toEqual(['ben']);
  await expect(ada.putUnsent(unsent('one'))).rejects.toThrow('closed');
  await expect(ada.putSelf({ id: 'ada' } as Self)).rejects.toThrow('closed');
  expect((await ben.readAccount()).self).toEqual({ id: 'ben' });
  await eraseStoredAccounts();
  expect(await listStoredAccounts()).toEqual([]);
});

test('expired messages are not read, and are removed from the disk, including the row', async () => {
  const database = open();
  const soon = Date.now() + 60_000;
  const fading = { id: 'm1', content: 'secret', expiresAt: new Date(soon).toISOString(), deletedAt: null } as Message;
  await database.writeChats({
    rows: [{ ...row('c1', 1), lastMessage: { ...fading, timestamp: '' } }],
    timelines: [{ ...timeline('c1', 1), nextExpiry: soon, messages: [fading] }],
    people: [],
  });
  expect(await database.removeExpired(soon - 1)).toBe(soon);
  expect(JSON.stringify(await database.readAccount('c1'))).toContain('secret');
  expect(await database.removeExpired(soon)).toBeNull();
  expect(JSON.stringify(await database.readAccount('c1'))).not.toContain('secret');
});

test('message storage is reported by conversation and freed for one alone; unsent messages stay', async () => {
  const database = open();
  await database.writeChats({
    rows: [row('c1', 1), row('c2', 1)],
    timelines: [timeline('c1', 1), timeline('c2', 1)],
    people: [],
  });
  await database.putUnsent(unsent('one'));
  const measured = await measureStoredMessages(database);
  expect(measured.map(({ conversationId }) => conversationId)).toEqual(['c1', 'c2']);
  expect(measured.every(({ bytes }) => bytes > 10)).toBe(true);

  await forgetStoredMessages(database, ['c1']);
  expect((await measureStoredMessages(database)).map(({ conversationId }) => conversationId)).toEqual(['c2']);
  const kept = await database.readAccount('c1');
  expect(kept.timelines).toEqual([]);
  expect(kept.rows.map(({ id }) => id)).toEqual(['c1', 'c2']);
  expect(kept.unsent).toEqual([unsent('one')]);
});
