import { z } from 'zod';

export const gatewayNames = ['paypal', 'payfast'] as const;
export type GatewayName = (typeof gatewayNames)[number];

/** Ways in which a notification is delivered. */
export const deliveryModes = [
  'normal',
  'late',
  'twice',
  'never',
  'wrong_signature',
  'wrong_amount',
  'wrong_merchant',
  'out_of_order',
] as const;
export type DeliveryMode = (typeof deliveryModes)[number];

/** False fact in a notification. */
export type NotificationFlaw = Extract<DeliveryMode, `wrong_${string}`>;

/** Ways in which the gateway answers. */
export const gatewayConditions = ['normal', 'outage', 'slow', 'rate_limited'] as const;

/** Settings of a gateway until they are changed. On the page, a payer may choose another delivery for one payment. */
export const gatewaySwitches = z.object({
  delivery: z.enum(deliveryModes).default('normal'),
  lateSeconds: z.coerce.number().nonnegative().max(604_800).default(30),
  condition: z.enum(gatewayConditions).default('normal'),
  slowMs: z.coerce.number().int().nonnegative().max(600_000).default(10_000),
});
export type GatewaySwitches = z.output<typeof gatewaySwitches>;

/** Calls to which a prepared answer can apply. */
const paymentSteps = ['token', 'create', 'show', 'capture', 'refund', 'verify', 'validate', 'history'] as const;
export type PaymentStep = (typeof paymentSteps)[number];

/** Behavior at the next call of a step, once. */
export const preparedAnswer = z.object({
  step: z.enum(paymentSteps),
  /** Name of one of the gateway's errors. */
  error: z.string().optional(),
  delayMs: z.number().int().nonnegative().max(600_000).optional(),
  /** Performs the request, then drops the connection instead of answering. */
  lost: z.boolean().optional(),
  /** Drops the connection and does nothing. */
  cut: z.boolean().optional(),
});
export type PreparedAnswer = z.output<typeof preparedAnswer>;

export const toNotificationFlaw = (delivery: DeliveryMode): NotificationFlaw | undefined =>
  delivery.startsWith('wrong_') ? (delivery as NotificationFlaw) : undefined;
