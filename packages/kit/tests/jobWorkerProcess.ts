/** Worker in its own process, for tests that kill or block it. */
import { existsSync } from 'node:fs';
import { createDb } from '@nolo/kit/db';
import { createJobScheduler } from '@nolo/kit/jobs';
import { createLog } from '@nolo/kit/log';
import { jobHoldMs, interruptibleQueue, unrepeatableQueue } from './jobQueues.ts';

const [databaseUrl = '', redisUrl = '', redisPrefix = '', letGo = ''] = process.argv.slice(2);
const db = createDb({ url: databaseUrl, schema: 'chat' });
const log = createLog({ service: 'test', level: 'silent' });
const jobs = createJobScheduler({
  db,
  service: 'test',
  redisUrl,
  redisPrefix,
  log,
  holdMs: jobHoldMs,
  sweepEveryMs: 60_000,
});
jobs.work(interruptibleQueue, async ({ id, payload, finish }) => {
  process.send?.({ begun: id });
  // Blocks timers and answers, so the hold expires.
  while (payload.blocks && !existsSync(letGo));
  if (!payload.blocks) await new Promise(() => undefined);
  try {
    await db.transaction(async (trx) => {
      await trx('effects').insert({ job_id: id, done_by: 'process' });
      await finish(trx);
    });
  } finally {
    process.send?.({ ended: id });
  }
});
jobs.work(unrepeatableQueue, async ({ id }) => {
  process.send?.({ begun: id });
  await new Promise(() => undefined);
});
jobs.start();
