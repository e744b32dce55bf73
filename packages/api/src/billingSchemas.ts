import { addOnIds, currencies, paymentGatewayIds, limitedFeatures, planIds, saleItems, seatLimits } from '@nolo/rules';
import * as z from 'zod/mini';
import { id, time, user } from './schemas.ts';

/**
 * Plans, orders and payments (spec sections 7 and 9, decisions 27 to 31). Amounts are integers in minor units (cents).
 * Prices come from packages/rules; prices from a browser are only compared, never trusted.
 */

const amountMinor = z.int().check(z.nonnegative(), z.maximum(Number.MAX_SAFE_INTEGER));
export const currency = z.enum(currencies);
export const saleItem = z.enum(saleItems);
const seats = z.int().check(z.minimum(seatLimits.min), z.maximum(seatLimits.max));

export const subscriptionStates = ['none', 'active', 'ending', 'grace', 'ended'] as const;
export const planSources = ['none', 'own', 'seat', 'grant'] as const;
export const orderStates = [
  'created',
  'redirected',
  'paid',
  'cancelled',
  'expired',
  'failed',
  'refunded',
  'disputed',
] as const;
export const seatStates = ['owner', 'invited', 'member'] as const;
export const paymentNotificationStates = ['received', 'done', 'refused', 'waiting', 'failed'] as const;

/** Limit of one feature, in the feature's own unit. */
export const featureLimit = z.object({
  feature: z.enum(limitedFeatures),
  /** null if unlimited. */
  limit: z.nullable(z.int()),
  /** Usage this month, or the amount currently stored; null if not counted. */
  used: z.nullable(z.int()),
});
export type FeatureLimit = z.infer<typeof featureLimit>;

/** Plan of the account, its limits, and its usage. */
export const billing = z.object({
  plan: z.enum(planIds),
  status: z.enum(subscriptionStates),
  /**
   * Source of the plan: bought by the account, a seat of another account's Business plan, or granted by an operator.
   */
  source: z.enum(planSources),
  periodEndsAt: z.nullable(time),
  /** End of the plan after a missed payment; only in `grace`. */
  graceEndsAt: z.nullable(time),
  /** Plan from the end of the period, if a change is scheduled. */
  nextPlan: z.nullable(z.enum(planIds)),
  /** Business seats; null for all other plans. */
  seats: z.nullable(z.object({ bought: z.int(), taken: z.int() })),
  addOns: z.array(z.object({ id: z.enum(addOnIds), endsAt: time })),
  limits: z.array(featureLimit),
  /** Month in which monthly features are counted, such as 2026-11, and its end. */
  month: z.string(),
  monthEndsAt: z.nullable(time),
  /** Value of the unused days of the current period, credited towards an upgrade. */
  credit: z.nullable(z.object({ amountMinor, currency })),
  /** Currencies in which prices are shown. */
  currencies: z.array(
    z.object({
      code: currency,
      symbol: z.string(),
      name: z.string(),
      /** Value of one South African rand in this currency. */
      exchangeRate: z.number(),
    }),
  ),
  /** True if a Business owner offers the user a seat, to accept or decline at `/api/billing/team`. */
  seatOffered: z.boolean(),
  /** True if the user is an operator. */
  operator: z.boolean(),
});
export type Billing = z.infer<typeof billing>;

/** Order as its buyer sees it. */
export const order = z.object({
  id,
  item: saleItem,
  seats: z.int(),
  state: z.enum(orderStates),
  gateway: z.enum(paymentGatewayIds),
  /** Amount charged after credit, in the settlement currency. */
  amountMinor,
  currency,
  creditMinor: amountMinor,
  /** Currency in which the price was shown. */
  shownCurrency: currency,
  refundedMinor: amountMinor,
  createdAt: time,
  paidAt: z.nullable(time),
  /** Set once a receipt is available. */
  receiptNumber: z.nullable(z.string()),
  /** Code of the failure. */
  reason: z.nullable(z.string()),
});
export type Order = z.infer<typeof order>;

/** Purchase request. Idempotent by `id`: the same id is the same order. */
export const newOrder = z.object({
  id,
  item: saleItem,
  /** Business seats; 1 for everything else. */
  seats: z._default(seats, 1),
  /**
   * Currency in which the price was shown. The charged currency and the payment gateway follow from it (decision 29).
   */
  currency,
  /** Price shown to the buyer, in the settlement currency, after credit. Refused if it differs from Nolo's price. */
  amountMinor: z.optional(amountMinor),
});
export type NewOrder = z.input<typeof newOrder>;

/** Next step to pay an order: redirect to a URL, or post a form there with its fields in order. */
export const nextPaymentStep = z.discriminatedUnion('type', [
  z.object({ type: z.literal('redirect'), url: z.string() }),
  z.object({
    type: z.literal('form'),
    action: z.string(),
    fields: z.array(z.object({ name: z.string(), value: z.string() })),
  }),
]);
export type NextPaymentStep = z.infer<typeof nextPaymentStep>;

/** null if nothing is left to pay: the same order sent again after payment. */
export const startedOrder = z.object({ order, payment: z.nullable(nextPaymentStep) });
export type StartedOrder = z.infer<typeof startedOrder>;

/** A smaller plan, or Business with fewer seats. */
export const plannedDowngrade = z.object({ plan: z.enum(planIds), seats: z.optional(seats) });

const seatUsage = z.object({
  transcriptionSeconds: z.int(),
  storageBytes: z.int(),
  scheduledPosts: z.int(),
});

/** Number of signed-in devices, and the UTC date on which any of them was last used. */
const seatSessions = z.object({
  devices: z.int(),
  lastUsedOn: z.nullable(z.iso.date()),
});

/** Seat of a team that a user has or is invited to. */
export const seat = z.object({
  userId: id,
  /** null if the account is deleted. */
  user: z.nullable(user),
  state: z.enum(seatStates),
  since: time,
  /** Usage this month. Present only for the buyer of the seats, and only for users who accepted. */
  usage: z.nullable(seatUsage),
  /** Present under the same conditions as `usage`; null also if currently unknown. */
  sessions: z.nullable(seatSessions),
});
export type Seat = z.infer<typeof seat>;

/** Team of a Business plan. */
export const team = z.object({
  ownerId: id,
  seats: z.int(),
  members: z.array(seat),
  periodEndsAt: z.nullable(time),
});
export type Team = z.infer<typeof team>;

/** PayPal order as the specification's client sends it: a decimal amount, and Nolo's data in `custom_id`. */
export const payPalOrder = z.object({
  intent: z.string().check(z.maxLength(20)),
  amount: z.union([z.string().check(z.maxLength(20)), z.number()]),
  currency: z.string().check(z.maxLength(10)),
  description: z.optional(z.string().check(z.maxLength(300))),
  custom_id: z.optional(z.string().check(z.maxLength(300))),
});
export const payPalOrderReply = z.object({
  /** PayPal's order id. */
  id: z.string(),
  status: z.string(),
  /** Nolo's order id. */
  orderId: id,
  links: z.array(z.object({ href: z.string(), rel: z.string(), method: z.string() })),
});

export const billingMailPurposes = ['invitation', 'receipt', 'reminder'] as const;

/** Body of every refusal with status 402, from any service. */
export const planLimitErrorBody = z.object({
  code: z.string(),
  message: z.string(),
  details: z.object({
    feature: z.enum(limitedFeatures),
    limit: z.int(),
    /** Current usage, if counted. */
    used: z.nullable(z.int()),
    /** Plans with a higher limit, cheapest first. */
    liftedBy: z.array(z.enum(planIds)),
    addOn: z.nullable(z.enum(addOnIds)),
  }),
});
export type PlanLimitErrorBody = z.infer<typeof planLimitErrorBody>;
