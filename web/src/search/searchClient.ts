import { createStore, type StoreApi } from 'zustand/vanilla';
import type { SearchIndexStatus } from './index/searchIndex.ts';
import type { SearchAnswer, SearchQuestion } from './index/searchPorts.ts';
import type { TabToWorker, WorkerToTab, IndexUpdate } from './index/searchProtocol.ts';

/** Timeout in milliseconds, longer than a busy phone needs for its first response. */
const answerTimeoutMs = 15_000;
/**
 * Milliseconds without a response after which an active tab takes over the worker from a tab that its browser has
 * suspended.
 */
const silentAfterMs = 4_000;

interface SearchState {
  /** State of the search. `worker` names the current worker. */
  readonly state: 'starting' | 'ready' | 'failed';
  readonly worker: string | null;
  /** True if this tab runs the worker. */
  readonly leads: boolean;
}

interface Channel {
  postMessage(message: TabToWorker): void;
  onmessage: ((event: MessageEvent<TabToWorker | WorkerToTab>) => void) | null;
  close(): void;
}

export interface SearchClientDependencies {
  openChannel(): Channel;
  /** Starts the worker. Returns a function that stops it. */
  startWorker(): () => void;
  /**
   * Calls `onTurn` once this tab may run the worker, and again with false if another one takes over. `steal` takes over
   * without waiting.
   */
  lead(onTurn: (leads: boolean) => void, options: { signal: AbortSignal; steal: boolean }): void;
  newId(): string;
}

type Waiting = { message: TabToWorker; answered: (answer: SearchAnswer | SearchIndexStatus | null) => void };

export interface SearchClient {
  readonly store: StoreApi<SearchState>;
  sendUpdate(update: IndexUpdate): void;
  /** Rejects if there is no response. */
  search(question: SearchQuestion): Promise<SearchAnswer>;
  status(): Promise<SearchIndexStatus>;
  close(): void;
}

/** Opens a tab's connection to the single search worker of an account. */
export function openSearchClient({ openChannel, startWorker, lead, newId }: SearchClientDependencies): SearchClient {
  const store = createStore<SearchState>(() => ({ state: 'starting', worker: null, leads: false }));
  const channel = openChannel();
  const left = new AbortController();
  const waiting = new Map<string, Waiting>();
  const unsentUpdates: IndexUpdate[] = [];
  let endWorker: (() => void) | undefined;

  const onTurn = (leads: boolean): void => {
    if (left.signal.aborted) return;
    endWorker?.();
    endWorker = leads ? startWorker() : undefined;
    store.setState({ leads });
  };
  const settle = (id: string, answer: SearchAnswer | SearchIndexStatus | null): void => {
    waiting.get(id)?.answered(answer);
    waiting.delete(id);
  };

  channel.onmessage = ({ data }) => {
    switch (data.type) {
      case 'ready':
        if (store.getState().worker === data.worker) return;
        for (const update of unsentUpdates.splice(0)) channel.postMessage(update);
        // Resends requests to a worker that no longer exists.
        for (const { message } of waiting.values()) channel.postMessage(message);
        return store.setState({ state: 'ready', worker: data.worker });
      case 'failed':
        for (const id of waiting.keys()) settle(id, null);
        unsentUpdates.length = 0;
        return store.setState({ state: 'failed' });
      case 'answer':
        return settle(data.id, data.answer);
      case 'status':
        return settle(data.id, data.status);
      default:
        // Message from another tab to the worker.
        return;
    }
  };
  lead(onTurn, { signal: left.signal, steal: false });
  channel.postMessage({ type: 'hello' });
  const silence = setTimeout(() => {
    if (store.getState().state === 'starting' && !store.getState().leads)
      lead(onTurn, { signal: left.signal, steal: true });
  }, silentAfterMs);

  const request = <T extends SearchAnswer | SearchIndexStatus>(message: TabToWorker & { id: string }): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      if (store.getState().state === 'failed') return reject(new Error('Message search is not available here.'));
      const timeout = setTimeout(() => settle(message.id, null), answerTimeoutMs);
      const answered = (answer: SearchAnswer | SearchIndexStatus | null): void => {
        clearTimeout(timeout);
        if (answer === null) reject(new Error('The search did not respond.'));
        else resolve(answer as T);
      };
      waiting.set(message.id, { message, answered });
      if (store.getState().state === 'ready') channel.postMessage(message);
    });

  return {
    store,
    sendUpdate(update) {
      const { state } = store.getState();
      if (state === 'ready') channel.postMessage(update);
      else if (state === 'starting') unsentUpdates.push(update);
    },
    search: (question) => request<SearchAnswer>({ type: 'ask', id: newId(), question }),
    status: () => request<SearchIndexStatus>({ type: 'askStatus', id: newId() }),
    close() {
      clearTimeout(silence);
      left.abort();
      endWorker?.();
      for (const id of waiting.keys()) settle(id, null);
      channel.onmessage = null;
      channel.close();
    },
  };
}
