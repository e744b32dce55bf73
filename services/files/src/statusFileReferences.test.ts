import { newId, type FileId, type UserId } from '@nolo/kit/ids';
import type { FileReferences } from './domain/sharedPorts.ts';
import { combineFileReferences } from './statusFileReferences.ts';

const [actor, one, other] = [newId<UserId>(), newId<FileId>(), newId<FileId>()];
const knows = (...ids: FileId[]): FileReferences => ({
  canRead: async (_, id) => ids.includes(id),
  listNamed: async (fileIds) => fileIds.filter((id) => ids.includes(id)),
});
const away: FileReferences = {
  canRead: () => Promise.reject(new Error('away')),
  listNamed: () => Promise.reject(new Error('away')),
};

test('a file is readable and kept if a message or a status update refers to it', async () => {
  const both = combineFileReferences(knows(one), knows(other));
  expect([await both.canRead(actor, one), await both.canRead(actor, other)]).toEqual([true, true]);
  expect(await combineFileReferences(knows(), knows()).canRead(actor, one)).toBe(false);
  expect(await both.listNamed([one, other, newId<FileId>()])).toEqual([one, other]);
  expect(await combineFileReferences(knows(one), knows(one)).listNamed([one])).toEqual([one]);
});

test('access through a status update has an expiry, unless a message grants it too', async () => {
  const until = new Date('2030-01-01T00:00:00Z');
  const ending: FileReferences = { ...knows(one), canRead: async () => until };
  expect(await combineFileReferences(knows(), ending).canRead(actor, one)).toEqual(until);
  expect(await combineFileReferences(knows(one), ending).canRead(actor, one)).toBe(true);
  expect(await combineFileReferences(combineFileReferences(knows(), ending), knows()).canRead(actor, one)).toEqual(
    until,
  );
});

test('access is granted by one source while the other is down, and no file counts as unreferenced', async () => {
  expect(await combineFileReferences(away, knows(one)).canRead(actor, one)).toBe(true);
  expect(await combineFileReferences(knows(one), away).canRead(actor, one)).toBe(true);
  await expect(combineFileReferences(away, knows()).canRead(actor, one)).rejects.toThrow('away');
  await expect(combineFileReferences(knows(), away).canRead(actor, one)).rejects.toThrow('away');
  await expect(combineFileReferences(knows(one), away).listNamed([one])).rejects.toThrow('away');
});
