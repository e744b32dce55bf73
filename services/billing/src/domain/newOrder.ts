import type { UserId } from '@nolo/kit/ids';
import {
  isCurrency,
  isSaleItem,
  priceOf,
  seatLimits,
  findSettlement,
  type Currency,
  type PaymentGatewayId,
  type SaleItem,
  type SupportedLanguage,
} from '@nolo/rules';
import { createBillingError } from '../errors.ts';
import { upgradeCreditAt } from './periods.ts';
import { planStandingAt, type PlanTimeline } from './planTimeline.ts';

/** Validated purchase request. Prices are looked up here, never accepted from a client. */
export interface OrderRequest {
  readonly id: string;
  readonly userId: UserId;
  readonly item: SaleItem;
  readonly seats: number;
  readonly shownCurrency: Currency;
  readonly gateway: PaymentGatewayId;
  /** Currency that is charged. */
  readonly currency: Currency;
  /** Price shown to the person, if the client sends it. */
  readonly expected: number | undefined;
  readonly origin: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  /** Language in which the gateway shows the purchase. */
  readonly language: SupportedLanguage;
}

/**
 * Validates a purchase.
 *
 * @param transcribes true if this installation transcribes; an add-on for a disabled feature is not sold
 * @throws AppError item_unknown, item_unavailable, currency_unsupported, seats_invalid
 */
export function checkOrderRequest(item: string, currency: string, seats: number, transcribes: boolean) {
  if (!isSaleItem(item)) throw createBillingError('invalid', 'item_unknown', 'This item is not sold here.');
  if (item === 'transcription' && !transcribes) {
    const words = 'The transcription pack is not sold here because this server does not transcribe.';
    throw createBillingError('conflict', 'item_unavailable', words);
  }
  if (!isCurrency(currency)) throw createBillingError('invalid', 'currency_unsupported', 'Unsupported currency');
  const maxSeats = item === 'business' ? seatLimits.max : 1;
  if (!Number.isInteger(seats) || seats < seatLimits.min || seats > maxSeats) {
    throw createBillingError('invalid', 'seats_invalid', 'This number of seats is not available.', {
      min: seatLimits.min,
      max: maxSeats,
    });
  }
  const { gateway, currency: charged } = findSettlement(currency);
  return { item, seats, shownCurrency: currency, gateway, currency: charged };
}

/** Returns the amount to pay and the credit for unused days of the current plan. Only an upgrade is credited. */
export function quoteOrder(
  { item, seats, currency }: Pick<OrderRequest, 'item' | 'seats' | 'currency'>,
  timeline: PlanTimeline,
  now: Date,
): { amount: number; credit: number } {
  const price = priceOf(item, currency, seats);
  const credit = creditFor({ item, seats, currency }, timeline, now);
  return { amount: price - credit, credit };
}

function creditFor(
  { item, seats, currency }: Pick<OrderRequest, 'item' | 'seats' | 'currency'>,
  timeline: PlanTimeline,
  now: Date,
): number {
  if (item !== 'plus' && item !== 'business') return 0;
  const at = now.getTime();
  const standing = planStandingAt(timeline, at);
  // Payments in another currency are credited as days once the order is paid.
  if (!standing || at >= standing.period.until || standing.period.currency !== currency) return 0;
  const { period } = standing;
  const isMore = priceOf(item, currency, seats) > priceOf(period.item, currency, period.seats);
  return isMore ? upgradeCreditAt(period, at) : 0;
}

/** Checks the price. @throws AppError amount_mismatch if the person was shown another price, nothing_to_pay */
export function checkExpectedAmount(
  expected: number | undefined,
  { amount, credit }: { amount: number; credit: number },
  currency: Currency,
): void {
  if (amount <= 0) throw createBillingError('conflict', 'nothing_to_pay', 'Your credit already covers this.');
  if (expected === undefined || expected === amount) return;
  throw createBillingError('conflict', 'amount_mismatch', 'The price has changed.', {
    amountMinor: amount,
    creditMinor: credit,
    currency,
  });
}
