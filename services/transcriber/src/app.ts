import { createEntitlementsLookup, usageMonthOf } from '@nolo/installation/entitlements';
import { createLimiter } from '@nolo/kit/rateLimit';
import { createServiceAdminHandlers } from '@nolo/installation/serviceAdmin';
import { createOperatorGuard } from '@nolo/kit/proof';
import { bindRpcService } from '@nolo/kit/rpc';
import { createService, type ServiceApp, type ServiceContext, type ServiceOptions } from '@nolo/kit/service';
import { createUsageMeter, noopUsageMeter, type UsageMeter } from '@nolo/installation/usage';
import { createUseLog } from '@nolo/installation/useLog';
import { EntitlementsServiceDefinition } from '@nolo/proto/entitlements';
import { EventLogServiceDefinition } from '@nolo/proto/events';
import { IdentityServiceDefinition } from '@nolo/proto/identity';
import { TranscriberServiceDefinition } from '@nolo/proto/transcriber';
import { UseLogServiceDefinition } from '@nolo/proto/usage';
import { OperatorServiceDefinition } from '@nolo/proto/operators';
import { AdminServiceDefinition } from '@nolo/proto/admin';
import { allowanceOf, unlimitedAllowance, limits, rateLimits } from '@nolo/rules';
import { createAudioExaminer } from './audio/examineAudio.ts';
import type { TranscriberConfig } from './config.ts';
import { createEngine } from './engines/createEngine.ts';
import { removeAbandonedJobFolders } from './engines/jobFolders.ts';
import { onUserDeleted, userDeletedSubject } from './events/onUserDeleted.ts';
import { sweepUsage } from './jobs/sweepUsage.ts';
import { createTranscriberMetrics } from './metrics.ts';
import type { RpcDependencies } from './rpc/dependencies.ts';
import { getUsage, transcribeVoice } from './rpc/voiceNotes.ts';
import { transcriptionSecondsFeature, createUsageStore } from './store/usageStore.ts';

const sweepEveryMs = 300_000;

type AppOptions = ServiceOptions<TranscriberConfig>;

/** Creates transcription limits and the usage meter. Billing decides, if present. */
function plansOf(service: ServiceContext<TranscriberConfig>): {
  meter: UsageMeter;
  allowedOf: RpcDependencies['allowedOf'];
} {
  const { config, clock, db, scrapeDb, log, metrics } = service;
  const { BILLING_ADDR: address, TRANSCRIBE_PLAN: plan } = config;
  const billing = address && service.client(EntitlementsServiceDefinition, address);
  const { transcriptionSeconds } = address || plan === undefined ? unlimitedAllowance : allowanceOf(plan);
  const entitlementsOf = createEntitlementsLookup(service, {
    billing: billing && { entitlements: billing, events: service.client(EventLogServiceDefinition, address) },
    everything: { transcriptionSeconds },
    free: allowanceOf('free'),
  });
  const meter = billing ? createUsageMeter({ db, scrapeDb, billing, log, metrics }) : noopUsageMeter;
  service.onStop('meter', () => meter.stop());
  service.repeat(meter.sweep);
  return {
    meter,
    async allowedOf(userId) {
      const entitlements = await entitlementsOf(userId);
      const seconds = entitlements.limits.transcriptionSeconds ?? Infinity;
      return { seconds, month: usageMonthOf(entitlements, clock.now()) };
    },
  };
}

export function createTranscriberApp(options: AppOptions): ServiceApp {
  return createService('transcriber', options, (service) => {
    const { config, log, clock, metrics, db, redis } = service;
    const identity = service.client(IdentityServiceDefinition, config.IDENTITY_ADDR);
    const engine = createEngine(config, log);
    service.onStop('engine', () => engine.stop());

    const { transcriptionsPerUser } = rateLimits;
    const plans = plansOf(service);
    const usage = createUsageStore(db, clock, plans.meter);
    const dependencies: RpcDependencies = {
      consents: { given: async (actorId) => (await identity.getSelf({ actorId })).transcribeVoiceNotes },
      limiter: createLimiter({ redis, table: { transcriptionsPerUser } }),
      audio: createAudioExaminer(),
      engine,
      usage,
      meter: {
        reserve: ({ id, userId, seconds, at }) =>
          plans.meter.reserve({ id, userId, feature: transcriptionSecondsFeature, amount: seconds, at }),
      },
      allowedOf: plans.allowedOf,
      clock,
      metrics: createTranscriberMetrics(metrics, () => engine.waiting),
      workMs: limits.transcriptionWorkSeconds * 1_000,
    };

    service.consume('identity', service.client(EventLogServiceDefinition, config.IDENTITY_ADDR), {
      [userDeletedSubject]: onUserDeleted({ usage }),
    });
    service.repeat({
      name: 'usage',
      everyMs: sweepEveryMs,
      async run() {
        const rows = await sweepUsage({ usage, clock });
        if (rows > 0) log.info({ rows }, 'old usage deleted');
      },
    });
    const leftFolders = service.repeat({
      name: 'left folders',
      everyMs: sweepEveryMs,
      // Runs in every replica, because the folders are on this machine.
      everywhere: true,
      async run() {
        const folders = await removeAbandonedJobFolders();
        if (folders > 0) log.info({ folders }, 'leftovers deleted');
      },
    });
    // A killed process leaves its working folder behind.
    leftFolders.at(clock.now());

    return {
      services: [
        bindRpcService(
          AdminServiceDefinition,
          createServiceAdminHandlers(
            service,
            createOperatorGuard(service.client(OperatorServiceDefinition, service.config.IDENTITY_ADDR)),
          ),
        ),
        bindRpcService(TranscriberServiceDefinition, {
          transcribeVoice: transcribeVoice(dependencies),
          getUsage: getUsage(dependencies),
        }),
        bindRpcService(UseLogServiceDefinition, createUseLog(db)),
      ],
    };
  });
}
