import { followBarredHosts } from '@nolo/installation/barredHosts';
import { createDeliveryService, createOutboxDispatch } from '@nolo/kit/delivery';
import { createEntitlementsLookup } from '@nolo/installation/entitlements';
import { createJobScheduler } from '@nolo/kit/jobs';
import { createServiceAdminHandlers } from '@nolo/installation/serviceAdmin';
import { createOperatorGuard } from '@nolo/kit/proof';
import { bindRpcService } from '@nolo/kit/rpc';
import { createService, type ServiceApp, type ServiceContext, type ServiceOptions } from '@nolo/kit/service';
import { followOperatorSettings } from '@nolo/installation/settings';
import { createUsageMeter, noopUsageMeter, type UsageMeter } from '@nolo/installation/usage';
import { createUseLog } from '@nolo/installation/useLog';
import { BarredHostServiceDefinition } from '@nolo/proto/barredHosts';
import { EntitlementsServiceDefinition } from '@nolo/proto/entitlements';
import { EventLogServiceDefinition } from '@nolo/proto/events';
import { FilesServiceDefinition } from '@nolo/proto/files';
import { SettingServiceDefinition } from '@nolo/proto/settings';
import { SharedFileServiceDefinition } from '@nolo/proto/sharedFiles';
import { SocialServiceDefinition } from '@nolo/proto/social';
import { UseLogServiceDefinition } from '@nolo/proto/usage';
import { OperatorServiceDefinition } from '@nolo/proto/operators';
import { AdminServiceDefinition } from '@nolo/proto/admin';
import { allowanceOf, unlimitedAllowance, parseSettings } from '@nolo/rules';
import { createAttachableFilesCheck } from './attachableFiles.ts';
import { readPlatformSettings, listPlatformsOutOfReach, parseTokenKeys, type SocialConfig } from './config.ts';
import type { LoadSocialEntitlement } from './domain/entitlements.ts';
import { publishQueue } from './domain/publishQueue.ts';
import { accountClosedSubject, onAccountClosed } from './events/onAccountClosed.ts';
import { onUserDeleted, userDeletedSubject } from './events/onUserDeleted.ts';
import { publishPost } from './jobs/publishPost.ts';
import { renewExpiringTokens } from './jobs/renewTokens.ts';
import { createKeyRing } from '@nolo/kit/keyRing';
import { createSocialMetrics } from './metrics.ts';
import { createPlatforms } from './platforms/createPlatforms.ts';
import { measurePlatforms } from './platforms/measurePlatforms.ts';
import { createSocialHandlers } from './rpc/handlers.ts';
import { createConnectionStore } from './store/connectionStore.ts';
import { createDeliveryStore } from './store/deliveryStore.ts';
import { createPostMediaSource } from './store/postMediaSource.ts';
import { createPostStore } from './store/postStore.ts';
import { createMastodonAppStore } from './store/mastodonAppStore.ts';

type SocialAppOptions = ServiceOptions<SocialConfig>;

/** Timeouts for workers that died and for platforms. Shorter in tests that kill many. */
export interface SocialTiming {
  /** Passed to `createJobScheduler`. */
  holdMs?: number;
  sweepEveryMs?: number;
  /** Passed to `publishPost`. */
  lookUpDelayMs?: number;
}

const sweepEveryMs = 600_000;
/** Connections examined per batch for replaced keys. */
const resealedAtOnce = 500;

export function createSocialApp(options: SocialAppOptions): ServiceApp {
  return createService('social-scheduler', options, (service) => {
    const { config, clock, log, db } = service;
    const { meter, entitlementOf } = plansOf(service);
    const components = createServiceComponents(service, { meter });
    const { platforms, connections, jobs } = components;
    // The service announces new jobs in Redis even without doing work itself; workers sweep.
    if (config.SOCIAL_PUBLISHES) {
      work(service, components);
      jobs.start();
    }

    service.consume('identity', service.client(EventLogServiceDefinition, config.IDENTITY_ADDR), {
      [accountClosedSubject]: onAccountClosed(components),
      [userDeletedSubject]: onUserDeleted({ connections, platforms, log }),
    });
    service.repeat({
      name: 'connections',
      everyMs: sweepEveryMs,
      async run() {
        await connections.sweep(clock.now());
        const renewed = await renewExpiringTokens(components, clock.now());
        if (renewed > 0) log.info({ renewed }, 'tokens renewed before they expire');
        const resealed = await connections.reseal(resealedAtOnce);
        if (resealed > 0) log.info({ resealed }, 'tokens re-encrypted under the first key');
      },
    });
    const { posts, eventHandlers, installation, barredHosts } = components;
    const attachable = createAttachableFilesCheck(service.client(SharedFileServiceDefinition, config.FILES_ADDR));
    const outOfReach = listPlatformsOutOfReach(config);
    if (outOfReach.size > 0) {
      const platforms = [...outOfReach];
      log.warn(
        { platforms },
        'PUBLIC_URL is private; these platforms cannot fetch media, so posts with media for them are refused',
      );
    }
    return {
      services: [
        bindRpcService(
          AdminServiceDefinition,
          createServiceAdminHandlers(
            service,
            createOperatorGuard(service.client(OperatorServiceDefinition, service.config.IDENTITY_ADDR)),
          ),
        ),
        bindRpcService(
          SocialServiceDefinition,
          createSocialHandlers({
            platforms,
            connections,
            posts,
            attachable,
            outOfReach,
            barredHosts: barredHosts.current,
            clock,
            entitlementOf,
            meter,
            installation,
          }),
        ),
        bindRpcService(EventLogServiceDefinition, eventHandlers),
        bindRpcService(UseLogServiceDefinition, createUseLog(db)),
      ],
    };
  });
}

/** Creates a worker, which serves no RPCs and publishes what is due. */
export function createSocialWorker(options: SocialAppOptions, timing: SocialTiming = {}): ServiceApp {
  return createService('social-scheduler', options, (service) => {
    const components = createServiceComponents(service, { timing });
    work(service, components, timing);
    components.jobs.start();
    return {};
  });
}

/** Creates plan limits and the usage meter. Billing decides, if present. */
function plansOf(service: ServiceContext<SocialConfig>): { meter: UsageMeter; entitlementOf: LoadSocialEntitlement } {
  const { config, db, scrapeDb, log, metrics } = service;
  const address = config.BILLING_ADDR;
  const billing = address && service.client(EntitlementsServiceDefinition, address);
  const { platforms, scheduledPosts } = unlimitedAllowance;
  const entitlementsOf = createEntitlementsLookup(service, {
    billing: billing && { entitlements: billing, events: service.client(EventLogServiceDefinition, address) },
    everything: { platforms, scheduledPosts },
    free: allowanceOf('free'),
  });
  const meter = billing ? createUsageMeter({ db, scrapeDb, billing, log, metrics }) : noopUsageMeter;
  service.onStop('meter', () => meter.stop());
  service.repeat(meter.sweep);
  return {
    meter,
    async entitlementOf(userId) {
      const { limits } = await entitlementsOf(userId);
      return { platforms: limits.platforms ?? Infinity, scheduledPosts: limits.scheduledPosts ?? Infinity };
    },
  };
}

type ServiceComponents = ReturnType<typeof createServiceComponents>;

function createServiceComponents(
  service: ServiceContext<SocialConfig>,
  { timing: { holdMs, sweepEveryMs } = {}, meter }: { timing?: SocialTiming; meter?: UsageMeter } = {},
) {
  const { config, log, clock, db, scrapeDb, redis, bus, metrics, onStop, relayOutbox } = service;
  const settings = service.client(SettingServiceDefinition, config.IDENTITY_ADDR);
  const installation = followOperatorSettings(service, {
    list: () => settings.listCurrentSettings({}),
    read: parseSettings,
  });
  const barring = service.client(BarredHostServiceDefinition, config.IDENTITY_ADDR);
  const barredHosts = followBarredHosts(service, { list: (known) => barring.listCurrentBarredHosts(known) });
  // Workers also notify people of what they did.
  const { wake, eventHandlers } = relayOutbox(
    createOutboxDispatch({ bus, delivery: createDeliveryService({ redis, bus, log }) }),
  );
  const keys = createKeyRing(parseTokenKeys(config));
  const jobs = createJobScheduler({
    db,
    scrapeDb,
    service: 'social-scheduler',
    redisUrl: config.REDIS_URL,
    redisPrefix: config.REDIS_PREFIX,
    log,
    metrics,
    holdMs,
    sweepEveryMs,
  });
  onStop('jobs', () => jobs.stop());
  const connections = createConnectionStore(db, keys, clock, wake);
  const deliveries = createDeliveryStore(db, wake);
  const [counted, counting] = [createConnectionStore(scrapeDb, keys, clock), createDeliveryStore(scrapeDb)];
  const meters = createSocialMetrics(metrics, {
    connections: () => counted.count(),
    inReview: () => counting.countInReview(),
  });
  const platforms = createPlatforms(readPlatformSettings(config), createMastodonAppStore(db, keys), clock);
  return {
    jobs,
    meters,
    connections,
    deliveries,
    eventHandlers,
    installation,
    barredHosts,
    posts: createPostStore(db, jobs, wake, meter),
    platforms: measurePlatforms(platforms, meters.platformSeconds),
  };
}

function work(
  { config, clock, log, client }: ServiceContext<SocialConfig>,
  components: ServiceComponents,
  { lookUpDelayMs }: SocialTiming = {},
): void {
  const { jobs, connections, deliveries, platforms, meters: metrics, installation, barredHosts } = components;
  const holdReason = () => {
    // Checks both, so the log names each unknown one.
    const isKnown = [installation, barredHosts].map((one) => one.isKnown());
    if (isKnown.includes(false)) return 'settings_unknown';
    return installation.current().social === false ? 'switched_off' : undefined;
  };
  const media = createPostMediaSource(client(FilesServiceDefinition, config.FILES_ADDR), config.PUBLIC_URL);
  const dependencies = { platforms, connections, deliveries, media, metrics, clock, log, holdReason, lookUpDelayMs };
  jobs.work(publishQueue, publishPost({ ...dependencies, barredHosts: barredHosts.current }));
}
