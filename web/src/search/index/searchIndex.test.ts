import 'fake-indexeddb/auto';
import { createDeviceCodec } from '@nolo/client/content/deviceCodec';
import { createStoreKey } from '@nolo/e2ee/storeKey';
import fc from 'fast-check';
import { deleteDB, openDB } from 'idb';
import { searchDatabaseName } from '../../device/accountNames.ts';
import { eraseStoredAccounts } from '../../device/eraseStoredAccounts.ts';
import { openSearchIndex } from './searchIndex.ts';
import { openSearchIndexStore } from './searchIndexStore.ts';
import type { IndexableMessage } from './searchPorts.ts';

let key = await createStoreKey();
const codec = createDeviceCodec(async () => key);

let clock = 1_000;
const opened: { close(): void }[] = [];
async function open(userId = 'ada') {
  const store = await openSearchIndexStore(userId, () => {}, codec);
  opened.push(store);
  return openSearchIndex(store, () => clock);
}
const closeAll = () => opened.splice(0).forEach((store) => store.close());
beforeEach(() => (clock = 1_000));
afterEach(async () => {
  closeAll();
  await eraseStoredAccounts();
});

const message = (seq: number, text: string, more: Partial<IndexableMessage> = {}): IndexableMessage => ({
  conversationId: 'c1',
  seq,
  changeSeq: seq,
  senderId: 'ben',
  at: seq * 10,
  kind: 'text',
  text,
  expiresAt: null,
  ...more,
});
const find = async (index: Awaited<ReturnType<typeof open>>, typed: string, filter = {}) =>
  (await index.search({ typed, filter, limit: 50 })).found.map(({ conversationId, seq }) => `${conversationId} ${seq}`);

test('indexed messages are found, the newest first, and again after a restart', async () => {
  const index = await open();
  await index.learn([message(1, 'The train is late'), message(2, 'which one?'), message(70, 'another train, later')]);
  expect(await find(index, 'tra')).toEqual(['c1 70', 'c1 1']);
  expect(await find(index, 'train LATE')).toEqual(['c1 70', 'c1 1']);
  closeAll();
  const secondIndex = await open();
  expect(await find(secondIndex, 'train')).toEqual(['c1 70', 'c1 1']);
  await secondIndex.settle();
  closeAll();
  expect(await find(await open(), 'train')).toEqual(['c1 70', 'c1 1']);
});

test('the database is sealed, and is rebuilt if the browser lost the key', async () => {
  const index = await open();
  await index.learn([message(1, 'amber lanterns')]);
  await index.settle();
  closeAll();
  const database = await openDB(searchDatabaseName('ada'));
  const stored = [await database.getAll('messages'), await database.getAll('index')].flat() as Uint8Array[];
  database.close();
  expect(stored.length).toBeGreaterThan(0);
  for (const bytes of stored) expect(new TextDecoder().decode(bytes)).not.toMatch(/amber|lantern/);
  key = await createStoreKey();
  const other = await open();
  expect(other.status()).toEqual({ held: {}, checkpoints: [] });
  await other.learn([message(2, 'amber lanterns')]);
  expect(await find(other, 'amber')).toEqual(['c1 2']);
});

test('matches are shown without markup, and a file by its name', async () => {
  const index = await open();
  await index.learn([message(1, 'at **seven**, by the `harbour`'), message(2, '__harbour__.txt', { kind: 'file' })]);
  const { found } = await index.search({ typed: 'harbour', filter: {}, limit: 10 });
  expect(found.map(({ excerpt }) => excerpt)).toEqual(['__harbour__.txt', 'at seven, by the harbour']);
  expect(found[1]?.highlights).toEqual([[17, 24]]);
});

test('corrected matches come after exact ones', async () => {
  const index = await open();
  await index.learn([message(1, 'the kitchne'), message(2, 'in the kitchen'), message(3, 'kitchens')]);
  const { found } = await index.search({ typed: 'kitchne', filter: {}, limit: 10 });
  expect(found.map(({ seq, exact }) => [seq, exact])).toEqual([
    [1, true],
    [3, false],
    [2, false],
  ]);
  expect(found[2]?.words).toEqual(['kitchen']);
});

test('edits, deletions, hidden messages and cleared conversations are followed, and leave no trace', async () => {
  const index = await open();
  await index.learn([message(1, 'alpha'), message(2, 'beta'), message(3, 'gamma'), message(4, 'delta')]);
  await index.settle();
  await index.learn([message(1, 'omega', { changeSeq: 9 }), message(2, '', { changeSeq: 10, kind: 'none' })]);
  await index.hide('c1', 3);
  expect(await find(index, 'alpha')).toEqual([]);
  expect(await find(index, 'omega')).toEqual(['c1 1']);
  expect(await find(index, 'beta')).toEqual([]);
  expect(await find(index, 'gamma')).toEqual([]);
  // A tab with older data does not restore removed messages.
  await index.learn([message(2, 'beta')]);
  expect(await find(index, 'beta')).toEqual([]);
  await index.settle();
  await index.clear('c1', 3);
  await index.settle();
  expect(await find(index, 'omega')).toEqual([]);
  expect(await find(index, 'delta')).toEqual(['c1 4']);
  closeAll();
  const { index: bytes } = await (await openSearchIndexStore('ada', () => {}, codec)).read();
  const written = new TextDecoder().decode(bytes);
  expect(written).toContain('delta');
  for (const word of ['alpha', 'beta', 'gamma', 'omega']) expect(written).not.toContain(word);
});

test('a database that is erased lets its worker end only after what it was writing', async () => {
  const events: string[] = [];
  const removed = Array.from({ length: 500 }, (_, at) => at);
  await new Promise<void>((resolve) => {
    void (async () => {
      const onClosed = () => {
        events.push('ended');
        resolve();
      };
      const store = await openSearchIndexStore('ada', onClosed, codec);
      void store.write({ removed }).then(() => events.push('written'));
      await deleteDB(searchDatabaseName('ada'));
    })();
  });
  expect(events).toEqual(['written', 'ended']);
});

test('an expired message is not found, and is erased when its time comes', async () => {
  const index = await open();
  await index.learn([message(1, 'secret', { expiresAt: 2_000 }), message(2, 'secret plan')]);
  expect(await index.expire()).toBe(2_000);
  expect(await find(index, 'secret')).toEqual(['c1 2', 'c1 1']);
  clock = 2_000;
  expect(await find(index, 'secret')).toEqual(['c1 2']);
  expect(await index.expire()).toBeNull();
  clock = 1_000;
  expect(await find(index, 'secret')).toEqual(['c1 2']);
});

test('a conversation that was left is forgotten, and nothing else', async () => {
  const index = await open();
  await index.learn([message(1, 'here'), message(1, 'here too', { conversationId: 'c2' })]);
  await index.settle();
  await index.advance('c1', null, 1);
  await index.forget('c1');
  expect(await find(index, 'here')).toEqual(['c2 1']);
  expect(index.status().checkpoints).toEqual([]);
});

test('filters select by sender, conversation, time and kind, with text and without', async () => {
  const index = await open();
  await index.learn([
    message(1, 'report', { senderId: 'ada' }),
    message(2, 'report.pdf', { kind: 'file' }),
    message(3, 'report', { conversationId: 'c2', at: 500 }),
  ]);
  expect(await find(index, 'report', { senderId: 'ada' })).toEqual(['c1 1']);
  expect(await find(index, 'report', { conversationId: 'c2' })).toEqual(['c2 3']);
  expect(await find(index, '', { kind: 'file' })).toEqual(['c1 2']);
  expect(await find(index, 'report', { from: 15, to: 400 })).toEqual(['c1 2']);
});

test('paging finds everything once, whatever the order', async () => {
  const index = await open();
  const place = fc.record({
    conversation: fc.nat({ max: 3 }),
    seq: fc.integer({ min: 1, max: 300 }),
    at: fc.nat({ max: 40 }),
    typo: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(place, { maxLength: 60, selector: ({ conversation, seq }) => `${conversation} ${seq}` }),
      async (places) => {
        for (const id of ['c0', 'c1', 'c2', 'c3']) await index.forget(id);
        await index.learn(
          places.map(({ conversation, seq, at, typo }) =>
            message(seq, typo ? 'holidya' : 'holiday', { conversationId: `c${conversation}`, at }),
          ),
        );
        const seen: string[] = [];
        let after;
        for (;;) {
          const { found, more } = await index.search({ typed: 'holiday', filter: {}, limit: 7, after });
          seen.push(...found.map(({ conversationId, seq }) => `${conversationId} ${seq}`));
          after = found.at(-1);
          if (!more) break;
        }
        expect(new Set(seen).size).toBe(seen.length);
        expect(seen.toSorted()).toEqual(places.map(({ conversation, seq }) => `c${conversation} ${seq}`).toSorted());
      },
    ),
    { numRuns: 40 },
  );
});

test('only changes that follow known ones move the checkpoint of a conversation', async () => {
  const index = await open();
  await index.advance('c1', null, 5);
  await index.advance('c1', 7, 9);
  expect(index.status().checkpoints).toMatchObject([{ changeSeq: 5 }]);
  await index.advance('c1', 4, 8);
  expect(index.status().checkpoints).toMatchObject([{ changeSeq: 8 }]);
});

test('signing out erases the index, and another person finds nothing', async () => {
  await (await open()).learn([message(1, 'private')]);
  closeAll();
  await eraseStoredAccounts('ben');
  expect((await indexedDB.databases()).map(({ name }) => name)).not.toContain('nolo-search-ada');
  expect(await find(await open('ben'), 'private')).toEqual([]);
});
