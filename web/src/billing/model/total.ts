import type { Billing } from '@nolo/api';
import { paidPlanIds, priceOf, settlementOf } from '@nolo/rules';
import type { Currency, GatewayId, PaidPlanId, SaleItem } from '@nolo/rules';

export interface Wanted {
  readonly item: SaleItem;
  readonly seats: number;
  readonly currency: Currency;
}

/** What an order comes to. */
export interface Total {
  readonly gateway: GatewayId;
  /** In the currency that was chosen. */
  readonly shownMinor: number;
  readonly credit: number;
  /** What is charged, and in which currency. */
  readonly chargedMinor: number;
  readonly currency: Currency;
  /** Charged in another currency than it is shown in. */
  readonly settlesElsewhere: boolean;
}

type Held = Pick<Billing, 'credit' | 'plan' | 'source' | 'seats'>;

/**
 * The same sum that the server makes; where it makes another it refuses, and says which (decision 31).
 *
 * @param corrected the credit that the server named, where ours was another
 */
export function totalOf({ item, seats, currency }: Wanted, billing: Held, corrected?: number): Total {
  const settlement = settlementOf(currency);
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

const isPlan = (item: string): item is PaidPlanId => paidPlanIds.some((plan) => plan === item);

/** Unused days of one's own plan pay for more than that plan, in the currency that they were paid in. */
function creditFor({ item, seats, currency }: Wanted, { credit, plan, source, seats: held }: Held): number {
  if (credit === null || credit.currency !== currency || source !== 'own') return 0;
  if (!isPlan(item) || !isPlan(plan)) return 0;
  return priceOf(item, currency, seats) > priceOf(plan, currency, held?.bought ?? 1) ? credit.amountMinor : 0;
}
