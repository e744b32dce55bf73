import { describeAccountStorage, storedRow } from '../../tests/describeAccountStorage.ts';
import type { AccountStorage } from '../chat/ports.ts';
import { createMemoryStorage } from './memoryStorage.ts';

let storage: AccountStorage;
beforeEach(() => {
  storage = createMemoryStorage();
});

describeAccountStorage(() => storage);

test('what was stored does not change with the object that it was stored from', async () => {
  const row = storedRow('c1', 1);
  await storage.writeChats({ rows: [row], timelines: [], people: [] });
  row.changeSeq = 2;
  expect((await storage.readAccount()).rows).toEqual([storedRow('c1', 1)]);
});
