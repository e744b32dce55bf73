import { reveal } from '@nolo/kit/config';
import { createDeliveryService, createOutboxDispatch, createConnectionLeaseReader } from '@nolo/kit/delivery';
import { createLimiter } from '@nolo/kit/rateLimit';
import { createServiceAdminHandlers } from '@nolo/installation/serviceAdmin';
import { createOperatorGuard } from '@nolo/kit/proof';
import { bindRpcService, type RpcService } from '@nolo/kit/rpc';
import type { PeriodicTaskHandle } from '@nolo/kit/repeat';
import { createService, type ServiceApp, type ServiceContext, type ServiceOptions } from '@nolo/kit/service';
import { followOperatorSettings, type FollowedSettings } from '@nolo/installation/settings';
import { CallServiceDefinition } from '@nolo/proto/calls';
import { BrandServiceDefinition } from '@nolo/proto/brand';
import { ChatServiceDefinition } from '@nolo/proto/chat';
import { EventLogServiceDefinition } from '@nolo/proto/events';
import { MeetingServiceDefinition } from '@nolo/proto/meetings';
import { RoomAdminServiceDefinition } from '@nolo/proto/roomAdmin';
import { RoomServiceDefinition } from '@nolo/proto/rooms';
import { SettingServiceDefinition } from '@nolo/proto/settings';
import { OperatorServiceDefinition } from '@nolo/proto/operators';
import { AdminServiceDefinition } from '@nolo/proto/admin';
import {
  demoRateLimits,
  rateLimits,
  parseSettings,
  type MeetingAllowance,
  type RateLimit,
  type RateLimitName,
  type SettingValues,
} from '@nolo/rules';
import type { MediaNodeId, UserId } from '@nolo/kit/ids';
import type { MeetingsConfig } from './config.ts';
import type { SendFrame } from './domain/outboundFrames.ts';
import { createIceServers } from './domain/iceServers.ts';
import { mediaEventSubject, onMediaEvent } from './events/onMediaEvent.ts';
import { memberLeftSubject, onMemberLeft } from './events/onMemberLeft.ts';
import { onUserDeleted, userDeletedSubject } from './events/onUserDeleted.ts';
import { createRemoveOldMeetingsTask } from './jobs/createRemoveOldMeetingsTask.ts';
import { createMeetingTasks } from './jobs/tasks.ts';
import { LiveCalls } from './live/LiveCalls.ts';
import { CallTimeLimits } from './live/CallTimeLimits.ts';
import { MediaNodes } from './live/MediaNodes.ts';
import { RoomMedia } from './live/RoomMedia.ts';
import { LiveRooms } from './live/LiveRooms.ts';
import { createMeetingsMetrics } from './metrics.ts';
import { createBrandHandlers } from './rpc/brands.ts';
import { createCallHandlers } from './rpc/callHandlers.ts';
import type { Dependencies } from './rpc/dependencies.ts';
import { createMeetingHandlers, createRoomHandlers } from './rpc/handlers.ts';
import { createRoomAdminHandlers } from './rpc/roomAdmin.ts';
import { createBrandStore } from './store/brands.ts';
import { createCallStore } from './store/calls.ts';
import { createGroupRingStore } from './store/groupRings.ts';
import { createGuestStore } from './store/guests.ts';
import { createMeetingStore } from './store/meetings.ts';
import { createRetentionStore } from './store/retention.ts';
import { createBarredAddressStore } from './store/barredAddresses.ts';
import { createRoomStore } from './store/rooms.ts';
import { createPlanAllowances } from './planAllowances.ts';

export interface MeetingsAppOptions extends ServiceOptions<MeetingsConfig> {
  /** Overrides the allowance of every plan, for tests that cannot wait 40 minutes. */
  allowance?: MeetingAllowance;
}

export function createMeetingsApp({ allowance, ...options }: MeetingsAppOptions): ServiceApp {
  return createService('meetings', options, (service) => {
    const { config, log, clock, db, scrapeDb, redis, bus } = service;
    const chat = service.client(ChatServiceDefinition, config.CHAT_ADDR);
    const delivery = createDeliveryService({ redis, bus, log });
    const { wake: wakeRelay, eventHandlers } = service.relayOutbox(createOutboxDispatch({ bus, delivery }));
    const tasks: PeriodicTaskHandle[] = [];
    /** Triggers all tasks, because something that they handle has started. */
    const endQuietPeriod = () => {
      for (const task of tasks) task.endQuietPeriod();
    };
    const wake = () => {
      wakeRelay();
      endQuietPeriod();
    };
    const sendFrame: SendFrame = (one) => {
      if (one.recipients.length === 0) return;
      delivery
        .deliverLoosely(one)
        .catch((error: unknown) => log.warn({ err: error, type: one.frame.type }, 'delivering a frame failed'));
    };
    const meetings = createMeetingStore(db);
    const brands = createBrandStore(db);
    const guests = createGuestStore(db);
    const rooms = createRoomStore(redis);
    const nodes = watchMediaNodes(service, (nodeId, maxRooms) => live.leaveNode(nodeId, maxRooms));
    const media = new RoomMedia({
      nodes,
      rooms,
      peersPerNode: config.ROOM_NODE_PEERS,
      log,
      leave: (roomId, nodeId, except) => live.leaveNodeWith(roomId, nodeId, except),
    });
    const installation = followSettings(service);
    const onChanged = (userId: UserId) => live.planChanged(userId);
    const { planOf, brandStandingOf } = createPlanAllowances(service, { fixed: allowance, installation, onChanged });
    const live: LiveRooms = new LiveRooms({
      meetings,
      rooms,
      media,
      allowanceOf: planOf,
      sendFrame,
      clock,
      log,
      warningMinutes: config.MEETING_WARNING_SECONDS / 60,
      onCallLeft: (callId, userId) => calling.leftRoom(callId, userId),
      wake,
    });
    const calls = createCallStore(db);
    const metrics = createMeetingsMetrics(service.metrics, {
      meetings: () => createMeetingStore(scrapeDb).countLive(),
      participants: () => rooms.countAll(),
      calls: () => createCallStore(scrapeDb).countOpen(),
      nodes: () => nodes.count(),
    });
    const calling: LiveCalls = new LiveCalls({
      store: calls,
      chat,
      leases: createConnectionLeaseReader({ redis }),
      clock,
      log,
      ringMs: config.CALL_RING_SECONDS * 1000,
      wake,
      dropRoom: (callId, reason) => live.dropRoom(callId, callId, reason),
      onOutcome: (outcome) => metrics.calls.inc({ outcome }),
    });
    const callTime = new CallTimeLimits({
      calls,
      rooms,
      allowanceOf: planOf,
      sendFrame,
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
      groupRings: createGroupRingStore(db),
      barredAddresses: createBarredAddressStore(redis),
      limiter: createLimiter({ redis, table: limitsOf(config) }),
      installation,
      media,
      chat,
      live,
      calling,
      callTime,
      sendFrame,
      deliver: (one) => delivery.deliverAll([one]),
      allowanceOf: planOf,
      brandStandingOf,
      wake,
      endQuietPeriod,
      iceServers: (userId) => iceServersJson(service, userId),
    };

    const ringMs = config.CALL_RING_SECONDS * 1000;
    for (const task of createMeetingTasks({ ...dependencies, ringMs, wake: wakeRelay })) {
      tasks.push(service.repeat(task));
    }
    const { CALLS_KEPT_DAYS: callDays, MEETINGS_KEPT_DAYS: meetingDays } = config;
    service.repeat(createRemoveOldMeetingsTask({ retention: createRetentionStore(db), callDays, meetingDays, clock }));
    listen(service, dependencies);

    return {
      services: [
        ...serveOperators(service, dependencies),
        bindRpcService(BrandServiceDefinition, createBrandHandlers(dependencies)),
        bindRpcService(MeetingServiceDefinition, createMeetingHandlers(dependencies)),
        bindRpcService(RoomServiceDefinition, createRoomHandlers(dependencies)),
        bindRpcService(CallServiceDefinition, createCallHandlers(dependencies)),
        bindRpcService(EventLogServiceDefinition, eventHandlers),
      ],
    };
  });
}

/** Returns the ICE servers for browsers. */
function iceServersJson({ config, clock }: ServiceContext<MeetingsConfig>, userId: UserId): string {
  const secret = config.TURN_SECRET && reveal(config.TURN_SECRET);
  return JSON.stringify(createIceServers(config.ICE_URLS ?? [], secret, userId, clock.now()));
}

/** Follows operators' runtime settings. */
function followSettings(service: ServiceContext<MeetingsConfig>): FollowedSettings<SettingValues> {
  const identity = service.client(SettingServiceDefinition, service.config.IDENTITY_ADDR);
  return followOperatorSettings(service, { list: () => identity.listCurrentSettings({}), read: parseSettings });
}

/** Tracks media nodes. Rooms leave nodes that are dead or draining. */
function watchMediaNodes(
  service: ServiceContext<MeetingsConfig>,
  leave: (nodeId: MediaNodeId, maxRooms?: number) => Promise<void>,
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
  service: ServiceContext<MeetingsConfig>,
  { meetings, brands, rooms, groupRings, chat, live, calling, sendFrame, wake, log }: Dependencies,
): void {
  const { config, bus } = service;
  service.consume('identity', service.client(EventLogServiceDefinition, config.IDENTITY_ADDR), {
    [userDeletedSubject]: onUserDeleted({ meetings, brands, groupRings, live, calling, wake }),
  });
  service.consume('chat', service.client(EventLogServiceDefinition, config.CHAT_ADDR), {
    [memberLeftSubject]: onMemberLeft({ meetings, groupRings, live, chat, wake }),
  });
  service.onStop('events of media nodes', bus.subscribe(mediaEventSubject, onMediaEvent({ rooms, sendFrame, log })));
}

/** Returns the rate limits. Demo mode relaxes those per address, because everyone is on one machine. */
function limitsOf({ NOLO_MODE }: MeetingsConfig): Record<RateLimitName, RateLimit> {
  return NOLO_MODE === 'demo' ? { ...rateLimits, ...demoRateLimits } : rateLimits;
}

/** Serves operators' views and actions. */
function serveOperators(service: ServiceContext<MeetingsConfig>, dependencies: Dependencies): RpcService[] {
  const admit = createOperatorGuard(service.client(OperatorServiceDefinition, service.config.IDENTITY_ADDR));
  return [
    bindRpcService(AdminServiceDefinition, createServiceAdminHandlers(service, admit)),
    bindRpcService(RoomAdminServiceDefinition, createRoomAdminHandlers(dependencies, admit)),
  ];
}
