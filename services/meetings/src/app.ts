import { reveal } from '@nolo/kit/config';
import { createDelivery, createDispatch, createLeaseReader } from '@nolo/kit/delivery';
import { createLimiter } from '@nolo/kit/rateLimit';
import { createPart } from '@nolo/kit/part';
import { operatorGuard } from '@nolo/kit/proof';
import { rpcService, type RpcService } from '@nolo/kit/rpc';
import type { Repeating } from '@nolo/kit/repeat';
import { createService, type App, type Ground, type ServiceOptions } from '@nolo/kit/service';
import { createSettings, type Settings } from '@nolo/kit/settings';
import { CallServiceService } from '@nolo/proto/calls';
import { BrandServiceService } from '@nolo/proto/brand';
import { ChatServiceService } from '@nolo/proto/chat';
import { EventLogServiceService } from '@nolo/proto/events';
import { MeetingServiceService } from '@nolo/proto/meetings';
import { RoomAdminServiceService } from '@nolo/proto/roomAdmin';
import { RoomServiceService } from '@nolo/proto/rooms';
import { SettingServiceService } from '@nolo/proto/settings';
import { OperatorServiceService } from '@nolo/proto/operators';
import { PartServiceService } from '@nolo/proto/part';
import {
  demoRateLimits,
  rateLimits,
  readSettings,
  type MeetingAllowance,
  type RateLimit,
  type RateLimitName,
  type SettingValues,
} from '@nolo/rules';
import type { NodeId, UserId } from '@nolo/kit/ids';
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
import { brandHandlers } from './rpc/brands.ts';
import { callHandlers } from './rpc/callHandlers.ts';
import type { Dependencies } from './rpc/dependencies.ts';
import { meetingHandlers, roomHandlers } from './rpc/handlers.ts';
import { roomAdminHandlers } from './rpc/roomAdmin.ts';
import { createBrandStore } from './store/brands.ts';
import { createCallStore } from './store/calls.ts';
import { createGroupRings } from './store/groupRings.ts';
import { createGuestStore } from './store/guests.ts';
import { createMeetingStore } from './store/meetings.ts';
import { createRetentionStore } from './store/retention.ts';
import { createBarredAddresses } from './store/barredAddresses.ts';
import { createRoomStore } from './store/rooms.ts';
import { planAllowances } from './planAllowances.ts';

export interface AppOptions extends ServiceOptions<MeetingsConfig> {
  /** Overrides the allowance of every plan, for tests that cannot wait 40 minutes. */
  allowance?: MeetingAllowance;
}

export function createApp({ allowance, ...options }: AppOptions): App {
  return createService('meetings', options, (service) => {
    const { config, log, clock, db, scrapeDb, redis, bus } = service;
    const chat = service.client(ChatServiceService, config.CHAT_ADDR);
    const delivery = createDelivery({ redis, bus, log });
    const { wake: tell, eventHandlers } = service.tell(createDispatch({ bus, delivery }));
    const tasks: Repeating[] = [];
    /** Triggers all tasks, because something that they handle has started. */
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
        .catch((error: unknown) => log.warn({ err: error, type: one.frame.type }, 'delivering a frame failed'));
    };
    const meetings = createMeetingStore(db);
    const brands = createBrandStore(db);
    const guests = createGuestStore(db);
    const rooms = createRoomStore(redis);
    const nodes = watchMediaNodes(service, (nodeId, most) => live.leaveNode(nodeId, most));
    const media = new RoomMedia({
      nodes,
      rooms,
      peersPerNode: config.ROOM_NODE_PEERS,
      log,
      leave: (roomId, nodeId, except) => live.leaveNodeWith(roomId, nodeId, except),
    });
    const installation = followSettings(service);
    const onChanged = (userId: UserId) => live.planChanged(userId);
    const { planOf, brandStandingOf } = planAllowances(service, { fixed: allowance, installation, onChanged });
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
      meetings: () => createMeetingStore(scrapeDb).countLive(),
      participants: () => rooms.countAll(),
      calls: () => createCallStore(scrapeDb).countOpen(),
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
      groupRings: createGroupRings(db),
      barredAddresses: createBarredAddresses(redis),
      limiter: createLimiter({ redis, table: limitsOf(config) }),
      installation,
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
      iceServers: (userId) => iceServersJson(service, userId),
    };

    const ringMs = config.CALL_RING_SECONDS * 1000;
    for (const task of createTasks({ ...dependencies, ringMs, wake: tell })) {
      tasks.push(service.repeat(task));
    }
    const { CALLS_KEPT_DAYS: callDays, MEETINGS_KEPT_DAYS: meetingDays } = config;
    service.repeat(removeOld({ retention: createRetentionStore(db), callDays, meetingDays, clock }));
    listen(service, dependencies);

    return {
      services: [
        ...serveOperators(service, dependencies),
        rpcService(BrandServiceService, brandHandlers(dependencies)),
        rpcService(MeetingServiceService, meetingHandlers(dependencies)),
        rpcService(RoomServiceService, roomHandlers(dependencies)),
        rpcService(CallServiceService, callHandlers(dependencies)),
        rpcService(EventLogServiceService, eventHandlers),
      ],
    };
  });
}

/** Returns the ICE servers for browsers. */
function iceServersJson({ config, clock }: Ground<MeetingsConfig>, userId: UserId): string {
  const secret = config.TURN_SECRET && reveal(config.TURN_SECRET);
  return JSON.stringify(iceServers(config.ICE_URLS ?? [], secret, userId, clock.now()));
}

/** Follows operators' runtime settings. */
function followSettings(service: Ground<MeetingsConfig>): Settings<SettingValues> {
  const identity = service.client(SettingServiceService, service.config.IDENTITY_ADDR);
  return createSettings(service, { list: () => identity.listCurrentSettings({}), read: readSettings });
}

/** Tracks media nodes. Rooms leave nodes that are dead or draining. */
function watchMediaNodes(
  service: Ground<MeetingsConfig>,
  leave: (nodeId: NodeId, most?: number) => Promise<void>,
): MediaNodes {
  const { config, log, bus } = service;
  const quietly = (work: Promise<void>) =>
    work.catch((error: unknown) => log.warn({ err: error }, 'moving the rooms of a media node failed'));
  const nodes = new MediaNodes({
    bus,
    secret: config.RPC_SECRET,
    log,
    silentMs: config.MEDIA_SILENT_MS,
    onGone: (nodeId) => quietly(leave(nodeId)),
    // Moves one room per heartbeat, so that not all of them request transports at once.
    onDraining: (nodeId) => void quietly(leave(nodeId, 1)),
  });
  service.onStop('media nodes', () => nodes.stop());
  return nodes;
}

/** Subscribes to relevant events: deleted accounts, departed members, and reports of media nodes. */
function listen(
  service: Ground<MeetingsConfig>,
  { meetings, brands, rooms, groupRings, chat, live, calling, announce, wake, log }: Dependencies,
): void {
  const { config, bus } = service;
  service.consume('identity', service.client(EventLogServiceService, config.IDENTITY_ADDR), {
    [userDeleted]: onUserDeleted({ meetings, brands, groupRings, live, calling, wake }),
  });
  service.consume('chat', service.client(EventLogServiceService, config.CHAT_ADDR), {
    [memberLeft]: onMemberLeft({ meetings, groupRings, live, chat, wake }),
  });
  service.onStop('events of media nodes', bus.subscribe(mediaEvents, onMediaEvent({ rooms, announce, log })));
}

/** Returns the rate limits. Demo mode relaxes those per address, because everyone is on one machine. */
function limitsOf({ NOLO_MODE }: MeetingsConfig): Record<RateLimitName, RateLimit> {
  return NOLO_MODE === 'demo' ? { ...rateLimits, ...demoRateLimits } : rateLimits;
}

/** Serves operators' views and actions. */
function serveOperators(service: Ground<MeetingsConfig>, dependencies: Dependencies): RpcService[] {
  const admit = operatorGuard(service.client(OperatorServiceService, service.config.IDENTITY_ADDR));
  return [
    rpcService(PartServiceService, createPart(service, admit)),
    rpcService(RoomAdminServiceService, roomAdminHandlers(dependencies, admit)),
  ];
}
