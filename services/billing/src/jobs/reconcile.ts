import type { Clock } from '@nolo/kit/clock';
import { inTransaction, type Knex } from '@nolo/kit/db';
import { idFromName } from '@nolo/kit/ids';
import type { JobScheduler } from '@nolo/kit/jobs';
import type { Log } from '@nolo/kit/log';
import type { PeriodicTask } from '@nolo/kit/repeat';
import type { OrderView } from '../domain/orders.ts';
import type { LedgerDiscrepancy, MeterStore, OrderStore, Payments } from '../domain/ports.ts';
import { meterReconciliationQueue } from '../domain/queues.ts';
import type { BillingMetrics } from '../metrics.ts';

const dayMs = 86_400_000;
/** Period of look-ups. Later payments are known by notification only. */
const unpaidLookbackMs = 35 * dayMs;
/** Refund period: gateways allow refunds for at most half a year. */
const refundedBackMs = 180 * dayMs;
const batch = 50;

interface Dependencies {
  readonly orders: OrderStore;
  readonly payments: Payments;
  readonly meters: MeterStore;
  readonly checkLedger: () => Promise<LedgerDiscrepancy[]>;
  readonly metrics: Pick<BillingMetrics, 'reconciled' | 'ledgerFaults'>;
  readonly clock: Clock;
  readonly log: Log;
}

/** Queries gateways about every unpaid order, each once a day. Returns their number. */
async function reconcileOrders(dependencies: Dependencies): Promise<number> {
  const now = dependencies.clock.now().getTime();
  const due = await dependencies.orders.unsettled(new Date(now - unpaidLookbackMs), new Date(now - dayMs), batch);
  return await reconcileEach(dependencies, due, (order) => dependencies.payments.syncWithGateway(order));
}

/**
 * Queries gateways for refunds of paid orders, each once a week: they do not report everything done on their own pages.
 */
async function reconcileRefunds(dependencies: Dependencies): Promise<number> {
  const now = dependencies.clock.now().getTime();
  const due = await dependencies.orders.paid(new Date(now - refundedBackMs), new Date(now - 7 * dayMs), batch);
  return await reconcileEach(dependencies, due, (order) => dependencies.payments.syncRefunds(order));
}

async function reconcileEach(
  { orders, metrics, clock, log }: Dependencies,
  due: readonly OrderView[],
  sync: (order: OrderView) => Promise<void>,
): Promise<number> {
  for (const order of due) {
    const { id, gateway, state, refunded } = order;
    try {
      await sync(order);
      const after = await orders.get(id);
      const outcome = after?.state === state && after.refunded === refunded ? 'unchanged' : 'found';
      metrics.reconciled.inc({ gateway, outcome });
      if (outcome === 'found')
        log.warn({ orderId: id, gateway }, 'order changed without a notification from its gateway');
    } catch (error) {
      // Retried at the order's next check. A gateway that is down for one order is down for all.
      metrics.reconciled.inc({ gateway, outcome: 'failed' });
      log.warn({ err: error, orderId: id, gateway }, 'asking a gateway about an order failed');
    }
    await orders.recordReconciliation(id, clock.now());
  }
  return due.length;
}

/**
 * Returns the periodic tasks: a reconciliation with the gateways every ten minutes, and a daily check of ledger and
 * meters.
 */
export function createReconciliationTasks(dependencies: Dependencies): PeriodicTask[] {
  const { checkLedger, meters, metrics, log } = dependencies;
  return [
    {
      name: 'reconciliation',
      everyMs: 600_000,
      async run() {
        // Orders become due individually, a day after their creation or last check.
        while ((await reconcileOrders(dependencies)) === batch);
        while ((await reconcileRefunds(dependencies)) === batch);
      },
    },
    {
      name: 'books',
      everyMs: dayMs,
      async run() {
        const faults = await checkLedger();
        metrics.ledgerFaults.set(faults.length);
        if (faults.length > 0)
          log.error({ faults: faults.slice(0, 20) }, 'ledger does not match the facts it is derived from');
        const differences = await meters.differences();
        if (differences.length > 0)
          log.error({ differences: differences.slice(0, 20) }, 'meters do not match the counted usage');
      },
    },
  ];
}

/** Queues the nightly reconciliation of each feature's meters, once for all replicas. */
export function createMeterReconciliationTask({
  jobs,
  db,
  clock,
  features,
}: {
  jobs: Pick<JobScheduler, 'addAll'>;
  db: Knex;
  clock: Clock;
  features: readonly string[];
}): PeriodicTask {
  return {
    name: 'meters',
    everyMs: dayMs,
    async run() {
      const day = clock.now().toISOString().slice(0, 10);
      const wanted = features.map((feature) => ({ id: idFromName(`meters:${feature}:${day}`), payload: { feature } }));
      await inTransaction(db, (trx) => jobs.addAll(trx, meterReconciliationQueue, wanted));
    },
  };
}
