import { checkBus, connectBus } from '@nolo/kit/bus';
import { systemClock, type Clock } from '@nolo/kit/clock';
import { checkDb, createDb } from '@nolo/kit/db';
import { createDelivery, createDispatch } from '@nolo/kit/delivery';
import type { Listen } from '@nolo/kit/config';
import { consumeEvents, createEventLog, type ConsumeEventsOptions } from '@nolo/kit/events';
import { createLimiter } from '@nolo/kit/rateLimit';
import { createStopStack } from '@nolo/kit/lifecycle';
import type { Log } from '@nolo/kit/log';
import { createRelay } from '@nolo/kit/outbox';
import { checkRedis, closeRedis, connectRedis } from '@nolo/kit/redis';
import { createRepeats } from '@nolo/kit/repeat';
import { createClient, rpcService, serveRpc } from '@nolo/kit/rpc';
import { checkAll, createRegistry, serveMetrics } from '@nolo/kit/telemetry';
import { bindTrace } from '@nolo/kit/tracing';
import { ChatServiceService } from '@nolo/proto/chat';
import { EventLogServiceService } from '@nolo/proto/events';
import { GroupServiceService } from '@nolo/proto/groups';
import { MarkServiceService } from '@nolo/proto/marks';
import { SharedFileServiceService } from '@nolo/proto/sharedFiles';
import { demoRateLimits, rateLimits, type RateLimit, type RateLimitName } from '@nolo/rules';
import { createAttachableFiles } from './attachableFiles.ts';
import type { ChatConfig } from './config.ts';
import type { Announce } from './domain/ports.ts';
import { createCursorQueue } from './domain/cursorQueue.ts';
import { createSendQueue } from './domain/sendQueue.ts';
import { blockChanged, onBlockChanged } from './events/onBlockChanged.ts';
import { groupCallChanged, onGroupCallChanged } from './events/onGroupCallChanged.ts';
import { onPartChanged, partChanged } from './events/onPartChanged.ts';
import { onUserDeleted, userDeleted } from './events/onUserDeleted.ts';
import { sealBeside } from './jobs/sealBeside.ts';
import { removeSilent } from './jobs/removeSilent.ts';
import { sweepExpired } from './jobs/sweepExpired.ts';
import { createMetrics } from './metrics.ts';
import { addSystemMessage } from './rpc/addSystemMessage.ts';
import { canReadFile } from './rpc/canReadFile.ts';
import { deleteMessage } from './rpc/deleteMessage.ts';
import type { Dependencies } from './rpc/dependencies.ts';
import { editMessage } from './rpc/editMessage.ts';
import { exportMessages } from './rpc/exportMessages.ts';
import { getConversation } from './rpc/getConversation.ts';
import { getMessage } from './rpc/getMessage.ts';
import { getOrCreateDirect } from './rpc/getOrCreateDirect.ts';
import { getPreferences } from './rpc/getPreferences.ts';
import { joinMeetingConversation } from './rpc/joinMeetingConversation.ts';
import { listChanges } from './rpc/listChanges.ts';
import { listConversations } from './rpc/listConversations.ts';
import { listMessages } from './rpc/listMessages.ts';
import { listNamedFiles } from './rpc/listNamedFiles.ts';
import { groupHandlers } from './rpc/groupHandlers.ts';
import { markHandlers } from './rpc/markHandlers.ts';
import { moveCursor } from './rpc/moveCursor.ts';
import { moveCursors } from './rpc/moveCursors.ts';
import { sendMessage } from './rpc/sendMessage.ts';
import { sendMessages } from './rpc/sendMessages.ts';
import { setTyping } from './rpc/setTyping.ts';
import { updatePreferences } from './rpc/updatePreferences.ts';
import { createAudiences } from './store/audiences.ts';
import { createBlockStore } from './store/blocks.ts';
import { createFileStore } from './store/files.ts';
import { createGroupStore } from './store/groups.ts';
import { createHeldStore } from './store/held.ts';
import { createConversationStore } from './store/conversations.ts';
import { createMarkStore } from './store/marks.ts';
import { createMeetingMemberStore } from './store/meetingMembers.ts';
import { createMemberStore } from './store/members.ts';
import { createMessageStore } from './store/messages.ts';
import { createPreferenceStore } from './store/preferences.ts';
import { createRetentionStore } from './store/retention.ts';
import { createSettingsStore } from './store/settings.ts';
import { createBesideStore } from './store/beside.ts';
import { createTimerStore } from './store/timers.ts';

export interface AppOptions {
  config: ChatConfig;
  log: Log;
  clock?: Clock;
  /** For tests whose clock jumps: no task that repeats waits longer. */
  longestPauseMs?: number;
}

export interface App {
  /** Answers with the ports it listens on, which may have been asked for as 0. */
  start(): Promise<{ rpc: number; metrics: number }>;
  /** Idempotent; ends what was started, in reverse. */
  stop(): Promise<void>;
}

export function createApp({ config, log, clock = systemClock, longestPauseMs }: AppOptions): App {
  const stack = createStopStack(log);

  const start = async () => {
    const metrics = createRegistry('chat');
    const db = createDb({ url: config.DATABASE_URL, schema: 'chat', poolMax: config.DATABASE_POOL_MAX, log, metrics });
    stack.push('database', () => db.destroy());
    const redis = await connectRedis({ url: config.REDIS_URL, prefix: config.REDIS_PREFIX, log, metrics });
    stack.push('redis', () => closeRedis(redis));
    const bus = await connectBus({ url: config.NATS_URL, prefix: config.NATS_PREFIX, name: 'chat', log, metrics });
    stack.push('bus', () => bus.close());

    const delivery = createDelivery({ redis, bus, log });
    const relay = createRelay({
      db,
      dispatch: createDispatch({ bus, delivery, resolve: createAudiences(db) }),
      log,
      metrics,
    });
    relay.start();
    stack.push('relay', () => relay.stop());
    const events = createEventLog({ db, source: 'chat', bus, log, metrics, keptDays: config.EVENTS_KEPT_DAYS });
    events.start();
    stack.push('event log', () => events.stop());
    const wake = () => {
      relay.wake();
      events.wake();
    };

    const files = createClient(SharedFileServiceService, config.FILES_ADDR, { secret: config.RPC_SECRET, metrics });
    stack.push('client', () => files.close());

    const messages = createMessageStore(db);
    const members = createMemberStore(db);
    const preferences = createPreferenceStore(db);
    const blocks = createBlockStore(db);
    const announce: Announce = (announcement) => delivery.deliverLoosely(announcement);
    const sendQueue = createSendQueue(messages.append, () => clock.now(), bindTrace);
    const marks = createMarkStore(db);
    const timers = createTimerStore(db);
    const counters = createMetrics(metrics, {
      waiting: sendQueue.waiting,
      overdueSeconds: async () => {
        const now = clock.now();
        return (now.getTime() - ((await timers.overdueSince(now)) ?? now).getTime()) / 1_000;
      },
    });
    const groups = createGroupStore(db);
    const held = createHeldStore(db);
    const meetingMembers = createMeetingMemberStore(db);
    const dependencies: Dependencies = {
      clock,
      groups,
      held,
      limiter: createLimiter({ redis, table: limitsOf(config) }),
      conversations: createConversationStore(db),
      meetingMembers,
      messages,
      members,
      files: createFileStore(db),
      attachable: createAttachableFiles(files),
      preferences,
      marks,
      settings: createSettingsStore(db),
      timers,
      sendQueue,
      cursorQueue: createCursorQueue(members.moveCursors, () => clock.now()),
      onStored: (type) => counters.messages.inc({ type }),
      announce,
      wake,
    };

    const consume = (source: string, address: Listen, handlers: ConsumeEventsOptions['handlers']) => {
      const owner = createClient(EventLogServiceService, address, { secret: config.RPC_SECRET, metrics });
      stack.push(`log of ${source}`, () => owner.close());
      stack.push(
        `events of ${source}`,
        consumeEvents({ db, bus, log, metrics, consumer: 'chat', source, owner, handlers }),
      );
    };
    consume('identity', config.IDENTITY_ADDR, {
      [blockChanged]: onBlockChanged({ blocks }),
      [userDeleted]: onUserDeleted({ members, groups, held, messages, marks, preferences, blocks, clock, wake }),
    });
    const { onStored } = dependencies;
    consume('meetings', config.MEETINGS_ADDR, {
      [groupCallChanged]: onGroupCallChanged({ messages, sendQueue, onStored, clock, wake }),
      [partChanged]: onPartChanged({ meetingMembers, clock, wake }),
    });

    const onErased = (lateSeconds: number) => counters.expiryLateness.observe(lateSeconds);
    const repeats = createRepeats({ redis, service: 'chat', clock, log, longestMs: longestPauseMs });
    stack.push('repeated tasks', () => repeats.stop());
    repeats.add(sweepExpired({ timers, clock, wake, onErased }));
    const retention = createRetentionStore(db);
    repeats.add(removeSilent({ retention, days: config.MEETING_CHATS_KEPT_DAYS, clock }));

    // By itself, since its pause is what it waits for: no clock that jumps shortens it.
    const later = createRepeats({ redis, service: 'chat', clock, log });
    stack.push('sealing of messages', () => later.stop());
    later.add(sealBeside({ beside: createBesideStore(db), log }));

    const rpc = await serveRpc({
      listen: config.RPC_LISTEN,
      secret: config.RPC_SECRET,
      log,
      metrics,
      services: [
        rpcService(ChatServiceService, {
          getOrCreateDirect: getOrCreateDirect(dependencies),
          listConversations: listConversations(dependencies),
          getConversation: getConversation(dependencies),
          listMessages: listMessages(dependencies),
          getMessage: getMessage(dependencies),
          listChanges: listChanges(dependencies),
          sendMessage: sendMessage(dependencies),
          sendMessages: sendMessages(dependencies),
          editMessage: editMessage(dependencies),
          deleteMessage: deleteMessage(dependencies),
          moveCursor: moveCursor(dependencies),
          moveCursors: moveCursors(dependencies),
          setTyping: setTyping(dependencies),
          getPreferences: getPreferences(dependencies),
          updatePreferences: updatePreferences(dependencies),
          joinMeetingConversation: joinMeetingConversation(dependencies),
          addSystemMessage: addSystemMessage(dependencies),
          canReadFile: canReadFile(dependencies),
          listNamedFiles: listNamedFiles(dependencies),
          exportMessages: exportMessages(dependencies),
        }),
        rpcService(GroupServiceService, groupHandlers(dependencies)),
        rpcService(MarkServiceService, markHandlers(dependencies)),
        rpcService(EventLogServiceService, events.handlers),
      ],
    });
    stack.push('rpc', () => rpc.stop());

    const probes = await serveMetrics({
      listen: config.METRICS_LISTEN,
      registry: metrics,
      ready: () => checkAll({ postgres: () => checkDb(db), redis: () => checkRedis(redis), nats: () => checkBus(bus) }),
    });
    stack.push('metrics', () => probes.stop());
    return { rpc: rpc.port, metrics: probes.port };
  };

  return {
    start: async () => {
      try {
        return await start();
      } catch (error) {
        // What came up before the failure would keep the process alive.
        await stack.stop();
        throw error;
      }
    },
    stop: () => stack.stop(),
  };
}

/** Demo mode relaxes what is counted per address, for everybody there is on one machine. */
function limitsOf({ NOLO_MODE }: ChatConfig): Record<RateLimitName, RateLimit> {
  return NOLO_MODE === 'demo' ? { ...rateLimits, ...demoRateLimits } : rateLimits;
}
