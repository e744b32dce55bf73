import type { Clock } from '@nolo/kit/clock';
import type { Secret } from '@nolo/kit/config';
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
import { toDecimal } from './amounts.ts';
import { parseReplyBody, type GatewayHttpCall, type GatewayHttpClient, type GatewayHttpReply } from './http.ts';
import type { SignatureCheckResult, SignedWebhook } from './paypalSignatureChecker.ts';
import {
  eventShape,
  factsOfRefund,
  factsOfEvent,
  factsOfOrder,
  orderShape,
  refundShape,
  refusalShape,
  tokenReplyShape as tokenShape,
  verificationReplyShape,
} from './paypalShapes.ts';

export interface PayPalOptions {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: Secret;
  readonly webhookId: string;
  /** Checks a webhook without calling PayPal. */
  readonly verifySignature: (webhook: SignedWebhook) => Promise<SignatureCheckResult>;
  readonly clock: Clock;
  readonly http: GatewayHttpClient;
}

type CallApi = (
  path: string,
  call: Omit<GatewayHttpCall, 'url' | 'method'> & { method?: GatewayHttpCall['method'] },
) => Promise<GatewayHttpReply>;

/** Margin for tokens that PayPal expires slightly before our clock. */
const tokenMarginMs = 60_000;
/** PayPal deletes an order that nobody approved after three hours, or three days if that was requested. */
const forgottenAfterMs = 3 * 86_400_000;

/** PayPal by its REST API: Orders v2, Payments v2 and the verification of webhooks (ADR 21). */
export function createPayPal(options: PayPalOptions): PaymentGateway {
  const { clock } = options;
  const callApi = signedIn(options);

  const lookUp = async (order: GatewayOrder, signal?: AbortSignal): Promise<readonly GatewayFact[]> => {
    const { gatewayOrderId: id } = order;
    if (id === null) return [];
    try {
      const { body } = await callApi(`/v2/checkout/orders/${encodeURIComponent(id)}`, { signal });
      return factsOfOrder(parseReplyBody(orderShape, body), clock.now());
    } catch (error) {
      const old = clock.now().getTime() - order.createdAt.getTime() > forgottenAfterMs;
      if (!(error instanceof GatewayError) || error.issue !== 'INVALID_RESOURCE_ID' || !old) throw error;
      // An order that PayPal no longer knows was never paid.
      return [ended('cancelled', order, clock.now())];
    }
  };
  return {
    id: 'paypal',
    begin: (order, signal) => begin(callApi, order, signal),
    capture: (order, signal) => capture(callApi, lookUp, order, { signal, clock }),
    lookUp,
    refundsOf: async (order, signal) => (await lookUp(order, signal)).filter(({ kind }) => kind === 'refunded'),
    refund: (request, signal) => refund(callApi, request, { signal, clock }),
    read: (notification, signal) => read(callApi, options, notification, signal),
  };
}

/** Returns a fact for an order without a payment. */
const ended = (kind: 'cancelled' | 'failed', order: GatewayOrder, at: Date): GatewayFact => ({
  kind,
  id: order.gatewayOrderId ?? order.id,
  orderId: order.id,
  gatewayOrderId: order.gatewayOrderId,
  gatewayPaymentId: null,
  amountMinor: null,
  currency: null,
  at,
});

/** Calls PayPal with a token that is cached until it expires. A rejected token is renewed once. */
function signedIn({ url, clientId, clientSecret, clock, http }: PayPalOptions): CallApi {
  let tokenPromise: Promise<{ value: string; endsAt: number }> | undefined;

  const renew = async () => {
    const credentials = Buffer.from(`${clientId}:${clientSecret.reveal()}`).toString('base64');
    const reply = await http.send({
      method: 'POST',
      url: `${url}/v1/oauth2/token`,
      headers: { authorization: `Basic ${credentials}`, 'content-type': 'application/x-www-form-urlencoded' },
      body: 'grant_type=client_credentials',
    });
    if (reply.status !== 200) throw refusalOf(reply);
    const { access_token: value, expires_in: seconds } = parseReplyBody(tokenShape, reply.body);
    return { value, endsAt: clock.now().getTime() + seconds * 1_000 - tokenMarginMs };
  };
  const token = async (): Promise<string> => {
    const previousToken = tokenPromise;
    const before = await previousToken?.catch(() => undefined);
    if (before !== undefined && before.endsAt > clock.now().getTime()) return before.value;
    // Concurrent calls share one token request, which no caller's signal aborts.
    if (tokenPromise === undefined || tokenPromise === previousToken) tokenPromise = renew();
    return (await tokenPromise).value;
  };

  return async (path, call) => {
    const once = async () =>
      await http.send({
        method: 'GET',
        ...call,
        url: `${url}${path}`,
        headers: {
          accept: 'application/json',
          'content-type': 'application/json',
          ...call.headers,
          authorization: `Bearer ${await token()}`,
        },
      });
    let reply = await once();
    if (reply.status === 401) {
      tokenPromise = undefined;
      reply = await once();
    }
    if (reply.status >= 200 && reply.status < 300) return reply;
    throw refusalOf(reply);
  };
}

/**
 * Converts a refusal. 401 and 403 are retryable because the operator can fix them; 409 means that an identical request
 * is in progress.
 */
function refusalOf({ status, body }: GatewayHttpReply): GatewayError {
  const { data } = refusalShape.safeParse(body);
  const issue = data?.details?.[0]?.issue ?? data?.name ?? data?.error ?? `HTTP_${status}`;
  return new GatewayError(issue, { retryable: status === 401 || status === 403 || status === 409 });
}

async function begin(callApi: CallApi, order: PaymentOrder, signal: AbortSignal | undefined): Promise<PaymentStart> {
  const amount = { currency_code: order.currency, value: toDecimal(order.amountMinor) };
  const context = {
    return_url: order.returnUrl,
    cancel_url: order.cancelUrl,
    user_action: 'PAY_NOW',
    shipping_preference: 'NO_SHIPPING',
    payment_method_preference: 'IMMEDIATE_PAYMENT_REQUIRED',
  };
  const unit = {
    custom_id: order.id,
    // PayPal refuses to charge one invoice twice.
    invoice_id: order.id,
    description: cutText(order.description, 127),
    amount,
  };
  const { body } = await callApi('/v2/checkout/orders', {
    method: 'POST',
    headers: { 'paypal-request-id': order.id },
    body: JSON.stringify({
      intent: 'CAPTURE',
      purchase_units: [unit],
      payment_source: { paypal: { experience_context: context } },
    }),
    signal,
  });
  const { id, links } = parseReplyBody(orderShape, body);
  const approve = links.find(({ rel }) => rel === 'payer-action') ?? links.find(({ rel }) => rel === 'approve');
  return { gatewayOrderId: id, approveUrl: approve?.href ?? null, links, form: null };
}

async function capture(
  callApi: CallApi,
  lookUp: PaymentGateway['lookUp'],
  order: GatewayOrder,
  { signal, clock }: { signal: AbortSignal | undefined; clock: Clock },
): Promise<readonly GatewayFact[]> {
  const { gatewayOrderId: id } = order;
  if (id === null) throw new GatewayError('not_begun', { retryable: false });
  try {
    const { body } = await callApi(`/v2/checkout/orders/${encodeURIComponent(id)}/capture`, {
      method: 'POST',
      headers: { 'paypal-request-id': `capture-${order.id}`, prefer: 'return=representation' },
      body: '{}',
      commits: true,
      signal,
    });
    return factsOfOrder(parseReplyBody(orderShape, body, true), clock.now());
  } catch (error) {
    if (!(error instanceof GatewayError) || error.retryable) throw error;
    // A refusal may mean that it already succeeded, under any request ID.
    const found = await lookUp(order, signal);
    if (found.some(({ gatewayPaymentId }) => gatewayPaymentId !== null)) return found;
    if (declined.has(error.issue)) return [ended('failed', order, clock.now())];
    throw error;
  }
}

/** Codes for a payer who cannot pay: an event of the order, not an error of ours. */
const declined: ReadonlySet<string> = new Set([
  'INSTRUMENT_DECLINED',
  'PAYER_CANNOT_PAY',
  'PAYER_ACCOUNT_LOCKED_OR_CLOSED',
  'PAYER_ACCOUNT_RESTRICTED',
  'TRANSACTION_REFUSED',
  'CARD_EXPIRED',
  'MAX_NUMBER_OF_PAYMENT_ATTEMPTS_EXCEEDED',
]);

async function refund(
  callApi: CallApi,
  { order, refundId, amountMinor, reason }: RefundRequest,
  { signal, clock }: { signal: AbortSignal | undefined; clock: Clock },
): Promise<readonly GatewayFact[]> {
  const { gatewayPaymentId: id } = order;
  if (id === null) throw new GatewayError('not_captured', { retryable: false });
  const { body } = await callApi(`/v2/payments/captures/${encodeURIComponent(id)}/refund`, {
    method: 'POST',
    headers: { 'paypal-request-id': refundId, prefer: 'return=representation' },
    body: JSON.stringify({
      amount: { currency_code: order.currency, value: toDecimal(amountMinor) },
      ...(reason !== '' && { note_to_payer: cutText(reason, 255) }),
    }),
    commits: true,
    signal,
  });
  const known = { orderId: order.id, gatewayOrderId: order.gatewayOrderId, at: clock.now() };
  const facts = factsOfRefund(parseReplyBody(refundShape, body, true), known);
  return facts.map((fact) => ({ ...fact, gatewayPaymentId: id }));
}

const headerNames = {
  auth_algo: 'paypal-auth-algo',
  cert_url: 'paypal-cert-url',
  transmission_id: 'paypal-transmission-id',
  transmission_sig: 'paypal-transmission-sig',
  transmission_time: 'paypal-transmission-time',
} as const;

async function read(
  callApi: CallApi,
  { webhookId, verifySignature }: Pick<PayPalOptions, 'webhookId' | 'verifySignature'>,
  { body, headers }: RawNotification,
  signal: AbortSignal | undefined,
): Promise<NotificationCheckResult> {
  const readHeader = (name: keyof typeof headerNames) => headers[headerNames[name]] ?? '';
  const names = Object.keys(headerNames) as (keyof typeof headerNames)[];
  if (names.some((name) => readHeader(name) === '')) return { genuine: false, reason: 'not_signed' };
  const signed = Object.fromEntries([
    ['webhook_id', webhookId],
    ...names.map((name) => [name, readHeader(name)] as const),
  ]);
  const text = Buffer.from(body).toString();
  const parsed = eventShape.safeParse(parse(text));
  if (!parsed.success) return { genuine: false, reason: 'no_event' };
  const seen = await verifySignature({
    certUrl: readHeader('cert_url'),
    algorithm: readHeader('auth_algo'),
    transmissionId: readHeader('transmission_id'),
    transmissionTime: readHeader('transmission_time'),
    signature: readHeader('transmission_sig'),
    webhookId,
    body,
  });
  if (seen === 'wrong_certificate' || seen === 'wrong_signature') return { genuine: false, reason: seen };
  if (!(await verifies(callApi, signed, text, signal))) return { genuine: false, reason: 'wrong_signature' };
  try {
    return { genuine: true, eventId: parsed.data.id, facts: factsOfEvent(parsed.data) };
  } catch (cause) {
    throw new GatewayError('unreadable_event', { retryable: false, cause });
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/**
 * Verifies a webhook at PayPal. PayPal checks the original bytes, so the event is returned unchanged instead of
 * serialized again.
 */
async function verifies(
  callApi: CallApi,
  signed: Readonly<Record<string, string>>,
  text: string,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  try {
    const { body } = await callApi('/v1/notifications/verify-webhook-signature', {
      method: 'POST',
      body: `${JSON.stringify(signed).slice(0, -1)},"webhook_event":${text}}`,
      signal,
    });
    return parseReplyBody(verificationReplyShape, body).verification_status === 'SUCCESS';
  } catch (error) {
    // Malformed headers are refused instead of verified.
    if (error instanceof GatewayError && !error.retryable) return false;
    throw error;
  }
}
