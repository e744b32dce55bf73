import type { UserId } from '@nolo/kit/ids';
import type { Currency, GatewayId, PaidPlanId, PlanId, SaleItem } from '@nolo/rules';

/** Minor units of a currency. */
export interface Money {
  readonly amount: number;
  readonly currency: string;
}

interface Base {
  /** Made of what it is about, so that the same is known once however often and by whomever it is told. */
  readonly id: string;
  readonly userId: UserId;
  /** By the gateway's clock where it comes from one; when it came to us changes nothing. */
  readonly at: Date;
}

/** Money that moved, or was held, for an order. */
export type MoneyFact = Base & {
  readonly orderId: string;
  readonly gateway: GatewayId;
  readonly money: Money;
} & (
    | { readonly kind: 'payment'; readonly paymentId: string }
    | { readonly kind: 'refund'; readonly refundId: string }
    | { readonly kind: 'dispute_opened' | 'dispute_won' | 'dispute_lost'; readonly disputeId: string }
  );

export type Fact =
  | MoneyFact
  | (Base & {
      readonly kind: 'redirected' | 'cancelled' | 'expired' | 'failed';
      readonly orderId: string;
      /** Of one that failed: why. */
      readonly reason?: string;
    })
  /** Given by hand. */
  | (Base & { readonly kind: 'grant'; readonly plan: PaidPlanId; readonly seats: number; readonly until: Date })
  /** Taken back by hand: all that was given before ends. */
  | (Base & { readonly kind: 'grants_ended' })
  /** The person ends the plan with what is paid for, or takes that, or a planned change, back. */
  | (Base & { readonly kind: 'ending' | 'resumed' })
  /** Another plan, or fewer seats, are to follow when this one ends. */
  | (Base & { readonly kind: 'plan_chosen'; readonly plan: PlanId; readonly seats: number });

export type OrderState =
  'created' | 'redirected' | 'paid' | 'cancelled' | 'expired' | 'failed' | 'refunded' | 'disputed';

/** What was ordered; nothing of it changes. */
export interface Ordered {
  readonly id: string;
  readonly userId: UserId;
  readonly item: SaleItem;
  readonly seats: number;
  /** What is charged, after the credit. */
  readonly money: Money & { readonly currency: Currency };
  /** Minor units of the same currency. */
  readonly credit: number;
}

/** Who decides something in the moment of a payment has seen what was paid for. */
const isDecision = ({ kind }: Pick<Fact, 'kind'>): number =>
  kind === 'ending' || kind === 'resumed' || kind === 'plan_chosen' ? 1 : 0;

/** When a person decides: behind all that they decided before, also within one millisecond or by another clock. */
export function decidedAt(known: readonly Fact[], now: Date): Date {
  const before = known.filter((fact) => isDecision(fact) === 1).map(({ at }) => at.getTime());
  return new Date(Math.max(now.getTime(), ...before.map((at) => at + 1)));
}

const isGift = ({ kind }: Pick<Fact, 'kind'>): boolean => kind === 'grant' || kind === 'grants_ended';

/** The same for what is given by hand: of two in one millisecond, the second is the last word. */
export function givenAt(known: readonly Fact[], now: Date): Date {
  return new Date(Math.max(now.getTime(), ...known.filter(isGift).map(({ at }) => at.getTime() + 1)));
}

/** In the order in which they happened, whatever the one in which they came. */
export function inTime<One extends Pick<Fact, 'at' | 'id' | 'kind'>>(facts: Iterable<One>): One[] {
  return [...facts].sort(
    (a, b) =>
      a.at.getTime() - b.at.getTime() || isDecision(a) - isDecision(b) || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0),
  );
}
