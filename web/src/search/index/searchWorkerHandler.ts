import { openSearchIndex, type SearchIndex } from './searchIndex.ts';
import type { SearchIndexStore } from './searchPorts.ts';
import type { TabToWorker, WorkerToTab, IndexUpdate } from './searchProtocol.ts';

/** Milliseconds without changes after which the index is written. */
const settleAfterMs = 2_000;
/** Maximum delay of browser timers. An early wake-up checks again. */
const longestTimerMs = 2 ** 31 - 1;

interface Surroundings {
  open(): Promise<SearchIndexStore>;
  post(message: WorkerToTab): void;
  newId(): string;
  /** Milliseconds since the epoch, by the server's clock. */
  now(): number;
}

async function apply(index: SearchIndex, update: IndexUpdate): Promise<void> {
  switch (update.type) {
    case 'learn':
      return index.learn(update.messages);
    case 'clear':
      return index.clear(update.conversationId, update.clearedSeq);
    case 'hide':
      return index.hide(update.conversationId, update.seq);
    case 'forget':
      return index.forget(update.conversationId);
    case 'advance':
      return index.advance(update.conversationId, update.from, update.to);
    case 'begins':
      return index.begins(update.conversationId, update.first);
  }
}

/** Runs the worker's tasks one after another. Returns the handler for messages from tabs. */
export function createSearchWorkerHandler({ open, post, newId, now }: Surroundings): (message: TabToWorker) => void {
  const worker = newId();
  let failed = false;
  let settling: ReturnType<typeof setTimeout> | undefined;
  let expiring: ReturnType<typeof setTimeout> | undefined;
  const fail = (): void => {
    failed = true;
    post({ type: 'failed' });
  };
  const opened = open().then((store) => openSearchIndex(store, now));

  let tail: Promise<unknown> = opened.then(() => post({ type: 'ready', worker }), fail);
  const next = (task: (index: SearchIndex) => Promise<void>): void => {
    tail = tail.then(async () => {
      if (failed) return;
      await task(await opened).catch(fail);
    });
  };

  const expire = (): void =>
    next(async (index) => {
      const due = await index.expire();
      clearTimeout(expiring);
      if (due === null) return;
      expiring = setTimeout(expire, Math.min(Math.max(0, due - now()), longestTimerMs));
    });
  const settleLater = (): void => {
    clearTimeout(settling);
    settling = setTimeout(() => next((index) => index.settle()), settleAfterMs);
  };
  expire();
  settleLater();

  return (message) => {
    switch (message.type) {
      case 'hello':
        tail = tail.then(() => post(failed ? { type: 'failed' } : { type: 'ready', worker }));
        return;
      case 'ask':
        tail = tail.then(async () => {
          const { id, question } = message;
          const answer = failed ? null : await (await opened).search(question).catch(() => null);
          post({ type: 'answer', id, answer });
        });
        return;
      case 'askStatus':
        tail = tail.then(async () =>
          post({ type: 'status', id: message.id, status: failed ? null : (await opened).status() }),
        );
        return;
      default:
        next(async (index) => {
          await apply(index, message);
          // Large amounts are written in parts, not all at the end.
          await index.settleMany();
        });
        if (message.type === 'learn') expire();
        settleLater();
    }
  };
}
