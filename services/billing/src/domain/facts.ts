import type { UserId } from '@nolo/kit/ids';

/** Minor units of a currency. */
export interface Money {
  readonly amount: number;
  readonly currency: string;
}

interface Base {
  /** Made of what it is about, so that the same is known once however often and by whomever it is told. */
  readonly id: string;
  readonly userId: UserId;
  /** By the gateway's clock where it comes from one; what came when to us changes nothing. */
  readonly at: Date;
}

/** Money that moved, or was held, for an order. */
export type MoneyFact = Base & {
  readonly orderId: string;
  readonly gateway: string;
  readonly money: Money;
} & (
    | { readonly kind: 'payment'; readonly paymentId: string }
    | { readonly kind: 'refund'; readonly refundId: string }
    | { readonly kind: 'dispute_opened' | 'dispute_won' | 'dispute_lost'; readonly disputeId: string }
  );

export type Fact =
  | MoneyFact
  | (Base & { readonly kind: 'redirected' | 'cancelled' | 'expired' | 'failed'; readonly orderId: string })
  /** Given by hand. */
  | (Base & {
      readonly kind: 'grant';
      readonly item: Item;
      readonly quantity: number;
      readonly until: Date;
    })
  /** Taken back by hand: what was given ends. */
  | (Base & { readonly kind: 'grant_ended'; readonly grantId: string })
  /** The person ends the plan with what is paid for, or takes that back. */
  | (Base & { readonly kind: 'ending' | 'resumed' })
  /** Another plan is to follow when this one ends. */
  | (Base & { readonly kind: 'plan_chosen'; readonly plan: 'free' | 'plus' | 'business' });

/** What is sold. */
export type Item = 'plus' | 'business' | 'storage' | 'transcription';
export const plans = ['plus', 'business'] as const;
export const addOns = ['storage', 'transcription'] as const;
export type PaidPlan = (typeof plans)[number];
export type AddOn = (typeof addOns)[number];

export const isPaidPlan = (item: string): item is PaidPlan => plans.some((plan) => plan === item);
export const isAddOn = (item: string): item is AddOn => addOns.some((addOn) => addOn === item);

export type OrderState =
  'created' | 'redirected' | 'paid' | 'cancelled' | 'expired' | 'failed' | 'refunded' | 'disputed';

/** What was ordered; nothing of it changes. */
export interface Ordered {
  readonly id: string;
  readonly userId: UserId;
  readonly item: Item;
  /** Seats of Business, or how many of an add-on. */
  readonly quantity: number;
  readonly money: Money;
}

/** In the order in which they happened, whatever the one in which they came. */
export function inTime<One extends { readonly at: Date; readonly id: string }>(facts: Iterable<One>): One[] {
  return [...facts].sort((a, b) => a.at.getTime() - b.at.getTime() || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
}
