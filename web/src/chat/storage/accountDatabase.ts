import type { Config, Conversation, Message, Self } from '@nolo/api';
import { openDB, unwrap, type DBSchema, type IDBPDatabase } from 'idb';
import { serverNow } from '../../api/serverClock.ts';
import { lastActivityOf } from '@nolo/client/chat/chatStore';
import { replaceExpired, findNextMessageExpiry, withoutExpiredLastMessage } from '@nolo/client/chat/expiry';
import { offlineChatLimits } from '@nolo/client/chat/offlineChats';
import type { KnownPerson } from '@nolo/client/chat/people';
import type {
  ChatDeviceStorage,
  OfflineChats,
  OfflineTimeline,
  MediaFiles,
  TimelineCheckpoint,
  UnsentMessage,
} from '@nolo/client/chat/ports';
import type { UploadResumePoint } from '@nolo/client/ports';
import type { StoreKey } from '@nolo/e2ee/storeKey';
import { databaseName } from '../../device/accountNames.ts';
import { followTransactions } from '../../device/followTransactions.ts';
import { withTimeout } from '../../device/withTimeout.ts';

/** Increase it when stores change. `upgrade` must then migrate every older version, or may drop cached data. */
const schemaVersion = 6;
/** Timeout in milliseconds, longer than a busy machine needs. Nothing that can be shown without it waits for it. */
const openTimeoutMs = 10_000;

/** Data besides conversations that the app needs at startup. */
interface AccountValues {
  self: Self;
  config: Config;
  /** Pages of the contact list, as in the query cache. */
  contacts: unknown;
  /** Pages of status updates, as in the query cache. */
  statuses: unknown;
  /** Notification texts in the language of the app, for the service worker. */
  pushTexts: Readonly<Record<string, string>>;
  listed: true;
  /** Key under which this device seals the account's contents. */
  storeKey: StoreKey;
}

interface AccountSchema extends DBSchema {
  values: { key: string; value: AccountValues[keyof AccountValues] };
  rows: { key: string; value: { id: string; activity: string; row: Conversation }; indexes: { activity: string } };
  marks: { key: string; value: TimelineCheckpoint; indexes: { activity: string } };
  messages: { key: string; value: readonly Message[] };
  unsent: { key: number; value: UnsentMessage; indexes: { clientMessageId: string } };
  /** Files of unsent messages. Their upload positions are separate, so that storing one copies no file. */
  files: { key: string; value: MediaFiles };
  uploads: { key: string; value: UploadResumePoint };
  unsentStatuses: { key: string; value: Unsent };
  /** `toldAt` is in milliseconds since the epoch. The least recently updated people are removed first. */
  people: { key: string; value: KnownPerson & { toldAt: number }; indexes: { toldAt: number } };
}

/** Unsent item. Its feature defines more fields. */
interface Unsent {
  readonly id: string;
}

export type AccountDatabaseConnection = IDBPDatabase<AccountSchema>;

export type AccountDatabase = ReturnType<typeof openAccountDatabase>;

/** Data at startup: the user, and the conversations, with the messages of one of them. */
export interface StoredAccount extends OfflineChats {
  self: Self | undefined;
  config: Config | undefined;
}

async function open(userId: string, onClosed: () => void): Promise<AccountDatabaseConnection> {
  const database = await openDB<AccountSchema>(databaseName(userId), schemaVersion, {
    upgrade(created, from, _, transaction) {
      if (from < 1) {
        created.createObjectStore('values');
        created.createObjectStore('rows', { keyPath: 'id' }).createIndex('activity', 'activity');
        created.createObjectStore('marks', { keyPath: 'conversationId' }).createIndex('activity', 'activity');
        created.createObjectStore('messages');
        created
          .createObjectStore('unsent', { autoIncrement: true })
          .createIndex('clientMessageId', 'clientMessageId', { unique: true });
      }
      if (from < 2) {
        created.createObjectStore('people', { keyPath: 'id' }).createIndex('toldAt', 'toldAt');
        // Rows and messages have more fields now. Everything except unsent data can be loaded again.
        for (const store of ['rows', 'marks', 'messages'] as const) void transaction.objectStore(store).clear();
        void transaction.objectStore('values').delete('listed');
      }
      if (from < 3) {
        created.createObjectStore('files');
        created.createObjectStore('uploads');
      }
      if (from < 4) created.createObjectStore('unsentStatuses', { keyPath: 'id' });
      // Contents are sealed now (5), under a key of the account (6). Open ones from before stay readable, but tabs of
      // older releases would send sealed ones as text; the higher version closes their connections.
    },
    // The database is being erased by another tab or upgraded by a newer version of the app: this tab continues from
    // memory.
    blocking() {
      onClosed();
      database.close();
    },
    terminated: onClosed,
  });
  return database;
}

/** Implements `ChatDeviceStorage.removeExpired`. */
async function removeExpired(database: AccountDatabaseConnection, now: number): Promise<number | null> {
  const transaction = database.transaction(['rows', 'marks', 'messages'], 'readwrite');
  const [rows, marks, messages] = [
    transaction.objectStore('rows'),
    transaction.objectStore('marks'),
    transaction.objectStore('messages'),
  ];
  let next = Infinity;
  for (const checkpoint of await marks.getAll()) {
    const due = checkpoint.nextExpiry ?? Infinity;
    if (due > now) {
      next = Math.min(next, due);
      continue;
    }
    const left = replaceExpired((await messages.get(checkpoint.conversationId)) ?? [], now);
    const later = findNextMessageExpiry(left);
    next = Math.min(next, later);
    await messages.put(left, checkpoint.conversationId);
    await marks.put({ ...checkpoint, nextExpiry: later === Infinity ? null : later });
  }
  for (const kept of await rows.getAll()) {
    const row = withoutExpiredLastMessage(kept.row, now);
    if (row !== kept.row) await rows.put({ ...kept, row });
    if (row.lastMessage) next = Math.min(next, findNextMessageExpiry([row.lastMessage]));
  }
  await transaction.done;
  return next === Infinity ? null : next;
}

/** Stores the engine's conversations and unsent messages. */
function chatDeviceIn(database: () => Promise<AccountDatabaseConnection>): ChatDeviceStorage {
  return {
    async readTimeline(conversationId) {
      const transaction = (await database()).transaction(['marks', 'messages']);
      const [checkpoint, messages] = await Promise.all([
        transaction.objectStore('marks').get(conversationId),
        transaction.objectStore('messages').get(conversationId),
      ]);
      return checkpoint && messages && { ...checkpoint, messages: replaceExpired(messages, serverNow()) };
    },
    listTimelineCheckpoints: async () => (await database()).getAll('marks'),
    async writeChats({ rows, timelines, people }) {
      const transaction = (await database()).transaction(
        ['values', 'rows', 'marks', 'messages', 'people'],
        'readwrite',
      );
      const stores = {
        rows: transaction.objectStore('rows'),
        marks: transaction.objectStore('marks'),
        messages: transaction.objectStore('messages'),
        people: transaction.objectStore('people'),
      };
      const toldAt = serverNow();
      // The row stored by another tab may be newer.
      const writeRow = async (row: Conversation): Promise<void> => {
        const known = await stores.rows.get(row.id);
        if (known && known.row.changeSeq > row.changeSeq) return;
        await stores.rows.put({ id: row.id, activity: lastActivityOf(row), row });
      };
      const writeTimeline = async ({ messages, ...checkpoint }: OfflineTimeline): Promise<void> => {
        const known = await stores.marks.get(checkpoint.conversationId);
        if (known && known.changeSeq > checkpoint.changeSeq) return;
        await Promise.all([stores.marks.put(checkpoint), stores.messages.put(messages, checkpoint.conversationId)]);
      };
      /** Returns the keys beyond the latest `limit`. */
      const excess = async (store: 'rows' | 'marks', limit: number): Promise<string[]> => {
        const surplus = (await stores[store].count()) - limit;
        return surplus > 0 ? stores[store].index('activity').getAllKeys(null, surplus) : [];
      };
      await Promise.all([
        transaction.objectStore('values').put(true, 'listed'),
        ...rows.map(writeRow),
        ...timelines.map(writeTimeline),
        ...people.map((person) => stores.people.put({ ...person, toldAt })),
      ]);
      const tooMany = (await stores.people.count()) - offlineChatLimits.people;
      const oldest = tooMany > 0 ? await stores.people.index('toldAt').getAllKeys(null, tooMany) : [];
      for (const id of oldest) await stores.people.delete(id);
      for (const id of await excess('rows', offlineChatLimits.rows)) await stores.rows.delete(id);
      for (const id of await excess('marks', offlineChatLimits.timelines)) {
        await Promise.all([stores.marks.delete(id), stores.messages.delete(id)]);
      }
      await transaction.done;
    },
    removeExpired: async (now) => removeExpired(await database(), now),
    async removeChat(conversationId) {
      const transaction = (await database()).transaction(['rows', 'marks', 'messages'], 'readwrite');
      await Promise.all([
        transaction.objectStore('rows').delete(conversationId),
        transaction.objectStore('marks').delete(conversationId),
        transaction.objectStore('messages').delete(conversationId),
      ]);
      await transaction.done;
    },
    listUnsent: async () => (await database()).getAll('unsent'),
    async putUnsent(message) {
      // Data must be on disk before the promise resolves.
      const transaction = (await database()).transaction('unsent', 'readwrite', { durability: 'strict' });
      const key = await transaction.store.index('clientMessageId').getKey(message.clientMessageId);
      await transaction.store.put(message, key);
      await transaction.done;
    },
    async removeUnsent(clientMessageId) {
      const transaction = (await database()).transaction(['unsent', 'files', 'uploads'], 'readwrite');
      const unsent = transaction.objectStore('unsent');
      const key = await unsent.index('clientMessageId').getKey(clientMessageId);
      if (key !== undefined) await unsent.delete(key);
      for (const store of ['files', 'uploads'] as const) await transaction.objectStore(store).delete(clientMessageId);
      await transaction.done;
    },
    readUnsent: async (clientMessageId) =>
      (await database()).getFromIndex('unsent', 'clientMessageId', clientMessageId),
    async readFiles(clientMessageId) {
      const transaction = (await database()).transaction(['files', 'uploads']);
      const [files, place] = await Promise.all([
        transaction.objectStore('files').get(clientMessageId),
        transaction.objectStore('uploads').get(clientMessageId),
      ]);
      return files && { ...files, ...(place && { place }) };
    },
    putFiles: async (clientMessageId, files) => void (await (await database()).put('files', files, clientMessageId)),
    putUploadPlace: async (clientMessageId, place) =>
      void (await (await database()).put('uploads', place, clientMessageId)),
  };
}

/**
 * Opens the database of one account on this device, at the first call. Once closed by anyone, it stays closed, and
 * every call rejects.
 */
export function openAccountDatabase(userId: string) {
  let closed = false;
  let resting = false;
  let opening: Promise<{ opened: AccountDatabaseConnection; endTransactions: () => void }> | undefined;
  const connect = async () => {
    const opened = await open(userId, () => (closed = true));
    return { opened, endTransactions: followTransactions(unwrap(opened)) };
  };
  const database = async (): Promise<AccountDatabaseConnection> => {
    if (resting) throw new Error('The page is hidden.');
    opening ??= connect();
    const connection = await withTimeout(openTimeoutMs, opening);
    if (!connection) throw new Error("The browser's storage does not respond.");
    if (resting) throw new Error('The page is hidden.');
    if (closed) throw new Error('The database of this account was closed.');
    return connection.opened;
  };

  const put = async <K extends keyof AccountValues>(key: K, value: AccountValues[K]): Promise<void> => {
    await (await database()).put('values', value, key);
  };

  const device = chatDeviceIn(database);

  let storeKey: Promise<StoreKey | undefined> | undefined;
  const findStoreKey = async (): Promise<StoreKey | undefined> =>
    (await import('./storeKey.ts')).readOrCreateStoreKey((await database()) as unknown as IDBPDatabase);

  return {
    userId,
    ...device,
    /** Reads the startup data, and the messages of the conversation that opens first. */
    async readAccount(conversationId?: string): Promise<StoredAccount> {
      const transaction = (await database()).transaction(['values', 'rows', 'marks', 'messages', 'unsent', 'people']);
      const values = transaction.objectStore('values');
      const id = conversationId ?? '';
      const [key, self, config, listed, rows, unsent, people, checkpoint, messages] = await Promise.all([
        values.get('storeKey'),
        values.get('self'),
        values.get('config'),
        values.get('listed'),
        transaction.objectStore('rows').getAll(),
        transaction.objectStore('unsent').getAll(),
        transaction.objectStore('people').getAll(),
        transaction.objectStore('marks').get(id),
        transaction.objectStore('messages').get(id),
      ]);
      if (key) storeKey = Promise.resolve(key as StoreKey);
      const now = serverNow();
      return {
        self: self as Self | undefined,
        config: config as Config | undefined,
        listed: listed === true,
        rows: rows.map(({ row }) => withoutExpiredLastMessage(row, now)),
        timelines: checkpoint && messages ? [{ ...checkpoint, messages: replaceExpired(messages, now) }] : [],
        unsent,
        people,
      };
    },
    /**
     * Returns the key under which this device seals the account's contents. The first call creates it, for all tabs.
     * Undefined on insecure pages, and where the browser stores no keys.
     */
    storeKey(): Promise<StoreKey | undefined> {
      storeKey ??= findStoreKey().catch((error: unknown) => {
        storeKey = undefined;
        throw error;
      });
      return storeKey;
    },
    /** Direct access for rare use by code that knows the stores (keptSizes.ts). */
    database,
    putSelf: (self: Self) => put('self', self),
    putConfig: (config: Config) => put('config', config),
    putPushTexts: (texts: Readonly<Record<string, string>>) => put('pushTexts', texts),
    putContacts: (contacts: unknown) => put('contacts', contacts),
    readContacts: async (): Promise<unknown> => (await database()).get('values', 'contacts'),
    putStatuses: (statuses: unknown) => put('statuses', statuses),
    readStatuses: async (): Promise<unknown> => (await database()).get('values', 'statuses'),
    listUnsentStatuses: async (): Promise<Unsent[]> => (await database()).getAll('unsentStatuses'),
    putUnsentStatus: async (status: Unsent) => void (await (await database()).put('unsentStatuses', status)),
    removeUnsentStatus: async (id: string) => (await database()).delete('unsentStatuses', id),
    /**
     * The page enters the back-forward cache: its transactions would never end, and in WebKit every other page of the
     * account would wait for them. Every call rejects until `wake`.
     */
    rest(): void {
      resting = true;
      opening
        ?.then(({ opened, endTransactions }) => {
          endTransactions();
          opened.close();
        })
        .catch(() => {});
      opening = undefined;
    },
    /** The page is restored. The next call opens the database again. */
    wake(): void {
      resting = false;
    },
    close(): void {
      closed = true;
      opening?.then(({ opened }) => opened.close()).catch(() => {});
    },
  };
}
