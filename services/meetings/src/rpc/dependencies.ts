import type { Clock } from '@nolo/kit/clock';
import type { FrameDelivery } from '@nolo/kit/delivery';
import type { UserId } from '@nolo/kit/ids';
import type { Log } from '@nolo/kit/log';
import type { Limiter } from '@nolo/kit/rateLimit';
import type { RpcClient } from '@nolo/kit/rpc';
import type { FollowedSettings } from '@nolo/installation/settings';
import type { ChatServiceDefinition } from '@nolo/proto/chat';
import type { MeetingAllowance, RateLimitName, SettingValues } from '@nolo/rules';
import type { SendFrame } from '../domain/outboundFrames.ts';
import type { BrandEntitlement } from '../domain/brand.ts';
import type { GroupRingStore } from '../domain/groupRing.ts';
import type { BarredAddressStore, BrandStore, GuestStore, MeetingStore, RoomStore } from '../domain/ports.ts';
import type { LiveCalls } from '../live/LiveCalls.ts';
import type { CallTimeLimits } from '../live/CallTimeLimits.ts';
import type { LiveRooms } from '../live/LiveRooms.ts';
import type { RoomMedia } from '../live/RoomMedia.ts';

/** Dependencies of handlers; each uses a subset. */
export interface Dependencies {
  readonly clock: Clock;
  readonly log: Log;
  readonly meetings: MeetingStore;
  readonly brands: BrandStore;
  readonly guests: GuestStore;
  readonly rooms: RoomStore;
  readonly groupRings: GroupRingStore;
  readonly barredAddresses: BarredAddressStore;
  readonly limiter: Limiter<RateLimitName>;
  readonly media: RoomMedia;
  /** Operators' runtime settings. */
  readonly installation: FollowedSettings<SettingValues>;
  readonly chat: RpcClient<typeof ChatServiceDefinition>;
  /** Operations on rooms: participants leave, a meeting ends. */
  readonly live: LiveRooms;
  /** Calls and the consequences of their end. */
  readonly calling: LiveCalls;
  /** Plan time limits of calls with three or more people. */
  readonly callTime: CallTimeLimits;
  readonly sendFrame: SendFrame;
  /** Delivers a frame. Rejects if it could not be delivered. */
  readonly deliver: (delivery: FrameDelivery) => Promise<void>;
  /** Returns what a host's plan allows (decision 21). */
  readonly allowanceOf: (userId: UserId) => Promise<MeetingAllowance>;
  /** Returns the owner of the brand that a user's meetings show, and whether the plan includes it. */
  readonly brandStandingOf: (userId: UserId) => Promise<BrandEntitlement>;
  readonly iceServers: (userId: UserId) => string;
  /** Called when the outbox may have new entries. */
  readonly wake: () => void;
  /** Called when someone is in a room, to start tasks that depend on it. */
  readonly endQuietPeriod: () => void;
}
