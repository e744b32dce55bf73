import { createDelivery, createDispatch } from '@nolo/kit/delivery';
import { createJobs } from '@nolo/kit/jobs';
import { createLimiter } from '@nolo/kit/rateLimit';
import { createPart } from '@nolo/kit/part';
import { operatorGuard } from '@nolo/kit/proof';
import { rpcService } from '@nolo/kit/rpc';
import { createService, type App, type Ground, type ServiceOptions } from '@nolo/kit/service';
import { BillingServiceService } from '@nolo/proto/billing';
import { BillingAdminServiceService } from '@nolo/proto/billingAdmin';
import { EntitlementsServiceService } from '@nolo/proto/entitlements';
import { EventLogServiceService } from '@nolo/proto/events';
import { IdentityServiceService } from '@nolo/proto/identity';
import { TeamServiceService } from '@nolo/proto/team';
import { LevelServiceService, UseLogServiceService } from '@nolo/proto/usage';
import { OperatorServiceService } from '@nolo/proto/operators';
import { PartServiceService } from '@nolo/proto/part';
import { rateLimits } from '@nolo/rules';
import { metersHeldBy, type BillingConfig } from './config.ts';
import { inTransaction } from '@nolo/kit/db';
import type { Gateways } from './domain/ports.ts';
import { capturing, mailing, reconcilingMeters, workingNotifications } from './domain/queues.ts';
import { onUserDeleted, userDeleted } from './events/onUserDeleted.ts';
import { createGateways } from './gateways/createGateways.ts';
import { captureOrder } from './jobs/captureOrder.ts';
import { nightlyMeters, reconcile } from './jobs/reconcile.ts';
import { reconcileMeters } from './jobs/reconcileMeters.ts';
import { sendMail } from './jobs/sendMail.ts';
import { sweepAccounts } from './jobs/sweepAccounts.ts';
import { workNotification } from './jobs/workNotification.ts';
import { createMail } from './mail/createMail.ts';
import { createMetrics } from './metrics.ts';
import type { Dependencies } from './rpc/dependencies.ts';
import { adminHandlers, billingHandlers, entitlementsHandlers, teamHandlers } from './rpc/handlers.ts';
import { createAccessStore } from './store/accessStore.ts';
import { createAdjustStore } from './store/adjustStore.ts';
import { createAuditStore } from './store/auditStore.ts';
import { createExportStore } from './store/exportStore.ts';
import { createHoldings } from './store/holdings.ts';
import { checkLedger } from './store/ledgerCheck.ts';
import { createMeterStore } from './store/meterStore.ts';
import { createNotificationStore } from './store/notificationStore.ts';
import { createOrderStore } from './store/orderStore.ts';
import { createPayments } from './store/payments.ts';
import { createPeople } from './store/people.ts';
import { createRecorder } from './store/recorder.ts';
import { createRefunds } from './store/refunds.ts';
import { createSubscriptionStore } from './store/subscriptionStore.ts';
import { createTeamStore } from './store/teamStore.ts';

type AppOptions = ServiceOptions<BillingConfig> & {
  /** Gateways for tests, instead of the configured ones. */
  gateways?: Gateways;
};

/** Time that a worker waits for another one that died; shorter in tests that kill many. */
export interface Timing {
  /** Option of `createJobs`. */
  holdMs?: number;
  sweepEveryMs?: number;
  /** Option of `reconcileMeters`. */
  levelWaitMs?: number;
}

/** Default wait for levels. Files reports within a second, or after half a minute if that failed. */
const usualLevelWaitMs = 45_000;

export function createApp(options: AppOptions): App {
  return createService('billing', options, async (service) => {
    const parts = layParts(service, options.gateways);
    // A process without work of its own still notifies Redis of new jobs; workers sweep.
    if (service.config.BILLING_WORKS) await work(service, parts);
    service.consume('identity', service.client(EventLogServiceService, service.config.IDENTITY_ADDR), {
      [userDeleted]: onUserDeleted(parts),
    });
    const admitOperator = operatorGuard(service.client(OperatorServiceService, service.config.IDENTITY_ADDR));
    const dependencies = { ...dependenciesOf(service, parts), admitOperator };
    return {
      services: [
        rpcService(PartServiceService, createPart(service, admitOperator)),
        rpcService(BillingServiceService, billingHandlers(dependencies)),
        rpcService(EntitlementsServiceService, entitlementsHandlers(dependencies)),
        rpcService(TeamServiceService, teamHandlers(dependencies)),
        rpcService(BillingAdminServiceService, adminHandlers(dependencies)),
        rpcService(EventLogServiceService, parts.eventHandlers),
      ],
    };
  });
}

/** Creates the worker: the app without its RPCs, which processes due work. */
export function createWorker(options: AppOptions, timing: Timing = {}): App {
  return createService('billing', options, async (service) => {
    await work(service, layParts(service, options.gateways, timing), timing);
    return {};
  });
}

type Parts = ReturnType<typeof layParts>;

function layParts(ground: Ground<BillingConfig>, given: Gateways | undefined, { holdMs, sweepEveryMs }: Timing = {}) {
  const { config, log, clock, db, scrapeDb, redis, bus, metrics: registry, onStop, tell, client } = ground;
  const { wake, eventHandlers } = tell(createDispatch({ bus, delivery: createDelivery({ redis, bus, log }) }));
  const jobs = createJobs({
    db,
    scrapeDb,
    service: 'billing',
    redisUrl: config.REDIS_URL,
    redisPrefix: config.REDIS_PREFIX,
    log,
    metrics: registry,
    holdMs,
    sweepEveryMs,
  });
  onStop('jobs', () => jobs.stop());
  const gateways = given ?? createGateways(config, { clock, log });
  const recorder = createRecorder({ db, jobs, clock, seller: config.RECEIPT_SELLER, wake });
  const orders = createOrderStore(db);
  const notifications = createNotificationStore(db, jobs);
  const { RECEIPT_TAX: tax, PUBLIC_URL } = config;
  const publicUrl = PUBLIC_URL.replace(/\/$/, '');
  const payments = createPayments({ gateways, orders, recorder, jobs, clock, log, tax, publicUrl });
  const counted = createNotificationStore(scrapeDb, jobs);
  const metrics = createMetrics(registry, {
    orders: () => createOrderStore(scrapeDb).countByState(),
    openNotifications: () => counted.open(),
    oldestNotification: async () => {
      const oldest = (await counted.open()).map(({ oldest: at }) => at.getTime());
      return oldest.length === 0 ? 0 : Math.max(0, clock.now().getTime() - Math.min(...oldest)) / 1_000;
    },
  });
  return {
    db,
    jobs,
    eventHandlers,
    gateways,
    recorder,
    orders,
    notifications,
    payments,
    metrics,
    publicUrl,
    refunds: createRefunds({ db, gateways, orders, payments, clock, log }),
    meters: createMeterStore(db),
    adjustments: createAdjustStore(db),
    access: createAccessStore(db),
    audit: createAuditStore(db),
    exports: createExportStore(db),
    subscriptions: createSubscriptionStore(db, jobs, recorder),
    teams: createTeamStore(db, jobs, recorder),
    people: createPeople(client(IdentityServiceService, config.IDENTITY_ADDR)),
  };
}

function dependenciesOf(
  { config, clock, redis, db }: Ground<BillingConfig>,
  parts: Parts,
): Omit<Dependencies, 'admitOperator'> {
  const limiter = createLimiter({ redis, table: { mails: rateLimits.mailsPerUserDay }, place: 'billing' });
  return {
    ...parts,
    clock,
    canMail: config.SMTP_URL !== undefined || (config.NOLO_MODE === 'demo' && config.OUTBOX_URL !== undefined),
    transcribes: config.TRANSCRIBER_ADDR !== undefined,
    limitMail: (userId) => limiter.consume('mails', userId),
    beginReconciliation: async () => {
      const features = metersHeldBy(config);
      const wanted = features.map((feature) => ({ payload: { feature } }));
      await inTransaction(db, (trx) => parts.jobs.addAll(trx, reconcilingMeters, wanted));
      return features;
    },
    addMail: async (mail) =>
      inTransaction(db, async (trx) => {
        await parts.jobs.add(trx, mailing, mail);
      }),
  };
}

/** Returns clients for the usage held by the available services. */
function holdingsOf({ config, client }: Ground<BillingConfig>) {
  const { FILES_ADDR: files, SOCIAL_SCHEDULER_ADDR: social, TRANSCRIBER_ADDR: transcriber } = config;
  return createHoldings({
    files: files && client(LevelServiceService, files),
    social: social && client(UseLogServiceService, social),
    transcriber: transcriber && client(UseLogServiceService, transcriber),
  });
}

async function work(service: Ground<BillingConfig>, parts: Parts, timing: Timing = {}): Promise<void> {
  const { clock, log, db, config } = service;
  const { jobs } = parts;
  jobs.work(workingNotifications, workNotification({ ...parts, clock, log }));
  jobs.work(capturing, captureOrder({ ...parts, log }));
  const holdings = holdingsOf(service);
  const { levelWaitMs = usualLevelWaitMs } = timing;
  jobs.work(reconcilingMeters, reconcileMeters({ ...parts, holdings, clock, log, levelWaitMs }));
  jobs.work(mailing, sendMail({ ...parts, sender: await createMail(config), log }));
  jobs.start();
  service.repeat(sweepAccounts({ ...parts, clock }));
  service.repeat(nightlyMeters({ ...parts, db, clock, features: metersHeldBy(config) }));
  for (const task of reconcile({ ...parts, clock, log, checkLedger: () => checkLedger(db) })) service.repeat(task);
}
