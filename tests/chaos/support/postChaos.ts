import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '@nolo/kit/ids';
import { socialPlatforms, type SocialPlatform } from '@nolo/rules';
import { eventually } from '@nolo/testing';
import { Redis } from 'ioredis';
import { projectRoot } from '../../../scripts/paths.ts';
import { createSocialPlatformEnv } from '../../../scripts/socialPlatformEnv.ts';
import { platformLimits } from '../../../services/social-scheduler/src/platforms/createPlatforms.ts';
import {
  clientSecret,
  startSimulatedPlatforms,
} from '../../../services/social-scheduler/tests/startSimulatedPlatforms.ts';
import type { SocialPostingTestbed } from '../../support/stacks/socialPostingTestbed.ts';
import { createSeededRandom } from '../../support/clients/scenario.ts';

/** Platforms that take a post without media. At LinkedIn, nobody can check whether a post was published. */
const platforms = socialPlatforms.filter((id) => !platformLimits[id].needsMedia);
/**
 * Number of concurrent workers, each killed at its own time. The clock of the second is wrong, by a different offset
 * each time.
 */
const workers = 2;
const maxClockErrorMs = 10 * 60_000;
const settleTimeoutMs = 8 * 60_000;
const postsPerLife = 4;
/** Number of kills for each time that Redis is emptied. */
const killsPerEmptying = 10;

export interface PostChaosOptions {
  kills: number;
  seed: number;
  printLine: (line: string) => void;
}

export interface PostChaosReport {
  posts: number;
  kills: number;
  /**
   * Number of kills that left a post in the publishing state, and of those that left one that may have been published.
   */
  midway: number;
  committed: number;
  /** Number of deliveries, each a post to one account, and of those that took more than one attempt. */
  deliveries: number;
  retriedDeliveries: number;
  emptied: number;
  ends: Record<string, number>;
  seconds: number;
  violations: string[];
}

interface DeliveryRow {
  platform: SocialPlatform;
  text: string;
  state: string;
  reason: string | null;
  attempts: number;
}

/**
 * Publishes due posts while workers are killed. In the end each post is published once, or its author is warned that it
 * may not be.
 */
export async function runPostChaos(testbed: SocialPostingTestbed, options: PostChaosOptions): Promise<PostChaosReport> {
  const began = performance.now();
  const random = createSeededRandom(options.seed);
  const simulated = await startSimulatedPlatforms();
  const redis = new Redis(testbed.backing.redisUrl);
  const report = { posts: 0, kills: 0, midway: 0, committed: 0, emptied: 0 };
  const grants = await Promise.all(
    platforms.map(async (platform) => ({ platform, grant: (await simulated.connect(platform))[0] })),
  );
  const { userId, ids } = await testbed.person(
    grants.flatMap(({ platform, grant }) => (grant === undefined ? [] : [{ platform, grant }])),
  );
  const environment = createSocialPlatformEnv((platform) => `${simulated.url}/platforms/${platform}`, clientSecret);
  const file = join(projectRoot, 'tests/support/stacks/socialWorkerProcess.ts');

  /** Schedules posts that are due now or soon, so that some wait and some are in progress whatever happens next. */
  const schedule = async () => {
    for (let index = 0; index < postsPerLife; index += 1) {
      const at = new Date(Date.now() + random() * 1_500);
      const chosen = platforms[Math.floor(random() * platforms.length)] ?? 'twitter';
      const other = platforms[Math.floor(random() * platforms.length)] ?? 'twitter';
      const connectionIds = [...new Set([chosen, other])].map((platform) => ids.get(platform) ?? '');
      await testbed.posts.add(userId, newId(), {
        text: `Number ${(report.posts += 1)} of ${newId()}`,
        texts: {},
        media: [],
        connectionIds,
        time: { at, local: at.toISOString().slice(0, 16), zone: 'UTC' },
      });
    }
  };
  /** Makes platforms answer with delays, and sometimes perform a request without answering. */
  const moods = () =>
    Promise.all(
      platforms.map(async (platform) => {
        const switches = Array.from({ length: 3 }, () => ({
          step: 'publish',
          delayMs: Math.floor(random() * 80),
          lost: random() < 0.1,
        }));
        await simulated.prepare(platform, ...switches);
      }),
    );

  const live = async (clockOffMs: number, killed: boolean) => {
    const worker = await testbed.startWorker(file, environment, clockOffMs);
    if (!killed) return;
    await schedule();
    await moods();
    await sleep(random() * 400);
    if (report.kills % killsPerEmptying === 0) {
      await redis.flushall();
      report.emptied += 1;
      await sleep(random() * 200);
    }
    await worker.kill();
    report.kills += 1;
    const { rows } = await testbed.db.raw<{ rows: [{ midway: number; committed: number }] }>(
      `select count(*)::int as midway, count(committed_at)::int as committed from deliveries
       where state = 'publishing' and retry_at is null`,
    );
    report.midway += Math.min(1, rows[0].midway);
    report.committed += Math.min(1, rows[0].committed);
    if (report.kills % 50 === 0) options.printLine(`${report.kills} kills, ${report.posts} posts`);
  };
  const offOf = (place: number) => (place === 0 ? 0 : Math.round((random() * 2 - 1) * maxClockErrorMs));
  let begun = 0;
  const killRepeatedly = async (place: number) => {
    while (begun < options.kills) {
      begun += 1;
      await live(offOf(place), true);
    }
    await live(offOf(place), false);
  };

  try {
    await Promise.all(Array.from({ length: workers }, (_none, place) => killRepeatedly(place)));
    const open = () => testbed.db('deliveries').whereIn('state', ['waiting', 'publishing']).count('* as count').first();
    // Posts that were interrupted often are retried only after minutes. The judge reports one that never ends as
    // silent.
    await eventually(async () => Number((await open())?.['count']) === 0, { timeoutMs: settleTimeoutMs }).catch(
      () => undefined,
    );
    const judged = await judge(testbed, simulated);
    return { ...report, ...judged, seconds: Math.round((performance.now() - began) / 1_000) };
  } finally {
    redis.disconnect();
    await simulated.stop();
  }
}

/** Compares the posts on the platforms with what their authors see. */
async function judge(
  testbed: SocialPostingTestbed,
  simulated: Awaited<ReturnType<typeof startSimulatedPlatforms>>,
): Promise<Pick<PostChaosReport, 'deliveries' | 'retriedDeliveries' | 'violations' | 'ends'>> {
  const rows: DeliveryRow[] = await testbed
    .db('deliveries')
    .join('posts', 'posts.id', 'deliveries.post_id')
    .select('platform', 'text', 'deliveries.state', 'reason', 'attempts');
  const out = new Map<string, string[]>();
  for (const platform of platforms) {
    for (const { id, text } of await simulated.posts(platform)) {
      const place = `${platform} ${text}`;
      out.set(place, [...(out.get(place) ?? []), id]);
    }
  }
  const violations: string[] = [];
  const ends: Record<string, number> = {};
  for (const row of rows) {
    const place = `${row.platform} ${row.text}`;
    const found = out.get(place)?.length ?? 0;
    out.delete(place);
    ends[row.state] = (ends[row.state] ?? 0) + 1;
    const wrong = wrongWith(row, found);
    if (wrong !== undefined) violations.push(`${place}: ${wrong}`);
  }
  for (const place of out.keys()) violations.push(`${place}: published, but never written`);
  return {
    deliveries: rows.length,
    retriedDeliveries: rows.filter(({ attempts }) => attempts > 1).length,
    violations,
    ends,
  };
}

function wrongWith({ state, reason }: DeliveryRow, found: number): string | undefined {
  if (found > 1) return `published ${found} times, state ${state}`;
  switch (state) {
    case 'published':
      return found === 1 ? undefined : 'lost: marked as published but not there';
    case 'failed':
      if (found > 0) return `published, but marked as failed (${reason})`;
      return reason === null ? 'failed without a reason' : undefined;
    case 'needs_review':
      return reason === null ? 'in review without a reason' : undefined;
    default:
      return `stuck: still ${state}`;
  }
}
