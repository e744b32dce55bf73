import { z } from 'zod';

export const gatewayNames = ['paypal', 'payfast'] as const;
export type GatewayName = (typeof gatewayNames)[number];

/** Ways in which a notification is delivered. */
export const deliveries = [
  'normal',
  'late',
  'twice',
  'never',
  'wrong_signature',
  'wrong_amount',
  'wrong_merchant',
  'out_of_order',
] as const;
export type Delivery = (typeof deliveries)[number];

/** False fact in a notification. */
export type Flaw = Extract<Delivery, `wrong_${string}`>;

/** Ways in which the gateway answers. */
export const conditions = ['normal', 'outage', 'slow', 'rate_limited'] as const;

/** Settings of a gateway until they are changed. On the page, a payer may choose another delivery for one payment. */
export const switches = z.object({
  delivery: z.enum(deliveries).default('normal'),
  lateSeconds: z.coerce.number().nonnegative().max(604_800).default(30),
  condition: z.enum(conditions).default('normal'),
  slowMs: z.coerce.number().int().nonnegative().max(600_000).default(10_000),
});
export type Switches = z.output<typeof switches>;

/** Calls to which a prepared answer can apply. */
export const steps = ['token', 'create', 'show', 'capture', 'refund', 'verify', 'validate', 'history'] as const;
export type Step = (typeof steps)[number];

/** Behavior at the next call of a step, once. */
export const prepared = z.object({
  step: z.enum(steps),
  /** Name of one of the gateway's errors. */
  error: z.string().optional(),
  delayMs: z.number().int().nonnegative().max(600_000).optional(),
  /** Performs the request, then drops the connection instead of answering. */
  lost: z.boolean().optional(),
  /** Drops the connection and does nothing. */
  cut: z.boolean().optional(),
});
export type Prepared = z.output<typeof prepared>;

export const flawOf = (delivery: Delivery): Flaw | undefined =>
  delivery.startsWith('wrong_') ? (delivery as Flaw) : undefined;
