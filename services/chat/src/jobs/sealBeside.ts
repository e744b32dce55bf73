import type { Log } from '@nolo/kit/log';
import type { BesideStore } from '../domain/ports.ts';

/** Messages in one statement: short, since it holds them. */
const batch = 100;
/** Statements in one run; what is left waits for the next. */
const mostBatches = 1_000;
/**
 * Longer than the services of the version before are still there while a new one comes: they would show an envelope as
 * words. They also write what is to be sealed, so it is looked for again.
 */
const everyMs = 15 * 60_000;

export interface SealOptions {
  beside: BesideStore;
  log: Log;
}

/** Puts what stands beside content into it; answers for how many messages. */
export async function sealAll(beside: BesideStore, isStopped: () => boolean = () => false): Promise<number> {
  let sealed = 0;
  for (let turn = 0; turn < mostBatches && !isStopped(); turn += 1) {
    const some = await beside.seal(batch);
    sealed += some;
    if (some < batch) break;
  }
  return sealed;
}

/** Every replica does it; what one has under way the others leave alone. The returned function waits for the last batch. */
export function sealBeside({ beside, log }: SealOptions): () => Promise<void> {
  let running: Promise<void> | undefined;
  let stopped = false;
  const run = async () => {
    try {
      const sealed = await sealAll(beside, () => stopped);
      if (sealed > 0) log.info({ sealed }, 'what stood beside the content of messages is in it now');
    } catch (error) {
      log.warn({ err: error }, 'what stands beside the content of messages could not be sealed; it is tried again');
    }
  };
  const timer = setInterval(() => {
    running ??= run().finally(() => (running = undefined));
  }, everyMs).unref();
  return async () => {
    stopped = true;
    clearInterval(timer);
    await running;
  };
}
