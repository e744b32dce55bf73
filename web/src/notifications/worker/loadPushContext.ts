import type { Conversation, Message, RouteReply, routes, Self } from '@nolo/api';
import { approverOf, type StoredMessage } from '@nolo/client/chat/rowOpening';
import { isSealed } from '@nolo/client/chat/sealedRows';
import { content, createContent } from '@nolo/client/content/content';
import { createDeviceCodec } from '@nolo/client/content/deviceCodec';
import { openKeptRow } from '@nolo/client/keys/conversations/openKeptRow';
import type { StoreKey } from '@nolo/e2ee/storeKey';
import { contentFormHeader, sealedForm } from '@nolo/rules';
import { openDB, type IDBPDatabase } from 'idb';
import { databaseName, keysDatabaseName } from '../../device/accountNames.ts';
import { withTimeout } from '../../device/withTimeout.ts';
import { createKeyReader, type KeysSchema } from '../../keys/storage/openKeyStorage.ts';
import type { PushContext, PushBody, PushTexts } from '../model/pushNotification.ts';
import enPush from '../../../locales/en/push.json' with { type: 'json' };

/** Timeout in milliseconds. A notification must appear soon, or the browser shows its own. */
const fetchMs = 3_000;
/** Timeout in milliseconds for opening a sealed message. */
const openMs = 2_000;

interface StoredForPush {
  self: Self | undefined;
  texts: PushTexts;
  conversation: Conversation | undefined;
  message: Message | undefined;
  name: string | undefined;
}

/** Opens a database. Resolves to undefined if it does not exist, and does not create it. */
const openExisting = <Schema = unknown>(name: string): Promise<IDBPDatabase<Schema> | undefined> =>
  openDB<Schema>(name, undefined, {
    upgrade: (_database, _from, _to, transaction) => transaction.abort(),
    blocking: (_version, _wanted, event) => (event.target as IDBDatabase).close(),
  }).catch(() => undefined);

/** Reads the account's database. Resolves to undefined if it does not exist. */
async function readDevice(push: PushBody): Promise<StoredForPush | undefined> {
  const database = await openExisting(databaseName(push.userId));
  if (!database) return undefined;
  try {
    const stores = database.transaction(['values', 'rows', 'messages', 'people']);
    const [key, self, texts, row, messages, person] = (await Promise.all([
      stores.objectStore('values').get('storeKey'),
      stores.objectStore('values').get('self'),
      stores.objectStore('values').get('pushTexts'),
      stores.objectStore('rows').get(push.conversationId ?? ''),
      stores.objectStore('messages').get(push.conversationId ?? ''),
      stores.objectStore('people').get(push.senderId ?? ''),
    ])) as [StoreKey?, Self?, PushTexts?, { row: Conversation }?, Message[]?, { displayName: string }?];
    const other = row?.row.otherUser;
    const message = messages?.find(({ id }) => id === push.messageId);
    const { openMessage } = createContent(createDeviceCodec(async () => key));
    return {
      self,
      texts: { ...enPush.texts, ...texts },
      conversation: row?.row,
      message: message && (await Promise.resolve(openMessage(message)).catch(() => undefined)),
      name: other?.id === push.senderId ? other?.displayName : person?.displayName,
    };
  } finally {
    database.close();
  }
}

/** Returns the name of a person whom the device knows. */
async function readName({ userId }: PushBody, personId: string): Promise<string | undefined> {
  const database = await openExisting(databaseName(userId));
  if (!database) return undefined;
  try {
    return ((await database.get('people', personId)) as { displayName: string } | undefined)?.displayName;
  } finally {
    database.close();
  }
}

/** Returns who wrote a message. Its seal names the author, whatever the push says. */
async function nameOfSender(push: PushBody, { self, name }: StoredForPush, message: StoredMessage | undefined) {
  const isNew = push.type === 'message' || push.type === 'mention';
  const nameOf = ({ sender }: StoredMessage, id: string) => (sender?.id === id ? sender.displayName : undefined);
  if (isNew && message?.opening?.state === 'open') {
    const { senderId } = message;
    if (senderId === push.userId) return self?.displayName;
    // The server takes what an admin approved for the admin's own.
    return (await readName(push, senderId)) ?? (approverOf(message) === null ? nameOf(message, senderId) : undefined);
  }
  return name ?? (message && nameOf(message, push.senderId ?? ''));
}

/** Fetches a message from the user's own server, as a page would. */
async function fetchMessage({ conversationId, seq }: PushBody): Promise<Message | undefined> {
  if (conversationId === undefined || seq === undefined) return undefined;
  const address = `/api/conversations/${conversationId}/messages?after=${String(seq - 1)}&limit=1`;
  const headers = { [contentFormHeader]: sealedForm };
  const reply = await fetch(address, { credentials: 'same-origin', headers, signal: AbortSignal.timeout(fetchMs) });
  if (!reply.ok) return undefined;
  const [message] = (await reply.json()) as RouteReply<typeof routes.listMessages>;
  return message?.seq === seq ? content.openMessage(message) : undefined;
}

/** Opens a row of a sealed conversation with the keys of this device, as far as they do now. */
async function openSealed(userId: string, message: StoredMessage): Promise<StoredMessage> {
  const database = await openExisting<KeysSchema>(keysDatabaseName(userId));
  if (!database) return message;
  try {
    // Clock: the device's, for keys of messages that disappear.
    const opening = openKeptRow(createKeyReader(database), message, Date.now());
    return (await withTimeout(openMs, opening)) ?? message;
  } finally {
    database.close();
  }
}

/** Returns what is known about a push. Resolves to undefined if the account is no longer on this device. */
export async function loadPushContext(push: PushBody): Promise<PushContext | undefined> {
  const stored = await readDevice(push);
  if (stored?.self?.id !== push.userId) return undefined;
  // If previews are off, none of it is shown. A reaction is newer than the message on the device.
  const wanted = push.preview !== false && (stored.message === undefined || push.type === 'reaction');
  const fetched = wanted ? await fetchMessage(push).catch(() => undefined) : undefined;
  const found: StoredMessage | undefined = fetched ?? stored.message;
  const isOpen = found === undefined || (found.opening !== undefined && !isSealed(found));
  const message = isOpen ? found : await openSealed(push.userId, found).catch(() => found);
  const name = await nameOfSender(push, stored, message).catch(() => undefined);
  return { texts: stored.texts, conversation: stored.conversation, message, name };
}
