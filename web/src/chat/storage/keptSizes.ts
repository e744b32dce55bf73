import type { AccountDatabase } from './accountDatabase.ts';

type Kept = Pick<AccountDatabase, 'database'>;

/** Returns the approximate storage size of each conversation's messages on this device: their bytes as JSON. */
export async function measureStoredMessages({ database }: Kept): Promise<{ conversationId: string; bytes: number }[]> {
  const transaction = (await database()).transaction('messages');
  const [ids, all] = await Promise.all([transaction.store.getAllKeys(), transaction.store.getAll()]);
  return ids.map((conversationId, at) => ({ conversationId, bytes: new Blob([JSON.stringify(all[at] ?? [])]).size }));
}

/** Deletes messages that the server has. Reopening a conversation loads them again. Unsent messages stay. */
export async function forgetStoredMessages({ database }: Kept, conversationIds: readonly string[]): Promise<void> {
  const transaction = (await database()).transaction(['marks', 'messages'], 'readwrite');
  await Promise.all(
    conversationIds.flatMap((id) => [
      transaction.objectStore('marks').delete(id),
      transaction.objectStore('messages').delete(id),
    ]),
  );
  await transaction.done;
}
