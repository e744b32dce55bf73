import { allReady, whenReady } from '@nolo/client/content/codec';
import { content } from '@nolo/client/content/content';
import { openDB, type DBSchema, type IDBPDatabase } from 'idb';
import { searchDatabaseName } from '../../device/accountNames.ts';
import type { SearchBlock, BlockMessage, SearchCheckpoint, SearchIndexStore } from './searchPorts.ts';

/** Increase it on any change here, including to folding and term splitting. Everything is then rebuilt. */
const schemaVersion = 2;

interface SearchSchema extends DBSchema {
  blocks: { key: number; value: SearchBlock };
  messages: { key: number; value: readonly BlockMessage[] };
  marks: { key: string; value: SearchCheckpoint };
  index: { key: 'terms'; value: Uint8Array };
}

const context = { kind: 'index', encryption: 'none' } as const;

const sealMessages = (messages: readonly BlockMessage[]) =>
  allReady(
    messages.map((message) => whenReady(content.sealText(message.text, context), (text) => ({ ...message, text }))),
  );
const openMessages = (messages: readonly BlockMessage[]) =>
  allReady(
    messages.map((message) => whenReady(content.openText(message.text, context), (text) => ({ ...message, text }))),
  );

/**
 * Opens the separate search database of an account. `onClosed` is called once it is erased or taken over by a newer
 * version of the app. The database contains sealed texts and terms.
 */
export async function openSearchIndexStore(
  userId: string,
  onClosed: () => void,
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
  const access: SearchIndexStore = {
    async read() {
      const transaction = database.transaction(['blocks', 'marks', 'index']);
      const [blocks, marks, index] = await Promise.all([
        transaction.objectStore('blocks').getAll(),
        transaction.objectStore('marks').getAll(),
        transaction.objectStore('index').get('terms'),
      ]);
      return { blocks, checkpoints: marks, index: index && (await content.codec.openBytes(index, context)) };
    },
    async readMessages(ids) {
      const { store } = database.transaction('messages');
      const kept = await Promise.all(ids.map(async (id) => (await store.get(id)) ?? []));
      return allReady(kept.map(openMessages));
    },
    async write({ blocks = [], removed = [], checkpoints: marks = [], removedCheckpoints = [], index }) {
      // A transaction ends as soon as it has nothing to do, so everything is sealed before it begins.
      const sealed = await allReady(
        blocks.map(({ block, messages }) =>
          whenReady(messages && sealMessages(messages), (ready) => ({ block, messages: ready })),
        ),
      );
      const sealedIndex = index && (await content.codec.sealBytes(index, context));
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
