import { createStore } from 'zustand/vanilla';
import type { ChatEngine } from '@nolo/client/chat/chatEngine';
import type { AccountDatabase } from '../chat/storage/accountDatabase.ts';
import { createBrowserSearchDependencies } from './browserSearchDependencies.ts';
import { createMissedChangesCatchUp, catchUpSearch, indexOfflineMessages } from './catchUp.ts';
import { feedSearchIndex } from './feed.ts';
import { createOlderMessagesFetchStore, fetchAndIndexOlderMessages } from './fetchAndIndexOlderMessages.ts';
import { createSearchPace } from './pace.ts';
import { openSearchClient, type SearchClient } from './searchClient.ts';

export type MessageSearch = ReturnType<typeof openMessageSearch>;

/** Running message search of the signed-in user, once started. */
export const messageSearchStore = createStore<{ search: MessageSearch | null }>(() => ({ search: null }));

/** Returns true if the browser supports the shared worker. Old browsers and insecure pages do not. */
const isPossible = (): boolean => 'locks' in navigator && 'BroadcastChannel' in globalThis && 'indexedDB' in globalThis;

/** Milliseconds over which devices that a server disconnected together spread their catch-up. */
const spreadMs = 20_000;

/** Runs the message search of one account on this device, and keeps its index up to date. */
function openMessageSearch(engine: ChatEngine, database: Pick<AccountDatabase, 'storeKey'>) {
  const { core } = engine.internals;
  const { store: chats, timers, selfId } = core;
  const client = openSearchClient(createBrowserSearchDependencies(selfId, database));
  const ended = new AbortController();
  const older = createOlderMessagesFetchStore();
  /** True while messages stored on the device are still being indexed. */
  const growing = createStore<{ growing: boolean }>(() => ({ growing: true }));
  let cancelled: AbortController | null = null;

  const paceOf = (signal: AbortSignal) =>
    createSearchPace({
      timers,
      signal,
      isConnected: () => chats.getState().connection === 'open',
      onConnection: (changed) => chats.subscribe(changed),
    });
  const pace = paceOf(ended.signal);

  /** Name of the worker that has received the stored messages. */
  let served: string | null = null;
  const catchUp = createMissedChangesCatchUp(() => catchUpSearch(core, client, pace, spreadMs));
  const endFeed = feedSearchIndex(core, client, () => {
    if (served !== null && client.store.getState().leads) void catchUp();
  });

  const begin = async ({ store }: SearchClient): Promise<void> => {
    const { leads, worker, state } = store.getState();
    if (state !== 'ready') return void (state === 'failed' && growing.setState({ growing: false }));
    if (!leads) return growing.setState({ growing: false });
    if (served === worker) return;
    served = worker;
    try {
      await indexOfflineMessages(core, client, pace);
    } catch {
      // The search has ended, or the device is unreadable. The next start indexes the stored messages.
    }
    growing.setState({ growing: false });
    await catchUp();
  };
  const unsubscribe = client.store.subscribe(() => void begin(client));

  return {
    client,
    older,
    growing,
    /** Loads all messages missing on the device, until done or canceled. */
    async fetchOlder(): Promise<void> {
      if (cancelled) return;
      cancelled = new AbortController();
      const { signal } = cancelled;
      try {
        await fetchAndIndexOlderMessages({
          core,
          client,
          store: older,
          pace: paceOf(AbortSignal.any([signal, ended.signal])),
        });
      } catch {
        older.setState({ state: signal.aborted || ended.signal.aborted ? 'idle' : 'failed' });
      } finally {
        cancelled = null;
      }
    },
    cancelOlder: () => cancelled?.abort(),
    end(): void {
      ended.abort();
      endFeed();
      unsubscribe();
      client.close();
    },
  };
}

/** Returns the approximate index size of each conversation on this device, in bytes. */
export async function measureSearchIndex(): Promise<ReadonlyMap<string, number>> {
  const status = await messageSearchStore.getState().search?.client.status();
  const sizes = Object.entries(status?.held ?? {}).map(
    ([id, blocks]) => [id, blocks.reduce((sum, { bytes }) => sum + bytes, 0)] as const,
  );
  return new Map(sizes);
}

/** Removes these conversations from the index. Messages viewed again are indexed again. */
export function dropSearchIndexOf(conversationIds: readonly string[]): void {
  const { search } = messageSearchStore.getState();
  for (const conversationId of conversationIds) search?.client.sendUpdate({ type: 'forget', conversationId });
}

/**
 * Starts the search of an account. Returns a function that stops it. A page that enters the back-forward cache leaves
 * the worker to another tab.
 */
export function startSearch(engine: ChatEngine, database: Pick<AccountDatabase, 'storeKey'>): () => void {
  if (!isPossible()) return () => {};
  const begin = () => messageSearchStore.setState({ search: openMessageSearch(engine, database) });
  const end = () => {
    messageSearchStore.getState().search?.end();
    messageSearchStore.setState({ search: null });
  };
  const leave = ({ persisted }: PageTransitionEvent) => persisted && end();
  const comeBack = ({ persisted }: PageTransitionEvent) => persisted && begin();
  begin();
  addEventListener('pagehide', leave);
  addEventListener('pageshow', comeBack);
  return () => {
    removeEventListener('pagehide', leave);
    removeEventListener('pageshow', comeBack);
    end();
  };
}
