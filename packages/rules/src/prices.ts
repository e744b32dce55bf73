import type { PlanId } from './plans.ts';

/** Items on sale, their prices, and their settlement (spec section 9, decisions 28 to 31). */

export const currencies = ['ZAR', 'USD', 'EUR', 'GBP', 'NGN', 'KES', 'GHS', 'CAD', 'AUD'] as const;
export type Currency = (typeof currencies)[number];

/** Currency as clients show it. */
export interface CurrencyDetails {
  readonly code: Currency;
  readonly symbol: string;
  readonly name: string;
  /** Value of one South African rand in this currency (spec section 9). Prices are listed, not converted. */
  readonly exchangeRate: number;
}

export const currencyDetails: readonly CurrencyDetails[] = [
  { code: 'ZAR', symbol: 'R', name: 'South African rand', exchangeRate: 1 },
  { code: 'USD', symbol: '$', name: 'US dollar', exchangeRate: 0.054 },
  { code: 'EUR', symbol: '€', name: 'Euro', exchangeRate: 0.049 },
  { code: 'GBP', symbol: '£', name: 'British pound', exchangeRate: 0.042 },
  { code: 'NGN', symbol: '₦', name: 'Nigerian naira', exchangeRate: 25.4 },
  { code: 'KES', symbol: 'KSh', name: 'Kenyan shilling', exchangeRate: 6.8 },
  { code: 'GHS', symbol: 'GH₵', name: 'Ghanaian cedi', exchangeRate: 0.65 },
  { code: 'CAD', symbol: 'CA$', name: 'Canadian dollar', exchangeRate: 0.073 },
  { code: 'AUD', symbol: 'A$', name: 'Australian dollar', exchangeRate: 0.082 },
];

/** Add-ons for one period: `storage` adds 20 GB, `transcription` 100 hours. */
export const addOnIds = ['storage', 'transcription'] as const;
export type AddOnId = (typeof addOnIds)[number];

export const paidPlanIds = ['plus', 'business'] as const satisfies readonly PlanId[];
export type PaidPlanId = (typeof paidPlanIds)[number];

export const saleItems = [...paidPlanIds, ...addOnIds] as const;
export type SaleItem = (typeof saleItems)[number];

/**
 * Prices of one period in minor units (all of these currencies have two decimals), taxes included. Business is per
 * seat. CAD and AUD come from decision 28, all others from spec section 9.
 */
export const prices: Readonly<Record<SaleItem, Readonly<Record<Currency, number>>>> = {
  plus: {
    ZAR: 12_900,
    USD: 700,
    EUR: 600,
    GBP: 500,
    NGN: 320_000,
    KES: 89_000,
    GHS: 8_500,
    CAD: 900,
    AUD: 1_100,
  },
  business: {
    ZAR: 27_900,
    USD: 1_500,
    EUR: 1_300,
    GBP: 1_100,
    NGN: 710_000,
    KES: 195_000,
    GHS: 19_000,
    CAD: 2_000,
    AUD: 2_300,
  },
  storage: {
    ZAR: 5_500,
    USD: 300,
    EUR: 250,
    GBP: 200,
    NGN: 140_000,
    KES: 39_000,
    GHS: 3_800,
    CAD: 400,
    AUD: 450,
  },
  transcription: {
    ZAR: 9_200,
    USD: 500,
    EUR: 400,
    GBP: 350,
    NGN: 230_000,
    KES: 65_000,
    GHS: 6_300,
    CAD: 650,
    AUD: 750,
  },
};

export const paymentGatewayIds = ['payfast', 'paypal'] as const;
export type PaymentGatewayId = (typeof paymentGatewayIds)[number];

export const paymentGatewayNames: Readonly<Record<PaymentGatewayId, string>> = { payfast: 'PayFast', paypal: 'PayPal' };

/**
 * Returns gateway and currency of a payment: PayFast for rand, PayPal for the rest. Currencies that PayPal does not
 * settle are charged at the dollar list price (decision 29).
 */
export function findSettlement(currency: Currency): {
  readonly gateway: PaymentGatewayId;
  readonly currency: Currency;
} {
  if (currency === 'ZAR') return { gateway: 'payfast', currency };
  const inDollars = currency === 'NGN' || currency === 'KES' || currency === 'GHS';
  return { gateway: 'paypal', currency: inDollars ? 'USD' : currency };
}

/** Returns the price of one period of an item, in minor units. @param seats for Business; 1 for everything else */
export function priceOf(item: SaleItem, currency: Currency, seats = 1): number {
  return prices[item][currency] * (item === 'business' ? seats : 1);
}

const currencyOfZone: Readonly<Record<string, Currency>> = {
  'Africa/Johannesburg': 'ZAR',
  'Africa/Lagos': 'NGN',
  'Africa/Nairobi': 'KES',
  'Africa/Accra': 'GHS',
  'Europe/London': 'GBP',
  'Europe/Berlin': 'EUR',
  'America/New_York': 'USD',
  'America/Los_Angeles': 'USD',
};

/** Returns the default currency (spec section 9). @param timeZone an IANA name */
export function currencyOfTimeZone(timeZone: string): Currency {
  return Object.hasOwn(currencyOfZone, timeZone) ? (currencyOfZone[timeZone] ?? 'ZAR') : 'ZAR';
}

export const isCurrency = (text: string): text is Currency => (currencies as readonly string[]).includes(text);
export const isSaleItem = (text: string): text is SaleItem => (saleItems as readonly string[]).includes(text);
export const isAddOn = (text: string): text is AddOnId => (addOnIds as readonly string[]).includes(text);

/**
 * Days of a paid period, days before its end for the reminder, and days of grace after it without restrictions
 * (decision 30).
 */
export const billingPeriod = { days: 30, reminderDaysBefore: 3, graceDays: 7 } as const;

/** Number of Business seats that can be bought. */
export const seatLimits = { min: 1, max: 500 } as const;
