import type { Conversation } from '@nolo/api';
import type { ChatCore } from '@nolo/client/chat/chatCore';
import type { SearchIndexStatus } from './index/searchIndex.ts';
import { toIndexableMessages } from './toIndexableMessage.ts';
import type { SearchClient } from './searchClient.ts';
import type { SearchPace } from './pace.ts';

/** Milliseconds between requests for missed changes, which run one after another. */
const betweenMs = 500;
/** Milliseconds before catching up, because the app first loads what is on the screen and passes that on. */
const afterMs = 8_000;

type Client = Pick<SearchClient, 'sendUpdate' | 'status'>;
type Core = Pick<ChatCore, 'api' | 'device' | 'failureOf' | 'openRows'>;

/** Indexes messages stored on the device for conversations that the search does not know. */
export async function indexOfflineMessages({ device }: Core, client: Client, pace: SearchPace): Promise<void> {
  if (!device) return;
  const known = new Set((await client.status()).checkpoints.map(({ conversationId }) => conversationId));
  for (const { conversationId } of await device.listTimelineCheckpoints()) {
    if (known.has(conversationId)) continue;
    const kept = await device.readTimeline(conversationId);
    if (!kept) continue;
    client.sendUpdate({ type: 'learn', messages: toIndexableMessages(kept.messages) });
    client.sendUpdate({ type: 'advance', conversationId, from: null, to: kept.changeSeq });
    await pace.rest(50);
  }
}

async function catchUpWith(
  { api, openRows }: Core,
  client: Client,
  pace: SearchPace,
  id: string,
  since: number,
): Promise<void> {
  for (let from = since; ;) {
    await pace.rest(betweenMs);
    await pace.waitUntilOnline();
    const { changes, changeSeq, hasMore } = await api.listChanges(id, from);
    const messages = await openRows(changes.flatMap((change) => (change.type === 'message' ? [change.message] : [])));
    client.sendUpdate({ type: 'learn', messages: toIndexableMessages(messages) });
    client.sendUpdate({ type: 'advance', conversationId: id, from, to: changeSeq });
    if (!hasMore) return;
    from = changeSeq;
  }
}

/**
 * Fetches missed changes of the indexed conversations. Rejects with the request's error.
 *
 * @param spreadMs maximum extra delay, chosen at random, because a server restart disconnects all devices at once
 */
export async function catchUpSearch(core: Core, client: Client, pace: SearchPace, spreadMs = 0): Promise<void> {
  await pace.rest(afterMs + Math.random() * spreadMs);
  await pace.waitUntilOnline();
  const checkpoints = new Map(
    (await client.status()).checkpoints.map((checkpoint) => [checkpoint.conversationId, checkpoint]),
  );
  const compare = async (row: Conversation): Promise<void> => {
    const checkpoint = checkpoints.get(row.id);
    checkpoints.delete(row.id);
    if (!checkpoint || row.changeSeq <= checkpoint.changeSeq) return;
    client.sendUpdate({ type: 'clear', conversationId: row.id, clearedSeq: row.clearedSeq });
    await catchUpWith(core, client, pace, row.id, checkpoint.changeSeq);
  };
  let cursor: string | undefined;
  while (checkpoints.size > 0) {
    const page = await core.api.listConversations(cursor);
    for (const row of page.items) await compare(row);
    if (page.nextCursor === null) break;
    cursor = page.nextCursor;
    await pace.rest(betweenMs);
  }
  // Conversations missing from the list: meeting chats, those that the user removed from the list, and those that the
  // user left.
  for (const id of checkpoints.keys()) {
    await pace.rest(betweenMs);
    try {
      await compare(await core.api.getConversation(id));
    } catch (error) {
      if (core.failureOf(error).code !== 'conversation_not_found') throw error;
      client.sendUpdate({ type: 'forget', conversationId: id });
    }
  }
}

/**
 * Runs `catchUp` once for each reported miss, one run at a time. A miss during a run starts another run after it. A
 * failed run leaves its misses to the next one.
 */
export function createMissedChangesCatchUp(catchUp: () => Promise<void>): () => Promise<void> {
  let missed = false;
  let isRunning = false;
  return async () => {
    missed = true;
    if (isRunning) return;
    isRunning = true;
    while (missed) {
      missed = false;
      // The run fails if the server is unreachable or the search has ended.
      await catchUp().catch(() => undefined);
    }
    isRunning = false;
  };
}

/** Returns the number of messages whose text is indexed or known to be empty. */
export function countIndexed(status: SearchIndexStatus): number {
  let count = 0;
  for (const blocks of Object.values(status.held)) {
    for (const { held } of blocks)
      for (const bits of held) for (let rest = bits; rest > 0; rest >>>= 1) count += rest & 1;
  }
  return count;
}
