import { checkBus, connectBus } from '@nolo/kit/bus';
import { systemClock, type Clock } from '@nolo/kit/clock';
import type { Listen } from '@nolo/kit/config';
import { checkDb, createDb } from '@nolo/kit/db';
import { consumeEvents, type ConsumeEventsOptions } from '@nolo/kit/events';
import { createStopStack } from '@nolo/kit/lifecycle';
import type { Log } from '@nolo/kit/log';
import { createLimiter } from '@nolo/kit/rateLimit';
import { checkRedis, closeRedis, connectRedis } from '@nolo/kit/redis';
import { createClient, rpcService, serveRpc } from '@nolo/kit/rpc';
import { checkAll, createRegistry, serveMetrics } from '@nolo/kit/telemetry';
import { ChatServiceService } from '@nolo/proto/chat';
import { EventLogServiceService } from '@nolo/proto/events';
import { FilesServiceService } from '@nolo/proto/files';
import { SharedFileServiceService } from '@nolo/proto/sharedFiles';
import { rateLimits, storageBytes } from '@nolo/rules';
import { createChatMessages } from './chatMessages.ts';
import type { FilesConfig } from './config.ts';
import { filesReleased, onFilesReleased } from './events/onFilesReleased.ts';
import { memberLeft, onMemberLeft } from './events/onMemberLeft.ts';
import { onUserDeleted, userDeleted } from './events/onUserDeleted.ts';
import { PictureProcesses } from './images/PictureProcesses.ts';
import { sweepIncoming } from './jobs/sweepIncoming.ts';
import { sweepLeftovers } from './jobs/sweepLeftovers.ts';
import { sweepShared } from './jobs/sweepShared.ts';
import { createMetrics } from './metrics.ts';
import { createUpload } from './rpc/createUpload.ts';
import type { RpcDependencies } from './rpc/dependencies.ts';
import { finishGroupPicture } from './rpc/finishGroupPicture.ts';
import { finishProfileImage } from './rpc/finishProfileImage.ts';
import { readObject } from './rpc/readObject.ts';
import { removeGroupPicture } from './rpc/removeGroupPicture.ts';
import { removeProfileImage } from './rpc/removeProfileImage.ts';
import { sharedFileHandlers } from './rpc/attachments/handlers.ts';
import { writeUpload } from './rpc/writeUpload.ts';
import { createStorage } from './storage/createStorage.ts';
import { createObjectStore } from './store/objectStore.ts';
import { createSharedFileStore } from './store/sharedFileStore.ts';
import { createUploadStore } from './store/uploadStore.ts';

/** An honest picture takes some seconds of a processor; a busy machine may need minutes to give it those. */
const pictureCpuMs = 30_000;
const pictureWallMs = 90_000;

export interface AppOptions {
  config: FilesConfig;
  log: Log;
  clock?: Clock;
  /** How often leftovers are deleted; every five minutes by default. */
  sweepEveryMs?: number;
}

export interface App {
  /** Answers with the ports it listens on, which may have been asked for as 0. */
  start(): Promise<{ rpc: number; metrics: number }>;
  /** Idempotent; ends what was started, in reverse. */
  stop(): Promise<void>;
}

export function createApp({ config, log, clock = systemClock, sweepEveryMs = 300_000 }: AppOptions): App {
  const stack = createStopStack(log);

  const startSweeping = (dependencies: RpcDependencies) => {
    let running: Promise<void> | undefined;
    const sweep = async () => {
      try {
        const swept =
          (await sweepLeftovers(dependencies)) +
          (await sweepShared(dependencies)) +
          (await sweepIncoming(dependencies));
        if (swept > 0) log.info({ swept }, 'leftovers deleted');
      } catch (error) {
        log.warn({ err: error }, 'leftovers could not be deleted; trying again later');
      } finally {
        running = undefined;
      }
    };
    const timer = setInterval(() => void (running ??= sweep()), sweepEveryMs);
    stack.push('sweep', async () => {
      clearInterval(timer);
      await running;
    });
  };

  const start = async () => {
    const registry = createRegistry('files');
    const db = createDb({ url: config.DATABASE_URL, schema: 'files', log, metrics: registry });
    stack.push('database', () => db.destroy());
    const redis = await connectRedis({ url: config.REDIS_URL, prefix: config.REDIS_PREFIX, log, metrics: registry });
    stack.push('redis', () => closeRedis(redis));
    const bus = await connectBus({
      url: config.NATS_URL,
      prefix: config.NATS_PREFIX,
      name: 'files',
      log,
      metrics: registry,
    });
    stack.push('bus', () => bus.close());

    const chat = createClient(ChatServiceService, config.CHAT_ADDR, { secret: config.RPC_SECRET, metrics: registry });
    stack.push('client', () => chat.close());
    const { storage, access, close } = createStorage(config);
    stack.push('storage', async () => close());

    const { uploadsPerUserHour } = rateLimits;
    const allowed = config.STORAGE_BYTES ?? storageBytes[config.STORAGE_PLAN];
    const pictures = new PictureProcesses({
      memoryBytes: config.PICTURE_MEMORY_MB * 2 ** 20,
      cpuMs: pictureCpuMs,
      wallMs: pictureWallMs,
    });
    stack.push('pictures', () => pictures.stop());
    const messages = createChatMessages(chat, clock);
    stack.push('leavings', bus.subscribe(memberLeft, onMemberLeft({ messages })));
    const dependencies: RpcDependencies = {
      uploads: createUploadStore(db),
      objects: createObjectStore(db),
      storage,
      access,
      pictures,
      shared: createSharedFileStore(db),
      cleaner: pictures,
      messages,
      // Until plans are sold everyone has the same (decision 21).
      allowedBytes: async () => allowed,
      metrics: createMetrics(registry, pictures),
      limiter: createLimiter({ redis, table: { uploadsPerUserHour } }),
      uploadSecret: config.UPLOAD_SECRET,
      clock,
    };

    const consume = (source: string, address: Listen, handlers: ConsumeEventsOptions['handlers']) => {
      const owner = createClient(EventLogServiceService, address, { secret: config.RPC_SECRET, metrics: registry });
      stack.push(`log of ${source}`, async () => owner.close());
      stack.push(
        `events of ${source}`,
        consumeEvents({ db, bus, log, metrics: registry, consumer: 'files', source, owner, handlers }),
      );
    };
    consume('identity', config.IDENTITY_ADDR, { [userDeleted]: onUserDeleted(dependencies) });
    consume('chat', config.CHAT_ADDR, { [filesReleased]: onFilesReleased(dependencies) });
    startSweeping(dependencies);

    const rpc = await serveRpc({
      listen: config.RPC_LISTEN,
      secret: config.RPC_SECRET,
      log,
      metrics: registry,
      services: [
        rpcService(FilesServiceService, {
          createUpload: createUpload(dependencies),
          writeUpload: writeUpload(dependencies),
          finishProfileImage: finishProfileImage(dependencies),
          removeProfileImage: removeProfileImage(dependencies),
          finishGroupPicture: finishGroupPicture(dependencies),
          removeGroupPicture: removeGroupPicture(dependencies),
          readObject: readObject(dependencies),
        }),
        rpcService(SharedFileServiceService, sharedFileHandlers(dependencies)),
      ],
    });
    stack.push('rpc', rpc.stop);
    const metrics = await serveMetrics({
      listen: config.METRICS_LISTEN,
      registry,
      ready: () => checkAll({ postgres: () => checkDb(db), redis: () => checkRedis(redis), nats: () => checkBus(bus) }),
    });
    stack.push('metrics', metrics.stop);
    return { rpc: rpc.port, metrics: metrics.port };
  };

  return {
    start: async () => {
      try {
        return await start();
      } catch (error) {
        await stack.stop();
        throw error;
      }
    },
    stop: () => stack.stop(),
  };
}
