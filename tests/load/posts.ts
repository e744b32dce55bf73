/** Measures how late scheduled posts reach the platform, due together and many in a minute, next to bare BullMQ. */
import { join } from 'node:path';
import { Secret } from '@nolo/kit/config';
import { newId, type UserId } from '@nolo/kit/ids';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { projectRoot } from '../../scripts/paths.ts';
import { publishQueue } from '../../services/social-scheduler/src/domain/publishQueue.ts';
import { startSocialPostingTestbed, type SocialPostingTestbed } from '../support/stacks/socialPostingTestbed.ts';
import { forkBaselineSocialPublisher, forkFakeSocialPlatform, type FakeSocialPlatformPost } from './support/forks.ts';
import {
  describeConditions,
  readCpuMs,
  readProcessTreeCpuMs,
  median,
  printTable,
  quantile,
  printLine,
} from './support/measure.ts';

const pairs = Number(process.argv[2] ?? 5);
const minutes = Number(process.argv[3] ?? 1);
/** Milliseconds that the platform takes per post. */
const takesMs = 20;
const { concurrency } = publishQueue;
/** Users with one account each, who post in turn. */
const people = 2_000;

interface Shape {
  name: string;
  count: number;
  /** Milliseconds from the first to the last of them. */
  overMs: number;
  /** Milliseconds from scheduling to the first due time. */
  aheadMs: number;
}
const together: Shape = { name: '2,000 at one instant', count: 2_000, overMs: 0, aheadMs: 6_000 };
const minute: Shape = { name: '10,000 in a minute', count: 10_000, overMs: 60_000, aheadMs: 15_000 };

interface Side {
  schedule(posts: readonly { text: string; at: Date }[]): Promise<void>;
  cpu(): number;
}

interface Account {
  userId: UserId;
  connectionId: string;
}

function ourSide(testbed: SocialPostingTestbed, accounts: readonly Account[], worker: number): Side {
  return {
    async schedule(posts) {
      const rows = posts.map(({ text, at }, index) => {
        const { userId, connectionId } = accounts[index % accounts.length] as Account;
        const [postId, id] = [newId(), newId()];
        const post = { id: postId, user_id: userId, text, scheduled_at: at, state: 'scheduled' };
        const delivery = { id, post_id: postId, connection_id: connectionId, platform: 'mastodon', account_name: '@a' };
        return { post, delivery, job: { id, payload: { deliveryId: id }, dueAt: at } };
      });
      await testbed.db.transaction(async (trx) => {
        await trx.batchInsert(
          'posts',
          rows.map(({ post }) => post),
          1_000,
        );
        await trx.batchInsert(
          'deliveries',
          rows.map(({ delivery }) => delivery),
          1_000,
        );
        await testbed.jobs.addAll(
          trx,
          publishQueue,
          rows.map(({ job }) => job),
        );
      });
    },
    cpu: () => readCpuMs(worker) + readProcessTreeCpuMs(testbed.backing.postgres.pid() ?? 0),
  };
}

function bareSide(queue: Queue<{ text: string }>, worker: number): Side {
  return {
    async schedule(posts) {
      const jobs = posts.map(({ text, at }) => ({
        name: 'bare',
        data: { text },
        opts: { delay: at.getTime() - Date.now(), removeOnComplete: true },
      }));
      await queue.addBulk(jobs);
    },
    cpu: () => readCpuMs(worker),
  };
}

interface Round {
  late: number[];
  /** Milliseconds from the due time of the last to its answer. */
  allMs: number;
  cpu: number;
}

async function measure(testbed: SocialPostingTestbed): Promise<void> {
  const platform = forkFakeSocialPlatform();
  const port = (await platform.ask({ ask: 'listen', takesMs })) as number;
  const server = `http://127.0.0.1:${port}`;
  const grant = { account: { id: '1', name: '@a', server }, tokens: { access: new Secret('a-token') } };
  const accounts: Account[] = [];
  for (let index = 0; index < people; index += 1) {
    const { userId, ids } = await testbed.person([{ platform: 'mastodon', grant }]);
    accounts.push({ userId, connectionId: ids.get('mastodon') ?? '' });
  }
  const file = join(projectRoot, 'services/social-scheduler/src/worker.ts');
  const worker = await testbed.startWorker(file, { MASTODON_SERVERS: server });
  const redis = new Redis(testbed.backing.redisUrl, { maxRetriesPerRequest: null });
  const queue = new Queue<{ text: string }>('bare', { connection: redis });
  const barePublisher = forkBaselineSocialPublisher();
  const barePid = await barePublisher.ask({ redisUrl: testbed.backing.redisUrl, platformUrl: server, concurrency });
  const sides = { bare: bareSide(queue, barePid), ours: ourSide(testbed, accounts, worker.child.pid ?? 0) };

  const round = async (name: string, side: Side, { count, overMs, aheadMs }: Shape): Promise<Round> => {
    const from = Date.now() + aheadMs;
    const dues = Array.from({ length: count }, (_none, index) => from + Math.floor((index * overMs) / count));
    await side.schedule(dues.map((due, index) => ({ text: `${due} ${index}`, at: new Date(due) })));
    if (Date.now() > from) throw new Error('The first post was due before all were scheduled.');
    const before = side.cpu();
    const withinMs = aheadMs + overMs + 60_000;
    const calls = (await platform.ask({ ask: 'calls', count, withinMs })) as FakeSocialPlatformPost[];
    if (calls.length !== count) throw new Error(`${calls.length} of ${count} posts reached the platform from ${name}.`);
    const late = calls.map(({ text, begun }) => begun - Number(text.split(' ')[0]));
    const allMs = Math.max(...calls.map(({ ended }) => ended)) - (dues.at(-1) ?? 0);
    return { late, allMs, cpu: (side.cpu() - before) / count };
  };

  const rows: (string | number)[][] = [];
  const kept: Record<string, Round[]> = {};
  const runAlternately = async (shape: Shape, times: number) => {
    for (let pair = 0; pair <= times; pair += 1) {
      for (const [name, side] of Object.entries(sides)) {
        const done = await round(name, side, pair === 0 ? { ...together, count: 500 } : shape);
        // The first run of each warms up.
        if (pair === 0) continue;
        (kept[`${shape.name} ${name}`] ??= []).push(done);
        const { late, allMs, cpu } = done;
        rows.push([
          `${shape.name}: ${pair} ${name}`,
          ...[0.5, 0.99, 1].map((share) => quantile(late, share)),
          allMs,
          cpu,
        ]);
      }
    }
  };
  await runAlternately(together, pairs);
  await runAlternately(minute, minutes);
  printTable(['', 'late p50, ms', 'p99', 'max', 'all published after the last was due, ms', 'CPU ms per post'], rows);
  const ownMs = Math.ceil(together.count / concurrency) * takesMs;
  const over = (name: string) => median((kept[`${together.name} ${name}`] ?? []).map(({ allMs }) => allMs)) - ownMs;
  printLine(
    `${together.name}: all published ${over('ours').toFixed(0)} ms after the platform's own ${ownMs} ms (${takesMs} ms each, ${concurrency} at a time), bare BullMQ ${over('bare').toFixed(0)} ms; medians of ${pairs}. CPU is the worker's; ours includes Postgres.`,
  );
  platform.stop();
  barePublisher.stop();
  await queue.close();
  redis.disconnect();
}

const testbed = await startSocialPostingTestbed();
try {
  printLine(`\nScheduled posts\n${describeConditions()}`);
  await measure(testbed);
  printLine(describeConditions());
} finally {
  await testbed.stop();
}
process.exit();
