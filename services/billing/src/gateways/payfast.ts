import type { Clock } from '@nolo/kit/clock';
import { cutText } from '@nolo/rules';
import {
  GatewayError,
  type GatewayFact,
  type GatewayOrder,
  type PaymentGateway,
  type PaymentOrder,
  type PaymentStart,
  type RawNotification,
  type NotificationCheckResult,
  type RefundRequest,
} from '../domain/gateway.ts';
import { toDecimal, toMinor } from './amounts.ts';
import type { GatewayHttpClient } from './http.ts';
import { parseOwnOrderId } from './parseOwnOrderId.ts';
import { createPayFastApi, type PayFastApi, type PayFastMerchant } from './payfastApi.ts';
import {
  joinSignedParameters,
  isSameSignature,
  signForm,
  signNotification,
  type FormFields,
} from './payfastSignature.ts';
import type { NotificationSourceAllowlist } from './notificationSourceAllowlist.ts';

export interface PayFastOptions {
  readonly url: string;
  readonly apiUrl: string;
  readonly sandbox: boolean;
  readonly merchant: PayFastMerchant;
  /** Source addresses of notifications. */
  readonly sources: NotificationSourceAllowlist;
  readonly clock: Clock;
  readonly http: GatewayHttpClient;
}

/**
 * PayFast: a form that we sign, notifications (ITN) that we verify, and its API for the rest. It settles in rand only.
 */
export function createPayFast(options: PayFastOptions): PaymentGateway {
  const { clock } = options;
  const api = createPayFastApi(options);
  // PayFast captures the money as soon as the payer agrees.
  const lookUp = (order: GatewayOrder, signal?: AbortSignal) => factsOf(api, order, signal);
  return {
    id: 'payfast',
    // Makes no request. An order that PayFast does not accept rejects like any other refusal.
    begin: async (order) => await Promise.resolve(formOf(options, order)),
    capture: lookUp,
    lookUp,
    // Queries only a known payment, because the history lists all payments ever made.
    refundsOf: async (order, signal) =>
      order.gatewayPaymentId === null ? [] : await refundFacts(api, order, order.gatewayPaymentId, signal),
    refund: (request, signal) => refund(api, request, signal),
    read: (notification, signal) => read({ ...options, now: clock.now() }, notification, signal),
  };
}

/** Returns the form. Its fields are in the documented order, which is the order of the signature. */
function formOf({ url, merchant }: PayFastOptions, order: PaymentOrder): PaymentStart {
  if (order.currency !== 'ZAR') throw new GatewayError('currency_unsupported', { retryable: false });
  const fields = [
    ['merchant_id', merchant.id],
    ['merchant_key', merchant.key.reveal()],
    ['return_url', order.returnUrl],
    ['cancel_url', order.cancelUrl],
    ['notify_url', order.notifyUrl],
    ['name_first', order.firstName],
    ['name_last', order.lastName],
    ['email_address', order.email],
    ['m_payment_id', order.id],
    ['amount', toDecimal(order.amountMinor)],
    ['item_name', order.description],
    ['item_description', order.seats > 1 ? `${order.description}, ${order.seats} seats` : order.description],
    ['custom_str1', order.item],
    ['custom_str2', order.userId],
    ['custom_str3', 'monthly'],
  ] as const;
  // PayFast trims before it signs, and refuses values longer than its columns.
  const filled = fields
    .map(([name, value]) => [name, cutText(value, longest[name] ?? 255).trim()] as const)
    .filter(([, value]) => value !== '');
  const signature = signForm(filled, merchant.passphrase.reveal());
  return {
    gatewayOrderId: null,
    approveUrl: null,
    links: [],
    form: { action: `${url}/eng/process`, fields: [...filled, ['signature', signature]] },
  };
}

const longest: Readonly<Record<string, number>> = {
  name_first: 100,
  name_last: 100,
  email_address: 100,
  m_payment_id: 100,
  item_name: 100,
  return_url: 2_000,
  cancel_url: 2_000,
  notify_url: 2_000,
};

interface Payment {
  readonly pfPaymentId: string;
  readonly amountMinor: number;
  readonly at: Date;
}

const paidFact = (order: GatewayOrder, { pfPaymentId, amountMinor, at }: Payment): GatewayFact => ({
  kind: 'paid',
  id: pfPaymentId,
  orderId: order.id,
  gatewayOrderId: null,
  gatewayPaymentId: pfPaymentId,
  amountMinor,
  currency: 'ZAR',
  at,
});

async function factsOf(
  api: PayFastApi,
  order: GatewayOrder,
  signal: AbortSignal | undefined,
): Promise<readonly GatewayFact[]> {
  const payment = await api.findPayment(order.id, order.createdAt, signal);
  if (!payment) return [];
  return [paidFact(order, payment), ...(await refundFacts(api, order, payment.pfPaymentId, signal))];
}

/** Returns refunds, numbered because PayFast's refunds have no IDs; the first of a payment stays the first. */
async function refundFacts(
  api: PayFastApi,
  order: GatewayOrder,
  pfPaymentId: string,
  signal: AbortSignal | undefined,
): Promise<GatewayFact[]> {
  const refunds = await api.refunds(pfPaymentId, signal);
  return refunds.map(({ amountMinor, at }, index) => ({
    kind: 'refunded',
    id: `${pfPaymentId}-refund-${index + 1}`,
    orderId: order.id,
    gatewayOrderId: null,
    gatewayPaymentId: pfPaymentId,
    amountMinor,
    currency: 'ZAR',
    at,
  }));
}

/**
 * Refunds a payment. PayFast does not recognize repeated refunds, so callers that get `mayBeDone` must look it up
 * before retrying.
 */
async function refund(
  api: PayFastApi,
  { order, amountMinor, reason }: RefundRequest,
  signal: AbortSignal | undefined,
): Promise<readonly GatewayFact[]> {
  const { gatewayPaymentId: id } = order;
  if (id === null) throw new GatewayError('not_captured', { retryable: false });
  await api.mustBeRefundable(id, amountMinor, signal);
  await api.refund(id, amountMinor, reason, signal);
  try {
    return await refundFacts(api, order, id, signal);
  } catch (cause) {
    // The refund succeeded; a later look-up finds its ID.
    throw new GatewayError('refund_unseen', { retryable: true, mayBeDone: true, cause });
  }
}

const kinds: Readonly<Record<string, GatewayFact['kind']>> = {
  COMPLETE: 'paid',
  PENDING: 'pending',
  FAILED: 'failed',
  CANCELLED: 'cancelled',
};

/** Verifies everything that PayFast asks merchants to check except the amount, cheapest checks first. */
async function read(
  { merchant, sources, url, http, now }: PayFastOptions & { now: Date },
  { body, sourceAddress }: RawNotification,
  signal: AbortSignal | undefined,
): Promise<NotificationCheckResult> {
  const fields: FormFields = [...new URLSearchParams(Buffer.from(body).toString())];
  const form = new Map(fields);
  const signed = fields.slice(0, -1);
  // A field after the signature, or a duplicate field, is not covered by the signature as parsed here.
  if (fields.at(-1)?.[0] !== 'signature' || form.size !== fields.length)
    return { genuine: false, reason: 'not_signed' };
  if (!isSameSignature(form.get('signature') ?? '', signNotification(signed, merchant.passphrase.reveal()))) {
    return { genuine: false, reason: 'wrong_signature' };
  }
  if (form.get('merchant_id') !== merchant.id) return { genuine: false, reason: 'wrong_merchant' };
  if (!(await sources.include(sourceAddress))) return { genuine: false, reason: 'wrong_source' };
  const reply = await http.send({
    method: 'POST',
    url: `${url}/eng/query/validate`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: joinSignedParameters(signed),
    signal,
  });
  if (reply.status !== 200) throw new GatewayError(`HTTP_${reply.status}`, { retryable: true });
  if (reply.text.trim().split(/\r?\n/)[0] !== 'VALID') return { genuine: false, reason: 'not_validated' };
  return factsOfNotification(form, now);
}

function factsOfNotification(form: ReadonlyMap<string, string>, at: Date): NotificationCheckResult {
  const id = form.get('pf_payment_id') ?? '';
  const status = form.get('payment_status') ?? '';
  const amountMinor = toMinor(form.get('amount_gross') ?? '');
  if (id === '' || amountMinor === undefined) throw new GatewayError('unreadable_notification', { retryable: false });
  const kind = kinds[status];
  const fact = (known: GatewayFact['kind']): GatewayFact => ({
    kind: known,
    id,
    orderId: parseOwnOrderId(form.get('m_payment_id')),
    gatewayOrderId: null,
    gatewayPaymentId: id,
    amountMinor,
    currency: 'ZAR',
    at,
  });
  return { genuine: true, eventId: `${id}-${status}`, facts: kind === undefined ? [] : [fact(kind)] };
}
