import { randomUUID } from 'node:crypto';
import { connectBus, type Bus } from '@nolo/kit/bus';
import { loadConfig } from '@nolo/kit/config';
import type { Knex } from '@nolo/kit/db';
import {
  createConnectionLeases,
  allGatewaysSubject,
  gatewaySubjectOf,
  type DeliveryEnvelope,
  type ConnectionLeases,
} from '@nolo/kit/delivery';
import { isAppError } from '@nolo/kit/errors';
import { createStopStack } from '@nolo/kit/lifecycle';
import { createLog } from '@nolo/kit/log';
import { closeRedis, connectRedis, type Redis } from '@nolo/kit/redis';
import { createClient, type RpcClient } from '@nolo/kit/rpc';
import type { ServiceApp } from '@nolo/kit/service';
import { BrandServiceDefinition } from '@nolo/proto/brand';
import { CallServiceDefinition } from '@nolo/proto/calls';
import { MeetingServiceDefinition, type Meeting, type MeetingSettings } from '@nolo/proto/meetings';
import { RoomServiceDefinition, type EnterReply, type EnterRequest } from '@nolo/proto/rooms';
import type { MeetingAllowance } from '@nolo/rules';
import {
  createTestEnvironment,
  eventually,
  createFakeClock,
  openDatabase,
  startTestBilling,
  startTestEvents,
  type FakeClock,
  type TestBilling,
  type TestEvents,
} from '@nolo/testing';
import { aCreateMeetingRequest, defaultMeetingSettings } from '@nolo/testing/protos';
import { createMeetingsApp } from '../src/app.ts';
import { configSchema } from '../src/config.ts';
import { startFakeChat, startFakeNode, type FakeChat, type FakeNode } from './fakeServices.ts';

interface Replica {
  app: ServiceApp;
  meetings: RpcClient<typeof MeetingServiceDefinition>;
  rooms: RpcClient<typeof RoomServiceDefinition>;
  calls: RpcClient<typeof CallServiceDefinition>;
  brands: RpcClient<typeof BrandServiceDefinition>;
  metricsUrl: string;
}

export interface TestMeetings extends Replica {
  clock: FakeClock;
  bus: Bus;
  db: Knex;
  redis: Redis;
  leases: ConnectionLeases;
  chat: FakeChat;
  /** Fake billing that decides what plans allow, if a test uses plans. */
  billing: TestBilling;
  frames: DeliveryEnvelope[];
  framesTo(userId: string, type?: string): { type: string; data: Record<string, unknown>; scope: string | undefined }[];
  startReplica(): Promise<Replica>;
  startNode(): Promise<FakeNode>;
  /** Creates a user with a socket. */
  person(): Promise<string>;
  meeting(hostId: string, settings?: Partial<MeetingSettings>, more?: { maxParticipants?: number }): Promise<Meeting>;
  enter(actorId: string, roomCode: string, more?: Partial<EnterRequest>): Promise<EnterReply>;
  deleteUser(userId: string): Promise<void>;
  /** Publishes events to the logs of identity and chat. */
  publishEvent: TestEvents['publishEvent'];
  stop(): Promise<void>;
}

const secret = 'a-secret-of-this-test-alone';
export const gatewayId = 'gateway-under-test';
export const testCapabilities = '{"codecs":[]}';

export async function startMeetings(
  options: { variables?: Record<string, string>; allowance?: MeetingAllowance; plans?: boolean } = {},
): Promise<TestMeetings> {
  const stack = createStopStack();
  const environment = await createTestEnvironment(['meetings']);
  stack.push('environment', () => environment.drop());
  const log = createLog({ service: 'test', level: 'fatal' });
  const clock = createFakeClock();
  const events = await startTestEvents(environment, secret);
  stack.push('events', () => events.stop());
  const chat = await startFakeChat({ secret, log, events: events.service });
  stack.push('chat', () => chat.stop());

  const billing = await startTestBilling(environment, secret, () => clock.now());
  stack.push('billing', () => billing.stop());

  const startReplica = async (): Promise<Replica> => {
    const config = loadConfig(configSchema, {
      ...environment.variablesFor('meetings'),
      RPC_LISTEN: '127.0.0.1:0',
      RPC_SECRET: secret,
      METRICS_LISTEN: '127.0.0.1:0',
      CHAT_ADDR: chat.address,
      IDENTITY_ADDR: events.address,
      ...(options.plans === true ? { BILLING_ADDR: billing.address } : {}),
      ...options.variables,
    });
    const { allowance } = options;
    const app = createMeetingsApp({ config, log, clock, longestPauseMs: 1_000, ...(allowance ? { allowance } : {}) });
    const { rpc, metrics } = await app.start();
    stack.push('app', () => app.stop());
    const address = `127.0.0.1:${rpc}`;
    const using = { secret, timeoutMs: 20_000 };
    const meetings = createClient(MeetingServiceDefinition, address, using);
    const rooms = createClient(RoomServiceDefinition, address, using);
    const calls = createClient(CallServiceDefinition, address, using);
    const brands = createClient(BrandServiceDefinition, address, using);
    for (const client of [meetings, rooms, calls, brands]) stack.push('client', () => client.close());
    return { app, meetings, rooms, calls, brands, metricsUrl: `http://127.0.0.1:${metrics}` };
  };

  const { redisUrl, redisPrefix, natsUrl, natsPrefix } = environment;
  const db = openDatabase(environment.urls.meetings, 'meetings');
  stack.push('db', () => db.destroy());
  const redis = await connectRedis({ url: redisUrl, prefix: redisPrefix, log });
  stack.push('redis', () => closeRedis(redis));
  const bus = await connectBus({ url: natsUrl, prefix: natsPrefix, name: 'test', log });
  stack.push('bus', () => bus.close());
  const leases = createConnectionLeases({ redis, replicaId: gatewayId, log });
  stack.push('leases', () => leases.stop());
  const frames: DeliveryEnvelope[] = [];
  for (const subject of [gatewaySubjectOf(gatewayId), allGatewaysSubject]) {
    bus.subscribe(subject, (data) => void frames.push(data as DeliveryEnvelope));
  }
  await bus.flush();
  const replica = await startReplica();

  const under: TestMeetings = {
    ...replica,
    clock,
    bus,
    db,
    redis,
    leases,
    chat,
    billing,
    frames,
    framesTo: (userId, type) =>
      frames
        .filter(({ recipients, frame }) => recipients.includes(userId) && (type === undefined || frame.type === type))
        .map(({ frame, scope }) => ({ type: frame.type, data: frame.data as Record<string, unknown>, scope })),
    startReplica,
    async startNode() {
      const known = async () => {
        const text = await (await fetch(`${replica.metricsUrl}/metrics`)).text();
        return Number(/^nolo_media_nodes\S* (\d+)$/m.exec(text)?.[1]);
      };
      const before = await known();
      const node = await startFakeNode({ bus, secret, log });
      stack.push('node', () => node.kill());
      await eventually(async () => (await known()) > before);
      return node;
    },
    async person() {
      const userId = randomUUID();
      await leases.add(userId);
      return userId;
    },
    meeting: (actorId, settings = {}, more = {}) =>
      under.meetings.createMeeting(
        aCreateMeetingRequest({ actorId, settings: { ...defaultMeetingSettings, ...settings }, ...more }),
      ),
    async enter(actorId, roomCode, more = {}) {
      const reply = await under.rooms.enter({
        actorId,
        roomCode,
        gatewayId,
        muted: false,
        video: false,
        address: '',
        name: `Name of ${actorId.slice(0, 4)}`,
        readyConsumerIds: [],
        ...more,
      });
      // Simulates a gateway that keeps renewing the lease. Tests of lost participants override it.
      if (reply.participant) await redis.zadd('participants', Date.now() + 600_000, reply.participant.id);
      return reply;
    },
    deleteUser: (userId) => events.publishEvent('event.identity.user_deleted', { userId }),
    publishEvent: events.publishEvent,
    stop: () => stack.stop(),
  };
  return under;
}

/** Returns the participant ID from a successful join. */
export function participantIdOf(reply: EnterReply): string {
  if (!reply.participant) throw new Error('Nobody joined.');
  return reply.participant.id;
}

/** Returns kind and code of a call's error: `not_found meeting_not_found`. */
export async function meetingsErrorKindAndCode(call: Promise<unknown>): Promise<string> {
  try {
    await call;
  } catch (error) {
    if (isAppError(error)) return `${error.kind} ${error.code}`;
    throw error;
  }
  return 'none';
}
