import { z } from 'zod';
import type { GatewayFact } from '../domain/gateway.ts';
import { toMinor } from './amounts.ts';
import { parseOwnOrderId } from './parseOwnOrderId.ts';

const money = z.object({
  currency_code: z.string(),
  value: z.string().transform((value, context) => {
    const minor = toMinor(value);
    if (minor !== undefined) return minor;
    context.addIssue({ code: 'custom', message: 'must be an amount with at most two decimals' });
    return z.NEVER;
  }),
});
const time = z.iso.datetime({ offset: true }).transform((value) => new Date(value));
const link = z.object({ href: z.string(), rel: z.string(), method: z.string().default('GET') });
const related = z.object({ related_ids: z.object({ order_id: z.string().optional() }).optional() }).optional();

const captureShape = z.object({
  id: z.string(),
  status: z.string(),
  amount: money,
  custom_id: z.string().optional(),
  create_time: time.optional(),
  supplementary_data: related,
});
type PayPalCapture = z.output<typeof captureShape>;

/** Refund or reversal; its capture is in the link `up`. */
export const refundShape = z.object({
  id: z.string(),
  status: z.string().default('COMPLETED'),
  amount: money,
  custom_id: z.string().optional(),
  create_time: time.optional(),
  links: z.array(link).default([]),
});
export type PayPalRefund = z.output<typeof refundShape>;

export const orderShape = z.object({
  id: z.string(),
  status: z.string(),
  create_time: time.optional(),
  links: z.array(link).default([]),
  purchase_units: z
    .array(
      z.object({
        custom_id: z.string().optional(),
        amount: money.optional(),
        payments: z
          .object({ captures: z.array(captureShape).default([]), refunds: z.array(refundShape).default([]) })
          .default({ captures: [], refunds: [] }),
      }),
    )
    .default([]),
});
export type PayPalOrder = z.output<typeof orderShape>;

const dispute = z.object({
  dispute_id: z.string(),
  disputed_transactions: z
    .array(z.object({ seller_transaction_id: z.string().optional(), custom: z.string().optional() }))
    .default([]),
  dispute_amount: money.optional(),
  dispute_outcome: z.object({ outcome_code: z.string() }).optional(),
  create_time: time.optional(),
});

export const tokenReplyShape = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() });
export const refusalShape = z.object({
  name: z.string().optional(),
  error: z.string().optional(),
  details: z.array(z.object({ issue: z.string().optional() })).optional(),
});
export const verificationReplyShape = z.object({ verification_status: z.string() });

export const eventShape = z.object({
  id: z.string().min(1).max(200),
  event_type: z.string(),
  create_time: time,
  resource: z.unknown(),
});

/** Order data known before a fact is parsed. It fills in what PayPal omits. */
export interface KnownPayPalOrder {
  readonly orderId: string | null;
  readonly gatewayOrderId: string | null;
  readonly at: Date;
}

const captureKinds: Readonly<Record<string, GatewayFact['kind']>> = {
  COMPLETED: 'paid',
  PARTIALLY_REFUNDED: 'paid',
  REFUNDED: 'paid',
  PENDING: 'pending',
  DECLINED: 'failed',
  FAILED: 'failed',
};

function factsOfCapture(one: PayPalCapture, known: KnownPayPalOrder): GatewayFact[] {
  const kind = captureKinds[one.status];
  if (kind === undefined) return [];
  return [
    {
      kind,
      id: one.id,
      orderId: parseOwnOrderId(one.custom_id) ?? known.orderId,
      gatewayOrderId: one.supplementary_data?.related_ids?.order_id ?? known.gatewayOrderId,
      gatewayPaymentId: one.id,
      amountMinor: one.amount.value,
      currency: one.amount.currency_code,
      at: one.create_time ?? known.at,
    },
  ];
}

/** Returns completed refunds only: others may be pending or failed. */
export function factsOfRefund(one: PayPalRefund, known: KnownPayPalOrder): GatewayFact[] {
  if (one.status !== 'COMPLETED') return [];
  const up = one.links.find(({ rel }) => rel === 'up')?.href;
  return [
    {
      kind: 'refunded',
      id: one.id,
      orderId: parseOwnOrderId(one.custom_id) ?? known.orderId,
      gatewayOrderId: known.gatewayOrderId,
      gatewayPaymentId: up?.split('/').at(-1) ?? null,
      amountMinor: one.amount.value,
      currency: one.amount.currency_code,
      at: one.create_time ?? known.at,
    },
  ];
}

export function factsOfOrder(one: PayPalOrder, at: Date): GatewayFact[] {
  const [unit] = one.purchase_units;
  const known = { orderId: parseOwnOrderId(unit?.custom_id), gatewayOrderId: one.id, at };
  const kind = one.status === 'APPROVED' ? 'approved' : one.status === 'VOIDED' ? 'cancelled' : undefined;
  const state: GatewayFact[] = kind
    ? [
        {
          kind,
          id: one.id,
          ...known,
          gatewayPaymentId: null,
          amountMinor: unit?.amount?.value ?? null,
          currency: unit?.amount?.currency_code ?? null,
        },
      ]
    : [];
  const { captures = [], refunds = [] } = unit?.payments ?? {};
  return [
    ...state,
    ...captures.flatMap((entry) => factsOfCapture(entry, known)),
    ...refunds.flatMap((entry) => factsOfRefund(entry, known)),
  ];
}

/** Outcomes in which the merchant loses the money; in all others the merchant keeps it. */
const lost: ReadonlySet<string> = new Set(['RESOLVED_BUYER_FAVOUR', 'ACCEPTED']);

function factOfDispute(one: z.output<typeof dispute>, resolved: boolean, at: Date): GatewayFact {
  const [transaction] = one.disputed_transactions;
  const wonOrLost = lost.has(one.dispute_outcome?.outcome_code ?? '') ? 'dispute_lost' : 'dispute_won';
  return {
    kind: resolved ? wonOrLost : 'dispute_opened',
    id: one.dispute_id,
    orderId: parseOwnOrderId(transaction?.custom),
    gatewayOrderId: null,
    gatewayPaymentId: transaction?.seller_transaction_id ?? null,
    amountMinor: one.dispute_amount?.value ?? null,
    currency: one.dispute_amount?.currency_code ?? null,
    at,
  };
}

/**
 * Parses an event; returns nothing for events that billing does not need.
 *
 * @throws z.ZodError for a needed event of an unexpected shape
 */
export function factsOfEvent({
  event_type: type,
  create_time: at,
  resource,
}: z.output<typeof eventShape>): GatewayFact[] {
  const known = { orderId: null, gatewayOrderId: null, at };
  switch (type) {
    case 'CHECKOUT.ORDER.APPROVED':
      return factsOfOrder({ ...orderShape.parse(resource), status: 'APPROVED' }, at).slice(0, 1);
    case 'PAYMENT.CAPTURE.COMPLETED':
    case 'PAYMENT.CAPTURE.PENDING':
    case 'PAYMENT.CAPTURE.DENIED':
    case 'PAYMENT.CAPTURE.DECLINED': {
      // The event's name decides because the capture's own status may have changed days later.
      const status = type.endsWith('COMPLETED') ? 'COMPLETED' : type.endsWith('PENDING') ? 'PENDING' : 'DECLINED';
      return factsOfCapture({ ...captureShape.parse(resource), status }, known);
    }
    case 'PAYMENT.CAPTURE.REFUNDED':
    case 'PAYMENT.CAPTURE.REVERSED':
      return factsOfRefund({ ...refundShape.parse(resource), status: 'COMPLETED' }, known);
    case 'CUSTOMER.DISPUTE.CREATED':
    case 'CUSTOMER.DISPUTE.RESOLVED':
      return [factOfDispute(dispute.parse(resource), type.endsWith('RESOLVED'), at)];
    default:
      return [];
  }
}
