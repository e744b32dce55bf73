import type { Clock } from '@nolo/kit/clock';
import type { Secret } from '@nolo/kit/config';
import { cutText } from '@nolo/rules';
import { z } from 'zod';
import { GatewayError } from '../domain/gateway.ts';
import { toMinor } from './amounts.ts';
import { parseReplyBody, type GatewayHttpClient, type GatewayHttpReply } from './http.ts';
import { signCall, type FormFields } from './payfastSignature.ts';
import { parseCsvRows } from './csv.ts';

export interface PayFastMerchant {
  readonly id: string;
  readonly key: Secret;
  readonly passphrase: Secret;
}

export interface PayFastApiOptions {
  readonly apiUrl: string;
  readonly sandbox: boolean;
  readonly merchant: PayFastMerchant;
  readonly clock: Clock;
  readonly http: GatewayHttpClient;
}

/** Payment in the history. */
interface PayFastPaymentRecord {
  readonly pfPaymentId: string;
  readonly amountMinor: number;
  readonly at: Date;
}

interface PayFastRefundRecord {
  readonly amountMinor: number;
  readonly at: Date;
}

/** PayFast's API for look-ups and refunds; payments use the form. */
export interface PayFastApi {
  /**
   * Finds a payment.
   *
   * @param since creation time of the order; South African days are searched from the day before.
   */
  findPayment(orderId: string, since: Date, signal?: AbortSignal): Promise<PayFastPaymentRecord | undefined>;
  /** Oldest first. */
  refunds(pfPaymentId: string, signal?: AbortSignal): Promise<PayFastRefundRecord[]>;
  /** Checks a refund. @throws GatewayError if that amount cannot be refunded to the payer's card or wallet */
  mustBeRefundable(pfPaymentId: string, amountMinor: number, signal?: AbortSignal): Promise<void>;
  refund(pfPaymentId: string, amountMinor: number, reason: string, signal?: AbortSignal): Promise<void>;
}

const failed = z.object({ data: z.object({ message: z.string().optional() }).optional() });
const transactions = z.object({
  data: z.object({
    response: z.object({
      transactions: z.array(
        z.object({ amount: z.coerce.number().int(), date: z.string(), type: z.string().default('') }),
      ),
    }),
  }),
});
const refundable = z.object({
  status: z.string(),
  amount_available_for_refund: z.coerce.number().int(),
  amount_original: z.coerce.number().int(),
  refund_full: z.object({ method: z.string() }).optional(),
  refund_partial: z.object({ method: z.string() }).optional(),
});
const wrapped = z.object({ data: z.object({ response: refundable }) }).transform(({ data }) => data.response);
const done = z.object({ data: z.object({ response: z.literal(true) }) });

const pageSize = 1_000;
const maxHistoryPages = 50;
const dayMs = 86_400_000;

export function createPayFastApi(options: PayFastApiOptions): PayFastApi {
  const callApi = signedCalls(options);
  const { clock } = options;

  return {
    async findPayment(orderId, since, signal) {
      const from = day(new Date(since.getTime() - dayMs));
      const to = day(new Date(clock.now().getTime() + dayMs));
      for (let page = 0; page < maxHistoryPages; page += 1) {
        const query = { from, to, limit: String(pageSize), offset: String(page * pageSize) };
        const rows = parseCsvRows((await callApi('GET', '/transactions/history', { query, signal })).text);
        const row = rows.find((one) => one['M Payment ID'] === orderId && one['Sign'] === 'CREDIT');
        if (row) return pastPayment(row);
        if (rows.length < pageSize) return undefined;
      }
      throw new GatewayError('history_too_long', { retryable: false });
    },
    async refunds(pfPaymentId, signal) {
      const { body } = await callApi('GET', `/refunds/${encodeURIComponent(pfPaymentId)}`, { signal });
      return parseReplyBody(transactions, body)
        .data.response.transactions.filter(({ amount }) => amount < 0)
        .map(({ amount, date }) => ({ amountMinor: -amount, at: southAfrican(date) }))
        .toSorted((a, b) => a.at.getTime() - b.at.getTime());
    },
    async mustBeRefundable(pfPaymentId, amountMinor, signal) {
      const { body } = await callApi('GET', `/refunds/query/${encodeURIComponent(pfPaymentId)}`, { signal });
      const found = parseReplyBody(z.union([refundable, wrapped]), body);
      if (found.status !== 'REFUNDABLE') throw new GatewayError(found.status, { retryable: false });
      if (found.amount_available_for_refund < amountMinor) {
        throw new GatewayError('REFUND_AMOUNT_EXCEEDED', { retryable: false });
      }
      const way = amountMinor === found.amount_original ? found.refund_full : found.refund_partial;
      // A bank payout needs the payer's account, which is unknown here.
      if (way?.method !== 'PAYMENT_SOURCE') {
        throw new GatewayError(way?.method ?? 'NOT_AVAILABLE', { retryable: false });
      }
    },
    async refund(pfPaymentId, amountMinor, reason, signal) {
      const json = { amount: amountMinor, notify_buyer: 1, notify_merchant: 0, reason: refundReason(reason) };
      const path = `/refunds/${encodeURIComponent(pfPaymentId)}`;
      const { body } = await callApi('POST', path, { json, signal });
      parseReplyBody(done, body, true);
    },
  };
}

/** Limits a reason to the 3 to 255 characters that PayFast requires. */
const refundReason = (reason: string): string => (reason.trim().length < 3 ? 'Refund' : cutText(reason.trim(), 255));

interface Details {
  readonly query?: Readonly<Record<string, string>>;
  readonly json?: Readonly<Record<string, string | number>>;
  readonly signal?: AbortSignal | undefined;
}

function signedCalls({ apiUrl, sandbox, merchant, clock, http }: PayFastApiOptions) {
  return async (
    method: 'GET' | 'POST',
    path: string,
    { query = {}, json, signal }: Details,
  ): Promise<GatewayHttpReply> => {
    const headers = {
      'merchant-id': merchant.id,
      version: 'v1',
      timestamp: `${localTime(clock.now())}+02:00`,
    };
    const written = Object.entries(json ?? {}).map(([name, value]) => [name, String(value)] as const);
    const fields: FormFields = [...Object.entries(headers), ...Object.entries(query), ...written];
    const url = new URL(`${apiUrl}${path}`);
    // `testing` selects the sandbox and is the only unsigned field.
    for (const [name, value] of Object.entries({ ...query, ...(sandbox && { testing: 'true' }) })) {
      url.searchParams.set(name, value);
    }
    const reply = await http.send({
      method,
      url: url.href,
      headers: {
        ...headers,
        signature: signCall(fields, merchant.passphrase.reveal()),
        ...(json && { 'content-type': 'application/json' }),
      },
      ...(json && { body: JSON.stringify(json) }),
      commits: method === 'POST',
      signal,
    });
    if (reply.status >= 200 && reply.status < 300) return reply;
    const message = failed.safeParse(reply.body).data?.data?.message;
    throw new GatewayError(message ?? `HTTP_${reply.status}`, { retryable: reply.status === 401 });
  };
}

/** Converts to South African time, two hours ahead of UTC all year. */
const localTime = (date: Date): string => new Date(date.getTime() + 2 * 3_600_000).toISOString().slice(0, 19);
const day = (date: Date): string => localTime(date).slice(0, 10);

function southAfrican(text: string): Date {
  const date = new Date(`${text.trim().replace(' ', 'T')}+02:00`);
  if (Number.isNaN(date.getTime())) throw new GatewayError('unreadable_reply', { retryable: true });
  return date;
}

function pastPayment(row: Readonly<Record<string, string>>): PayFastPaymentRecord {
  const amountMinor = toMinor((row['Gross'] ?? '').replaceAll(',', ''));
  const pfPaymentId = row['PF Payment ID'] ?? '';
  if (amountMinor === undefined || pfPaymentId === '') {
    throw new GatewayError('unreadable_reply', { retryable: true });
  }
  return { pfPaymentId, amountMinor, at: southAfrican(row['Date'] ?? '') };
}
