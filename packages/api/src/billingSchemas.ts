import { addOnIds, currencies, gatewayIds, limitedFeatures, planIds, saleItems, seatLimits } from '@nolo/rules';
import * as z from 'zod/mini';
import { id, time, user } from './schemas.ts';

/**
 * Plans, orders and what was paid (spec sections 7 and 9, decisions 27 to 31). Amounts are whole numbers of minor units
 * (cents); prices are those of packages/rules, and what a browser says of them is compared, never believed.
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
export const notificationStates = ['received', 'done', 'refused', 'waiting', 'failed'] as const;

/** How far one feature goes, in its own unit. */
export const featureLimit = z.object({
  feature: z.enum(limitedFeatures),
  /** null without a limit. */
  limit: z.nullable(z.int()),
  /** What was used in this month, or is kept now; null where nobody counts it. */
  used: z.nullable(z.int()),
});
export type FeatureLimit = z.infer<typeof featureLimit>;

/** The plan of one's account, what it allows, and what of that is used. */
export const billing = z.object({
  plan: z.enum(planIds),
  status: z.enum(subscriptionStates),
  /** Whose plan it is: one's own, a seat of somebody's Business, or given by an operator. */
  source: z.enum(planSources),
  periodEndsAt: z.nullable(time),
  /** When the plan ends that nobody paid on for; only in `grace`. */
  graceEndsAt: z.nullable(time),
  /** What it becomes at the end of the period, where that is planned. */
  nextPlan: z.nullable(z.enum(planIds)),
  /** Of Business; null of everything else. */
  seats: z.nullable(z.object({ bought: z.int(), taken: z.int() })),
  addOns: z.array(z.object({ id: z.enum(addOnIds), endsAt: time })),
  limits: z.array(featureLimit),
  /** The month that monthly features are counted in, such as 2026-11, and when it ends. */
  month: z.string(),
  monthEndsAt: z.nullable(time),
  /** What the unused days of the running period are worth, which an upgrade is credited with. */
  credit: z.nullable(z.object({ amountMinor, currency })),
  /** The currencies in which prices are shown. */
  currencies: z.array(
    z.object({
      code: currency,
      symbol: z.string(),
      name: z.string(),
      /** How much of the currency one South African rand is. */
      exchangeRate: z.number(),
    }),
  ),
  /** Whether somebody offers a seat of their Business plan, to be taken or declined at `/api/billing/team`. */
  seatOffered: z.boolean(),
  /** Whether one may see and do what operators do. */
  operator: z.boolean(),
});
export type Billing = z.infer<typeof billing>;

/** An order, as whoever made it sees it. */
export const order = z.object({
  id,
  item: saleItem,
  seats: z.int(),
  state: z.enum(orderStates),
  gateway: z.enum(gatewayIds),
  /** What is charged, after what was credited, and in which currency: that of the settlement. */
  amountMinor,
  currency,
  creditMinor: amountMinor,
  /** The currency in which the price was shown. */
  shownCurrency: currency,
  refundedMinor: amountMinor,
  createdAt: time,
  paidAt: z.nullable(time),
  /** There once there is a receipt to fetch. */
  receiptNumber: z.nullable(z.string()),
  /** Why it failed, as a code. */
  reason: z.nullable(z.string()),
});
export type Order = z.infer<typeof order>;

/** What somebody wants to buy. Sent again with the same id, it is the same order. */
export const newOrder = z.object({
  id,
  item: saleItem,
  /** Of Business; 1 for everything else. */
  seats: z._default(seats, 1),
  /** The currency in which the price was shown; what is charged, and by whom, follows from it (decision 29). */
  currency,
  /** What was shown to the buyer: in the currency of the settlement, after the credit. Another price than ours is refused. */
  amountMinor: z.optional(amountMinor),
});
export type NewOrder = z.input<typeof newOrder>;

/** How an order is paid: by going to an address, or by posting a form there with its fields in their order. */
export const payment = z.discriminatedUnion('type', [
  z.object({ type: z.literal('redirect'), url: z.string() }),
  z.object({
    type: z.literal('form'),
    action: z.string(),
    fields: z.array(z.object({ name: z.string(), value: z.string() })),
  }),
]);
export type Payment = z.infer<typeof payment>;

/** null where there is nothing left to pay: the same order again, after it was paid. */
export const begunOrder = z.object({ order, payment: z.nullable(payment) });
export type BegunOrder = z.infer<typeof begunOrder>;

/** A smaller plan, or Business with fewer seats. */
export const plannedDowngrade = z.object({ plan: z.enum(planIds), seats: z.optional(seats) });

const seatUsage = z.object({
  transcriptionSeconds: z.int(),
  storageBytes: z.int(),
  scheduledPosts: z.int(),
});

/** On how many devices somebody is signed in, and the day in UTC on which one of them was last used. */
const seatSessions = z.object({
  devices: z.int(),
  lastUsedOn: z.nullable(z.iso.date()),
});

/** One seat of a team that somebody has, or is invited to. */
export const seat = z.object({
  userId: id,
  /** null where the account is gone. */
  user: z.nullable(user),
  state: z.enum(seatStates),
  since: time,
  /** Of this month; only whoever bought the seats is told, and of nobody who is only invited. */
  usage: z.nullable(seatUsage),
  /** Told as `usage` is; null also where it is not known now. */
  sessions: z.nullable(seatSessions),
});
export type Seat = z.infer<typeof seat>;

/** The team of a Business plan. */
export const team = z.object({
  ownerId: id,
  seats: z.int(),
  members: z.array(seat),
  periodEndsAt: z.nullable(time),
});
export type Team = z.infer<typeof team>;

/** As the specification's client sends it: a decimal amount, and words of ours in `custom_id`. */
export const payPalOrder = z.object({
  intent: z.string().check(z.maxLength(20)),
  amount: z.union([z.string().check(z.maxLength(20)), z.number()]),
  currency: z.string().check(z.maxLength(10)),
  description: z.optional(z.string().check(z.maxLength(300))),
  custom_id: z.optional(z.string().check(z.maxLength(300))),
});
export const payPalOrderReply = z.object({
  /** PayPal's id of the order. */
  id: z.string(),
  status: z.string(),
  /** Ours. */
  orderId: id,
  links: z.array(z.object({ href: z.string(), rel: z.string(), method: z.string() })),
});

export const mailPurposes = ['invitation', 'receipt', 'reminder'] as const;

/** What every refusal with the status 402 tells, whichever service refuses. */
export const planLimited = z.object({
  code: z.string(),
  message: z.string(),
  details: z.object({
    feature: z.enum(limitedFeatures),
    limit: z.int(),
    /** What is used of it already, where that is counted. */
    used: z.nullable(z.int()),
    /** The plans that reach further, cheapest first. */
    liftedBy: z.array(z.enum(planIds)),
    addOn: z.nullable(z.enum(addOnIds)),
  }),
});
export type PlanLimited = z.infer<typeof planLimited>;
