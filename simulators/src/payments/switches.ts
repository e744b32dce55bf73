import { z } from 'zod';

export const gatewayNames = ['paypal', 'payfast'] as const;
export type GatewayName = (typeof gatewayNames)[number];

/** What becomes of a notification on its way. */
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

/** What is untrue in a notification. */
export type Flaw = Extract<Delivery, `wrong_${string}`>;

/** How the gateway answers. */
export const conditions = ['normal', 'outage', 'slow', 'rate_limited'] as const;

/** What holds at a gateway until it is set anew; a payer may choose another delivery on the page for one payment. */
export const switches = z.object({
  delivery: z.enum(deliveries).default('normal'),
  lateSeconds: z.coerce.number().nonnegative().max(604_800).default(30),
  condition: z.enum(conditions).default('normal'),
  slowMs: z.coerce.number().int().nonnegative().max(600_000).default(10_000),
});
export type Switches = z.output<typeof switches>;

/** The calls at which an answer that was laid down works. */
export const steps = ['token', 'create', 'show', 'capture', 'refund', 'verify', 'validate', 'history'] as const;
export type Step = (typeof steps)[number];

/** What happens at the next call of a step, once. */
export const prepared = z.object({
  step: z.enum(steps),
  /** One of the gateway's errors by its name. */
  error: z.string().optional(),
  delayMs: z.number().int().nonnegative().max(600_000).optional(),
  /** Does what is asked and breaks the connection off instead of answering. */
  lost: z.boolean().optional(),
  /** Breaks the connection off and does nothing. */
  cut: z.boolean().optional(),
});
export type Prepared = z.output<typeof prepared>;

export const flawOf = (delivery: Delivery): Flaw | undefined =>
  delivery.startsWith('wrong_') ? (delivery as Flaw) : undefined;
