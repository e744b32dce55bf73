import type { Log } from '@nolo/kit/log';
import type { Task } from '@nolo/kit/repeat';
import type { BesideStore } from '../domain/ports.ts';

/** Messages in one statement: short, since it holds them. */
const batch = 100;
/** Statements in one run, so that ending the service never waits for a backlog. */
const mostBatches = 50;
/**
 * Longer than services of the version before are still there while a new one comes: they would show an envelope as words.
 * They also write what is to be sealed, so it is looked for again.
 */
const everyMs = 15 * 60_000;

/** Puts what stands beside content into it; answers for how many messages. */
export async function sealSome(beside: BesideStore): Promise<number> {
  let sealed = 0;
  for (let turn = 0; turn < mostBatches; turn += 1) {
    const some = await beside.seal(batch);
    sealed += some;
    if (some < batch) break;
  }
  return sealed;
}

/** First a pause after the start, and where more was there than one run does, soon again. */
export function sealBeside({ beside, log }: { beside: BesideStore; log: Log }): Task {
  return {
    name: 'sealing of messages',
    everyMs,
    async run() {
      const sealed = await sealSome(beside);
      if (sealed > 0) log.info({ sealed }, 'what stood beside the content of messages is in it now');
      return sealed < batch * mostBatches ? undefined : new Date(0);
    },
  };
}
