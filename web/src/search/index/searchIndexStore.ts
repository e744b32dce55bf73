import type { ContentCodec } from '@nolo/client/content/codec';
import { openDB, type DBSchema, type IDBPDatabase } from 'idb';
import { searchDatabaseName } from '../../device/accountNames.ts';
import type { SearchBlock, BlockMessage, SearchCheckpoint, SearchIndexStore } from './searchPorts.ts';

/** Increase it on any change here, including to folding and term splitting. Everything is then rebuilt. */
const schemaVersion = 3;

interface SearchSchema extends DBSchema {
  blocks: { key: number; value: SearchBlock };
  messages: { key: number; value: Uint8Array };
  marks: { key: string; value: SearchCheckpoint };
  index: { key: 'terms'; value: Uint8Array };
}

const context = { kind: 'index', encryption: 'none' } as const;

const decoder = new TextDecoder();

/**
 * Opens the separate search database of an account. `onClosed` is called once it is erased or taken over by a newer
 * version of the app. The codec seals messages and terms for the device. What it no longer opens is rebuilt.
 */
export async function openSearchIndexStore(
  userId: string,
  onClosed: () => void,
  { openBytes, sealBytes }: Pick<ContentCodec, 'openBytes' | 'sealBytes'>,
): Promise<SearchIndexStore & { close(): void }> {
  const running = new Set<Promise<unknown>>();
  const track = <T>(task: Promise<T>): Promise<T> => {
    const settled: Promise<unknown> = Promise.allSettled([task]).then(() => running.delete(settled));
    running.add(settled);
    return task;
  };
  const database: IDBPDatabase<SearchSchema> = await openDB<SearchSchema>(searchDatabaseName(userId), schemaVersion, {
    upgrade(created) {
      for (const name of created.objectStoreNames) created.deleteObjectStore(name);
      created.createObjectStore('blocks', { keyPath: 'id' });
      created.createObjectStore('messages');
      created.createObjectStore('marks', { keyPath: 'conversationId' });
      created.createObjectStore('index');
    },
    blocking() {
      database.close();
      // WebKit keeps the transaction of a worker that ends in the middle of it. Nothing can delete the database then.
      void Promise.allSettled(running).then(onClosed);
    },
    terminated: onClosed,
  });
  const openMessages = async (sealed: Uint8Array): Promise<readonly BlockMessage[]> =>
    JSON.parse(decoder.decode(await openBytes(sealed, context))) as readonly BlockMessage[];
  const sealMessages = (messages: readonly BlockMessage[]) =>
    sealBytes(new TextEncoder().encode(JSON.stringify(messages)), context);
  const clear = async (): Promise<void> => {
    const transaction = database.transaction(['blocks', 'messages', 'marks', 'index'], 'readwrite');
    for (const name of transaction.objectStoreNames) void transaction.objectStore(name).clear();
    await transaction.done;
  };
  const access: SearchIndexStore = {
    async read() {
      const transaction = database.transaction(['blocks', 'messages', 'marks', 'index']);
      const [blocks, marks, index, sample] = await Promise.all([
        transaction.objectStore('blocks').getAll(),
        transaction.objectStore('marks').getAll(),
        transaction.objectStore('index').get('terms'),
        transaction.objectStore('messages').getAll(null, 1),
      ]);
      try {
        await Promise.all(sample.map(openMessages));
        return { blocks, checkpoints: marks, index: index && (await openBytes(index, context)) };
      } catch {
        await clear();
        return { blocks: [], checkpoints: [], index: undefined };
      }
    },
    async readMessages(ids) {
      const { store } = database.transaction('messages');
      const kept = await Promise.all(ids.map((id) => store.get(id)));
      return Promise.all(kept.map(async (sealed) => (sealed ? openMessages(sealed) : [])));
    },
    async write({ blocks = [], removed = [], checkpoints: marks = [], removedCheckpoints = [], index }) {
      // A transaction ends as soon as it has nothing to do, so everything is sealed before it begins.
      const sealed = await Promise.all(
        blocks.map(async ({ block, messages }) => ({ block, messages: messages && (await sealMessages(messages)) })),
      );
      const sealedIndex = index && (await sealBytes(index, context));
      const transaction = database.transaction(['blocks', 'messages', 'marks', 'index'], 'readwrite');
      const stores = {
        blocks: transaction.objectStore('blocks'),
        messages: transaction.objectStore('messages'),
        marks: transaction.objectStore('marks'),
      };
      await Promise.all([
        ...sealed.map(({ block }) => stores.blocks.put(block)),
        ...sealed.map(({ block, messages }) => messages && stores.messages.put(messages, block.id)),
        ...removed.flatMap((id) => [stores.blocks.delete(id), stores.messages.delete(id)]),
        ...marks.map((checkpoint) => stores.marks.put(checkpoint)),
        ...removedCheckpoints.map((id) => stores.marks.delete(id)),
        sealedIndex && transaction.objectStore('index').put(sealedIndex, 'terms'),
        transaction.done,
      ]);
    },
  };
  return {
    close: () => database.close(),
    read: () => track(access.read()),
    readMessages: (ids) => track(access.readMessages(ids)),
    write: (changes) => track(access.write(changes)),
  };
}
