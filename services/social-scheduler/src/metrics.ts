import { askedAtScrape, Counter, Gauge, Histogram, type Registry } from '@nolo/kit/telemetry';
import type { Delivery, Outcome } from './domain/ports.ts';

export interface Metrics {
  /** Final outcomes of posts, one per destination account. */
  posts: Counter<'platform' | 'outcome' | 'reason'>;
  /** Time from the scheduled time, or from the request for immediate publication, until the platform has the post. */
  lateness: Histogram<'platform'>;
  /** Duration of platform operations. A post and its uploads count as one. */
  platformSeconds: Histogram<'platform' | 'operation' | 'outcome'>;
}

/** Rows of a count in the database. */
export type Counted<Label extends string> = readonly (Readonly<Record<Label, string>> & { readonly count: number })[];

interface Asked {
  connections: () => Promise<Counted<'platform' | 'state'>>;
  inReview: () => Promise<Counted<'platform'>>;
}

/** Metrics specific to this service and its worker. Kit measures RPCs, jobs, and the like. */
export function createMetrics(registry: Registry, ask: Asked): Metrics {
  const registers = [registry];
  const connections = askedAtScrape(ask.connections);
  const inReview = askedAtScrape(ask.inReview);
  new Gauge({
    name: 'nolo_social_connections',
    help: 'Accounts at platforms that are connected, by platform and state: active, or expired, to be connected again.',
    labelNames: ['platform', 'state'],
    registers,
    async collect() {
      this.reset();
      for (const { count, ...labels } of (await connections()) ?? []) this.set(labels, count);
    },
  });
  new Gauge({
    name: 'nolo_social_in_review',
    help: 'Posts of which nobody but a person can say whether they went out, by platform.',
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
      help: 'Posts by platform and by what became of them there: published, failed or needs_review, and why.',
      labelNames: ['platform', 'outcome', 'reason'],
      registers,
    }),
    lateness: new Histogram({
      name: 'nolo_social_lateness_seconds',
      help: 'How long after their time posts were published.',
      labelNames: ['platform'],
      buckets: [0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600],
      registers,
    }),
    platformSeconds: new Histogram({
      name: 'nolo_social_platform_seconds',
      help: 'How long platforms took to publish, find, refresh, revoke or connect, by outcome: ok, or the reason why not.',
      labelNames: ['platform', 'operation', 'outcome'],
      buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300],
      registers,
    }),
  };
}

/** Counts an outcome after it is stored in the database. */
export function countOutcome({ posts, lateness }: Metrics, { platform, dueAt }: Delivery, outcome: Outcome, now: Date) {
  const reason = outcome.state === 'published' ? '' : outcome.reason;
  posts.inc({ platform, outcome: outcome.state, reason });
  if (outcome.state !== 'published' || dueAt === null) return;
  lateness.observe({ platform }, Math.max(0, now.getTime() - dueAt.getTime()) / 1_000);
}
