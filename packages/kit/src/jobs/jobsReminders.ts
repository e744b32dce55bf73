import { Queue as BullQueue } from 'bullmq';
import type { Redis } from 'ioredis';
import type { DueJob } from './jobsTable.ts';

/** Redis stores nothing of a job except its due time: the row has the rest, and decides. */
const jobOptions = { attempts: 1, removeOnComplete: true, removeOnFail: true };

/** Horizon within which due jobs are in Redis; the sweep adds later ones in time. */
export const reminderHorizonMs = 120_000;

/** Jobs of one queue in Redis. */
export interface JobReminders {
  /** Sets the due times of these jobs of the queue, new or existing. */
  set(due: readonly DueJob[]): Promise<void>;
  /**
   * Repairs jobs that are missing or scheduled too late, for rows that should have one. Returns the number repaired.
   */
  mend(due: readonly DueJob[]): Promise<number>;
  /** Removes the reminder of a deleted row. */
  forget(id: string): Promise<void>;
  close(): Promise<void>;
}

export function createJobReminders(options: {
  queue: string;
  redis: Redis;
  prefix: string;
  onError: (error: Error) => void;
}): JobReminders {
  const { queue, redis, prefix } = options;
  const bull = new BullQueue(queue, {
    connection: redis,
    prefix,
    // The event stream has no readers, so Redis need not store it.
    streams: { events: { maxLen: 0 } },
  });
  bull.on('error', options.onError);
  const delay = ({ leftMs }: DueJob) => Math.max(0, Math.round(leftMs));

  const add = (due: readonly DueJob[]) =>
    bull.addBulk(
      due.map((one) => ({ name: queue, data: {}, opts: { ...jobOptions, jobId: one.id, delay: delay(one) } })),
    );

  /** Returns the existing jobs, and which of them are delayed. */
  const inspect = async (due: readonly DueJob[]) => {
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

  const move = async (one: DueJob) => {
    const job = await bull.getJob(one.id);
    // If it fired in between, its row decides.
    await job?.changeDelay(delay(one)).catch(() => undefined);
  };

  return {
    async set(due) {
      const soon = due.filter(({ leftMs }) => leftMs <= reminderHorizonMs);
      if (soon.length === 0) return;
      const found = await inspect(soon);
      await add(found.filter(({ exists }) => !exists).map(({ one }) => one));
      for (const { one, waits } of found) if (waits) await move(one);
    },
    async mend(due) {
      const found = await inspect(due);
      const missing = found.filter(({ exists }) => !exists).map(({ one }) => one);
      // Overdue but still delayed: scheduled by a wrong clock, or before the row was moved.
      const stuck = found.filter(({ one, waits }) => waits && one.leftMs < -1_000).map(({ one }) => one);
      if (missing.length > 0) await add(missing);
      for (const one of stuck) await move(one);
      return missing.length + stuck.length;
    },
    async forget(id) {
      // A job that Redis considers active stays.
      await bull.remove(id).catch(() => undefined);
    },
    close: () => bull.close(),
  };
}
