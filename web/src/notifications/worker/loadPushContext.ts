import type { Conversation, Message, RouteReply, routes, Self } from '@nolo/api';
import { content } from '@nolo/client/content/content';
import { contentFormHeader, sealedForm } from '@nolo/rules';
import { openDB } from 'idb';
import { databaseName } from '../../device/accountNames.ts';
import type { PushContext, PushBody, PushTexts } from '../model/pushNotification.ts';
import enPush from '../../../locales/en/push.json' with { type: 'json' };

/** Timeout in milliseconds. A notification must appear soon, or the browser shows its own. */
const fetchMs = 3_000;

interface StoredForPush {
  self: Self | undefined;
  texts: PushTexts;
  conversation: Conversation | undefined;
  message: Message | undefined;
  name: string | undefined;
}

/** Reads the account's database. Resolves to undefined if it does not exist, and does not create it. */
async function readDevice(push: PushBody): Promise<StoredForPush | undefined> {
  const database = await openDB(databaseName(push.userId), undefined, {
    upgrade: (_database, _from, _to, transaction) => transaction.abort(),
    blocking: (_version, _wanted, event) => (event.target as IDBDatabase).close(),
  }).catch(() => undefined);
  if (!database) return undefined;
  try {
    const stores = database.transaction(['values', 'rows', 'messages', 'people']);
    const [self, texts, row, messages, person] = (await Promise.all([
      stores.objectStore('values').get('self'),
      stores.objectStore('values').get('pushTexts'),
      stores.objectStore('rows').get(push.conversationId ?? ''),
      stores.objectStore('messages').get(push.conversationId ?? ''),
      stores.objectStore('people').get(push.senderId ?? ''),
    ])) as [Self?, PushTexts?, { row: Conversation }?, Message[]?, { displayName: string }?];
    const other = row?.row.otherUser;
    const message = messages?.find(({ id }) => id === push.messageId);
    return {
      self,
      texts: { ...enPush.texts, ...texts },
      conversation: row?.row,
      message: message && (await content.openMessage(message)),
      name: other?.id === push.senderId ? other?.displayName : person?.displayName,
    };
  } finally {
    database.close();
  }
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

/** Returns what is known about a push. Resolves to undefined if the account is no longer on this device. */
export async function loadPushContext(push: PushBody): Promise<PushContext | undefined> {
  const stored = await readDevice(push);
  if (stored?.self?.id !== push.userId) return undefined;
  // If previews are off, none of it is shown. A reaction is newer than the message on the device.
  const wanted = push.preview !== false && (stored.message === undefined || push.type === 'reaction');
  const fetched = wanted ? await fetchMessage(push).catch(() => undefined) : undefined;
  const message = fetched ?? stored.message;
  const sender = message?.sender;
  const name = stored.name ?? (sender?.id === push.senderId ? sender?.displayName : undefined);
  return { texts: stored.texts, conversation: stored.conversation, message, name };
}
