import { askedAtScrape, Counter, Gauge, Histogram, type Registry } from '@nolo/kit/telemetry';

export interface Metrics {
  posted: Counter<'type'>;
  /** Views, counted once per viewer. */
  views: Counter;
  /** Seconds from expiry to deletion. */
  expiryLateness: Histogram;
}

/** Metrics specific to this service. Kit measures RPCs, statements, and the like. */
export function createMetrics(registry: Registry, ask: { overdueSeconds: () => Promise<number> }): Metrics {
  const registers = [registry];
  const overdue = askedAtScrape(ask.overdueSeconds);
  new Gauge({
    name: 'nolo_expiry_overdue_seconds',
    help: 'For how long the oldest status update that should have been deleted is still there; 0 where there is none.',
    registers,
    async collect() {
      const seconds = await overdue();
      if (seconds === undefined) this.remove();
      else this.set(seconds);
    },
  });
  return {
    posted: new Counter({
      name: 'nolo_statuses_total',
      help: 'Status updates that were posted, by type.',
      labelNames: ['type'],
      registers,
    }),
    views: new Counter({
      name: 'nolo_status_views_total',
      help: 'Status updates that somebody looked at for the first time.',
      registers,
    }),
    expiryLateness: new Histogram({
      name: 'nolo_expiry_lateness_seconds',
      help: 'How long after their time status updates were deleted.',
      buckets: [0.5, 1, 2, 5, 10, 30, 60, 300],
      registers,
    }),
  };
}
