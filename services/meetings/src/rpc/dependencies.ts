import type { Clock } from '@nolo/kit/clock';
import type { Delivery } from '@nolo/kit/delivery';
import type { UserId } from '@nolo/kit/ids';
import type { Log } from '@nolo/kit/log';
import type { Limiter } from '@nolo/kit/rateLimit';
import type { RpcClient } from '@nolo/kit/rpc';
import type { Settings } from '@nolo/kit/settings';
import type { ChatServiceService } from '@nolo/proto/chat';
import type { MeetingAllowance, RateLimitName, SettingValues } from '@nolo/rules';
import type { Announce } from '../domain/announce.ts';
import type { BrandStanding } from '../domain/brand.ts';
import type { GroupRingStore } from '../domain/groupRing.ts';
import type { BarredAddresses, BrandStore, GuestStore, MeetingStore, RoomStore } from '../domain/ports.ts';
import type { Calls } from '../live/Calls.ts';
import type { CallTime } from '../live/CallTime.ts';
import type { Rooms } from '../live/Rooms.ts';
import type { RoomMedia } from '../live/RoomMedia.ts';

/** What handlers stand on; each takes the part that it needs. */
export interface Dependencies {
  readonly clock: Clock;
  readonly log: Log;
  readonly meetings: MeetingStore;
  readonly brands: BrandStore;
  readonly guests: GuestStore;
  readonly rooms: RoomStore;
  readonly groupRings: GroupRingStore;
  readonly barredAddresses: BarredAddresses;
  readonly limiter: Limiter<RateLimitName>;
  readonly media: RoomMedia;
  /** What operators set while the installation runs. */
  readonly installation: Settings<SettingValues>;
  readonly chat: RpcClient<typeof ChatServiceService>;
  /** What happens to rooms as a whole: somebody is gone, a meeting is over. */
  readonly live: Rooms;
  /** Calls, and what follows from their end. */
  readonly calling: Calls;
  /** The plan's time in calls of three or more. */
  readonly callTime: CallTime;
  readonly announce: Announce;
  /** Hands a frame on; rejects where it could not be. */
  readonly deliver: (delivery: Delivery) => Promise<void>;
  /** What the plan of a host allows (decision 21). */
  readonly allowanceOf: (userId: UserId) => Promise<MeetingAllowance>;
  /** Whose brand somebody's meetings carry, and whether the plan shows it. */
  readonly brandStandingOf: (userId: UserId) => Promise<BrandStanding>;
  readonly iceServers: (userId: UserId) => string;
  /** The outbox may have something to pass on. */
  readonly wake: () => void;
  /** Somebody is in a room: what is looked after only then is. */
  readonly stir: () => void;
}
