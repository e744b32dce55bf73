import { connectBus, type Bus } from '@nolo/kit/bus';
import { loadConfig } from '@nolo/kit/config';
import type { Knex } from '@nolo/kit/db';
import { createConnectionLeases, type DeliveryEnvelope, type ConnectionLeases } from '@nolo/kit/delivery';
import { createLog } from '@nolo/kit/log';
import { closeRedis, connectRedis, type Redis } from '@nolo/kit/redis';
import { createClient, serveRpc, type RpcClient } from '@nolo/kit/rpc';
import type { ServicePorts } from '@nolo/kit/service';
import { IdentityServiceDefinition, type SignInReply } from '@nolo/proto/identity';
import { BarredHostServiceDefinition } from '@nolo/proto/barredHosts';
import { MailInvitationServiceDefinition } from '@nolo/proto/mailInvitations';
import { AnnouncementServiceDefinition } from '@nolo/proto/announcements';
import { OperatorServiceDefinition } from '@nolo/proto/operators';
import { ReportServiceDefinition } from '@nolo/proto/reports';
import type { Self } from '@nolo/proto/profile';
import { KeyServiceDefinition } from '@nolo/proto/keys';
import { MailCodeServiceDefinition } from '@nolo/proto/mailCodes';
import { PasskeyServiceDefinition } from '@nolo/proto/passkeys';
import { SecondFactorServiceDefinition } from '@nolo/proto/secondFactor';
import { SecurityServiceDefinition } from '@nolo/proto/security';
import { SettingServiceDefinition } from '@nolo/proto/settings';
import { TokenServiceDefinition } from '@nolo/proto/tokens';
import {
  createTestEnvironment,
  eventually,
  createFakeClock,
  openDatabase,
  randomPhone,
  type TestEnvironment,
  type FakeClock,
} from '@nolo/testing';
import { createIdentityApp } from '../src/app.ts';
import { configSchema } from '../src/config.ts';
import type { OutgoingMail } from '../src/domain/securityPorts.ts';
import { memoryEpochs } from './memoryEpochs.ts';

const rpcSecret = 'a secret that only tests know';
export const demoCode = '424242';
export const testDevice = { userAgent: 'Test browser', address: '192.0.2.1' };

interface SentSms {
  to: string;
  text: string;
}

/** Fake gateway replica that holds leases and collects frames for sockets. */
export interface FakeGatewayReplica {
  leases: ConnectionLeases;
  frames: { recipients: readonly string[]; type: string; data: Record<string, unknown> }[];
  framesFor(userId: string, type: string): Record<string, unknown>[];
  clear(): void;
}

export interface TestIdentity {
  client: RpcClient<typeof IdentityServiceDefinition>;
  security: RpcClient<typeof SecurityServiceDefinition>;
  keys: RpcClient<typeof KeyServiceDefinition>;
  passkeys: RpcClient<typeof PasskeyServiceDefinition>;
  mailCodes: RpcClient<typeof MailCodeServiceDefinition>;
  secondFactor: RpcClient<typeof SecondFactorServiceDefinition>;
  tokens: RpcClient<typeof TokenServiceDefinition>;
  operators: RpcClient<typeof OperatorServiceDefinition>;
  barredHosts: RpcClient<typeof BarredHostServiceDefinition>;
  mailInvitations: RpcClient<typeof MailInvitationServiceDefinition>;
  announcements: RpcClient<typeof AnnouncementServiceDefinition>;
  reports: RpcClient<typeof ReportServiceDefinition>;
  settings: RpcClient<typeof SettingServiceDefinition>;
  clock: FakeClock;
  db: Knex;
  redis: Redis;
  bus: Bus;
  sms: SentSms[];
  mails: OutgoingMail[];
  /** Waits until all pending email is sent. */
  runMails(): Promise<void>;
  /** Error that makes sending fail, if set. */
  smsFailure: { error: Error | undefined };
  /** Fake of the chat service, which keeps the epochs of vaults. */
  epochs: ReturnType<typeof memoryEpochs>;
  /** Ports that it listens on. */
  ports: ServicePorts;
  /** Clears this test's keys, as if Redis had restarted without its data. */
  emptyRedis(): Promise<void>;
  gateway(replicaId: string): Promise<FakeGatewayReplica>;
  /** Creates an account by phone, with a name if given. */
  signUp(firstName?: string, lastName?: string): Promise<TestPerson>;
  signIn(phoneNumber: string): Promise<ReturnType<typeof requireBegunSession>>;
  /** Deletes the account, skips its grace period, and waits until it is gone. */
  erase(person: TestPerson): Promise<void>;
  stop(): Promise<void>;
}

export interface TestPerson {
  id: string;
  phoneNumber: string;
  token: string;
  sessionId: string;
}

export function requireSelf(reply: SignInReply): Self {
  if (!reply.self) throw new Error('The reply contains no account.');
  return reply.self;
}

/** Returns the reply with its session, which linking and proving do not start. */
export function requireBegunSession(reply: SignInReply): SignInReply & { token: string; sessionId: string } {
  const { token, sessionId } = reply;
  if (!token || !sessionId) throw new Error('No session was started.');
  return { ...reply, token, sessionId };
}

/** Starts the real service on real servers, with a clock that tests move and an SMS sender that collects messages. */
export async function startIdentity(
  variables: Record<string, string> = {},
  given?: TestEnvironment<'identity'>,
): Promise<TestIdentity> {
  const environment = given ?? (await createTestEnvironment(['identity']));
  const clock = createFakeClock();
  const sms: SentSms[] = [];
  const mails: OutgoingMail[] = [];
  const smsFailure: TestIdentity['smsFailure'] = { error: undefined };
  const log = createLog({ service: 'identity', level: 'fatal' });
  const epochs = memoryEpochs();
  const listen = { host: '127.0.0.1', port: 0 };
  const chat = await serveRpc({ listen, secret: rpcSecret, log, services: [epochs.service] });
  const config = loadConfig(configSchema, {
    ...environment.variablesFor('identity'),
    RPC_LISTEN: '127.0.0.1:0',
    RPC_SECRET: rpcSecret,
    CODE_PEPPER: 'a pepper that only tests know',
    FACTOR_KEYS: `first:${Buffer.alloc(32, 1).toString('base64')}`,
    OUTBOX_URL: 'http://127.0.0.1:9',
    CHAT_ADDR: `127.0.0.1:${chat.port}`,
    ...variables,
  });
  const app = createIdentityApp({
    config,
    clock,
    longestPauseMs: 1_000,
    log,
    mail: { send: async (mail) => void mails.push(mail) },
    sms: {
      send: async (to, text) => {
        if (smsFailure.error) throw smsFailure.error;
        sms.push({ to, text });
      },
    },
  });
  const ports = await app.start();
  const client = createClient(IdentityServiceDefinition, `127.0.0.1:${ports.rpc}`, { secret: rpcSecret });
  const security = createClient(SecurityServiceDefinition, `127.0.0.1:${ports.rpc}`, { secret: rpcSecret });
  const keys = createClient(KeyServiceDefinition, `127.0.0.1:${ports.rpc}`, { secret: rpcSecret });
  const passkeys = createClient(PasskeyServiceDefinition, `127.0.0.1:${ports.rpc}`, { secret: rpcSecret });
  const mailCodes = createClient(MailCodeServiceDefinition, `127.0.0.1:${ports.rpc}`, { secret: rpcSecret });
  const secondFactor = createClient(SecondFactorServiceDefinition, `127.0.0.1:${ports.rpc}`, { secret: rpcSecret });
  const tokens = createClient(TokenServiceDefinition, `127.0.0.1:${ports.rpc}`, { secret: rpcSecret });
  const barredHosts = createClient(BarredHostServiceDefinition, `127.0.0.1:${ports.rpc}`, { secret: rpcSecret });
  const mailInvitations = createClient(MailInvitationServiceDefinition, `127.0.0.1:${ports.rpc}`, {
    secret: rpcSecret,
  });
  const announcements = createClient(AnnouncementServiceDefinition, `127.0.0.1:${ports.rpc}`, { secret: rpcSecret });
  const operators = createClient(OperatorServiceDefinition, `127.0.0.1:${ports.rpc}`, { secret: rpcSecret });
  const settings = createClient(SettingServiceDefinition, `127.0.0.1:${ports.rpc}`, { secret: rpcSecret });
  const reports = createClient(ReportServiceDefinition, `127.0.0.1:${ports.rpc}`, { secret: rpcSecret });
  const db = openDatabase(environment.urls.identity, 'identity');
  const redis = await connectRedis({ url: environment.redisUrl, prefix: environment.redisPrefix, log });
  const bus = await connectBus({ url: environment.natsUrl, prefix: environment.natsPrefix, name: 'test', log });
  const leases: ConnectionLeases[] = [];

  const signIn = async (phoneNumber: string) => {
    await client.sendCode({ phoneNumber, device: testDevice });
    return requireBegunSession(await client.verifyCode({ phoneNumber, code: demoCode, device: testDevice }));
  };

  return {
    client,
    security,
    keys,
    passkeys,
    mailCodes,
    secondFactor,
    tokens,
    operators,
    barredHosts,
    mailInvitations,
    announcements,
    reports,
    settings,
    clock,
    db,
    redis,
    bus,
    sms,
    mails,
    async runMails() {
      await eventually(async () => (await db('mails').select('id')).length === 0);
    },
    smsFailure,
    epochs,
    ports,
    signIn,
    async emptyRedis() {
      const prefix = `${environment.redisPrefix}:`;
      for (const key of await redis.keys(`${prefix}*`)) await redis.unlink(key.slice(prefix.length));
    },
    async gateway(replicaId) {
      const own = createConnectionLeases({ redis, replicaId, clock, log });
      leases.push(own);
      const frames: FakeGatewayReplica['frames'] = [];
      bus.subscribe(`gateway.${replicaId}.deliver`, (data) => {
        const { recipients, frame } = data as DeliveryEnvelope;
        frames.push({ recipients, type: frame.type, data: frame.data as Record<string, unknown> });
      });
      await bus.flush();
      return {
        leases: own,
        frames,
        framesFor: (userId, type) =>
          frames.filter((frame) => frame.recipients.includes(userId) && frame.type === type).map((frame) => frame.data),
        clear: () => void frames.splice(0),
      };
    },
    async signUp(firstName, lastName) {
      const phoneNumber = randomPhone();
      const reply = await signIn(phoneNumber);
      const { id } = requireSelf(reply);
      if (firstName !== undefined) await client.updateProfile({ actorId: id, firstName, lastName });
      return { id, phoneNumber, token: reply.token, sessionId: reply.sessionId };
    },
    async erase(person) {
      await client.deleteAccount(testCallerOf(person));
      await db('closures').where({ user_id: person.id }).update({ deletes_at: clock.now() });
      await eventually(async () => (await db('users').where({ id: person.id })).length === 0);
    },
    async stop() {
      client.close();
      security.close();
      keys.close();
      passkeys.close();
      mailCodes.close();
      secondFactor.close();
      tokens.close();
      operators.close();
      barredHosts.close();
      mailInvitations.close();
      announcements.close();
      reports.close();
      settings.close();
      await Promise.all(leases.map((own) => own.stop()));
      await app.stop();
      await chat.stop();
      await bus.close();
      await closeRedis(redis);
      await db.destroy();
      await environment.drop();
    },
  };
}

/** Starts the service before the tests of a file, and stops it after them. The result has no fields until then. */
export function shareIdentity(): TestIdentity {
  const identity = {} as TestIdentity;
  beforeAll(async () => void Object.assign(identity, await startIdentity()));
  afterAll(() => identity.stop());
  return identity;
}

/** Returns the account and session for calls that require fresh proof. */
export const testCallerOf = ({ id, sessionId }: TestPerson) => ({ actorId: id, sessionId });

/** Returns the error of a refused call. */
export async function captureRefusal(call: Promise<unknown>): Promise<Record<string, unknown>> {
  try {
    await call;
  } catch (error) {
    const { kind, code, message, details, retryAfterMs } = error as Record<string, unknown>;
    return { kind, code, message, details, retryAfterMs };
  }
  throw new Error('The call was expected to be refused but succeeded.');
}
