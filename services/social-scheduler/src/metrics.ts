import { sampleOnScrape, Counter, Gauge, Histogram, type Registry } from '@nolo/kit/telemetry';
import type { PostDelivery, DeliveryOutcome } from './domain/ports.ts';

export interface SocialMetrics {
  /** Final outcomes of posts, one per destination account. */
  posts: Counter<'platform' | 'outcome' | 'reason'>;
  /** Time from the scheduled time, or from the request for immediate publication, until the platform has the post. */
  lateness: Histogram<'platform'>;
  /** Duration of platform operations. A post and its uploads count as one. */
  platformSeconds: Histogram<'platform' | 'operation' | 'outcome'>;
}

/** Rows of a count in the database. */
type SocialRowCounts<Label extends string> = readonly (Readonly<Record<Label, string>> & {
  readonly count: number;
})[];

interface MetricQueries {
  connections: () => Promise<SocialRowCounts<'platform' | 'state'>>;
  inReview: () => Promise<SocialRowCounts<'platform'>>;
}

/** Metrics specific to this service and its worker. Kit measures RPCs, jobs, and the like. */
export function createSocialMetrics(registry: Registry, query: MetricQueries): SocialMetrics {
  const registers = [registry];
  const connections = sampleOnScrape(query.connections);
  const inReview = sampleOnScrape(query.inReview);
  new Gauge({
    name: 'nolo_social_connections',
    help: 'Connected platform accounts by platform and state: active, or expired and in need of reconnection.',
    labelNames: ['platform', 'state'],
    registers,
    async collect() {
      this.reset();
      for (const { count, ...labels } of (await connections()) ?? []) this.set(labels, count);
    },
  });
  new Gauge({
    name: 'nolo_social_in_review',
    help: 'Posts by platform that need a person to check whether they were published.',
    labelNames: ['platform'],
    registers,
    async collect() {
      this.reset();
      for (const { count, ...labels } of (await inReview()) ?? []) this.set(labels, count);
    },
  });
  return {
    posts: new Counter({
      name: 'nolo_social_posts_total',
      help: 'Posts by platform, outcome (published, failed or needs_review) and reason.',
      labelNames: ['platform', 'outcome', 'reason'],
      registers,
    }),
    lateness: new Histogram({
      name: 'nolo_social_lateness_seconds',
      help: 'Delay between the scheduled time and the publication of posts, in seconds.',
      labelNames: ['platform'],
      buckets: [0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600],
      registers,
    }),
    platformSeconds: new Histogram({
      name: 'nolo_social_platform_seconds',
      help: 'Duration of publishing, finding, refreshing, revoking and connecting on platforms by outcome (ok or the failure reason), in seconds.',
      labelNames: ['platform', 'operation', 'outcome'],
      buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300],
      registers,
    }),
  };
}

/** Counts an outcome after it is stored in the database. */
export function countOutcome(
  { posts, lateness }: SocialMetrics,
  { platform, dueAt }: PostDelivery,
  outcome: DeliveryOutcome,
  now: Date,
) {
  const reason = outcome.state === 'published' ? '' : outcome.reason;
  posts.inc({ platform, outcome: outcome.state, reason });
  if (outcome.state !== 'published' || dueAt === null) return;
  lateness.observe({ platform }, Math.max(0, now.getTime() - dueAt.getTime()) / 1_000);
}
