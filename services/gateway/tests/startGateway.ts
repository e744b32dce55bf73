import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '@nolo/kit/clock';
import { connectBus } from '@nolo/kit/bus';
import type { FrameDelivery } from '@nolo/kit/delivery';
import { createLog } from '@nolo/kit/log';
import { closeRedis, connectRedis } from '@nolo/kit/redis';
import { serveRpc, type RpcService } from '@nolo/kit/rpc';
import { rateLimits, type RateLimitName } from '@nolo/rules';
import { readTestServerAddresses, TestApi, TestUser, createUniqueName } from '@nolo/testing';
import { createGatewayApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import type { LinkPreviewOptions } from '../src/links/linkPreviewer.ts';
import { memoryBilling } from './memoryBilling.ts';
import { memoryChat } from './memoryChat.ts';
import { memoryFiles } from './memoryFiles.ts';
import { memoryGroups } from './memoryGroups.ts';
import { memoryIdentity } from './memoryIdentity.ts';
import { memoryMeetings } from './memoryMeetings.ts';
import { memorySecurity } from './memorySecurity.ts';
import { memoryStatus } from './memoryStatus.ts';
import { memoryBarredHosts, memoryAnnouncements, memorySettings } from './memoryOperators.ts';
import { memoryTokens } from './memoryTokens.ts';
import { memoryTranscriber } from './memoryTranscriber.ts';

const rpcSecret = 'a secret that only tests know';

export type TestGateway = Awaited<ReturnType<typeof startGateway>>;

let numbers = 0;

/** Environment of a gateway with production limits. */
export const productionModeEnvironment = { NOLO_MODE: 'production', PUBLIC_URL: 'http://nolo.test' };

/** Starts a real gateway with real Redis and NATS and in-memory services. */
export async function startGateway(
  env: Record<string, string> = {},
  links?: LinkPreviewOptions,
  { clock, operatorsAway = false, chat }: { clock?: Clock; operatorsAway?: boolean; chat?: RpcService[] } = {},
) {
  const { redisUrl, natsUrl } = readTestServerAddresses();
  const log = createLog({ service: 'gateway-test', level: process.env['TEST_LOG_LEVEL'] ?? 'silent' });
  const prefix = createUniqueName();
  const replicaId = createUniqueName('replica');
  const identities = {
    identity: memoryIdentity(),
    security: memorySecurity(),
    tokens: memoryTokens(),
    announcements: memoryAnnouncements(),
    barredHosts: memoryBarredHosts(),
    settings: memorySettings(),
  };
  for (const one of [identities.barredHosts, identities.settings]) one.setAway(operatorsAway);
  const others = {
    chat: memoryChat(),
    groups: memoryGroups(),
    files: memoryFiles(),
    meetings: memoryMeetings(),
    transcriber: memoryTranscriber(),
    billing: memoryBilling(),
  };
  const fakes: Record<string, RpcService[]> = {
    IDENTITY_ADDR: Object.values(identities).map(({ service }) => service),
    CHAT_ADDR: chat ?? [others.chat.service, others.groups.service],
    FILES_ADDR: [others.files.service, others.files.shared.service],
    MEETINGS_ADDR: others.meetings.services,
    TRANSCRIBER_ADDR: [others.transcriber.service],
    STATUS_ADDR: [memoryStatus()],
    BILLING_ADDR: others.billing.services,
  };
  const listen = { host: '127.0.0.1', port: 0 };
  const servers = await Promise.all(
    Object.entries(fakes).map(async ([name, services]) => {
      const { port, stop } = await serveRpc({ listen, secret: rpcSecret, log, services });
      return { name, address: `127.0.0.1:${port}`, stop };
    }),
  );
  const webDir = mkdtempSync(join(tmpdir(), 'nolo-gateway-'));
  const config = readConfig({
    NOLO_MODE: 'demo',
    HOST: '127.0.0.1',
    PORT: '0',
    REDIS_URL: redisUrl,
    REDIS_PREFIX: prefix,
    NATS_URL: natsUrl,
    NATS_PREFIX: prefix,
    RPC_SECRET: rpcSecret,
    ...Object.fromEntries(servers.map(({ name, address }) => [name, address])),
    COOKIE_SECRET: 'another secret that only tests know',
    REPLICA_ID: replicaId,
    WEB_DIR: webDir,
    // Accounts that tests create are always new.
    NEW_ACCOUNT_HOURS: '0',
    ...env,
  });
  const app = createGatewayApp({
    config,
    log,
    validateReplies: true,
    ...(links ? { links } : {}),
    ...(clock ? { clock } : {}),
  });
  const ports = await app.start();
  const bus = await connectBus({ url: natsUrl, prefix, name: 'gateway-test', log });
  const redis = await connectRedis({ url: redisUrl, prefix, log });
  const url = `http://127.0.0.1:${ports.http}`;
  const anonymous = new TestApi(url);
  let stopping: Promise<void> | undefined;
  const stop = async () => {
    await app.stop();
    await bus.close();
    await closeRedis(redis);
    await Promise.all(servers.map((server) => server.stop()));
    rmSync(webDir, { recursive: true, force: true });
  };
  return {
    url,
    metricsUrl: `http://127.0.0.1:${ports.metrics}`,
    origin: config.PUBLIC_URL ?? `http://localhost:${ports.http}`,
    replicaId,
    ...identities,
    ...others,
    bus,
    anonymous,
    /** Creates a new account. */
    async signUp(): Promise<TestUser> {
      const phone = `+27821${String((numbers += 1)).padStart(6, '0')}`;
      // The in-memory identity accepts this code in production too.
      const proof = { type: 'sms', phoneNumber: phone, code: '424242' };
      const { body } = await anonymous.post('/api/verification/verify', proof);
      return new TestUser({ baseUrl: url, id: body.user.id, phone, token: body.token });
    },
    /** Charges `points` to an account or address under a gateway limit, as if they were just used. */
    async spend(name: RateLimitName, key: string, points: number): Promise<void> {
      await redis.set(`limit:${name}:edge:${key}`, points, 'EX', rateLimits[name].durationSeconds);
    },
    /** Delivers a frame to this gateway as a relay would. */
    deliver: (delivery: FrameDelivery) => bus.publish(`gateway.${replicaId}.deliver`, delivery),
    /** Idempotent. */
    stop: () => (stopping ??= stop()),
  };
}

/** Returns the session cookie that a response sets, as a browser would send it back. */
export function cookiesOf(headers: Headers): string {
  return headers
    .getSetCookie()
    .map((line) => line.split(';')[0] ?? '')
    .filter((pair) => !pair.endsWith('='))
    .join('; ');
}
