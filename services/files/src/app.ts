import { createEntitlements } from '@nolo/kit/entitlements';
import { createLimiter } from '@nolo/kit/rateLimit';
import { rpcService } from '@nolo/kit/rpc';
import { createService, type App, type Ground, type ServiceOptions } from '@nolo/kit/service';
import { ChatServiceService } from '@nolo/proto/chat';
import { EntitlementsServiceService } from '@nolo/proto/entitlements';
import { EventLogServiceService } from '@nolo/proto/events';
import { FilesServiceService } from '@nolo/proto/files';
import { SharedFileServiceService } from '@nolo/proto/sharedFiles';
import { SocialServiceService } from '@nolo/proto/social';
import { StatusServiceService } from '@nolo/proto/status';
import { LevelServiceService } from '@nolo/proto/usage';
import { allowanceOf, everythingAllowed, rateLimits } from '@nolo/rules';
import { createChatMessages } from './chatMessages.ts';
import type { FilesConfig } from './config.ts';
import { filesReleased, onFilesReleased, socialFilesReleased, statusFilesReleased } from './events/onFilesReleased.ts';
import { memberLeft, onMemberLeft } from './events/onMemberLeft.ts';
import { onUserDeleted, userDeleted } from './events/onUserDeleted.ts';
import { PictureProcesses } from './images/PictureProcesses.ts';
import { sweepIncoming } from './jobs/sweepIncoming.ts';
import { sweepLeftovers } from './jobs/sweepLeftovers.ts';
import { sweepShared } from './jobs/sweepShared.ts';
import { createLevelReports, noReports, type LevelReports } from './levelReports.ts';
import { createMetrics } from './metrics.ts';
import type { RpcDependencies } from './rpc/dependencies.ts';
import { sharedFileHandlers } from './rpc/handlers.ts';
import { levelHandlers } from './rpc/levels.ts';
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
import { createObjectStore } from './store/objectStore.ts';
import { createSharedFileStore } from './store/sharedFileStore.ts';
import { createUploadStore } from './store/uploadStore.ts';
import { createSocialPosts } from './socialPosts.ts';
import { createStatusUpdates, eitherOf } from './statusUpdates.ts';

/** An honest picture takes some seconds of a processor; a busy machine may need minutes to give it those. */
const pictureCpuMs = 30_000;
const pictureWallMs = 90_000;

const sweepEveryMs = 300_000;

/** How much somebody may keep, by billing where there is one. */
function plansOf(service: Ground<FilesConfig>) {
  const { BILLING_ADDR: address, STORAGE_PLAN: plan } = service.config;
  const billing = address && service.client(EntitlementsServiceService, address);
  const { storageBytes } = address || plan === undefined ? everythingAllowed : allowanceOf(plan);
  const entitlementsOf = createEntitlements(service, {
    billing: billing && { entitlements: billing, events: service.client(EventLogServiceService, address) },
    everything: { storageBytes },
    free: allowanceOf('free'),
  });
  return { billing, entitlementsOf };
}

export function createApp(options: ServiceOptions<FilesConfig>): App {
  return createService('files', options, (service) => {
    const { config, log, clock, metrics, db, redis, bus } = service;
    const chat = service.client(ChatServiceService, config.CHAT_ADDR);
    const { storage, access, close } = createStorage(config);
    service.onStop('storage', close);

    const { uploadsPerUserHour } = rateLimits;
    const pictures = new PictureProcesses({
      memoryBytes: config.PICTURE_MEMORY_MB * 2 ** 20,
      cpuMs: pictureCpuMs,
      wallMs: pictureWallMs,
    });
    service.onStop('pictures', () => pictures.stop());
    const messages = createChatMessages(chat, clock);
    service.onStop('leavings', bus.subscribe(memberLeft, onMemberLeft({ messages })));
    const said = eitherOf(messages, createStatusUpdates(service.client(StatusServiceService, config.STATUS_ADDR)));
    const social = config.SOCIAL_SCHEDULER_ADDR;
    const plans = plansOf(service);
    const shared = createSharedFileStore(db, (ownerIds) => reports.changed(ownerIds));
    const reports: LevelReports = plans.billing
      ? createLevelReports({ billing: plans.billing, usage: (ownerId) => shared.usage(ownerId), clock, log })
      : noReports;
    service.onStop('level reports', () => reports.stop());
    const dependencies: RpcDependencies = {
      uploads: createUploadStore(db),
      objects: createObjectStore(db),
      storage,
      access,
      pictures,
      shared,
      cleaner: pictures,
      messages: social ? eitherOf(said, createSocialPosts(service.client(SocialServiceService, social))) : said,
      allowedBytes: async (ownerId) =>
        config.STORAGE_BYTES ?? (await plans.entitlementsOf(ownerId)).limits.storageBytes ?? Infinity,
      reports,
      metrics: createMetrics(metrics, pictures),
      limiter: createLimiter({ redis, table: { uploadsPerUserHour } }),
      uploadSecret: config.UPLOAD_SECRET,
      clock,
    };

    service.consume('identity', service.client(EventLogServiceService, config.IDENTITY_ADDR), {
      [userDeleted]: onUserDeleted(dependencies),
    });
    service.consume('chat', service.client(EventLogServiceService, config.CHAT_ADDR), {
      [filesReleased]: onFilesReleased(dependencies),
    });
    service.consume('status', service.client(EventLogServiceService, config.STATUS_ADDR), {
      [statusFilesReleased]: onFilesReleased(dependencies),
    });
    if (social) {
      service.consume('social-scheduler', service.client(EventLogServiceService, social), {
        [socialFilesReleased]: onFilesReleased(dependencies),
      });
    }
    service.repeat({
      name: 'leftovers',
      everyMs: sweepEveryMs,
      async run() {
        const swept =
          (await sweepLeftovers(dependencies)) +
          (await sweepShared(dependencies)) +
          (await sweepIncoming(dependencies));
        if (swept > 0) log.info({ swept }, 'leftovers deleted');
      },
    });

    return {
      services: [
        rpcService(FilesServiceService, {
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
        rpcService(SharedFileServiceService, sharedFileHandlers(dependencies)),
        rpcService(LevelServiceService, levelHandlers(dependencies)),
      ],
    };
  });
}
