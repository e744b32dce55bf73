import { isCurrency, isSaleItem, priceOf, settlementOf, type Currency, type SaleItem } from '@nolo/rules';
import { failGateway } from '../errors.ts';

/** What the specification's client sends for an order at PayPal (spec section 7). */
export interface PayPalWish {
  readonly intent: string;
  readonly amount: string | number;
  readonly currency: string;
  readonly description?: string | undefined;
  readonly custom_id?: string | undefined;
}

/** The same as billing takes it. */
export interface PayPalOrder {
  readonly item: SaleItem;
  readonly currency: Currency;
  /** Absent where what was said is a price in another currency than is charged, and the right one. */
  readonly expectedMinor: number | undefined;
}

/** A decimal amount with at most two places as minor units; undefined for anything else. All of our currencies have two. */
export function toMinor(amount: string | number): number | undefined {
  const [, whole, cents = ''] = /^(\d{1,12})(?:\.(\d{1,2}))?$/.exec(String(amount).trim()) ?? [];
  return whole === undefined ? undefined : Number(whole) * 100 + Number(cents.padEnd(2, '0'));
}

/** The one thing of ours that a text names; undefined where it names none, or several. */
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
 * Finds out what is wanted. What it costs is ours to say: the amount is only compared, with the price that is charged, or
 * with the one that was shown where PayPal does not settle the currency (decision 29).
 *
 * @throws AppError currency_unsupported, item_unknown, amount_mismatch
 */
export function readPayPalWish({
  intent,
  amount,
  currency,
  description = '',
  custom_id = '',
}: PayPalWish): PayPalOrder {
  const mismatch = () => failGateway('conflict', 'amount_mismatch', 'That is not what it costs.');
  const shown = currency.trim().toUpperCase();
  if (intent.toUpperCase() !== 'CAPTURE') {
    throw failGateway('invalid', 'invalid_input', 'intent: must be CAPTURE', { fields: { intent: 'must be CAPTURE' } });
  }
  if (!isCurrency(shown) || settlementOf(shown).gateway !== 'paypal') {
    throw failGateway('invalid', 'currency_unsupported', 'Unsupported currency');
  }
  const item = itemIn(custom_id) ?? itemIn(description);
  if (item === undefined) throw failGateway('invalid', 'item_unknown', 'It is not said what is to be bought.');
  const minor = toMinor(amount);
  if (minor === undefined) throw mismatch();
  if (settlementOf(shown).currency === shown) return { item, currency: shown, expectedMinor: minor };
  if (minor !== priceOf(item, shown)) throw mismatch();
  return { item, currency: shown, expectedMinor: undefined };
}
