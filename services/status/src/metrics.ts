import { sampleOnScrape, Counter, Gauge, Histogram, type Registry } from '@nolo/kit/telemetry';

export interface StatusMetrics {
  posted: Counter<'type'>;
  /** Views, counted once per viewer. */
  views: Counter;
  /** Seconds from expiry to deletion. */
  expiryLateness: Histogram;
}

/** Metrics specific to this service. Kit measures RPCs, statements, and the like. */
export function createStatusMetrics(
  registry: Registry,
  query: { overdueSeconds: () => Promise<number> },
): StatusMetrics {
  const registers = [registry];
  const overdue = sampleOnScrape(query.overdueSeconds);
  new Gauge({
    name: 'nolo_expiry_overdue_seconds',
    help: 'Time by which the oldest expired status update is overdue for deletion, in seconds; 0 if nothing is overdue.',
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
      help: 'Posted status updates, by type.',
      labelNames: ['type'],
      registers,
    }),
    views: new Counter({
      name: 'nolo_status_views_total',
      help: 'First views of status updates.',
      registers,
    }),
    expiryLateness: new Histogram({
      name: 'nolo_expiry_lateness_seconds',
      help: 'Delay between the expiry and the deletion of status updates, in seconds.',
      buckets: [0.5, 1, 2, 5, 10, 30, 60, 300],
      registers,
    }),
  };
}
