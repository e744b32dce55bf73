import { askedAtScrape, Counter, Gauge, Histogram, type Registry } from '@nolo/kit/telemetry';

export interface Metrics {
  /** Requests by outcome. */
  attempts: Counter<'outcome'>;
  attemptSeconds: Histogram<'outcome'>;
  /** Deliveries that were given up. */
  givenUp: Counter;
  /** Webhooks disabled by their receiver or its failure to respond. */
  disabled: Counter;
}

type Counted = readonly { readonly state: string; readonly count: number }[];

interface Asked {
  webhooks: () => Promise<Counted>;
  open: () => Promise<Counted>;
}

/** Metrics specific to this service and its worker. Kit measures RPCs, jobs, and the like. */
export function createMetrics(registry: Registry, ask: Asked): Metrics {
  const registers = [registry];
  const gauge = (name: string, help: string, ask: () => Promise<Counted>) => {
    const asked = askedAtScrape(ask);
    new Gauge({
      name,
      help,
      labelNames: ['state'],
      registers,
      async collect() {
        this.reset();
        for (const { state, count } of (await asked()) ?? []) this.set({ state }, count);
      },
    });
  };
  gauge('nolo_webhooks', 'Webhooks by state: active, paused or disabled.', ask.webhooks);
  gauge(
    'nolo_webhook_open_deliveries',
    'Deliveries that are not over: waiting for their time, ready behind others to the same webhook, or sending.',
    ask.open,
  );
  return {
    attempts: new Counter({
      name: 'nolo_webhook_attempts_total',
      help: 'Requests to receivers by how they ended: delivered, gone, status, timeout, unreachable, refused; or plan, where none was made.',
      labelNames: ['outcome'],
      registers,
    }),
    attemptSeconds: new Histogram({
      name: 'nolo_webhook_attempt_seconds',
      help: 'How long requests to receivers took, by how they ended.',
      labelNames: ['outcome'],
      buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    }),
    givenUp: new Counter({
      name: 'nolo_webhook_given_up_total',
      help: 'Deliveries that were tried for three days, or whose webhook was disabled, and are not tried any more.',
      registers,
    }),
    disabled: new Counter({
      name: 'nolo_webhook_disabled_total',
      help: 'Webhooks that were switched off because their receiver is gone or took nothing for five days.',
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
  ask: { subscriptions: () => Promise<number>; waiting: () => Promise<number> },
): PushMetrics {
  const registers = [registry];
  const gauge = (name: string, help: string, count: () => Promise<number>) => {
    const asked = askedAtScrape(count);
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        const value = await asked();
        if (value === undefined) this.remove();
        else this.set(value);
      },
    });
  };
  gauge('nolo_push_subscriptions', 'Browsers that take pushes.', ask.subscriptions);
  gauge('nolo_push_waiting', 'Pushes that no push service has taken yet.', ask.waiting);
  return {
    pushes: new Counter({
      name: 'nolo_pushes_total',
      help: 'Pushes by how they ended: delivered, seen, expired, refused, gone; and attempts that are made again: status, timeout, unreachable.',
      labelNames: ['outcome'],
      registers,
    }),
    seconds: new Histogram({
      name: 'nolo_push_seconds',
      help: "From the commit of what happened to the push service's receipt.",
      buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60, 600],
      registers,
    }),
  };
}
