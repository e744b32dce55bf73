import { createStore } from 'zustand/vanilla';
import type { ChatEngine } from '../chat/engine/chatEngine.ts';
import { browserSearch } from './browserSearch.ts';
import { catchUpAfterMisses, catchUpSearch, takeKept } from './catchUp.ts';
import { feedSearch } from './feed.ts';
import { createOlderStore, fetchOlder } from './fetchOlder.ts';
import { createPace } from './pace.ts';
import { openSearchClient, type SearchClient } from './searchClient.ts';

export type MessageSearch = ReturnType<typeof openMessageSearch>;

/** The search of messages that runs for whoever is signed in, once it was begun. */
export const searchStore = createStore<{ search: MessageSearch | null }>(() => ({ search: null }));

/** Without these there is no worker that all tabs share: old browsers, and pages that are not secure. */
const isPossible = (): boolean => 'locks' in navigator && 'BroadcastChannel' in globalThis && 'indexedDB' in globalThis;

/** Devices that a server cut off together ask for what they missed over so long. */
const spreadMs = 20_000;

/** Searches the messages of one account on this device, and keeps what is searched as it is told by the server. */
export function openMessageSearch(engine: ChatEngine) {
  const { core } = engine.parts;
  const { store: chats, timers, selfId } = core;
  const client = openSearchClient(browserSearch(selfId));
  const ended = new AbortController();
  const older = createOlderStore();
  /** Whether what the device keeps is still being taken in. */
  const growing = createStore<{ growing: boolean }>(() => ({ growing: true }));
  let cancelled: AbortController | null = null;

  const paceOf = (signal: AbortSignal) =>
    createPace({
      timers,
      signal,
      isConnected: () => chats.getState().connection === 'open',
      onConnection: (changed) => chats.subscribe(changed),
    });
  const pace = paceOf(ended.signal);

  /** The worker that has been given what the device keeps. */
  let served: string | null = null;
  const catchUp = catchUpAfterMisses(() => catchUpSearch(core, client, pace, spreadMs));
  const endFeed = feedSearch(core, client, () => {
    if (served !== null && client.store.getState().leads) void catchUp();
  });

  const begin = async ({ store }: SearchClient): Promise<void> => {
    const { leads, worker, state } = store.getState();
    if (state !== 'ready') return void (state === 'failed' && growing.setState({ growing: false }));
    if (!leads) return growing.setState({ growing: false });
    if (served === worker) return;
    served = worker;
    try {
      await takeKept(core, client, pace);
    } catch {
      // The search has ended, or the device cannot be read: the next start takes in what it keeps.
    }
    growing.setState({ growing: false });
    await catchUp();
  };
  const unsubscribe = client.store.subscribe(() => void begin(client));

  return {
    client,
    older,
    growing,
    /** Loads what the device does not hold, until it is done or cancelled. */
    async fetchOlder(): Promise<void> {
      if (cancelled) return;
      cancelled = new AbortController();
      const { signal } = cancelled;
      try {
        await fetchOlder({ core, client, store: older, pace: paceOf(AbortSignal.any([signal, ended.signal])) });
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

/** How many bytes the search of each conversation takes on this device, about. */
export async function measureSearched(): Promise<ReadonlyMap<string, number>> {
  const status = await searchStore.getState().search?.client.status();
  const sizes = Object.entries(status?.held ?? {}).map(
    ([id, blocks]) => [id, blocks.reduce((sum, { bytes }) => sum + bytes, 0)] as const,
  );
  return new Map(sizes);
}

/** What is searched of these conversations goes; what one looks at again comes back. */
export function forgetSearched(conversationIds: readonly string[]): void {
  const { search } = searchStore.getState();
  for (const conversationId of conversationIds) search?.client.tell({ type: 'forget', conversationId });
}

/** Begins the search of an account; answers what ends it. A page that is put away gives the worker to another tab. */
export function startSearch(engine: ChatEngine): () => void {
  if (!isPossible()) return () => {};
  const begin = () => searchStore.setState({ search: openMessageSearch(engine) });
  const end = () => {
    searchStore.getState().search?.end();
    searchStore.setState({ search: null });
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
