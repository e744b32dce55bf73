import { fromCents, toCents } from '../payments/PaymentSimulation.ts';
import type { GatewayCall, createGatewayRouter } from '../payments/gatewayRouter.ts';
import { createPayFastRefusal } from './payfastErrors.ts';
import { amountsOf, leftCents, type PayFastPayment, type PayFastSimulator } from './PayFastSimulator.ts';
import { signCall } from './payfastSignature.ts';

type On = ReturnType<typeof createGatewayRouter>['on'];

/** Adds PayFast's API at api.payfast.co.za: queries and refunds. */
export function payfastApi(simulator: PayFastSimulator, on: On): void {
  const { simulation } = simulator;
  const known = (call: GatewayCall): PayFastPayment => {
    mustBeSigned(call, simulator);
    const payment = simulator.ofPayFastId(call.id);
    if (!payment) throw createPayFastRefusal('payment_unknown');
    return payment;
  };
  const done = (response: unknown, message = 'success') => ({
    body: { code: 200, status: 'success', data: { response, message } },
  });

  on('get', '/api/ping', 'history', (call) => {
    mustBeSigned(call, simulator);
    return { body: 'Payfast API' };
  });
  on('get', '/api/refunds/query/:id', 'show', (call) => {
    const payment = known(call);
    const left = leftCents(payment);
    const original = toCents(payment.form.get('amount') ?? '0');
    const method = (possible: boolean) => ({ method: possible ? 'PAYMENT_SOURCE' : 'NOT_AVAILABLE' });
    return {
      body: {
        token: payment.id,
        funding_type: 'Credit Card',
        amount_original: original,
        amount_available_for_refund: left,
        status: left > 0 ? 'REFUNDABLE' : 'COMPLETED',
        errors: [],
        refund_full: method(left === original),
        refund_partial: method(left > 0),
        bank_names: [],
      },
    };
  });
  on('post', '/api/refunds/:id', 'refund', (call) => {
    const payment = known(call);
    const { amount, reason, notify_buyer: notify } = call.json;
    if (amount === undefined || typeof reason !== 'string' || reason.length < 3 || notify === undefined) {
      throw createPayFastRefusal('missing');
    }
    const cents = Number(amount);
    if (!Number.isInteger(cents) || cents < 1 || cents > leftCents(payment))
      throw createPayFastRefusal('refund_amount');
    simulator.refund(payment, cents);
    return done(true, 'Success');
  });
  on('get', '/api/refunds/:id', 'show', (call) => {
    const payment = known(call);
    const original = {
      amount: toCents(payment.form.get('amount') ?? '0'),
      date: local(payment.paidAt),
      type: 'Funds Received',
    };
    const refunds = payment.refunds.map(({ cents, at }) => ({
      amount: String(-cents),
      date: local(at),
      type: 'Funds Received (Refund)',
    }));
    return done({ available_balance: leftCents(payment), transactions: [original, ...refunds] });
  });
  on('get', '/api/process/query/:id', 'show', (call) => {
    const payment = known(call);
    return done({
      pf_payment_id: Number(payment.pfPaymentId),
      m_payment_id: payment.form.get('m_payment_id'),
      status: payment.status,
      amount: toCents(payment.form.get('amount') ?? '0'),
      cc_status: payment.status === 'COMPLETE' ? '00' : '05',
      cc_message: payment.status === 'COMPLETE' ? 'Approved or completed successfully (00)' : 'Do not honour (05)',
    });
  });
  on('get', '/api/transactions/history', 'history', (call) => {
    mustBeSigned(call, simulator);
    const today = local(simulation.now()).slice(0, 10);
    const from = call.query.get('from') ?? `${today.slice(0, 7)}-01`;
    const to = call.query.get('to') ?? today;
    const offset = Number(call.query.get('offset') ?? 0);
    const limit = Number(call.query.get('limit') ?? 1_000);
    const rows = simulator
      .payments()
      .flatMap(rowsOf)
      .filter(({ date }) => date.slice(0, 10) >= from && date.slice(0, 10) <= to)
      .slice(offset, offset + limit)
      .map(({ cells }) => cells.map(cell).join(','));
    return { headers: { 'content-type': 'text/csv' }, body: [columns.map(cell).join(','), ...rows, ''].join('\n') };
  });
}

/** Requires a signature over headers, query and body together, excluding `testing`. */
function mustBeSigned({ request, query, json }: GatewayCall, { merchant }: PayFastSimulator): void {
  const header = (name: string) => request.get(name) ?? '';
  const signature = header('signature');
  if (signature === '') throw createPayFastRefusal('signature_missing');
  if (!/^[0-9a-f]{32}$/.test(signature)) throw createPayFastRefusal('signature_format');
  if (header('version') !== 'v1') throw createPayFastRefusal('version');
  if (header('timestamp') === '') throw createPayFastRefusal('missing');
  if (header('merchant-id') !== merchant.id) throw createPayFastRefusal('merchant');
  const fields = [
    ...['merchant-id', 'version', 'timestamp'].map((name) => [name, header(name)] as const),
    ...[...query].filter(([name]) => name !== 'testing'),
    ...Object.entries(json).map(([name, value]) => [name, written(value)] as const),
  ];
  if (signature !== signCall(fields, merchant.passphrase)) throw createPayFastRefusal('signature');
}

/** Formats a value as PHP's http_build_query does. */
const written = (value: unknown): string => (value === true ? '1' : value === false ? '0' : String(value));

/** Formats a date in South African time, as PayFast does. */
function local(date: Date | undefined): string {
  return date === undefined
    ? ''
    : new Date(date.getTime() + 2 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
}

const columns =
  'Date,Type,Sign,Party,Name,Description,Currency,Funding Type,Gross,Fee,Net,Balance,M Payment ID,PF Payment ID,custom str1,custom int1,custom str2,custom int2,custom str3,custom str4,custom str5,custom int3,custom int4,custom int5'.split(
    ',',
  );

const cell = (value: string): string => (/^[\w.-]*$/.test(value) ? value : `"${value.replaceAll('"', '""')}"`);

function rowsOf(payment: PayFastPayment): { date: string; cells: string[] }[] {
  if (payment.paidAt === undefined) return [];
  const { gross, fee, net } = amountsOf(payment);
  const given = (name: string) => payment.form.get(name) ?? '';
  const row = (date: string, type: string, sign: string, amounts: readonly number[]) => {
    const party = `${given('name_first')} ${given('name_last')}`.trim();
    const what = [date, type, sign, party, given('item_name'), given('item_description'), 'ZAR', 'CC'];
    const ids = [given('m_payment_id'), payment.pfPaymentId ?? ''];
    const custom = [given('custom_str1'), '', given('custom_str2'), '', given('custom_str3'), '', '', '', '', ''];
    return { date, cells: [...what, ...amounts.map(fromCents), '22,574.02', ...ids, ...custom] };
  };
  return [
    row(local(payment.paidAt), 'FUNDS_RECEIVED', 'CREDIT', [gross, -fee, net]),
    ...payment.refunds.map(({ cents, at }) => row(local(at), 'REFUND', 'DEBIT', [-cents, 0, -cents])),
  ];
}
