import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectBus, type Bus } from '@nolo/kit/bus';
import type { Delivery } from '@nolo/kit/delivery';
import { createLog } from '@nolo/kit/log';
import { closeRedis, connectRedis } from '@nolo/kit/redis';
import { serveRpc } from '@nolo/kit/rpc';
import { rateLimits, type RateLimitName } from '@nolo/rules';
import { testBacking, TestApi, TestUser, uniqueName } from '@nolo/testing';
import { createApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import type { LinkPreviewOptions } from '../src/links/linkPreviews.ts';
import { memoryBilling } from './memoryBilling.ts';
import { memoryChat } from './memoryChat.ts';
import { memoryFiles } from './memoryFiles.ts';
import { memoryGroups } from './memoryGroups.ts';
import { memoryIdentity } from './memoryIdentity.ts';
import { memoryMeetings } from './memoryMeetings.ts';
import { memorySecurity } from './memorySecurity.ts';
import { memoryStatus } from './memoryStatus.ts';
import { memoryBarredHosts, memoryBulletins, memorySettings } from './memoryOperators.ts';
import { memoryTokens } from './memoryTokens.ts';
import { memoryTranscriber } from './memoryTranscriber.ts';

const rpcSecret = 'a secret that only tests know';

export interface TestGateway {
  url: string;
  metricsUrl: string;
  origin: string;
  replicaId: string;
  identity: ReturnType<typeof memoryIdentity>;
  security: ReturnType<typeof memorySecurity>;
  tokens: ReturnType<typeof memoryTokens>;
  bulletins: ReturnType<typeof memoryBulletins>;
  barredHosts: ReturnType<typeof memoryBarredHosts>;
  settings: ReturnType<typeof memorySettings>;
  chat: ReturnType<typeof memoryChat>;
  groups: ReturnType<typeof memoryGroups>;
  files: ReturnType<typeof memoryFiles>;
  meetings: ReturnType<typeof memoryMeetings>;
  transcriber: ReturnType<typeof memoryTranscriber>;
  billing: ReturnType<typeof memoryBilling>;
  bus: Bus;
  anonymous: TestApi;
  /** A new account. */
  signUp(): Promise<TestUser>;
  /** Counts `points` against an account or an address under a limit of the edge, as if they had been used up just now. */
  spend(name: RateLimitName, key: string, points: number): Promise<void>;
  /** Hands a frame to this gateway as a relay would. */
  deliver(delivery: Delivery): void;
  /** Idempotent. */
  stop(): Promise<void>;
}

let numbers = 0;

/** For a gateway with the limits of production. */
export const production = { NOLO_MODE: 'production', PUBLIC_URL: 'http://nolo.test' };

/** A real gateway on real Redis and NATS, before services that live in memory. */
export async function startTestGateway(
  env: Record<string, string> = {},
  links?: LinkPreviewOptions,
): Promise<TestGateway> {
  const { redisUrl, natsUrl } = testBacking();
  const log = createLog({ service: 'gateway-test', level: process.env['TEST_LOG_LEVEL'] ?? 'silent' });
  const prefix = uniqueName();
  const replicaId = uniqueName('replica');
  const [identity, chat, files, meetings] = [memoryIdentity(), memoryChat(), memoryFiles(), memoryMeetings()];
  const transcriber = memoryTranscriber();
  const billing = memoryBilling();
  const groups = memoryGroups();
  const security = memorySecurity();
  const tokens = memoryTokens();
  const bulletins = memoryBulletins();
  const barredHosts = memoryBarredHosts();
  const settings = memorySettings();
  const listen = { host: '127.0.0.1', port: 0 };
  const servers = await Promise.all(
    [
      [identity.service, security.service, tokens.service, bulletins.service, barredHosts.service, settings.service],
      [chat.service, groups.service],
      [files.service, files.shared.service],
      meetings.services,
      [transcriber.service],
      [memoryStatus()],
      billing.services,
    ].map((services) => serveRpc({ listen, secret: rpcSecret, log, services })),
  );
  const [
    identityAddress,
    chatAddress,
    filesAddress,
    meetingsAddress,
    transcriberAddress,
    statusAddress,
    billingAddress,
  ] = servers.map(({ port }) => `127.0.0.1:${port}`);
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
    IDENTITY_ADDR: identityAddress,
    CHAT_ADDR: chatAddress,
    FILES_ADDR: filesAddress,
    MEETINGS_ADDR: meetingsAddress,
    TRANSCRIBER_ADDR: transcriberAddress,
    STATUS_ADDR: statusAddress,
    BILLING_ADDR: billingAddress,
    COOKIE_SECRET: 'another secret that only tests know',
    REPLICA_ID: replicaId,
    WEB_DIR: webDir,
    // Everybody whom tests bring is new.
    NEW_ACCOUNT_HOURS: '0',
    ...env,
  });
  const app = createApp({ config, log, validateReplies: true, ...(links ? { links } : {}) });
  const ports = await app.start();
  const bus = await connectBus({ url: natsUrl, prefix, name: 'gateway-test', log });
  const redis = await connectRedis({ url: redisUrl, prefix, log });
  const url = `http://127.0.0.1:${ports.http}`;
  const anonymous = new TestApi(url);
  const signUp = async () => {
    const phone = `+27821${String((numbers += 1)).padStart(6, '0')}`;
    // The identity in memory takes this code in production too.
    const proof = { type: 'sms', phoneNumber: phone, code: '424242' };
    const { body } = await anonymous.post('/api/verification/verify', proof);
    return new TestUser({ baseUrl: url, id: body.user.id, phone, token: body.token });
  };
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
    identity,
    security,
    tokens,
    bulletins,
    barredHosts,
    settings,
    chat,
    groups,
    files,
    meetings,
    transcriber,
    billing,
    bus,
    anonymous,
    signUp,
    spend: async (name, key, points) => {
      await redis.set(`limit:${name}:edge:${key}`, points, 'EX', rateLimits[name].durationSeconds);
    },
    deliver: (delivery) => bus.publish(`gateway.${replicaId}.deliver`, delivery),
    stop: () => (stopping ??= stop()),
  };
}

/** The session cookie that an answer sets, as a browser would send it back. */
export function cookiesOf(headers: Headers): string {
  return headers
    .getSetCookie()
    .map((line) => line.split(';')[0] ?? '')
    .filter((pair) => !pair.endsWith('='))
    .join('; ');
}
