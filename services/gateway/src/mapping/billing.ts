import {
  paymentNotificationStates,
  orderStates,
  planSources,
  seatStates,
  subscriptionStates,
  type AdminOrder,
  type AdminSubscription,
  type BillingAuditRecord,
  type Billing,
  type Order,
  type NextPaymentStep,
  type PaymentNotification,
  type Seat,
  type Team,
  type User,
} from '@nolo/api';
import type { CreateOrderReply, Order as OrderRow, Subscription } from '@nolo/proto/billing';
import type {
  AuditRecord as AuditRow,
  Leftover,
  NotificationRecord,
  SubscriptionRecord,
} from '@nolo/proto/billingAdmin';
import type { Seat as SeatRow, Team as TeamRow } from '@nolo/proto/team';
import {
  addOnIds,
  currencyDetails,
  currencies,
  paymentGatewayIds,
  limitedFeatures,
  planIds,
  saleItems,
  type Currency,
  type PlanId,
} from '@nolo/rules';
import { toIsoTime, emptyToNull } from './people.ts';

const timeOrNull = (time: Date | undefined): string | null => (time ? toIsoTime(time) : null);
/** Returns the contract value. A service newer than this gateway may send an unknown one. */
const known = <T extends string, D>(words: readonly T[], value: string | undefined, otherwise: D): T | D =>
  words.find((one) => one === value) ?? otherwise;

const planOf = (value: string): PlanId => known(planIds, value, 'free');
const currencyOf = (value: string | undefined): Currency => known(currencies, value, 'ZAR');

export function toBilling(row: Subscription): Billing {
  const { entitlements } = row;
  const limits = new Map(entitlements?.limits.map((one) => [one.feature, one]));
  const plan = planOf(row.plan);
  return {
    plan,
    status: known(subscriptionStates, row.state, 'none'),
    source: known(planSources, row.source, 'none'),
    periodEndsAt: timeOrNull(row.periodEndsAt),
    graceEndsAt: timeOrNull(row.graceEndsAt),
    nextPlan: known(planIds, row.nextPlan, null),
    seats: row.seats > 0 ? { bought: row.seats, taken: row.seatsTaken } : null,
    addOns: row.addOns.flatMap(({ id, endsAt }) => {
      const addOn = known(addOnIds, id, undefined);
      return addOn === undefined ? [] : [{ id: addOn, endsAt: toIsoTime(endsAt) }];
    }),
    limits: limitedFeatures.flatMap((feature) => {
      const limit = limits.get(feature);
      return limit ? [{ feature, limit: limit.limit ?? null, used: limit.used ?? null }] : [];
    }),
    month: entitlements?.month ?? '',
    monthEndsAt: timeOrNull(entitlements?.monthEndsAt),
    credit: row.creditMinor > 0 ? { amountMinor: row.creditMinor, currency: currencyOf(row.creditCurrency) } : null,
    currencies: currencyDetails.map((one) => ({ ...one })),
    seatOffered: row.seatOffered,
    operator: row.operator,
  };
}

export function toOrder(row: OrderRow): Order {
  return {
    id: row.id,
    item: known(saleItems, row.item, 'plus'),
    seats: row.seats,
    state: known(orderStates, row.state, 'created'),
    gateway: known(paymentGatewayIds, row.gateway, 'paypal'),
    amountMinor: row.amountMinor,
    currency: currencyOf(row.currency),
    creditMinor: row.creditMinor,
    shownCurrency: currencyOf(row.shownCurrency),
    refundedMinor: row.refundedMinor,
    createdAt: toIsoTime(row.createdAt),
    paidAt: timeOrNull(row.paidAt),
    receiptNumber: emptyToNull(row.receiptNumber),
    reason: emptyToNull(row.reason),
  };
}

export function toPayment({ payment }: CreateOrderReply): NextPaymentStep | null {
  if (payment?.$case === 'approveUrl') return { type: 'redirect', url: payment.value };
  if (payment?.$case === 'form') return { type: 'form', ...payment.value };
  return null;
}

function toSeat(row: SeatRow, people: ReadonlyMap<string, User>, asOwner: boolean): Seat {
  const { transcriptionSeconds, storageBytes, scheduledPosts, devices } = row;
  const state = known(seatStates, row.state, 'invited');
  const isUsageVisible = asOwner && state !== 'invited';
  return {
    userId: row.userId,
    user: people.get(row.userId) ?? null,
    state,
    since: toIsoTime(row.since),
    usage: isUsageVisible ? { transcriptionSeconds, storageBytes, scheduledPosts } : null,
    sessions: isUsageVisible && devices !== undefined ? { devices, lastUsedOn: emptyToNull(row.lastUsedOn) } : null,
  };
}

export function toTeam(row: TeamRow, people: ReadonlyMap<string, User>, viewerId: string): Team {
  return {
    ownerId: row.ownerId,
    seats: row.seats,
    members: row.members.map((one) => toSeat(one, people, row.ownerId === viewerId)),
    periodEndsAt: timeOrNull(row.periodEndsAt),
  };
}

export function toAdminOrder(row: OrderRow, leftovers: readonly Leftover[] = []): AdminOrder {
  const left = leftovers.filter(({ orderId }) => orderId === row.id);
  return {
    ...toOrder(row),
    userId: row.userId,
    leftovers: left.map(({ amountMinor, currency }) => ({ amountMinor, currency })),
  };
}

export function toAdminSubscription({ userId, subscription }: SubscriptionRecord): AdminSubscription[] {
  return subscription ? [{ userId, subscription: toBilling(subscription) }] : [];
}

export function toAdminPaymentNotification(row: NotificationRecord): PaymentNotification {
  return {
    id: row.id,
    gateway: row.gateway,
    state: known(paymentNotificationStates, row.state, 'received'),
    reason: emptyToNull(row.reason),
    orderId: emptyToNull(row.orderId),
    body: row.body,
    receivedAt: toIsoTime(row.receivedAt),
    attempts: row.attempts,
  };
}

export function toBillingAuditRecord(row: AuditRow): BillingAuditRecord {
  const details: unknown = row.details === '' ? {} : JSON.parse(row.details);
  return {
    id: row.id,
    operatorId: row.operatorId,
    action: row.action,
    subject: emptyToNull(row.subject),
    details: details as Record<string, unknown>,
    at: toIsoTime(row.at),
    allowed: row.allowed,
  };
}
