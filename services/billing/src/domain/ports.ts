import type { UserId } from '@nolo/kit/ids';
import type { GatewayId, Reader } from '@nolo/rules';
import type { SeatOf } from './access.ts';
import type { Fact, OrderState } from './facts.ts';
import type { GatewayFact, PaymentGateway, PaymentStart, RawNotification } from './gateway.ts';
import type { AdjustReason, CountedUse, HeldLevel, HeldUse } from './holdings.ts';
import type { MonthlyFeature } from './meters.ts';
import type { Wish } from './newOrder.ts';
import type { ShownOrder, StoredOrder } from './orders.ts';
import type { ReceiptContent } from './receipt.ts';
import type { Timeline } from './timeline.ts';

/** Those of the operator's; one without a configuration is not offered. */
export type Gateways = Readonly<Partial<Record<GatewayId, PaymentGateway>>>;

export interface Person {
  readonly firstName: string;
  readonly lastName: string;
  /** Verified; undefined where there is none. */
  readonly email: string | undefined;
  /** How they are written to. */
  readonly reader: Reader;
}

/** What identity knows of people. */
export interface People {
  /** Undefined for nobody. */
  find(userId: UserId): Promise<Person | undefined>;
  /** Whether one of the two has blocked the other. */
  hasBlock(userId: UserId, otherId: UserId): Promise<boolean>;
  /** Whether they look after the installation, which identity alone knows. */
  isOperator(userId: UserId): Promise<boolean>;
  /** Of each account that is signed in anywhere; undefined where nobody can say. */
  sessionsOf(userIds: readonly UserId[]): Promise<ReadonlyMap<UserId, SessionsOfPerson> | undefined>;
}

export interface SessionsOfPerson {
  readonly devices: number;
  /** The day of the latest use in UTC. */
  readonly lastUsedOn: string;
}

/** A page of something, newest first; without a cursor on the last one. */
export interface Page<One> {
  readonly rows: readonly One[];
  readonly nextCursor: string | undefined;
}

/** Writes what happened, with all that follows from it, in one transaction that holds the person's account. */
export interface FactStore {
  /** @param decide sees what there is, and answers with what is to be known from now on */
  record(
    userId: UserId,
    decide: (account: { readonly timeline: Timeline; readonly facts: readonly Fact[] }) => readonly Fact[],
  ): Promise<unknown>;
}

/** Who somebody is to limits. */
export interface KnownAccount {
  readonly userId: UserId;
  readonly timeline: Timeline;
  readonly timeZone: string;
  readonly seat: SeatOf | undefined;
}

/** An account with what it used, each amount by its feature. */
export interface UsingAccount {
  readonly account: KnownAccount;
  readonly counted: readonly { readonly feature: string; readonly period: string; readonly amount: number }[];
  readonly kept: readonly { readonly feature: string; readonly amount: number }[];
}

export interface AccessStore {
  read(userId: UserId): Promise<KnownAccount>;
  /** The same, and what was counted in these months and is kept, in one statement: services wait for it. */
  readUsing(userId: UserId, months: readonly string[]): Promise<UsingAccount>;
  /** As the person's device has it; months are counted in it. */
  setTimeZone(userId: UserId, timeZone: string): Promise<void>;
  zonesOf(userIds: readonly UserId[]): Promise<Map<UserId, string>>;
}

export interface Receipt {
  readonly number: string;
  readonly issuedAt: Date;
  readonly content: ReceiptContent;
}

export interface OrderStore {
  get(id: string): Promise<ShownOrder | undefined>;
  list(
    filter: { userId?: UserId | undefined; state?: string | undefined },
    cursor: string | undefined,
    limit: number,
  ): Promise<Page<ShownOrder>>;
  /** By the gateway's own id of the order or of its payment. */
  findByGateway(gateway: GatewayId, orderId: string | null, paymentId: string | null): Promise<string | undefined>;
  findReceipt(orderId: string): Promise<Receipt | undefined>;
  setCheckout(id: string, start: PaymentStart): Promise<void>;
  /** Orders that nobody paid in their time; the oldest first. */
  overdue(now: Date, limit: number): Promise<StoredOrder[]>;
  /** Orders that may have been paid without anybody telling; those first that were not looked at for longest. */
  unsettled(since: Date, lookedBefore: Date, limit: number): Promise<ShownOrder[]>;
  /** Of those that were paid, whoever was not looked at since; the longest ago first. */
  paid(since: Date, lookedBefore: Date, limit: number): Promise<ShownOrder[]>;
  looked(id: string, at: Date): Promise<void>;
  countByState(): Promise<{ state: OrderState; gateway: string; count: number }[]>;
  /** What the ledger says is the customers' still, of these orders. */
  leftovers(ids: readonly string[]): Promise<Leftover[]>;
}

/** Money that came for an order and pays for nothing. */
export interface Leftover {
  readonly orderId: string;
  readonly amount: number;
  readonly currency: string;
}

/** The state of orders that have some of it; no state of their own. */
export const hasLeftover = 'leftover';

/** Orders, from the first click to what gateways know of them. */
export interface Payments {
  /** @throws AppError order_not_found */
  mustFind(userId: UserId, id: string): Promise<ShownOrder>;
  /** Writes what a gateway told of an order, and has its money taken where it was approved. */
  apply(order: StoredOrder, told: readonly GatewayFact[]): Promise<void>;
  /**
   * Makes an order and begins its payment; the same again is the same order, with the same payment.
   *
   * @throws AppError amount_mismatch, order_conflict, too_many_orders, payment_unavailable
   */
  create(wish: Wish): Promise<{ order: ShownOrder; start: PaymentStart }>;
  /** One that is paid or over stays as it is; a payment that is under way still pays for it. */
  cancel(userId: UserId, orderId: string): Promise<ShownOrder>;
  /** Asks the gateway, which takes the money where that is still to be done. @throws GatewayError */
  ask(order: ShownOrder): Promise<void>;
  /** Asks the gateway what was given back of a payment. @throws GatewayError */
  askRefunds(order: ShownOrder): Promise<void>;
  /** @throws GatewayError */
  capture(order: ShownOrder, signal: AbortSignal): Promise<void>;
}

export interface Refunds {
  /**
   * Gives money back at the gateway, which does it once for one id.
   *
   * @param amount 0 is all that is left
   * @throws AppError order_not_found, refund_invalid, payment_unavailable
   */
  refund(orderId: string, refundId: string, amount: number, reason: string): Promise<ShownOrder>;
}

export interface Usage {
  readonly used: number;
  readonly reserved: number;
}

export interface Reservation {
  /** The caller's, so that asking again is asking once. */
  readonly id: string;
  readonly feature: string;
  readonly userId: UserId;
  /** The month, as 2026-11. */
  readonly period: string;
  readonly amount: number;
}

export interface FeatureUsage {
  readonly userId: UserId;
  readonly feature: string;
  readonly amount: number;
}

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
  /** What was reserved has happened, to at most that amount; also where it was given back meanwhile. Undefined where there is none. */
  commit(userId: UserId, feature: string, id: string, amount: number): Promise<Usage | undefined>;
  /** Gives back what was reserved and will not happen; with `committed`, what was counted already too. Undefined where there is none. */
  release(userId: UserId, feature: string, id: string, of: { committed: boolean }): Promise<Usage | undefined>;
  /** Gives back some of which nothing was heard for too long; answers how many. */
  releaseExpired(now: Date, limit: number): Promise<number>;
  /** The account is gone, and nothing more is counted of it. */
  forget(userId: UserId): Promise<void>;
  /** Meters that say something else than the reservations come to; for the daily check. */
  differences(): Promise<{ userId: UserId; feature: string; period: string }[]>;
}

/** `undefined` where there was nothing to mend any more. */
type Adjusted = Promise<AdjustReason | undefined>;

export interface AdjustStore {
  counted(feature: MonthlyFeature, ids: readonly string[]): Promise<Map<string, CountedUse>>;
  /** Uses in the order of their ids: those that count, and those that were only reserved before a time. */
  countedSince(
    feature: MonthlyFeature,
    page: { since: Date; heldBefore: Date; after: string; limit: number },
  ): Promise<CountedUse[]>;
  /** Counts a use as the service does. */
  countAs(feature: MonthlyFeature, held: HeldUse, at: Date): Adjusted;
  /** Gives back what no service knows, unless it has become something else than what was seen. */
  takeBack(feature: MonthlyFeature, seen: CountedUse, at: Date): Adjusted;
  levelsOf(feature: string, userIds: readonly string[]): Promise<Map<string, number>>;
  /** Of accounts that keep something, by their ids. */
  levelsAfter(feature: string, after: string, limit: number): Promise<HeldLevel[]>;
  /** @param seen what was there, so that a report that came meanwhile holds */
  setLevel(feature: string, level: HeldLevel, seen: number, at: Date): Adjusted;
}

export type NotificationState = 'received' | 'done' | 'refused' | 'waiting' | 'failed';

/** What a gateway sent, and what became of it. */
export interface StoredNotification {
  readonly id: string;
  readonly gateway: GatewayId;
  readonly raw: RawNotification;
  readonly receivedAt: Date;
  readonly state: NotificationState;
  readonly reason: string;
  readonly orderId: string | null;
  readonly attempts: number;
}

/** What became of an attempt. */
export interface Worked {
  readonly state: NotificationState;
  readonly reason: string;
  readonly eventId?: string | undefined;
  readonly orderId?: string | undefined;
}

/** `Transaction` is that of the store's database. */
export interface NotificationStore<Transaction = unknown> {
  /** Keeps it with its job; an exact repeat is counted and not kept again. Answers with its id. */
  store(gateway: GatewayId, raw: RawNotification, now: Date): Promise<string>;
  /** For an attempt, which is counted. */
  begin(id: string): Promise<StoredNotification | undefined>;
  /** What became of it, with the job's end in one transaction where that is given. */
  settle(id: string, worked: Worked, finish?: (trx: Transaction) => Promise<void>): Promise<void>;
  get(id: string): Promise<StoredNotification | undefined>;
  list(state: string | undefined, cursor: string | undefined, limit: number): Promise<Page<StoredNotification>>;
  /** Worked off once more, whatever became of it. */
  again(id: string): Promise<void>;
  /** Those that nobody has worked off; and since when the oldest of them lies. */
  open(): Promise<{ state: NotificationState; gateway: GatewayId; count: number; oldest: Date }[]>;
}

export interface SubscriptionStore {
  /** Goes on with accounts whose time has come: tells them, and services what they may do now. Answers how many. */
  settleDue(now: Date, limit: number): Promise<number>;
  nextDue(): Promise<Date | undefined>;
  /** Accounts that ever had a plan, by their id. */
  list(userId: UserId | undefined, after: string | undefined, limit: number): Promise<UserId[]>;
}

export interface SeatGiven {
  readonly ownerId: UserId;
  readonly userId: UserId;
  readonly state: 'invited' | 'member';
  readonly since: Date;
}

export interface TeamStore {
  /** In whose team somebody has a seat, and to whose they are invited, the latest first. */
  ownersOf(userId: UserId): Promise<Pick<SeatGiven, 'ownerId' | 'state'>[]>;
  /** Besides the owner's. */
  seats(ownerId: UserId): Promise<SeatGiven[]>;
  countSeats(ownerId: UserId): Promise<number>;
  /** @throws AppError team_not_found, not_team_owner, seats_taken, seat_elsewhere */
  invite(ownerId: UserId, userId: UserId, now: Date): Promise<void>;
  /** @throws AppError seat_not_found, seat_elsewhere */
  accept(ownerId: UserId, userId: UserId, now: Date): Promise<void>;
  /** @throws AppError seat_not_found */
  free(ownerId: UserId, userId: UserId, now: Date): Promise<void>;
  /** @throws AppError as invite and free */
  move(ownerId: UserId, fromId: UserId, toId: UserId, now: Date): Promise<void>;
  forget(userId: UserId): Promise<void>;
}

/** What an operator did, or somebody who is none was refused. */
export interface AuditRecord {
  readonly id: string;
  readonly operatorId: UserId;
  readonly action: string;
  readonly subject: string;
  readonly details: unknown;
  readonly isAllowed: boolean;
  readonly at: Date;
}

export interface AuditStore {
  write(record: Omit<AuditRecord, 'id'>): Promise<void>;
  list(subject: string | undefined, cursor: string | undefined, limit: number): Promise<Page<AuditRecord>>;
}

export interface ExportStore {
  all(userId: UserId): AsyncIterable<{ kind: string; json: string }>;
}

/** Something that the ledger says and the facts do not. */
export interface LedgerFault {
  readonly orderId: string | null;
  readonly currency: string;
  readonly what: 'sum' | 'account';
}
