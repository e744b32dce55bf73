import type { UserId } from '@nolo/kit/ids';
import type { Currency, PaymentGatewayId, PaidPlanId, PlanId, SaleItem } from '@nolo/rules';

/** Amount in minor units of a currency. */
export interface MoneyAmount {
  readonly amount: number;
  readonly currency: string;
}

interface Base {
  /** ID derived from the subject, so that repeated reports by any source are recorded once. */
  readonly id: string;
  readonly userId: UserId;
  /** Time by the gateway's clock, if it comes from one. The time of arrival does not matter. */
  readonly at: Date;
}

/** Money that was moved or held for an order. */
export type MoneyFact = Base & {
  readonly orderId: string;
  readonly gateway: PaymentGatewayId;
  readonly money: MoneyAmount;
} & (
    | { readonly kind: 'payment'; readonly paymentId: string }
    | { readonly kind: 'refund'; readonly refundId: string }
    | { readonly kind: 'dispute_opened' | 'dispute_won' | 'dispute_lost'; readonly disputeId: string }
  );

export type BillingFact =
  | MoneyFact
  | (Base & {
      readonly kind: 'redirected' | 'cancelled' | 'expired' | 'failed';
      readonly orderId: string;
      /** Reason, for a failed order. */
      readonly reason?: string;
    })
  /** Manual grant. */
  | (Base & { readonly kind: 'grant'; readonly plan: PaidPlanId; readonly seats: number; readonly until: Date })
  /** Manual withdrawal: ends all earlier grants. */
  | (Base & { readonly kind: 'grants_ended' })
  /** Decision to end the plan after the paid period, or to undo that or a planned change. */
  | (Base & { readonly kind: 'ending' | 'resumed' })
  /** Decision for another plan, or fewer seats, after this one. */
  | (Base & { readonly kind: 'plan_chosen'; readonly plan: PlanId; readonly seats: number });

export type OrderState =
  'created' | 'redirected' | 'paid' | 'cancelled' | 'expired' | 'failed' | 'refunded' | 'disputed';

/** Immutable contents of an order. */
export interface OrderContents {
  readonly id: string;
  readonly userId: UserId;
  readonly item: SaleItem;
  readonly seats: number;
  /** Amount charged, after the credit. */
  readonly money: MoneyAmount & { readonly currency: Currency };
  /** Credit in minor units of the same currency. */
  readonly credit: number;
}

/** Sorts a decision after a payment of the same instant: the person saw what was paid for. */
const isDecision = ({ kind }: Pick<BillingFact, 'kind'>): number =>
  kind === 'ending' || kind === 'resumed' || kind === 'plan_chosen' ? 1 : 0;

/** Returns the time of a new decision, after all earlier ones, even within one millisecond or by another clock. */
export function assignDecisionTime(known: readonly BillingFact[], now: Date): Date {
  const before = known.filter((fact) => isDecision(fact) === 1).map(({ at }) => at.getTime());
  return new Date(Math.max(now.getTime(), ...before.map((at) => at + 1)));
}

const isGift = ({ kind }: Pick<BillingFact, 'kind'>): boolean => kind === 'grant' || kind === 'grants_ended';

/** Returns the time of a new manual grant or withdrawal: of two in one millisecond, the second wins. */
export function assignGrantTime(known: readonly BillingFact[], now: Date): Date {
  return new Date(Math.max(now.getTime(), ...known.filter(isGift).map(({ at }) => at.getTime() + 1)));
}

/** Sorts facts by the time they happened, regardless of their arrival. */
export function sortByTime<One extends Pick<BillingFact, 'at' | 'id' | 'kind'>>(facts: Iterable<One>): One[] {
  return [...facts].sort(
    (a, b) =>
      a.at.getTime() - b.at.getTime() || isDecision(a) - isDecision(b) || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0),
  );
}
