import { randomUUID } from 'node:crypto';
import { connectBus, type Bus } from '@nolo/kit/bus';
import { loadConfig } from '@nolo/kit/config';
import type { Knex } from '@nolo/kit/db';
import {
  createConnectionLeases,
  allGatewaysSubject,
  gatewaySubjectOf,
  type DeliveryEnvelope,
} from '@nolo/kit/delivery';
import { isAppError } from '@nolo/kit/errors';
import { createStopStack } from '@nolo/kit/lifecycle';
import { createLog } from '@nolo/kit/log';
import { closeRedis, connectRedis, type Redis } from '@nolo/kit/redis';
import { createClient, serveRpc, type RpcClient } from '@nolo/kit/rpc';
import type { ServiceApp } from '@nolo/kit/service';
import { AlertServiceDefinition } from '@nolo/proto/alerts';
import { ChatServiceDefinition } from '@nolo/proto/chat';
import { EpochServiceDefinition } from '@nolo/proto/epochs';
import type { SendMessageRequest } from '@nolo/proto/messages';
import type { Conversation, Message } from '@nolo/proto/conversation';
import { GroupServiceDefinition } from '@nolo/proto/groups';
import { MessageActionServiceDefinition } from '@nolo/proto/messageActions';
import type { Audience } from '@nolo/rules';
import {
  createTestEnvironment,
  eventually,
  createFakeClock,
  openDatabase,
  startTestEvents,
  type FakeClock,
  type TestEvents,
} from '@nolo/testing';
import { aSendMessageRequest } from '@nolo/testing/protos';
import { createChatApp } from '../src/app.ts';
import { configSchema } from '../src/config.ts';
import type { ChatFrame } from '../src/domain/frames.ts';
import { memoryFiles, emptyAttachmentInput } from './memoryFiles.ts';
import { memoryKeys } from './memoryKeys.ts';

type ChatClient = RpcClient<typeof ChatServiceDefinition>;

type GroupClient = RpcClient<typeof GroupServiceDefinition>;
type MessageActionClient = RpcClient<typeof MessageActionServiceDefinition>;

interface ReceivedFrame {
  recipients: readonly string[];
  scope?: string;
  frame: ChatFrame;
}

export interface TestChat {
  client: ChatClient;
  messageActions: MessageActionClient;
  groups: GroupClient;
  epochs: RpcClient<typeof EpochServiceDefinition>;
  alerts: RpcClient<typeof AlertServiceDefinition>;
  clock: FakeClock;
  bus: Bus;
  redis: Redis;
  /** Database access with the service's own role. */
  db: Knex;
  files: ReturnType<typeof memoryFiles>;
  /** Fake of identity's part for keys. */
  keys: ReturnType<typeof memoryKeys>;
  /** Returns an attachment for a message of this type, owned by the person. */
  attach(ownerId: string, messageType: string): SendMessageRequest['attachment'];
  /** Publishes an event in the logs of identity and meetings. */
  publishEvent: TestEvents['publishEvent'];
  /** Frames that the gateway would have sent to sockets, in order. */
  frames: ReceivedFrame[];
  framesTo(userId: string): ChatFrame[];
  /** Starts another replica on the same backing services. */
  startReplica(): Promise<
    Pick<TestChat, 'client' | 'messageActions' | 'groups' | 'epochs' | 'alerts'> & { app: ServiceApp }
  >;
  /** Returns a new person with a socket. */
  person(): Promise<string>;
  /** Returns two mutual contacts with a conversation opened by Alice. */
  pair(): Promise<{ alice: string; bob: string; conversation: Conversation }>;
  /** Returns a conversation that one person opened and the other accepted. */
  openAccepted(actorId: string, otherUserId: string): Promise<Conversation>;
  /** Returns two strangers with a conversation opened by Alice. */
  strangers(): Promise<{ alice: string; bob: string; conversation: Conversation }>;
  /** Adds or removes a person's contacts and waits until chat has them. */
  know(ownerId: string, others: readonly string[], isContact?: boolean): Promise<void>;
  /** Sets the audience whose first messages a person accepts, and waits until chat has it. */
  takesMessagesFrom(userId: string, messagesFrom: Audience): Promise<void>;
  send(actorId: string, conversationId: string, more?: Partial<SendMessageRequest>): Promise<Message>;
  block(blockerId: string, blockedId: string, blocked?: boolean): Promise<void>;
  stop(): Promise<void>;
}

const secret = 'a-secret-of-this-test-alone';

/** @param variables replace those of the environment */
export async function startChat(variables: Readonly<Record<string, string>> = {}): Promise<TestChat> {
  const stack = createStopStack();
  const environment = await createTestEnvironment(['chat']);
  stack.push('environment', () => environment.drop());
  const log = createLog({ service: 'test', level: 'fatal' });
  const clock = createFakeClock();
  const files = memoryFiles();
  const listen = { host: '127.0.0.1', port: 0 };
  const filesServer = await serveRpc({ listen, secret, log, services: [files.service] });
  stack.push('files', () => filesServer.stop());
  const events = await startTestEvents(environment, secret);
  stack.push('events', () => events.stop());

  const keys = memoryKeys();
  const identity = await serveRpc({ listen, secret, log, services: [events.service, keys.service] });
  stack.push('identity', () => identity.stop());

  const startReplica = async () => {
    const config = loadConfig(configSchema, {
      ...environment.variablesFor('chat'),
      RPC_LISTEN: '127.0.0.1:0',
      RPC_SECRET: secret,
      METRICS_LISTEN: '127.0.0.1:0',
      FILES_ADDR: `127.0.0.1:${filesServer.port}`,
      IDENTITY_ADDR: `127.0.0.1:${identity.port}`,
      MEETINGS_ADDR: events.address,
      ...variables,
    });
    const app = createChatApp({ config, log, clock, longestPauseMs: 1_000 });
    const { rpc } = await app.start();
    stack.push('app', () => app.stop());
    const client = createClient(ChatServiceDefinition, `127.0.0.1:${rpc}`, { secret, timeoutMs: 20_000 });
    stack.push('client', () => client.close());
    const messageActions = createClient(MessageActionServiceDefinition, `127.0.0.1:${rpc}`, {
      secret,
      timeoutMs: 20_000,
    });
    stack.push('messageActions', () => messageActions.close());
    const groups = createClient(GroupServiceDefinition, `127.0.0.1:${rpc}`, { secret, timeoutMs: 20_000 });
    stack.push('groups', () => groups.close());
    const epochs = createClient(EpochServiceDefinition, `127.0.0.1:${rpc}`, { secret, timeoutMs: 20_000 });
    stack.push('epochs', () => epochs.close());
    const alerts = createClient(AlertServiceDefinition, `127.0.0.1:${rpc}`, { secret, timeoutMs: 20_000 });
    stack.push('alerts', () => alerts.close());
    return { app, client, messageActions, groups, epochs, alerts };
  };

  const { redisUrl, redisPrefix, natsUrl, natsPrefix } = environment;
  const db = openDatabase(environment.urls.chat, 'chat');
  stack.push('db', () => db.destroy());
  const redis = await connectRedis({ url: redisUrl, prefix: redisPrefix, log });
  stack.push('redis', () => closeRedis(redis));
  const bus = await connectBus({ url: natsUrl, prefix: natsPrefix, name: 'test', log });
  stack.push('bus', () => bus.close());
  const leases = createConnectionLeases({ redis, replicaId: 'gateway-under-test', log });
  stack.push('leases', () => leases.stop());
  const frames: ReceivedFrame[] = [];
  for (const subject of [gatewaySubjectOf('gateway-under-test'), allGatewaysSubject]) {
    bus.subscribe(subject, (data) => void frames.push(data as DeliveryEnvelope as ReceivedFrame));
  }
  await bus.flush();
  const { client, messageActions, groups, epochs, alerts } = await startReplica();

  const person = async () => {
    const userId = randomUUID();
    await leases.add(userId);
    return userId;
  };

  const open = async (alice: string, bob: string) => {
    const { conversation } = await client.getOrCreateDirect({ actorId: alice, otherUserId: bob });
    if (!conversation) throw new Error('No conversation was created.');
    return { alice, bob, conversation };
  };
  const know = async (ownerId: string, others: readonly string[], isContact = true) => {
    const [added, removed] = isContact ? [others, []] : [[], others];
    await events.publishEvent('event.identity.contacts_changed', { ownerId, added, removed }, nextEventId(), ownerId);
    await eventually(async () => {
      const rows = await db('contacts').where({ owner_id: ownerId }).whereIn('user_id', others);
      return rows.length === (isContact ? others.length : 0);
    });
  };

  return {
    client,
    messageActions,
    groups,
    epochs,
    alerts,
    clock,
    bus,
    db,
    redis,
    files,
    keys,
    attach(ownerId, messageType) {
      if (messageType === 'voice') return { ...emptyAttachmentInput, voiceMessageUrl: files.store(ownerId, 'voice') };
      return { ...emptyAttachmentInput, fileUrl: files.store(ownerId, messageType === 'video' ? 'video' : 'image') };
    },
    publishEvent: events.publishEvent,
    frames,
    framesTo: (userId) => frames.filter(({ recipients }) => recipients.includes(userId)).map(({ frame }) => frame),
    startReplica,
    person,
    async pair() {
      const [alice, bob] = await Promise.all([person(), person()]);
      await Promise.all([know(alice, [bob]), know(bob, [alice])]);
      return open(alice, bob);
    },
    async openAccepted(actorId, otherUserId) {
      const { conversation } = await open(actorId, otherUserId);
      const settings = { conversationId: conversation.id, mutedUntil: undefined, unmute: false };
      await messageActions.updateConversationSettings({ actorId: otherUserId, ...settings, accepted: true });
      return conversation;
    },
    strangers: async () => open(await person(), await person()),
    know,
    async takesMessagesFrom(userId, messagesFrom) {
      await events.publishEvent('event.identity.privacy_changed', { userId, messagesFrom }, nextEventId(), userId);
      await eventually(
        async () => (await db('who_may').where({ user_id: userId, messages_from: messagesFrom })).length === 1,
      );
    },
    send: (actorId, conversationId, more = {}) =>
      client.sendMessage(aSendMessageRequest({ actorId, conversationId, ...more })),
    async block(blockerId, blockedId, blocked = true) {
      await events.publishEvent('event.identity.block_changed', { blockerId, blockedId, blocked }, nextEventId());
      await eventually(async () => {
        const row = (await db('blocks').where({ blocker_id: blockerId, blocked_id: blockedId }).first('blocked')) as
          { blocked: boolean } | undefined;
        return row?.blocked === blocked;
      });
    },
    stop: () => stack.stop(),
  };
}

let numbered = 0;

/** Returns ascending event IDs, like those of the outbox. */
export function nextEventId(): string {
  numbered += 1;
  return `01990000-0000-7000-8000-${String(numbered).padStart(12, '0')}`;
}

/** Returns the kind and `code` of the error that a call ends with: `not_found conversation_not_found`. */
export async function chatErrorKindAndCode(call: Promise<unknown>): Promise<string> {
  try {
    await call;
  } catch (error) {
    if (isAppError(error)) return `${error.kind} ${error.code}`;
    throw error;
  }
  return 'none';
}

/** Runs `work` for each number up to `count`, `width` at a time. */
export async function runInParallel(
  count: number,
  width: number,
  work: (index: number) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: width }, async () => {
      while (next < count) {
        const index = next;
        next += 1;
        await work(index);
      }
    }),
  );
}
