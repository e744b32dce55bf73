import type { UserId } from '@nolo/kit/ids';
import type { GatewayId } from '@nolo/rules';
import type { Fact, OrderState } from './facts.ts';
import type { GatewayFact, PaymentGateway, PaymentStart, RawNotification } from './gateway.ts';
import type { Wish } from './newOrder.ts';
import type {
  Account,
  AuditRow,
  FeatureUsage,
  KnownAccount,
  Metered,
  NotificationRow,
  NotificationState,
  OrderFilter,
  OrderRow,
  ReceiptRow,
  Recorded,
  Reservation,
  SeatRow,
  ShownOrder,
  Usage,
  Worked,
} from './records.ts';

/** Those of the operator's; one without a configuration is not offered. */
export type Gateways = Readonly<Partial<Record<GatewayId, PaymentGateway>>>;

export interface Person {
  readonly firstName: string;
  readonly lastName: string;
  /** Verified, or empty. */
  readonly email: string;
}

/** What identity knows of people. */
export interface People {
  /** Undefined for nobody. */
  find(userId: UserId): Promise<Person | undefined>;
}

/** What decides what somebody may do. */
export interface AccessStore {
  read(userId: UserId): Promise<KnownAccount>;
  /** As the person's device has it; months are counted in it. */
  setTimeZone(userId: UserId, timeZone: string): Promise<void>;
  zonesOf(userIds: readonly UserId[]): Promise<Map<UserId, string>>;
}

/** What operators did, and what was refused to those who are none. Never changed. */
export interface AuditStore {
  write(row: Omit<AuditRow, 'id'>): Promise<void>;
  list(subject: string, cursor: string, limit: number): Promise<{ rows: AuditRow[]; nextCursor: string }>;
}

/** All that is kept of a person. */
export interface ExportStore {
  all(userId: UserId): AsyncIterable<{ kind: string; json: string }>;
}

/** Usage of what is limited, exact however many count at once. */
export interface MeterStore {
  /** What is kept; an older word than the last one changes nothing. */
  report(userId: UserId, feature: string, amount: number, at: Date): Promise<void>;
  /** What the people have used in their months, and what they keep. */
  usageOf(userIds: readonly UserId[], periodOf: (userId: UserId) => string): Promise<FeatureUsage[]>;
  /**
   * Reserves, unless that were more than the limit together with what is used and reserved. A reservation that is there
   * already answers as it did.
   */
  reserve(
    one: Reservation,
    limit: number,
    times: { now: Date; expiresAt: Date | null },
  ): Promise<Usage & { fits: boolean }>;
  /** What was reserved has happened, perhaps to another amount; also where it was given back meanwhile. */
  commit(userId: UserId, feature: string, id: string, amount: number): Promise<Metered | undefined>;
  /** It does not happen, so what was reserved is given back; what was used stays used. */
  release(userId: UserId, feature: string, id: string): Promise<Metered | undefined>;
  /** Gives back some of which nothing was heard for too long; answers how many. */
  releaseExpired(now: Date, limit?: number): Promise<number>;
  /** What the meters say and what the reservations come to, where they differ. */
  differences(limit?: number): Promise<{ userId: UserId; feature: string; period: string }[]>;
}

/** What gateways sent, as it came: kept before anything of it is believed. `Transaction` is that of the database. */
export interface NotificationStore<Transaction = unknown> {
  /** Keeps it with its job; an exact repeat of one that is to be worked off is counted and not kept again. */
  store(gateway: GatewayId, raw: RawNotification, now: Date): Promise<string>;
  /** For an attempt, which is counted. */
  begin(id: string): Promise<NotificationRow | undefined>;
  finish(id: string, worked: Worked, on?: Transaction): Promise<void>;
  get(id: string): Promise<NotificationRow | undefined>;
  list(state: string, cursor: string, limit: number): Promise<{ rows: NotificationRow[]; nextCursor: string }>;
  /** Worked off once more, whatever became of it; false where it is under way or waits for its time anyway. */
  again(id: string): Promise<boolean>;
  /** Those that nobody has worked off, by state; and since when the oldest of them lies. */
  open(): Promise<{ state: NotificationState; gateway: GatewayId; count: number; oldest: Date }[]>;
}

/** Orders, newest first where they are listed. */
export interface OrderStore<Transaction = unknown> {
  get(id: string, on?: Transaction): Promise<ShownOrder | undefined>;
  list(filter: OrderFilter, cursor: string, limit: number): Promise<{ orders: ShownOrder[]; nextCursor: string }>;
  /** By the gateway's own id of the order or of its payment. */
  findByGateway(
    gateway: GatewayId,
    gatewayOrderId: string | null,
    gatewayPaymentId: string | null,
  ): Promise<string | undefined>;
  setCheckout(id: string, start: PaymentStart): Promise<void>;
  /** Orders that nobody paid in their time; the oldest first. */
  overdue(now: Date, limit: number): Promise<OrderRow[]>;
  /** Orders that may have been paid without anybody telling; those first that were not looked at for longest. */
  unsettled(since: Date, lookedBefore: Date, limit: number): Promise<ShownOrder[]>;
  looked(id: string, at: Date): Promise<void>;
  findReceipt(orderId: string): Promise<ReceiptRow | undefined>;
  countByState(): Promise<{ state: OrderState; gateway: string; count: number }[]>;
}

/** Orders, from the first click to what gateways know of them. */
export interface Payments {
  mustFind(userId: UserId, id: string): Promise<ShownOrder>;
  apply(order: OrderRow, told: readonly GatewayFact[]): Promise<void>;
  /** Makes an order and begins its payment; the same again is the same order, with the same payment. */
  create(wish: Wish): Promise<{ order: ShownOrder; start: PaymentStart }>;
  /** One that is paid or over stays as it is; a payment that is under way still pays for it. */
  cancel(userId: UserId, orderId: string): Promise<ShownOrder>;
  /** Asks the gateway, which takes the money where that is still to be done. */
  ask(order: ShownOrder, signal?: AbortSignal): Promise<void>;
  capture(order: ShownOrder, signal: AbortSignal): Promise<void>;
}

/** Writes what happened, with all that follows from it. */
export interface Recorder {
  /** In one transaction that holds the person's account; `decide` sees all that is known. */
  record(userId: UserId, decide: (account: Account) => Promise<readonly Fact[]> | readonly Fact[]): Promise<Recorded>;
}

/** Gives money back at the gateway. With the same id the gateway gives it once; what it did is known by look-up too. */
export interface Refunds {
  refund(orderId: string, refundId: string, amount: number, reason: string): Promise<ShownOrder>;
}

export interface SubscriptionStore {
  /** Goes on with accounts whose time has come: tells them, and services what they may do now. Answers how many. */
  settleDue(now: Date, limit?: number): Promise<number>;
  nextDue(): Promise<Date | undefined>;
  /** Accounts that ever had a plan, the latest first by their id. */
  list(userId: UserId | undefined, after: string | undefined, limit: number): Promise<UserId[]>;
}

/** Seats of Business, of which the owner has the first. */
export interface TeamStore {
  /** Whose team somebody has a seat in. */
  ownerOf(userId: UserId): Promise<UserId | undefined>;
  /** The latest team that somebody is invited to. */
  invitationOf(userId: UserId): Promise<SeatRow | undefined>;
  seats(ownerId: UserId): Promise<SeatRow[]>;
  /** Besides the owner's. */
  countSeats(ownerId: UserId): Promise<number>;
  invite(ownerId: UserId, userId: UserId, now: Date): Promise<void>;
  accept(ownerId: UserId, userId: UserId, now: Date): Promise<void>;
  free(ownerId: UserId, userId: UserId, now: Date): Promise<void>;
  move(ownerId: UserId, fromId: UserId, toId: UserId, now: Date): Promise<void>;
  /** With an account go its seats, and the team that it had. */
  forget(userId: UserId): Promise<void>;
}
