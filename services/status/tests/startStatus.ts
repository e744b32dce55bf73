import { randomUUID } from 'node:crypto';
import { connectBus } from '@nolo/kit/bus';
import { loadConfig } from '@nolo/kit/config';
import type { Knex } from '@nolo/kit/db';
import {
  createConnectionLeases,
  allGatewaysSubject,
  gatewaySubjectOf,
  type DeliveryEnvelope,
} from '@nolo/kit/delivery';
import { createAppError, isAppError } from '@nolo/kit/errors';
import { createStopStack } from '@nolo/kit/lifecycle';
import { createLog } from '@nolo/kit/log';
import { closeRedis, connectRedis } from '@nolo/kit/redis';
import { createClient, bindRpcService, serveRpc, type RpcClient, type RpcHandlers } from '@nolo/kit/rpc';
import { SharedFileServiceDefinition, type SharedFile } from '@nolo/proto/sharedFiles';
import { StatusServiceDefinition, type PostStatusRequest, type Status } from '@nolo/proto/status';
import type { FileKind } from '@nolo/rules';
import {
  createTestEnvironment,
  eventually,
  createFakeClock,
  openDatabase,
  startTestEvents,
  type FakeClock,
  type TestEvents,
} from '@nolo/testing';
import { createStatusApp } from '../src/app.ts';
import { configSchema } from '../src/config.ts';

export interface TestStatus {
  client: RpcClient<typeof StatusServiceDefinition>;
  clock: FakeClock;
  /** Database connection with the service's own role. */
  db: Knex;
  /** Publishes events to the logs of identity and chat. */
  publishEvent: TestEvents['publishEvent'];
  /** Returns frames of a type for a user's sockets, in order. */
  framesTo(userId: string, type: string): Record<string, unknown>[];
  /** Creates a person with a socket. */
  person(): Promise<string>;
  /** Makes the author and each of the others mutual contacts. */
  befriend(authorId: string, ...others: string[]): Promise<void>;
  block(blockerId: string, blockedId: string, blocked?: boolean): Promise<void>;
  shareReceipts(userId: string, shared: boolean): Promise<void>;
  /** Stores a user's file in the fake files service. */
  storeFile(ownerId: string, kind: FileKind, size?: number): string;
  post(actorId: string, more?: Partial<PostStatusRequest>): Promise<Status>;
  /** Returns the IDs on a user's first page. */
  seen(actorId: string): Promise<string[]>;
  /** Returns a metric without labels, as Prometheus sees it. */
  figure(name: string): Promise<number>;
  stop(): Promise<void>;
}

const secret = 'a-secret-of-this-test-alone';

/** Fakes the files service for status: existing files and their owners. */
function memoryFiles() {
  const files = new Map<string, SharedFile & { ownerId: string }>();
  const known: Pick<RpcHandlers<typeof SharedFileServiceDefinition>, 'checkAttachable'> = {
    async checkAttachable({ actorId, fileIds }) {
      return {
        files: fileIds.map((id) => {
          const file = files.get(id);
          if (file?.ownerId !== actorId)
            throw createAppError('not_found', 'file_not_found', 'That file does not exist.');
          return file;
        }),
      };
    },
  };
  const none = new Proxy(known, {
    get: (target, name) =>
      Reflect.get(target, name) ??
      (() => {
        throw new Error(`Unexpected call from status to files: ${String(name)}.`);
      }),
  }) as RpcHandlers<typeof SharedFileServiceDefinition>;
  const plain = { name: 'a', contentType: '', width: 0, height: 0, thumbnailWidths: [], thumbhash: '', moves: false };
  return {
    service: bindRpcService(SharedFileServiceDefinition, none),
    store(ownerId: string, kind: FileKind, size = 12): string {
      const id = randomUUID();
      files.set(id, { id, ownerId, kind, size, ...plain });
      return id;
    },
  };
}

export async function startStatus(): Promise<TestStatus> {
  const stack = createStopStack();
  const environment = await createTestEnvironment(['status']);
  stack.push('environment', () => environment.drop());
  const log = createLog({ service: 'test', level: 'fatal' });
  const clock = createFakeClock();
  const files = memoryFiles();
  const filesServer = await serveRpc({
    listen: { host: '127.0.0.1', port: 0 },
    secret,
    log,
    services: [files.service],
  });
  stack.push('files', () => filesServer.stop());
  const events = await startTestEvents(environment, secret);
  stack.push('events', () => events.stop());
  const config = loadConfig(configSchema, {
    ...environment.variablesFor('status'),
    RPC_LISTEN: '127.0.0.1:0',
    RPC_SECRET: secret,
    METRICS_LISTEN: '127.0.0.1:0',
    FILES_ADDR: `127.0.0.1:${filesServer.port}`,
    IDENTITY_ADDR: events.address,
    CHAT_ADDR: events.address,
  });
  const app = createStatusApp({ config, log, clock, longestPauseMs: 200 });
  const { rpc, metrics } = await app.start();
  stack.push('app', () => app.stop());
  const client = createClient(StatusServiceDefinition, `127.0.0.1:${rpc}`, { secret, timeoutMs: 20_000 });
  stack.push('client', () => client.close());

  const { redisUrl, redisPrefix, natsUrl, natsPrefix } = environment;
  const db = openDatabase(environment.urls.status, 'status');
  stack.push('db', () => db.destroy());
  const redis = await connectRedis({ url: redisUrl, prefix: redisPrefix, log });
  stack.push('redis', () => closeRedis(redis));
  const bus = await connectBus({ url: natsUrl, prefix: natsPrefix, name: 'test', log });
  stack.push('bus', () => bus.close());
  const leases = createConnectionLeases({ redis, replicaId: 'gateway-under-test', log });
  stack.push('leases', () => leases.stop());
  const frames: DeliveryEnvelope[] = [];
  for (const subject of [gatewaySubjectOf('gateway-under-test'), allGatewaysSubject]) {
    bus.subscribe(subject, (data) => void frames.push(data as DeliveryEnvelope));
  }
  await bus.flush();
  const isThere = (table: string, row: Record<string, unknown>, wanted = true) =>
    eventually(async () => ((await db(table).where(row).first()) !== undefined) === wanted);

  return {
    client,
    clock,
    db,
    publishEvent: events.publishEvent,
    framesTo: (userId, type) =>
      frames
        .filter(({ recipients, frame }) => recipients.includes(userId) && frame.type === type)
        .map(({ frame }) => frame.data as Record<string, unknown>),
    async person() {
      const userId = randomUUID();
      await leases.add(userId);
      return userId;
    },
    async befriend(authorId, ...others) {
      await events.publishEvent('event.identity.contacts_changed', { ownerId: authorId, added: others, removed: [] });
      for (const ownerId of others) {
        await events.publishEvent('event.identity.contacts_changed', { ownerId, added: [authorId], removed: [] });
      }
      await isThere('contacts', { owner_id: others.at(-1), user_id: authorId });
    },
    async block(blockerId, blockedId, blocked = true) {
      await events.publishEvent('event.identity.block_changed', { blockerId, blockedId, blocked });
      await isThere('blocks', { blocker_id: blockerId, blocked_id: blockedId }, blocked);
    },
    async shareReceipts(userId, shared) {
      await events.publishEvent('event.chat.receipts_changed', { userId, shared });
      await isThere('receipts_off', { user_id: userId }, !shared);
    },
    storeFile: files.store,
    post: (actorId, more = {}) =>
      client.postStatus({
        actorId,
        clientStatusId: randomUUID(),
        mediaType: 'text',
        content: 'hello',
        encryption: 'none',
        audience: undefined,
        ...more,
      }),
    seen: async (actorId) => (await client.listStatuses({ actorId })).statuses.map(({ id }) => id),
    async figure(name) {
      const shown = await (await fetch(`http://127.0.0.1:${metrics}/metrics`)).text();
      return Number(new RegExp(`^${name}{[^}]*} (.+)$`, 'm').exec(shown)?.[1]);
    },
    stop: () => stack.stop(),
  };
}

/** Returns kind and `code` of a call's error: `not_found status_not_found`. */
export async function statusErrorKindAndCode(call: Promise<unknown>): Promise<string> {
  try {
    await call;
  } catch (error) {
    if (isAppError(error)) return `${error.kind} ${error.code}`;
    throw error;
  }
  return 'none';
}
