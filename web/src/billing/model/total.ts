import type { Billing } from '@nolo/api';
import { paidPlanIds, priceOf, findSettlement } from '@nolo/rules';
import type { Currency, PaymentGatewayId, PaidPlanId, SaleItem } from '@nolo/rules';

export interface OrderSelection {
  readonly item: SaleItem;
  readonly seats: number;
  readonly currency: Currency;
}

/** Total of an order. */
export interface OrderTotal {
  readonly gateway: PaymentGatewayId;
  /** Price in the chosen currency. */
  readonly shownMinor: number;
  readonly credit: number;
  /** Amount charged, and its currency. */
  readonly chargedMinor: number;
  readonly currency: Currency;
  /** True if charged in another currency than shown. */
  readonly settlesElsewhere: boolean;
}

type CurrentPlan = Pick<Billing, 'credit' | 'plan' | 'source' | 'seats'>;

/**
 * Computes the same total as the server, which refuses a different one and returns its own (decision 31).
 *
 * @param corrected the server's credit, if ours was different
 */
export function computeTotal(
  { item, seats, currency }: OrderSelection,
  billing: CurrentPlan,
  corrected?: number,
): OrderTotal {
  const settlement = findSettlement(currency);
  const price = priceOf(item, settlement.currency, seats);
  const credit = Math.min(corrected ?? creditFor({ item, seats, currency: settlement.currency }, billing), price);
  return {
    gateway: settlement.gateway,
    shownMinor: priceOf(item, currency, seats),
    credit,
    chargedMinor: price - credit,
    currency: settlement.currency,
    settlesElsewhere: settlement.currency !== currency,
  };
}

/** Returns true for plans, false for add-ons. */
export const isPlan = (item: string): item is PaidPlanId => paidPlanIds.some((plan) => plan === item);

/**
 * Returns the credit: unused days of the user's own plan pay for a more expensive one, in the currency of their
 * payment.
 */
function creditFor(
  { item, seats, currency }: OrderSelection,
  { credit, plan, source, seats: currentSeats }: CurrentPlan,
): number {
  if (credit === null || credit.currency !== currency || source !== 'own') return 0;
  if (!isPlan(item) || !isPlan(plan)) return 0;
  return priceOf(item, currency, seats) > priceOf(plan, currency, currentSeats?.bought ?? 1) ? credit.amountMinor : 0;
}
