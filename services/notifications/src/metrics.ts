import { sampleOnScrape, Counter, Gauge, Histogram, type Registry } from '@nolo/kit/telemetry';

export interface NotificationsMetrics {
  /** Requests by outcome. */
  attempts: Counter<'outcome'>;
  attemptSeconds: Histogram<'outcome'>;
  /** Deliveries that were given up. */
  givenUp: Counter;
  /** Webhooks disabled by their receiver or its failure to respond. */
  disabled: Counter;
}

type Counted = readonly { readonly state: string; readonly count: number }[];

interface MetricQueries {
  webhooks: () => Promise<Counted>;
  open: () => Promise<Counted>;
}

/** Metrics specific to this service and its worker. Kit measures RPCs, jobs, and the like. */
export function createNotificationsMetrics(registry: Registry, query: MetricQueries): NotificationsMetrics {
  const registers = [registry];
  const gauge = (name: string, help: string, query: () => Promise<Counted>) => {
    const sample = sampleOnScrape(query);
    new Gauge({
      name,
      help,
      labelNames: ['state'],
      registers,
      async collect() {
        this.reset();
        for (const { state, count } of (await sample()) ?? []) this.set({ state }, count);
      },
    });
  };
  gauge('nolo_webhooks', 'Webhooks by state: active, paused or disabled.', query.webhooks);
  gauge(
    'nolo_webhook_open_deliveries',
    'Open deliveries: waiting for their time, queued behind others to the same webhook, or sending.',
    query.open,
  );
  return {
    attempts: new Counter({
      name: 'nolo_webhook_attempts_total',
      help: 'Requests to receivers by outcome: delivered, gone, status, timeout, unreachable or refused; plan if none was made.',
      labelNames: ['outcome'],
      registers,
    }),
    attemptSeconds: new Histogram({
      name: 'nolo_webhook_attempt_seconds',
      help: 'Duration of requests to receivers by outcome, in seconds.',
      labelNames: ['outcome'],
      buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    }),
    givenUp: new Counter({
      name: 'nolo_webhook_given_up_total',
      help: 'Deliveries given up after three days of attempts or because their webhook was disabled.',
      registers,
    }),
    disabled: new Counter({
      name: 'nolo_webhook_disabled_total',
      help: 'Webhooks disabled because their receiver is gone or accepted nothing for five days.',
      registers,
    }),
  };
}

export interface PushMetrics {
  /** Pushes and failed attempts, by outcome. */
  pushes: Counter<'outcome'>;
  /** Time from the event's commit to acceptance by the push service. */
  seconds: Histogram;
}

/** Metrics of pushes. */
export function createPushMetrics(
  registry: Registry,
  query: { subscriptions: () => Promise<number>; waiting: () => Promise<number> },
): PushMetrics {
  const registers = [registry];
  const gauge = (name: string, help: string, count: () => Promise<number>) => {
    const sample = sampleOnScrape(count);
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        const value = await sample();
        if (value === undefined) this.remove();
        else this.set(value);
      },
    });
  };
  gauge('nolo_push_subscriptions', 'Browsers subscribed to push notifications.', query.subscriptions);
  gauge('nolo_push_waiting', 'Push notifications that no push service has accepted yet.', query.waiting);
  return {
    pushes: new Counter({
      name: 'nolo_pushes_total',
      help: 'Push notifications by outcome: delivered, seen, expired, refused, gone; and retried attempts: status, timeout, unreachable.',
      labelNames: ['outcome'],
      registers,
    }),
    seconds: new Histogram({
      name: 'nolo_push_seconds',
      help: 'Time from the commit of an event until the push service accepts it, in seconds.',
      buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60, 600],
      registers,
    }),
  };
}
