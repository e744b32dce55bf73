import type { AccountDatabase } from './accountDatabase.ts';

type Kept = Pick<AccountDatabase, 'database'>;

/** How much room the messages of each conversation take on this device, about: the bytes of what is kept, as JSON. */
export async function measureMessages({ database }: Kept): Promise<{ conversationId: string; bytes: number }[]> {
  const transaction = (await database()).transaction('messages');
  const [ids, all] = await Promise.all([transaction.store.getAllKeys(), transaction.store.getAll()]);
  return ids.map((conversationId, at) => ({ conversationId, bytes: new Blob([JSON.stringify(all[at] ?? [])]).size }));
}

/** Forgets messages that the server has; opened again, a conversation loads them. Nothing unsent goes. */
export async function forgetMessages({ database }: Kept, conversationIds: readonly string[]): Promise<void> {
  const transaction = (await database()).transaction(['marks', 'messages'], 'readwrite');
  await Promise.all(
    conversationIds.flatMap((id) => [
      transaction.objectStore('marks').delete(id),
      transaction.objectStore('messages').delete(id),
    ]),
  );
  await transaction.done;
}
