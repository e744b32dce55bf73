import type { Billing } from '@nolo/api';
import { paidPlanIds, priceOf, settlementOf } from '@nolo/rules';
import type { Currency, GatewayId, SaleItem } from '@nolo/rules';

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

/** The same sum that the server makes; where it makes another it refuses, and is asked again (decision 31). */
export function totalOf({ item, seats, currency }: Wanted, billing: Pick<Billing, 'credit' | 'plan'>): Total {
  const settlement = settlementOf(currency);
  const price = priceOf(item, settlement.currency, seats);
  const isAnotherPlan = paidPlanIds.some((plan) => plan === item) && item !== billing.plan;
  const worth = isAnotherPlan && billing.credit?.currency === settlement.currency ? billing.credit.amountMinor : 0;
  const credit = Math.min(worth, price);
  return {
    gateway: settlement.gateway,
    shownMinor: priceOf(item, currency, seats),
    credit,
    chargedMinor: price - credit,
    currency: settlement.currency,
    settlesElsewhere: settlement.currency !== currency,
  };
}
