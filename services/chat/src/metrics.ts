import { askedAtScrape, Counter, Gauge, Histogram, type Registry } from '@nolo/kit/telemetry';

export interface Metrics {
  messages: Counter<'type'>;
  refusedStrangers: Counter<'reason'>;
  /** Seconds from the expiry of a message to its erasure. */
  expiryLateness: Histogram;
  /** Messages erased because of the installation's retention. */
  aged: Counter;
}

/** Creates the metrics specific to this service; kit measures RPCs, statements and the like. */
export function createMetrics(
  registry: Registry,
  ask: { waiting: () => number; overdueSeconds: () => Promise<number> },
): Metrics {
  const registers = [registry];
  const overdue = askedAtScrape(ask.overdueSeconds);
  new Gauge({
    name: 'nolo_expiry_overdue_seconds',
    help: 'For how long the oldest message that should have disappeared is still there; 0 where there is none.',
    registers,
    async collect() {
      const seconds = await overdue();
      if (seconds === undefined) this.remove();
      else this.set(seconds);
    },
  });
  new Gauge({
    name: 'nolo_send_queue_waiting',
    help: 'Messages that wait for the statement before theirs, in all conversations.',
    registers,
    collect() {
      this.set(ask.waiting());
    },
  });
  return {
    messages: new Counter({
      name: 'nolo_messages_total',
      help: 'Messages that were stored, by type.',
      labelNames: ['type'],
      registers,
    }),
    aged: new Counter({
      name: 'nolo_messages_aged_total',
      help: 'Messages that were erased because they were older than MESSAGES_KEPT_DAYS.',
      registers,
    }),
    refusedStrangers: new Counter({
      name: 'nolo_strangers_refused_total',
      help: 'Messages that were refused because the receiver does not know the sender, by reason.',
      labelNames: ['reason'],
      registers,
    }),
    expiryLateness: new Histogram({
      name: 'nolo_expiry_lateness_seconds',
      help: 'How long after their time disappearing messages were erased.',
      buckets: [0.5, 1, 2, 5, 10, 30, 60, 300],
      registers,
    }),
  };
}
