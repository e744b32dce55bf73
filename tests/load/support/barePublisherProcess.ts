/** Bare BullMQ: a job is one request to the platform, and nothing is recorded. */
import { Worker } from 'bullmq';
import { Redis } from 'ioredis';
import type { BaselineSocialPublisherCommand } from './forks.ts';

process.on('message', ({ redisUrl, platformUrl, concurrency }: BaselineSocialPublisherCommand) => {
  const connection = new Redis(redisUrl, { maxRetriesPerRequest: null });
  const worker = new Worker<{ text: string }>(
    'bare',
    async ({ data }) => {
      const response = await fetch(`${platformUrl}/api/v1/statuses`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ status: data.text, visibility: 'public' }),
      });
      await response.json();
    },
    { connection, concurrency, removeOnComplete: { count: 0 } },
  );
  worker.on('error', (error) => process.stderr.write(`${error.message}\n`));
  void worker.waitUntilReady().then(() => process.send?.({ value: process.pid }));
});
process.on('disconnect', () => process.exit());
