import { checkBus, connectBus } from '@nolo/kit/bus';
import { systemClock, type Clock } from '@nolo/kit/clock';
import { checkDb, createDb } from '@nolo/kit/db';
import { createDelivery, createDispatch, createLeaseReader } from '@nolo/kit/delivery';
import { reveal, type Listen } from '@nolo/kit/config';
import { consumeEvents, createEventLog, type ConsumeEventsOptions } from '@nolo/kit/events';
import { createStopStack } from '@nolo/kit/lifecycle';
import type { Log } from '@nolo/kit/log';
import { createRelay } from '@nolo/kit/outbox';
import { createLimiter } from '@nolo/kit/rateLimit';
import { checkRedis, closeRedis, connectRedis } from '@nolo/kit/redis';
import { createRepeats } from '@nolo/kit/repeat';
import { createClient, rpcService, serveRpc } from '@nolo/kit/rpc';
import { checkAll, createRegistry, serveMetrics } from '@nolo/kit/telemetry';
import { CallServiceService } from '@nolo/proto/calls';
import { ChatServiceService } from '@nolo/proto/chat';
import { EventLogServiceService } from '@nolo/proto/events';
import { MeetingServiceService } from '@nolo/proto/meetings';
import { RoomServiceService } from '@nolo/proto/rooms';
import {
  demoRateLimits,
  meetingAllowances,
  rateLimits,
  type MeetingAllowance,
  type RateLimit,
  type RateLimitName,
} from '@nolo/rules';
import type { MeetingsConfig } from './config.ts';
import type { Announce } from './domain/announce.ts';
import { iceServers } from './domain/iceServers.ts';
import { mediaEvents, onMediaEvent } from './events/onMediaEvent.ts';
import { memberLeft, onMemberLeft } from './events/onMemberLeft.ts';
import { onUserDeleted, userDeleted } from './events/onUserDeleted.ts';
import { removeOld } from './jobs/removeOld.ts';
import { createTasks } from './jobs/tasks.ts';
import { Calls } from './live/Calls.ts';
import { CallTime } from './live/CallTime.ts';
import { MediaNodes } from './live/MediaNodes.ts';
import { RoomMedia } from './live/RoomMedia.ts';
import { Rooms } from './live/Rooms.ts';
import { createMetrics } from './metrics.ts';
import { callHandlers } from './rpc/callHandlers.ts';
import type { Dependencies } from './rpc/dependencies.ts';
import { meetingHandlers, roomHandlers } from './rpc/handlers.ts';
import { createCallStore } from './store/calls.ts';
import { createGuestStore } from './store/guests.ts';
import { createMeetingStore } from './store/meetings.ts';
import { createRetentionStore } from './store/retention.ts';
import { createBarredAddresses, createRoomStore } from './store/rooms.ts';

export interface AppOptions {
  config: MeetingsConfig;
  log: Log;
  clock?: Clock;
  /** For tests whose clock jumps: no task that repeats waits longer. */
  longestPauseMs?: number;
  /** What a plan allows; for tests that have no 40 minutes. */
  allowance?: MeetingAllowance;
}

export interface App {
  /** Answers with the ports it listens on, which may have been asked for as 0. */
  start(): Promise<{ rpc: number; metrics: number }>;
  /** Idempotent; ends what was started, in reverse. */
  stop(): Promise<void>;
}

export function createApp({ config, log, clock = systemClock, allowance, longestPauseMs }: AppOptions): App {
  const stack = createStopStack(log);

  const start = async () => {
    const registry = createRegistry('meetings');
    const db = createDb({
      url: config.DATABASE_URL,
      schema: 'meetings',
      poolMax: config.DATABASE_POOL_MAX,
      log,
      metrics: registry,
    });
    stack.push('database', () => db.destroy());
    const redis = await connectRedis({ url: config.REDIS_URL, prefix: config.REDIS_PREFIX, log, metrics: registry });
    stack.push('redis', () => closeRedis(redis));
    const bus = await connectBus({
      url: config.NATS_URL,
      prefix: config.NATS_PREFIX,
      name: 'meetings',
      log,
      metrics: registry,
    });
    stack.push('bus', () => bus.close());
    const chat = createClient(ChatServiceService, config.CHAT_ADDR, { secret: config.RPC_SECRET });
    stack.push('chat', () => chat.close());

    const delivery = createDelivery({ redis, bus, log });
    const relay = createRelay({ db, dispatch: createDispatch({ bus, delivery }), log, metrics: registry });
    relay.start();
    stack.push('relay', () => relay.stop());
    const events = createEventLog({
      db,
      source: 'meetings',
      bus,
      log,
      metrics: registry,
      keptDays: config.EVENTS_KEPT_DAYS,
    });
    events.start();
    stack.push('event log', () => events.stop());
    const wake = () => {
      relay.wake();
      events.wake();
    };
    const announce: Announce = (one) => {
      if (one.recipients.length === 0) return;
      delivery
        .deliverLoosely(one)
        .catch((error: unknown) => log.warn({ err: error, type: one.frame.type }, 'a frame was not handed on'));
    };
    const meetings = createMeetingStore(db);
    const guests = createGuestStore(db);
    const rooms = createRoomStore(redis);
    const quietly = (work: Promise<void>) =>
      work.catch((error: unknown) => log.warn({ err: error }, 'rooms of a media node could not be moved'));
    const nodes = new MediaNodes({
      bus,
      secret: config.RPC_SECRET,
      log,
      silentMs: config.MEDIA_SILENT_MS,
      onGone: (nodeId) => quietly(live.leaveNode(nodeId)),
      // One room with every heartbeat, so that not all of them ask for transports at once.
      onDraining: (nodeId) => void quietly(live.leaveNode(nodeId, 1)),
    });
    stack.push('media nodes', () => nodes.stop());
    const media = new RoomMedia({
      nodes,
      rooms,
      peersPerNode: config.ROOM_NODE_PEERS,
      log,
      leave: (roomId, nodeId, except) => live.leaveNodeWith(roomId, nodeId, except),
    });
    const live: Rooms = new Rooms({
      meetings,
      rooms,
      media,
      announce,
      clock,
      log,
      warningMinutes: config.MEETING_WARNING_SECONDS / 60,
      onCallLeft: (callId, userId) => calling.leftRoom(callId, userId),
      wake,
    });
    const calls = createCallStore(db);
    const metrics = createMetrics(registry, {
      meetings: () => meetings.countLive(),
      participants: () => rooms.countAll(),
      calls: () => calls.countOpen(),
      nodes: () => nodes.count(),
    });
    const calling: Calls = new Calls({
      store: calls,
      chat,
      leases: createLeaseReader({ redis }),
      clock,
      log,
      ringMs: config.CALL_RING_SECONDS * 1000,
      wake,
      dropRoom: (callId, reason) => live.dropRoom(callId, callId, reason),
      onOutcome: (outcome) => metrics.calls.inc({ outcome }),
    });
    const { MEETING_PLAN, MEETING_MINUTES } = config;
    const plan = allowance ?? {
      ...meetingAllowances[MEETING_PLAN],
      ...(MEETING_MINUTES === undefined ? {} : { minutes: MEETING_MINUTES }),
    };
    // Until plans are sold everyone has the same (decision 21).
    const allowanceOf = async () => plan;
    const callTime = new CallTime({
      calls,
      rooms,
      allowanceOf,
      announce,
      clock,
      warningMinutes: config.MEETING_WARNING_SECONDS / 60,
      end: (callId) => calling.endByPlan(callId),
    });
    const dependencies: Dependencies = {
      clock,
      log,
      meetings,
      guests,
      rooms,
      barredAddresses: createBarredAddresses(redis),
      limiter: createLimiter({ redis, table: limitsOf(config) }),
      media,
      chat,
      live,
      calling,
      callTime,
      announce,
      deliver: (one) => delivery.deliverAll([one]),
      allowanceOf,
      wake,
      iceServers: (userId) => {
        const secret = config.TURN_SECRET && reveal(config.TURN_SECRET);
        return JSON.stringify(iceServers(config.ICE_URLS ?? [], secret, userId, clock.now()));
      },
    };

    const repeats = createRepeats({ redis, service: 'meetings', clock, log, longestMs: longestPauseMs });
    stack.push('repeated tasks', () => repeats.stop());
    const ringMs = config.CALL_RING_SECONDS * 1000;
    for (const task of createTasks({ live, callTime, calling, guests, rooms, clock, ringMs })) repeats.add(task);
    const { CALLS_KEPT_DAYS: callDays, MEETINGS_KEPT_DAYS: meetingDays } = config;
    repeats.add(removeOld({ retention: createRetentionStore(db), callDays, meetingDays, clock }));
    const consume = (source: string, address: Listen, handlers: ConsumeEventsOptions['handlers']) => {
      const owner = createClient(EventLogServiceService, address, { secret: config.RPC_SECRET, metrics: registry });
      stack.push(`log of ${source}`, () => owner.close());
      stack.push(
        `events of ${source}`,
        consumeEvents({ db, bus, log, metrics: registry, consumer: 'meetings', source, owner, handlers }),
      );
    };
    consume('identity', config.IDENTITY_ADDR, { [userDeleted]: onUserDeleted({ meetings, live, calling }) });
    consume('chat', config.CHAT_ADDR, { [memberLeft]: onMemberLeft({ meetings, live, chat }) });

    stack.push('events of media nodes', bus.subscribe(mediaEvents, onMediaEvent({ rooms, announce, log })));

    const rpc = await serveRpc({
      listen: config.RPC_LISTEN,
      secret: config.RPC_SECRET,
      log,
      metrics: registry,
      services: [
        rpcService(MeetingServiceService, meetingHandlers(dependencies)),
        rpcService(RoomServiceService, roomHandlers(dependencies)),
        rpcService(CallServiceService, callHandlers(dependencies)),
        rpcService(EventLogServiceService, events.handlers),
      ],
    });
    stack.push('rpc', () => rpc.stop());

    const probes = await serveMetrics({
      listen: config.METRICS_LISTEN,
      registry,
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
function limitsOf({ NOLO_MODE }: MeetingsConfig): Record<RateLimitName, RateLimit> {
  return NOLO_MODE === 'demo' ? { ...rateLimits, ...demoRateLimits } : rateLimits;
}
