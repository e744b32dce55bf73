import { isCurrency, isSaleItem, priceOf, findSettlement, type Currency, type SaleItem } from '@nolo/rules';
import { createGatewayError } from '../errors.ts';

/** PayPal order sent by a client of the specification (spec section 7). */
export interface PayPalOrderRequest {
  readonly intent: string;
  readonly amount: string | number;
  readonly currency: string;
  readonly description?: string | undefined;
  readonly custom_id?: string | undefined;
}

/** Order in the format of billing. */
export interface BillingOrder {
  readonly item: SaleItem;
  readonly currency: Currency;
  /** Price shown to the person. Undefined if it was in a currency other than the charged one, and correct. */
  readonly expectedMinor: number | undefined;
}

/**
 * Converts a decimal amount with at most two places to minor units, which all supported currencies have. Undefined for
 * anything else.
 */
export function parseMinorUnits(amount: string | number): number | undefined {
  const [, whole, cents = ''] = /^(\d{1,12})(?:\.(\d{1,2}))?$/.exec(String(amount).trim()) ?? [];
  return whole === undefined ? undefined : Number(whole) * 100 + Number(cents.padEnd(2, '0'));
}

/** Returns the item that a text names. Undefined if it names none or several. */
function itemIn(text: string): SaleItem | undefined {
  const named = new Set(
    text
      .toLowerCase()
      .match(/[a-z]+/g)
      ?.filter(isSaleItem),
  );
  const [item] = named;
  return named.size === 1 ? item : undefined;
}

/**
 * Determines the purchase. Prices are ours: the amount is only compared with the charged price, or with the shown one
 * if PayPal does not settle the currency (decision 29).
 *
 * @throws AppError currency_unsupported, item_unknown, amount_mismatch
 */
export function readPayPalOrderRequest({
  intent,
  amount,
  currency,
  description = '',
  custom_id = '',
}: PayPalOrderRequest): BillingOrder {
  const mismatch = () => createGatewayError('conflict', 'amount_mismatch', 'The amount does not match the price.');
  const shown = currency.trim().toUpperCase();
  if (intent.toUpperCase() !== 'CAPTURE') {
    throw createGatewayError('invalid', 'invalid_input', 'intent: must be CAPTURE', {
      fields: { intent: 'must be CAPTURE' },
    });
  }
  if (!isCurrency(shown) || findSettlement(shown).gateway !== 'paypal') {
    throw createGatewayError('invalid', 'currency_unsupported', 'Unsupported currency');
  }
  const item = itemIn(custom_id) ?? itemIn(description);
  if (item === undefined)
    throw createGatewayError('invalid', 'item_unknown', 'The item to buy is missing. Name it in custom_id.');
  const minor = parseMinorUnits(amount);
  if (minor === undefined) throw mismatch();
  if (findSettlement(shown).currency === shown) return { item, currency: shown, expectedMinor: minor };
  if (minor !== priceOf(item, shown)) throw mismatch();
  return { item, currency: shown, expectedMinor: undefined };
}
