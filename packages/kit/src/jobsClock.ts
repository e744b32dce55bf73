import { Queue as BullQueue } from 'bullmq';
import type { Redis } from 'ioredis';
import type { Due } from './jobsTable.ts';

/** Nothing of a job is kept in Redis but when it is due: its row knows the rest, and decides. */
const jobOptions = { attempts: 1, removeOnComplete: true, removeOnFail: true };

/** Only what is due soon is in Redis; the sweep brings the rest in time. */
export const horizonMs = 120_000;

/** The jobs of one queue in Redis. */
export interface JobClock {
  /** Sets the time of these, new or not, which are of this queue. */
  set(due: readonly Due[]): Promise<void>;
  /** Of rows that should have a job, makes good what is missing or set too late; answers with how many that were. */
  mend(due: readonly Due[]): Promise<number>;
  /** A row is gone: nothing need fire for it. */
  forget(id: string): Promise<void>;
  close(): Promise<void>;
}

export function createJobClock(options: {
  queue: string;
  redis: Redis;
  prefix: string;
  onError: (error: Error) => void;
}): JobClock {
  const { queue, redis, prefix } = options;
  const bull = new BullQueue(queue, {
    connection: redis,
    prefix,
    // Nobody listens, so Redis need not keep what happened.
    streams: { events: { maxLen: 0 } },
  });
  bull.on('error', options.onError);
  const delay = ({ leftMs }: Due) => Math.max(0, Math.round(leftMs));

  const add = (due: readonly Due[]) =>
    bull.addBulk(
      due.map((one) => ({ name: queue, data: {}, opts: { ...jobOptions, jobId: one.id, delay: delay(one) } })),
    );

  /** Jobs that are there, and those of them that wait for a time. */
  const look = async (due: readonly Due[]) => {
    const pipeline = redis.pipeline();
    for (const { id } of due) {
      pipeline.exists(bull.toKey(id));
      pipeline.zscore(bull.toKey('delayed'), id);
    }
    const answers = (await pipeline.exec()) ?? [];
    return due.map((one, index) => ({
      one,
      exists: Number(answers[index * 2]?.[1] ?? 0) > 0,
      waits: typeof answers[index * 2 + 1]?.[1] === 'string',
    }));
  };

  const move = async (one: Due) => {
    const job = await bull.getJob(one.id);
    // It may have fired in between, and then its row decides.
    await job?.changeDelay(delay(one)).catch(() => undefined);
  };

  return {
    async set(due) {
      const soon = due.filter(({ leftMs }) => leftMs <= horizonMs);
      if (soon.length === 0) return;
      const found = await look(soon);
      await add(found.filter(({ exists }) => !exists).map(({ one }) => one));
      for (const { one, waits } of found) if (waits) await move(one);
    },
    async mend(due) {
      const found = await look(due);
      const missing = found.filter(({ exists }) => !exists).map(({ one }) => one);
      // Overdue and still waiting for its time: set by a clock that was wrong, or before the row was moved.
      const stuck = found.filter(({ one, waits }) => waits && one.leftMs < -1_000).map(({ one }) => one);
      if (missing.length > 0) await add(missing);
      for (const one of stuck) await move(one);
      return missing.length + stuck.length;
    },
    async forget(id) {
      // One that a worker has under way, by what Redis knows, stays.
      await bull.remove(id).catch(() => undefined);
    },
    close: () => bull.close(),
  };
}
