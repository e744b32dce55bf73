import { createEntitlementsLookup } from '@nolo/installation/entitlements';
import { createDeliveryService, createOutboxDispatch } from '@nolo/kit/delivery';
import { createJobScheduler } from '@nolo/kit/jobs';
import { isAppError } from '@nolo/kit/errors';
import { createLimiter } from '@nolo/kit/rateLimit';
import { createServiceAdminHandlers } from '@nolo/installation/serviceAdmin';
import { createAccountGuard, createOperatorGuard } from '@nolo/kit/proof';
import { bindRpcService } from '@nolo/kit/rpc';
import { createService, type ServiceApp, type ServiceContext, type ServiceOptions } from '@nolo/kit/service';
import { followOperatorSettings } from '@nolo/installation/settings';
import { BillingServiceDefinition } from '@nolo/proto/billing';
import { ChatServiceDefinition } from '@nolo/proto/chat';
import { EntitlementsServiceDefinition } from '@nolo/proto/entitlements';
import { EventLogServiceDefinition } from '@nolo/proto/events';
import { ExportServiceDefinition } from '@nolo/proto/exports';
import { FilesServiceDefinition } from '@nolo/proto/files';
import { IdentityServiceDefinition } from '@nolo/proto/identity';
import { EpochServiceDefinition } from '@nolo/proto/epochs';
import { GroupServiceDefinition } from '@nolo/proto/groups';
import { MessageActionServiceDefinition } from '@nolo/proto/messageActions';
import { SettingServiceDefinition } from '@nolo/proto/settings';
import { SharedFileServiceDefinition } from '@nolo/proto/sharedFiles';
import { SocialServiceDefinition } from '@nolo/proto/social';
import { StatusServiceDefinition } from '@nolo/proto/status';
import { LevelServiceDefinition } from '@nolo/proto/usage';
import { OperatorServiceDefinition } from '@nolo/proto/operators';
import { AdminServiceDefinition } from '@nolo/proto/admin';
import { SecurityServiceDefinition } from '@nolo/proto/security';
import { allowanceOf, unlimitedAllowance, limits, rateLimits, parseSettings } from '@nolo/rules';
import { createAccountExportSources } from './accountExportSources.ts';
import { createChatFileReferences } from './chatFileReferences.ts';
import type { FilesConfig } from './config.ts';
import { exportArchiveQueue } from './domain/exports.ts';
import {
  filesReleasedSubject,
  onFilesReleased,
  socialFilesReleasedSubject,
  statusFilesReleasedSubject,
} from './events/onFilesReleased.ts';
import { transientMemberLeftSubject, onMemberLeft } from './events/onMemberLeft.ts';
import { onUserDeleted, userDeletedSubject } from './events/onUserDeleted.ts';
import { pictureRateLimited } from './errors.ts';
import { PictureProcessPool } from './images/PictureProcessPool.ts';
import { makeExportArchive } from './jobs/makeExportArchive.ts';
import { sweepExports } from './jobs/sweepExports.ts';
import { sweepIncoming } from './jobs/sweepIncoming.ts';
import { sweepLeftovers } from './jobs/sweepLeftovers.ts';
import { sweepSharedFiles } from './jobs/sweepSharedFiles.ts';
import { createUsageReporter, noopUsageReporter, type UsageReporter } from './usageReporter.ts';
import type { StorageDriver } from './domain/ports.ts';
import type { SharedFileStore } from './domain/sharedPorts.ts';
import { createFilesMetrics, type FilesMetrics } from './metrics.ts';
import { createProfilePictureVisibility } from './profilePictureVisibility.ts';
import type { RpcDependencies } from './rpc/dependencies.ts';
import { createExportHandlers, createSharedFileHandlers } from './rpc/handlers.ts';
import { createStorageLevelHandlers } from './rpc/levels.ts';
import { readBrandLogo, readObject, readSignedObject, signObject } from './rpc/objects.ts';
import {
  createUpload,
  finishBrandLogo,
  finishGroupPicture,
  finishProfileImage,
  removeBrandLogo,
  removeGroupPicture,
  removeProfileImage,
  writeUpload,
} from './rpc/pictures.ts';
import { createStorage } from './storage/createStorage.ts';
import { createExportStore } from './store/exportStore.ts';
import { createPictureObjectStore } from './store/pictureObjectStore.ts';
import { createSharedFileStore } from './store/sharedFileStore.ts';
import { createPictureUploadStore } from './store/pictureUploadStore.ts';
import { createSocialFileReferences } from './socialFileReferences.ts';
import { createStatusFileReferences, combineFileReferences } from './statusFileReferences.ts';

/** CPU limit per picture. An ordinary one takes some seconds; a busy machine may need minutes to provide them. */
const pictureCpuMs = 30_000;
const pictureWallMs = 60_000;

const sweepEveryMs = 300_000;

/** Returns the storage quotas, from billing if available. */
function plansOf(service: ServiceContext<FilesConfig>) {
  const { BILLING_ADDR: address, STORAGE_PLAN: plan } = service.config;
  const billing = address && service.client(EntitlementsServiceDefinition, address);
  const { storageBytes } = address || plan === undefined ? unlimitedAllowance : allowanceOf(plan);
  const entitlementsOf = createEntitlementsLookup(service, {
    billing: billing && { entitlements: billing, events: service.client(EventLogServiceDefinition, address) },
    everything: { storageBytes },
    free: allowanceOf('free'),
  });
  return { billing, entitlementsOf };
}

/** Returns the current maximum file size, as set by operators. */
function getMaxFileBytes(service: ServiceContext<FilesConfig>): () => number {
  const settings = service.client(SettingServiceDefinition, service.config.IDENTITY_ADDR);
  const { current } = followOperatorSettings(service, {
    list: () => settings.listCurrentSettings({}),
    read: parseSettings,
  });
  return () => Math.min(limits.fileBytes, (current().fileMegabytes ?? Infinity) * 2 ** 20);
}

/** Creates the archives for account export and the jobs that build them. */
function archivesOf(service: ServiceContext<FilesConfig>, timing: FilesTiming, shared: SharedFileStore) {
  const { bus, client, clock, config, db, scrapeDb, log, metrics, redis } = service;
  const { wake, eventHandlers } = service.relayOutbox(
    createOutboxDispatch({ bus, delivery: createDeliveryService({ redis, bus, log }) }),
  );
  const { BILLING_ADDR: billing, SOCIAL_SCHEDULER_ADDR: social } = config;
  const jobs = createJobScheduler({
    db,
    scrapeDb,
    service: 'files',
    redisUrl: config.REDIS_URL,
    redisPrefix: config.REDIS_PREFIX,
    log,
    metrics,
    ...timing,
  });
  service.onStop('jobs', () => jobs.stop());
  const exports = createExportStore(db, jobs, shared, wake);
  const sources = createAccountExportSources({
    chat: client(ChatServiceDefinition, config.CHAT_ADDR),
    epochs: client(EpochServiceDefinition, config.CHAT_ADDR),
    groups: client(GroupServiceDefinition, config.CHAT_ADDR),
    messageActions: client(MessageActionServiceDefinition, config.CHAT_ADDR),
    status: client(StatusServiceDefinition, config.STATUS_ADDR),
    social: social ? client(SocialServiceDefinition, social) : undefined,
    billing: billing ? client(BillingServiceDefinition, billing) : undefined,
  });
  return {
    exports,
    eventHandlers,
    work(context: { storage: StorageDriver; metrics: FilesMetrics }) {
      jobs.work(exportArchiveQueue, makeExportArchive({ ...context, exports, sources, clock, log }));
      jobs.start();
    },
  };
}

/** Time that a worker waits for another one that died; shorter in tests. */
export interface FilesTiming {
  holdMs?: number;
  sweepEveryMs?: number;
  graceMs?: number;
}

export interface FilesAppOptions extends ServiceOptions<FilesConfig> {
  timing?: FilesTiming;
}

export function createFilesApp({ timing = {}, ...options }: FilesAppOptions): ServiceApp {
  return createService('files', options, (service) => {
    const { config, log, clock, metrics, db, redis, bus } = service;
    const chat = service.client(ChatServiceDefinition, config.CHAT_ADDR);
    const { storage, access, close } = createStorage(config);
    service.onStop('storage', close);

    const { uploadsPerUserHour, accountExportsPerDay, pictureMegapixelsPerUserHour } = rateLimits;
    const limiter = createLimiter({
      redis,
      table: { uploadsPerUserHour, accountExportsPerDay, pictureMegapixelsPerUserHour },
    });
    const pictures = new PictureProcessPool({
      memoryBytes: config.PICTURE_MEMORY_MB * 2 ** 20,
      cpuMs: pictureCpuMs,
      wallMs: pictureWallMs,
      async spend(account, cost) {
        try {
          await limiter.consume('pictureMegapixelsPerUserHour', account, Math.ceil(cost));
        } catch (error) {
          throw isAppError(error) && error.kind === 'rate_limited'
            ? pictureRateLimited(error.retryAfterMs ?? 1000)
            : error;
        }
      },
      onRefused: (reason, cost) => filesMetrics.picturesRefused.inc({ reason }, cost),
    });
    const filesMetrics = createFilesMetrics(metrics, pictures);
    service.onStop('pictures', () => pictures.stop());
    const messages = createChatFileReferences(chat, clock);
    service.onStop('leavings', bus.subscribe(transientMemberLeftSubject, onMemberLeft({ messages })));
    const statuses = createStatusFileReferences(service.client(StatusServiceDefinition, config.STATUS_ADDR));
    const chats = combineFileReferences(messages, statuses);
    const social = config.SOCIAL_SCHEDULER_ADDR;
    const plans = plansOf(service);
    const shared = createSharedFileStore(db, (ownerIds) => reports.changed(ownerIds));
    const reports: UsageReporter = plans.billing
      ? createUsageReporter({ billing: plans.billing, usage: (ownerId) => shared.usage(ownerId), clock, log })
      : noopUsageReporter;
    service.onStop('level reports', () => reports.stop());
    const archives = archivesOf(service, timing, shared);
    const dependencies: RpcDependencies & { exports: typeof archives.exports } = {
      exports: archives.exports,
      uploads: createPictureUploadStore(db),
      objects: createPictureObjectStore(db),
      storage,
      access,
      pictures,
      shared,
      cleaner: pictures,
      messages: social
        ? combineFileReferences(chats, createSocialFileReferences(service.client(SocialServiceDefinition, social)))
        : chats,
      profiles: createProfilePictureVisibility(service.client(IdentityServiceDefinition, config.IDENTITY_ADDR)),
      allowedBytes: async (ownerId) =>
        config.STORAGE_BYTES ?? (await plans.entitlementsOf(ownerId)).limits.storageBytes ?? Infinity,
      getMaxFileBytes: getMaxFileBytes(service),
      reports,
      metrics: filesMetrics,
      limiter,
      uploadSecret: config.UPLOAD_SECRET,
      partAddressSeconds: config.UPLOAD_URL_SECONDS,
      clock,
    };

    service.consume('identity', service.client(EventLogServiceDefinition, config.IDENTITY_ADDR), {
      [userDeletedSubject]: onUserDeleted(dependencies),
    });
    service.consume('chat', service.client(EventLogServiceDefinition, config.CHAT_ADDR), {
      [filesReleasedSubject]: onFilesReleased(dependencies),
    });
    service.consume('status', service.client(EventLogServiceDefinition, config.STATUS_ADDR), {
      [statusFilesReleasedSubject]: onFilesReleased(dependencies),
    });
    if (social) {
      service.consume('social-scheduler', service.client(EventLogServiceDefinition, social), {
        [socialFilesReleasedSubject]: onFilesReleased(dependencies),
      });
    }
    service.repeat({
      name: 'leftovers',
      everyMs: sweepEveryMs,
      async run() {
        const swept =
          (await sweepLeftovers(dependencies)) +
          (await sweepSharedFiles(dependencies)) +
          (await sweepIncoming(dependencies)) +
          (await sweepExports(dependencies));
        if (swept > 0) log.info({ swept }, 'leftovers deleted');
      },
    });

    archives.work(dependencies);
    const mustBeProven = createAccountGuard(service.client(SecurityServiceDefinition, config.IDENTITY_ADDR));
    return {
      services: [
        bindRpcService(
          AdminServiceDefinition,
          createServiceAdminHandlers(
            service,
            createOperatorGuard(service.client(OperatorServiceDefinition, config.IDENTITY_ADDR)),
          ),
        ),
        bindRpcService(EventLogServiceDefinition, archives.eventHandlers),
        bindRpcService(ExportServiceDefinition, createExportHandlers({ ...dependencies, mustBeProven })),
        bindRpcService(FilesServiceDefinition, {
          createUpload: createUpload(dependencies),
          writeUpload: writeUpload(dependencies),
          finishProfileImage: finishProfileImage(dependencies),
          removeProfileImage: removeProfileImage(dependencies),
          finishGroupPicture: finishGroupPicture(dependencies),
          removeGroupPicture: removeGroupPicture(dependencies),
          finishBrandLogo: finishBrandLogo(dependencies),
          removeBrandLogo: removeBrandLogo(dependencies),
          readBrandLogo: readBrandLogo(dependencies),
          readObject: readObject(dependencies),
          signObject: signObject(dependencies),
          readSignedObject: readSignedObject(dependencies),
        }),
        bindRpcService(SharedFileServiceDefinition, createSharedFileHandlers(dependencies)),
        bindRpcService(LevelServiceDefinition, createStorageLevelHandlers(dependencies)),
      ],
    };
  });
}
