import type { UserId } from '@nolo/kit/ids';
import type { PaymentGatewayId, ReaderLocale } from '@nolo/rules';
import type { TeamSeat } from './access.ts';
import type { BillingFact, OrderState } from './facts.ts';
import type { GatewayFact, PaymentGateway, PaymentStart, RawNotification } from './gateway.ts';
import type { MeterAdjustmentReason, CountedUse, ReportedLevel, ReportedUse } from './meterSources.ts';
import type { MonthlyFeature } from './meters.ts';
import type { OrderRequest } from './newOrder.ts';
import type { OrderView, StoredOrder } from './orders.ts';
import type { ReceiptContent } from './receipt.ts';
import type { PlanTimeline } from './planTimeline.ts';

/** Gateways configured by the operator; others are not offered. */
export type PaymentGateways = Readonly<Partial<Record<PaymentGatewayId, PaymentGateway>>>;

interface BillingPerson {
  readonly firstName: string;
  readonly lastName: string;
  /** Verified email address. Undefined if none. */
  readonly email: string | undefined;
  /** Language and format of messages to the person. */
  readonly reader: ReaderLocale;
}

/** Queries people in identity. */
export interface PeopleDirectory {
  /** Returns a person. Undefined if not found. */
  find(userId: UserId): Promise<BillingPerson | undefined>;
  /** Returns true if either person has blocked the other. */
  hasBlock(userId: UserId, otherId: UserId): Promise<boolean>;
  /** Returns true for an operator of the installation, as known to identity. */
  isOperator(userId: UserId): Promise<boolean>;
  /** Returns the sessions of each account that has any. Undefined if unavailable. */
  sessionsOf(userIds: readonly UserId[]): Promise<ReadonlyMap<UserId, SessionsOfPerson> | undefined>;
}

interface SessionsOfPerson {
  readonly devices: number;
  /** Date of the latest use in UTC. */
  readonly lastUsedOn: string;
}

/** Page of a list, newest first. The last page has no cursor. */
interface BillingPage<One> {
  readonly rows: readonly One[];
  readonly nextCursor: string | undefined;
}

/** Stores facts and everything derived from them in one transaction that locks the person's account. */
export interface FactStore {
  /**
   * Records facts.
   *
   * @param decide receives the current state and returns the new facts
   */
  record(
    userId: UserId,
    decide: (account: {
      readonly timeline: PlanTimeline;
      readonly facts: readonly BillingFact[];
    }) => readonly BillingFact[],
  ): Promise<unknown>;
}

/** Account data that limits depend on. */
export interface PlanAccount {
  readonly userId: UserId;
  readonly timeline: PlanTimeline;
  readonly timeZone: string;
  readonly seat: TeamSeat | undefined;
}

/** Account with its usage by feature. */
interface AccountWithUsage {
  readonly account: PlanAccount;
  readonly counted: readonly { readonly feature: string; readonly period: string; readonly amount: number }[];
  readonly kept: readonly { readonly feature: string; readonly amount: number }[];
}

export interface PlanAccountStore {
  read(userId: UserId): Promise<PlanAccount>;
  /**
   * Reads the account, its usage in these months and its stored amounts in one statement, because services wait for it.
   */
  readUsing(userId: UserId, months: readonly string[]): Promise<AccountWithUsage>;
  /** Sets the time zone of the person's device, in which months are counted. */
  setTimeZone(userId: UserId, timeZone: string): Promise<void>;
  zonesOf(userIds: readonly UserId[]): Promise<Map<UserId, string>>;
}

export interface Receipt {
  readonly number: string;
  readonly issuedAt: Date;
  readonly content: ReceiptContent;
}

export interface OrderStore {
  get(id: string): Promise<OrderView | undefined>;
  list(
    filter: { userId?: UserId | undefined; state?: string | undefined },
    cursor: string | undefined,
    limit: number,
  ): Promise<BillingPage<OrderView>>;
  /** Finds an order by the gateway's own order or payment ID. */
  findByGateway(
    gateway: PaymentGatewayId,
    orderId: string | null,
    paymentId: string | null,
  ): Promise<string | undefined>;
  findReceipt(orderId: string): Promise<Receipt | undefined>;
  setCheckout(id: string, start: PaymentStart): Promise<void>;
  /** Returns orders not paid in time, oldest first. */
  overdue(now: Date, limit: number): Promise<StoredOrder[]>;
  /** Returns orders that may have been paid without a notification, least recently checked first. */
  unsettled(since: Date, reconciledBefore: Date, limit: number): Promise<OrderView[]>;
  /** Returns paid orders not checked since then, least recently checked first. */
  paid(since: Date, reconciledBefore: Date, limit: number): Promise<OrderView[]>;
  recordReconciliation(id: string, at: Date): Promise<void>;
  countByState(): Promise<{ state: OrderState; gateway: string; count: number }[]>;
  /** Returns the money that still belongs to the customers of these orders, according to the ledger. */
  leftovers(ids: readonly string[]): Promise<UnassignedMoney[]>;
}

/** Money received for an order that pays for nothing. */
export interface UnassignedMoney {
  readonly orderId: string;
  readonly amount: number;
  readonly currency: string;
}

/** Filter value for orders with such money; not an order state. */
export const unassignedMoneyFilter = 'leftover';

/** Orders, from the first click to the gateway's facts. */
export interface Payments {
  /** Returns the order. @throws AppError order_not_found */
  mustFind(userId: UserId, id: string): Promise<OrderView>;
  /** Records a gateway's report on an order, and captures the money if it was approved. */
  apply(order: StoredOrder, gatewayFacts: readonly GatewayFact[]): Promise<void>;
  /**
   * Creates an order and starts its payment; idempotent by ID, with the same payment.
   *
   * @throws AppError amount_mismatch, order_conflict, too_many_orders, payment_unavailable
   */
  create(orderRequest: OrderRequest): Promise<{ order: OrderView; start: PaymentStart }>;
  /** Cancels an order. A paid or closed one stays as it is, and a payment in progress still pays for it. */
  cancel(userId: UserId, orderId: string): Promise<OrderView>;
  /** Queries the gateway, which captures the money if that is still pending. @throws GatewayError */
  syncWithGateway(order: OrderView): Promise<void>;
  /** Queries the gateway for refunds of a payment. @throws GatewayError */
  syncRefunds(order: OrderView): Promise<void>;
  /** Captures the money of an approved order. @throws GatewayError */
  capture(order: OrderView, signal: AbortSignal): Promise<void>;
}

export interface Refunds {
  /**
   * Refunds money at the gateway; idempotent by ID.
   *
   * @param amount 0 for all that is left
   * @throws AppError order_not_found, refund_invalid, payment_unavailable
   */
  refund(orderId: string, refundId: string, amount: number, reason: string): Promise<OrderView>;
}

export interface MeterUsage {
  readonly used: number;
  readonly reserved: number;
}

export interface UsageReservation {
  /** ID chosen by the caller, for idempotence. */
  readonly id: string;
  readonly feature: string;
  readonly userId: UserId;
  /** Month, such as 2026-11. */
  readonly period: string;
  readonly amount: number;
}

export interface FeatureUsage {
  readonly userId: UserId;
  readonly feature: string;
  readonly amount: number;
}

export interface MeterStore {
  /** Sets the stored amount. Reports older than the last one are ignored. */
  report(userId: UserId, feature: string, amount: number, at: Date): Promise<void>;
  /** Returns the usage of these people in their months, and their stored amounts. */
  usageOf(userIds: readonly UserId[], periodOf: (userId: UserId) => string): Promise<FeatureUsage[]>;
  /**
   * Reserves an amount unless it would exceed the limit together with used and reserved amounts. Repeating an existing
   * reservation returns the same result.
   */
  reserve(
    one: UsageReservation,
    limit: number,
    times: { now: Date; expiresAt: Date | null },
  ): Promise<MeterUsage & { fits: boolean }>;
  /**
   * Commits a reservation for at most its amount, even if it was released meanwhile. Returns undefined if it does not
   * exist.
   */
  commit(userId: UserId, feature: string, id: string, amount: number): Promise<MeterUsage | undefined>;
  /**
   * Releases a reservation that will not be used; with `committed`, even one already counted. Returns undefined if it
   * does not exist.
   */
  release(userId: UserId, feature: string, id: string, of: { committed: boolean }): Promise<MeterUsage | undefined>;
  /** Releases expired reservations. Returns their number. */
  releaseExpired(now: Date, limit: number): Promise<number>;
  /** Deletes the meters of a deleted account, which is not counted again. */
  forget(userId: UserId): Promise<void>;
  /** Returns meters that differ from the sum of their reservations, for the daily check. */
  differences(): Promise<{ userId: UserId; feature: string; period: string }[]>;
}

/** Reason of an adjustment. `undefined` if none was necessary anymore. */
type Adjusted = Promise<MeterAdjustmentReason | undefined>;

export interface MeterAdjustmentStore {
  counted(feature: MonthlyFeature, ids: readonly string[]): Promise<Map<string, CountedUse>>;
  /** Returns uses sorted by ID: counted ones, and those merely reserved before a given time. */
  countedSince(
    feature: MonthlyFeature,
    page: { since: Date; reservedBefore: Date; after: string; limit: number },
  ): Promise<CountedUse[]>;
  /** Counts a use as the service does. */
  countAs(feature: MonthlyFeature, reportedUse: ReportedUse, at: Date): Adjusted;
  /** Releases a use that no service knows, unless it has changed since it was read. */
  takeBack(feature: MonthlyFeature, seen: CountedUse, at: Date): Adjusted;
  levelsOf(feature: string, userIds: readonly string[]): Promise<Map<string, number>>;
  /** Returns accounts with stored amounts, sorted by ID. */
  levelsAfter(feature: string, after: string, limit: number): Promise<ReportedLevel[]>;
  /**
   * Sets a level.
   *
   * @param seen the earlier amount, so that a concurrent report wins
   */
  setLevel(feature: string, level: ReportedLevel, seen: number, at: Date): Adjusted;
}

export type GatewayNotificationState = 'received' | 'done' | 'refused' | 'waiting' | 'failed';

/** Notification from a gateway, and its result. */
export interface StoredGatewayNotification {
  readonly id: string;
  readonly gateway: PaymentGatewayId;
  readonly raw: RawNotification;
  readonly receivedAt: Date;
  readonly state: GatewayNotificationState;
  readonly reason: string;
  readonly orderId: string | null;
  readonly attempts: number;
}

/** Result of an attempt. */
export interface GatewayNotificationResult {
  readonly state: GatewayNotificationState;
  readonly reason: string;
  readonly eventId?: string | undefined;
  readonly orderId?: string | undefined;
}

/** Stores notifications. `Transaction` is that of the store's database. */
export interface GatewayNotificationStore<Transaction = unknown> {
  /** Stores a notification with its job and returns its ID. An exact repeat is only counted. */
  store(gateway: PaymentGatewayId, raw: RawNotification, now: Date): Promise<string>;
  /** Starts an attempt, which is counted. */
  begin(id: string): Promise<StoredGatewayNotification | undefined>;
  /** Stores the result, in one transaction with the end of the job if `finish` is given. */
  settle(id: string, worked: GatewayNotificationResult, finish?: (trx: Transaction) => Promise<void>): Promise<void>;
  get(id: string): Promise<StoredGatewayNotification | undefined>;
  list(
    state: string | undefined,
    cursor: string | undefined,
    limit: number,
  ): Promise<BillingPage<StoredGatewayNotification>>;
  /** Processes a notification again, whatever its result. */
  retry(id: string): Promise<void>;
  /** Returns the number of unprocessed notifications, and the time of the oldest. */
  open(): Promise<{ state: GatewayNotificationState; gateway: PaymentGatewayId; count: number; oldest: Date }[]>;
}

export interface SubscriptionStore {
  /**
   * Processes accounts that are due: notifies them, and informs services of their current permissions. Returns their
   * number.
   */
  settleDue(now: Date, limit: number): Promise<number>;
  nextDue(): Promise<Date | undefined>;
  /** Returns accounts that ever had a plan, sorted by ID. */
  list(userId: UserId | undefined, after: string | undefined, limit: number): Promise<UserId[]>;
}

interface AssignedSeat {
  readonly ownerId: UserId;
  readonly userId: UserId;
  readonly state: 'invited' | 'member';
  readonly since: Date;
}

export interface TeamStore {
  /** Returns the owners of teams in which a person has or is offered a seat, latest first. */
  ownersOf(userId: UserId): Promise<Pick<AssignedSeat, 'ownerId' | 'state'>[]>;
  /** Returns the seats except the owner's. */
  listSeats(ownerId: UserId): Promise<AssignedSeat[]>;
  countSeats(ownerId: UserId): Promise<number>;
  /** Offers a seat. @throws AppError team_not_found, not_team_owner, seats_taken, seat_elsewhere */
  invite(ownerId: UserId, userId: UserId, now: Date): Promise<void>;
  /** Accepts a seat. @throws AppError seat_not_found, seat_elsewhere */
  accept(ownerId: UserId, userId: UserId, now: Date): Promise<void>;
  /** Frees a seat. @throws AppError seat_not_found */
  free(ownerId: UserId, userId: UserId, now: Date): Promise<void>;
  /** Moves a seat. @throws AppError as invite and free */
  move(ownerId: UserId, fromId: UserId, toId: UserId, now: Date): Promise<void>;
  forget(userId: UserId): Promise<void>;
}

/** Action of an operator, or a refused request of a non-operator. */
interface AuditRecord {
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
  list(subject: string | undefined, cursor: string | undefined, limit: number): Promise<BillingPage<AuditRecord>>;
}

export interface BillingExportSource {
  all(userId: UserId): AsyncIterable<{ kind: string; json: string }>;
}

/** Discrepancy between the ledger and the facts. */
export interface LedgerDiscrepancy {
  readonly orderId: string | null;
  readonly currency: string;
  readonly what: 'sum' | 'account';
}
