import { reveal } from '@nolo/kit/config';
import { createDelivery, createDispatch, createLeaseReader } from '@nolo/kit/delivery';
import { createEntitlements } from '@nolo/kit/entitlements';
import type { UserId } from '@nolo/kit/ids';
import { createLimiter } from '@nolo/kit/rateLimit';
import { rpcService } from '@nolo/kit/rpc';
import type { Repeating } from '@nolo/kit/repeat';
import { createService, type App, type Ground, type ServiceOptions } from '@nolo/kit/service';
import { CallServiceService } from '@nolo/proto/calls';
import { BrandServiceService } from '@nolo/proto/brand';
import { ChatServiceService } from '@nolo/proto/chat';
import { EntitlementsServiceService } from '@nolo/proto/entitlements';
import { EventLogServiceService } from '@nolo/proto/events';
import { MeetingServiceService } from '@nolo/proto/meetings';
import { RoomServiceService } from '@nolo/proto/rooms';
import {
  allowanceOf,
  demoRateLimits,
  everythingAllowed,
  limits,
  rateLimits,
  type MeetingAllowance,
  type RateLimit,
  type RateLimitName,
} from '@nolo/rules';
import type { MeetingsConfig } from './config.ts';
import type { Announce } from './domain/announce.ts';
import type { BrandStanding } from './domain/brand.ts';
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
import { brandHandlers } from './rpc/brands.ts';
import { callHandlers } from './rpc/callHandlers.ts';
import type { Dependencies } from './rpc/dependencies.ts';
import { meetingHandlers, roomHandlers } from './rpc/handlers.ts';
import { createBrandStore } from './store/brands.ts';
import { createCallStore } from './store/calls.ts';
import { createGuestStore } from './store/guests.ts';
import { createMeetingStore } from './store/meetings.ts';
import { createRetentionStore } from './store/retention.ts';
import { createBarredAddresses, createRoomStore } from './store/rooms.ts';

export interface AppOptions extends ServiceOptions<MeetingsConfig> {
  /** What every plan allows; for tests that have no 40 minutes. */
  allowance?: MeetingAllowance;
}

/** What the plan of somebody allows in calls and meetings, by billing where there is one (decisions 21 and 27). */
function allowances(
  service: Ground<MeetingsConfig>,
  fixed: MeetingAllowance | undefined,
  onChanged: (userId: UserId) => Promise<void>,
): {
  planOf: (userId: UserId) => Promise<MeetingAllowance>;
  brandStandingOf: (userId: UserId) => Promise<BrandStanding>;
} {
  const { MEETING_PLAN, MEETING_MINUTES, BILLING_ADDR } = service.config;
  const entitlementsOf = createEntitlements(service, {
    billing: BILLING_ADDR && {
      entitlements: service.client(EntitlementsServiceService, BILLING_ADDR),
      events: service.client(EventLogServiceService, BILLING_ADDR),
    },
    // Where nothing is sold everybody has branded rooms.
    everything: BILLING_ADDR ? everythingAllowed : { ...allowanceOf(MEETING_PLAN), branding: null },
    free: allowanceOf('free'),
    onChanged: (userId) => onChanged(userId as UserId),
  });
  const planOf = async (userId: UserId): Promise<MeetingAllowance> => {
    if (fixed) return fixed;
    const { participants, meetingMinutes } = (await entitlementsOf(userId)).limits;
    return {
      participants: participants ?? limits.meetingParticipantsMax,
      minutes: MEETING_MINUTES ?? meetingMinutes,
    };
  };
  const brandStandingOf = async (userId: UserId): Promise<BrandStanding> => {
    const { limits: allowed, teamOwnerId } = await entitlementsOf(userId);
    return { ownerId: (teamOwnerId ?? userId) as UserId, allowed: allowed.branding !== 0 };
  };
  return { planOf, brandStandingOf };
}

export function createApp({ allowance, ...options }: AppOptions): App {
  return createService('meetings', options, (service) => {
    const { config, log, clock, db, redis, bus } = service;
    const chat = service.client(ChatServiceService, config.CHAT_ADDR);
    const delivery = createDelivery({ redis, bus, log });
    const { wake: tell, eventHandlers } = service.tell(createDispatch({ bus, delivery }));
    const tasks: Repeating[] = [];
    /** Something begins that is to be looked after. */
    const stir = () => {
      for (const task of tasks) task.stir();
    };
    const wake = () => {
      tell();
      stir();
    };
    const announce: Announce = (one) => {
      if (one.recipients.length === 0) return;
      delivery
        .deliverLoosely(one)
        .catch((error: unknown) => log.warn({ err: error, type: one.frame.type }, 'a frame was not handed on'));
    };
    const meetings = createMeetingStore(db);
    const brands = createBrandStore(db);
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
    service.onStop('media nodes', () => nodes.stop());
    const media = new RoomMedia({
      nodes,
      rooms,
      peersPerNode: config.ROOM_NODE_PEERS,
      log,
      leave: (roomId, nodeId, except) => live.leaveNodeWith(roomId, nodeId, except),
    });
    const { planOf, brandStandingOf } = allowances(service, allowance, (userId) => live.planChanged(userId));
    const live: Rooms = new Rooms({
      meetings,
      rooms,
      media,
      allowanceOf: planOf,
      announce,
      clock,
      log,
      warningMinutes: config.MEETING_WARNING_SECONDS / 60,
      onCallLeft: (callId, userId) => calling.leftRoom(callId, userId),
      wake,
    });
    const calls = createCallStore(db);
    const metrics = createMetrics(service.metrics, {
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
    const callTime = new CallTime({
      calls,
      rooms,
      allowanceOf: planOf,
      announce,
      clock,
      warningMinutes: config.MEETING_WARNING_SECONDS / 60,
      end: (callId) => calling.endByPlan(callId),
    });
    const dependencies: Dependencies = {
      clock,
      log,
      meetings,
      brands,
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
      allowanceOf: planOf,
      brandStandingOf,
      wake,
      stir,
      iceServers: (userId) => {
        const secret = config.TURN_SECRET && reveal(config.TURN_SECRET);
        return JSON.stringify(iceServers(config.ICE_URLS ?? [], secret, userId, clock.now()));
      },
    };

    const ringMs = config.CALL_RING_SECONDS * 1000;
    for (const task of createTasks({ live, callTime, calling, guests, rooms, clock, ringMs })) {
      tasks.push(service.repeat(task));
    }
    const { CALLS_KEPT_DAYS: callDays, MEETINGS_KEPT_DAYS: meetingDays } = config;
    service.repeat(removeOld({ retention: createRetentionStore(db), callDays, meetingDays, clock }));
    service.consume('identity', service.client(EventLogServiceService, config.IDENTITY_ADDR), {
      [userDeleted]: onUserDeleted({ meetings, brands, live, calling }),
    });
    service.consume('chat', service.client(EventLogServiceService, config.CHAT_ADDR), {
      [memberLeft]: onMemberLeft({ meetings, live, chat }),
    });
    service.onStop('events of media nodes', bus.subscribe(mediaEvents, onMediaEvent({ rooms, announce, log })));

    return {
      services: [
        rpcService(BrandServiceService, brandHandlers(dependencies)),
        rpcService(MeetingServiceService, meetingHandlers(dependencies)),
        rpcService(RoomServiceService, roomHandlers(dependencies)),
        rpcService(CallServiceService, callHandlers(dependencies)),
        rpcService(EventLogServiceService, eventHandlers),
      ],
    };
  });
}

/** Demo mode relaxes what is counted per address, for everybody there is on one machine. */
function limitsOf({ NOLO_MODE }: MeetingsConfig): Record<RateLimitName, RateLimit> {
  return NOLO_MODE === 'demo' ? { ...rateLimits, ...demoRateLimits } : rateLimits;
}
