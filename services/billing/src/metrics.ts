import { sampleOnScrape, Counter, Gauge, Histogram, type Registry } from '@nolo/kit/telemetry';

export interface BillingMetrics {
  /** Processed notifications, by result. */
  notifications: Counter<'gateway' | 'outcome' | 'reason'>;
  /** Seconds from storing a notification until it is processed. */
  notificationSeconds: Histogram<'gateway'>;
  ordersBegun: Counter<'gateway' | 'item'>;
  refusals: Counter<'feature'>;
  reconciled: Counter<'gateway' | 'outcome'>;
  mails: Counter<'outcome'>;
  /** Meters that differed from a service and were fixed. */
  adjustments: Counter<'feature' | 'reason'>;
  /** Number of faults found by the last check of the ledger. */
  ledgerFaults: Gauge;
}

/** Counts from the database. */
type BillingRowCounts<Label extends string> = readonly (Readonly<Record<Label, string>> & {
  readonly count: number;
})[];

interface MetricQueries {
  orders: () => Promise<BillingRowCounts<'state' | 'gateway'>>;
  openNotifications: () => Promise<BillingRowCounts<'state' | 'gateway'>>;
  /** Seconds since the oldest unprocessed notification arrived; 0 if none. */
  oldestNotification: () => Promise<number>;
}

/** Creates the metrics specific to this service and its worker; kit measures RPCs, jobs and the like. */
export function createBillingMetrics(registry: Registry, query: MetricQueries): BillingMetrics {
  const registers = [registry];
  const open = sampleOnScrape(query.openNotifications);
  const orders = sampleOnScrape(query.orders);
  const oldest = sampleOnScrape(query.oldestNotification);
  new Gauge({
    name: 'nolo_billing_orders',
    help: 'Orders by state and gateway.',
    labelNames: ['state', 'gateway'],
    registers,
    async collect() {
      this.reset();
      for (const { count, state, gateway } of (await orders()) ?? []) this.set({ state, gateway }, count);
    },
  });
  new Gauge({
    name: 'nolo_billing_open_notifications',
    help: 'Unprocessed notifications by state and gateway: received, waiting for an unknown order, or failed for now.',
    labelNames: ['state', 'gateway'],
    registers,
    async collect() {
      this.reset();
      for (const { count, state, gateway } of (await open()) ?? []) this.set({ state, gateway }, count);
    },
  });
  new Gauge({
    name: 'nolo_billing_oldest_notification_seconds',
    help: 'Age of the oldest unprocessed notification, in seconds; 0 if none.',
    registers,
    async collect() {
      this.set((await oldest()) ?? 0);
    },
  });
  return createCounters(registers);
}

function createCounters(registers: Registry[]): BillingMetrics {
  return {
    notifications: new Counter({
      name: 'nolo_billing_notifications_total',
      help: 'Notifications by gateway, outcome (done, refused, or waiting for an unknown order), and reason.',
      labelNames: ['gateway', 'outcome', 'reason'],
      registers,
    }),
    notificationSeconds: new Histogram({
      name: 'nolo_billing_notification_seconds',
      help: 'Time from storing a notification until it is processed, in seconds.',
      labelNames: ['gateway'],
      buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60, 600, 3_600, 86_400],
      registers,
    }),
    ordersBegun: new Counter({
      name: 'nolo_billing_orders_begun_total',
      help: 'Orders whose payment was started, by gateway and item.',
      labelNames: ['gateway', 'item'],
      registers,
    }),
    refusals: new Counter({
      name: 'nolo_billing_refusals_total',
      help: 'Reservations refused because the plan did not cover them, by feature.',
      labelNames: ['feature'],
      registers,
    }),
    reconciled: new Counter({
      name: 'nolo_billing_reconciled_total',
      help: 'Orders checked with their gateway for lack of a notification, by outcome: unchanged, found, or failed.',
      labelNames: ['gateway', 'outcome'],
      registers,
    }),
    ledgerFaults: new Gauge({
      name: 'nolo_billing_ledger_faults',
      help: 'Orders and currencies whose ledger differed from the facts at the last check.',
      registers,
    }),
    adjustments: new Counter({
      name: 'nolo_billing_meter_adjustments_total',
      help: 'Meters corrected because they differed from the service that holds the data, by reason.',
      labelNames: ['feature', 'reason'],
      registers,
    }),
    mails: new Counter({
      name: 'nolo_billing_mails_total',
      help: 'Receipts, reminders, and invitations by outcome of an attempt: sent, failed (retried), refused permanently, or dropped because no mail server is configured.',
      labelNames: ['outcome'],
      registers,
    }),
  };
}
