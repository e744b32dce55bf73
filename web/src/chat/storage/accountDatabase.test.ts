import 'fake-indexeddb/auto';
import type { Self } from '@nolo/api';
import {
  describeAccountStorage,
  storedRow as row,
  storedTimeline as timeline,
  unsentMessage as unsent,
} from '../../../../packages/client/tests/describeAccountStorage.ts';
import { deviceContentOf } from './deviceContent.ts';
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

describeAccountStorage(open);

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

test('all tabs of an account seal under one key, which nobody can read and which signing out deletes', async () => {
  const [one, other] = [open(), open()];
  const [key, same] = await Promise.all([one.storeKey(), other.storeKey()]);
  expect(key).toMatchObject({ extractable: false, algorithm: { name: 'AES-GCM', length: 256 } });
  const context = { kind: 'draft' } as const;
  const sealed = await deviceContentOf(one).sealText('Amber lanterns', context);
  expect(sealed).not.toContain('Amber');
  expect(await deviceContentOf(other).openText(sealed, context)).toBe('Amber lanterns');
  expect(same).toBeDefined();
  const restarted = open();
  await restarted.readAccount();
  expect(await deviceContentOf(restarted).openText(sealed, context)).toBe('Amber lanterns');
  await eraseStoredAccounts();
  await expect(deviceContentOf(open()).openText(sealed, context)).rejects.toMatchObject({ code: 'unopened' });
});
