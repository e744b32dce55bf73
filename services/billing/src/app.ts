import { createDeliveryService, createOutboxDispatch } from '@nolo/kit/delivery';
import { createJobScheduler } from '@nolo/kit/jobs';
import { createLimiter } from '@nolo/kit/rateLimit';
import { createServiceAdminHandlers } from '@nolo/installation/serviceAdmin';
import { createOperatorGuard } from '@nolo/kit/proof';
import { bindRpcService } from '@nolo/kit/rpc';
import { createService, type ServiceApp, type ServiceContext, type ServiceOptions } from '@nolo/kit/service';
import { BillingServiceDefinition } from '@nolo/proto/billing';
import { BillingAdminServiceDefinition } from '@nolo/proto/billingAdmin';
import { EntitlementsServiceDefinition } from '@nolo/proto/entitlements';
import { EventLogServiceDefinition } from '@nolo/proto/events';
import { IdentityServiceDefinition } from '@nolo/proto/identity';
import { TeamServiceDefinition } from '@nolo/proto/team';
import { LevelServiceDefinition, UseLogServiceDefinition } from '@nolo/proto/usage';
import { OperatorServiceDefinition } from '@nolo/proto/operators';
import { AdminServiceDefinition } from '@nolo/proto/admin';
import { rateLimits } from '@nolo/rules';
import { listReconciledFeatures, type BillingConfig } from './config.ts';
import { inTransaction } from '@nolo/kit/db';
import type { PaymentGateways } from './domain/ports.ts';
import { captureQueue, mailQueue, meterReconciliationQueue, gatewayNotificationQueue } from './domain/queues.ts';
import { onUserDeleted, userDeletedSubject } from './events/onUserDeleted.ts';
import { createPaymentGateways } from './gateways/createPaymentGateways.ts';
import { captureOrder } from './jobs/captureOrder.ts';
import { createMeterReconciliationTask, createReconciliationTasks } from './jobs/reconcile.ts';
import { reconcileFeatureMeters } from './jobs/reconcileFeatureMeters.ts';
import { deliverMail } from './jobs/deliverMail.ts';
import { createSettleDueBillingTask } from './jobs/settleDueBilling.ts';
import { processGatewayNotification } from './jobs/processGatewayNotification.ts';
import { createMailSender } from './mail/createMailSender.ts';
import { createBillingMetrics } from './metrics.ts';
import type { Dependencies } from './rpc/dependencies.ts';
import {
  createBillingAdminHandlers,
  createBillingHandlers,
  createEntitlementsHandlers,
  createTeamHandlers,
} from './rpc/handlers.ts';
import { createPlanAccountStore } from './store/planAccountStore.ts';
import { createMeterAdjustmentStore } from './store/meterAdjustmentStore.ts';
import { createAuditStore } from './store/auditStore.ts';
import { createBillingExportSource } from './store/billingExportSource.ts';
import { createMeterSources } from './store/meterSources.ts';
import { checkLedger } from './store/ledgerCheck.ts';
import { createMeterStore } from './store/meterStore.ts';
import { createGatewayNotificationStore } from './store/gatewayNotificationStore.ts';
import { createOrderStore } from './store/orderStore.ts';
import { createPayments } from './store/payments.ts';
import { createPeopleDirectory } from './store/people.ts';
import { createFactRecorder } from './store/recorder.ts';
import { createRefunds } from './store/refunds.ts';
import { createSubscriptionStore } from './store/subscriptionStore.ts';
import { createTeamStore } from './store/teamStore.ts';

type BillingAppOptions = ServiceOptions<BillingConfig> & {
  /** Gateways for tests, instead of the configured ones. */
  gateways?: PaymentGateways;
};

/** Time that a worker waits for another one that died; shorter in tests that kill many. */
export interface BillingTiming {
  /** Option of `createJobScheduler`. */
  holdMs?: number;
  sweepEveryMs?: number;
  /** Option of `reconcileFeatureMeters`. */
  levelWaitMs?: number;
}

/** Default wait for levels. Files reports within a second, or after half a minute if that failed. */
const defaultLevelWaitMs = 45_000;

export function createBillingApp(options: BillingAppOptions): ServiceApp {
  return createService('billing', options, async (service) => {
    const components = createServiceComponents(service, options.gateways);
    // A process without work of its own still notifies Redis of new jobs; workers sweep.
    if (service.config.BILLING_WORKS) await work(service, components);
    service.consume('identity', service.client(EventLogServiceDefinition, service.config.IDENTITY_ADDR), {
      [userDeletedSubject]: onUserDeleted(components),
    });
    const admitOperator = createOperatorGuard(service.client(OperatorServiceDefinition, service.config.IDENTITY_ADDR));
    const dependencies = { ...dependenciesOf(service, components), admitOperator };
    return {
      services: [
        bindRpcService(AdminServiceDefinition, createServiceAdminHandlers(service, admitOperator)),
        bindRpcService(BillingServiceDefinition, createBillingHandlers(dependencies)),
        bindRpcService(EntitlementsServiceDefinition, createEntitlementsHandlers(dependencies)),
        bindRpcService(TeamServiceDefinition, createTeamHandlers(dependencies)),
        bindRpcService(BillingAdminServiceDefinition, createBillingAdminHandlers(dependencies)),
        bindRpcService(EventLogServiceDefinition, components.eventHandlers),
      ],
    };
  });
}

/** Creates the worker: the app without its RPCs, which processes due work. */
export function createBillingWorker(options: BillingAppOptions, timing: BillingTiming = {}): ServiceApp {
  return createService('billing', options, async (service) => {
    await work(service, createServiceComponents(service, options.gateways, timing), timing);
    return {};
  });
}

type ServiceComponents = ReturnType<typeof createServiceComponents>;

function createServiceComponents(
  context: ServiceContext<BillingConfig>,
  given: PaymentGateways | undefined,
  { holdMs, sweepEveryMs }: BillingTiming = {},
) {
  const { config, log, clock, db, scrapeDb, redis, bus, metrics: registry, onStop, relayOutbox, client } = context;
  const { wake, eventHandlers } = relayOutbox(
    createOutboxDispatch({ bus, delivery: createDeliveryService({ redis, bus, log }) }),
  );
  const jobs = createJobScheduler({
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
  const gateways = given ?? createPaymentGateways(config, { clock, log });
  const recorder = createFactRecorder({ db, jobs, clock, seller: config.RECEIPT_SELLER, wake });
  const orders = createOrderStore(db);
  const notifications = createGatewayNotificationStore(db, jobs);
  const { RECEIPT_TAX: tax, PUBLIC_URL } = config;
  const publicUrl = PUBLIC_URL.replace(/\/$/, '');
  const payments = createPayments({ gateways, orders, recorder, jobs, clock, log, tax, publicUrl });
  const counted = createGatewayNotificationStore(scrapeDb, jobs);
  const metrics = createBillingMetrics(registry, {
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
    adjustments: createMeterAdjustmentStore(db),
    access: createPlanAccountStore(db),
    audit: createAuditStore(db),
    exports: createBillingExportSource(db),
    subscriptions: createSubscriptionStore(db, jobs, recorder),
    teams: createTeamStore(db, jobs, recorder),
    people: createPeopleDirectory(client(IdentityServiceDefinition, config.IDENTITY_ADDR)),
  };
}

function dependenciesOf(
  { config, clock, redis, db }: ServiceContext<BillingConfig>,
  components: ServiceComponents,
): Omit<Dependencies, 'admitOperator'> {
  const limiter = createLimiter({ redis, table: { mails: rateLimits.mailsPerUserDay }, place: 'billing' });
  return {
    ...components,
    clock,
    canMail: config.SMTP_URL !== undefined || (config.NOLO_MODE === 'demo' && config.OUTBOX_URL !== undefined),
    transcribes: config.TRANSCRIBER_ADDR !== undefined,
    limitMail: (userId) => limiter.consume('mails', userId),
    beginReconciliation: async () => {
      const features = listReconciledFeatures(config);
      const wanted = features.map((feature) => ({ payload: { feature } }));
      await inTransaction(db, (trx) => components.jobs.addAll(trx, meterReconciliationQueue, wanted));
      return features;
    },
    addMail: async (mail) =>
      inTransaction(db, async (trx) => {
        await components.jobs.add(trx, mailQueue, mail);
      }),
  };
}

/** Returns clients for the usage held by the available services. */
function holdingsOf({ config, client }: ServiceContext<BillingConfig>) {
  const { FILES_ADDR: files, SOCIAL_SCHEDULER_ADDR: social, TRANSCRIBER_ADDR: transcriber } = config;
  return createMeterSources({
    files: files && client(LevelServiceDefinition, files),
    social: social && client(UseLogServiceDefinition, social),
    transcriber: transcriber && client(UseLogServiceDefinition, transcriber),
  });
}

async function work(
  service: ServiceContext<BillingConfig>,
  components: ServiceComponents,
  timing: BillingTiming = {},
): Promise<void> {
  const { clock, log, db, config } = service;
  const { jobs } = components;
  jobs.work(gatewayNotificationQueue, processGatewayNotification({ ...components, clock, log }));
  jobs.work(captureQueue, captureOrder({ ...components, log }));
  const holdings = holdingsOf(service);
  const { levelWaitMs = defaultLevelWaitMs } = timing;
  jobs.work(meterReconciliationQueue, reconcileFeatureMeters({ ...components, holdings, clock, log, levelWaitMs }));
  jobs.work(mailQueue, deliverMail({ ...components, sender: await createMailSender(config), log }));
  jobs.start();
  service.repeat(createSettleDueBillingTask({ ...components, clock }));
  service.repeat(createMeterReconciliationTask({ ...components, db, clock, features: listReconciledFeatures(config) }));
  for (const task of createReconciliationTasks({ ...components, clock, log, checkLedger: () => checkLedger(db) }))
    service.repeat(task);
}
