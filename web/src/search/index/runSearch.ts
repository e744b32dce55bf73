import { openSearchIndex, type SearchIndex } from './searchIndex.ts';
import type { SearchStore } from './searchPorts.ts';
import type { FromTab, FromWorker, Telling } from './searchProtocol.ts';

/** Milliseconds without changes after which the index is written. */
const settleAfterMs = 2_000;
/** Maximum delay of browser timers. An early wake-up checks again. */
const longestTimerMs = 2 ** 31 - 1;

interface Surroundings {
  open(): Promise<SearchStore>;
  tell(message: FromWorker): void;
  newId(): string;
  /** Milliseconds since the epoch, by the server's clock. */
  now(): number;
}

async function apply(index: SearchIndex, told: Telling): Promise<void> {
  switch (told.type) {
    case 'learn':
      return index.learn(told.messages);
    case 'clear':
      return index.clear(told.conversationId, told.clearedSeq);
    case 'hide':
      return index.hide(told.conversationId, told.seq);
    case 'forget':
      return index.forget(told.conversationId);
    case 'advance':
      return index.advance(told.conversationId, told.from, told.to);
    case 'begins':
      return index.begins(told.conversationId, told.first);
  }
}

/** Runs the worker's tasks one after another. Returns the handler for messages from tabs. */
export function runSearch({ open, tell, newId, now }: Surroundings): (message: FromTab) => void {
  const worker = newId();
  let failed = false;
  let settling: ReturnType<typeof setTimeout> | undefined;
  let expiring: ReturnType<typeof setTimeout> | undefined;
  const fail = (): void => {
    failed = true;
    tell({ type: 'failed' });
  };
  const opened = open().then((store) => openSearchIndex(store, now));

  let tail: Promise<unknown> = opened.then(() => tell({ type: 'ready', worker }), fail);
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
        tail = tail.then(() => tell(failed ? { type: 'failed' } : { type: 'ready', worker }));
        return;
      case 'ask':
        tail = tail.then(async () => {
          const { id, question } = message;
          const answer = failed ? null : await (await opened).ask(question).catch(() => null);
          tell({ type: 'answer', id, answer });
        });
        return;
      case 'askStatus':
        tail = tail.then(async () =>
          tell({ type: 'status', id: message.id, status: failed ? null : (await opened).status() }),
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
