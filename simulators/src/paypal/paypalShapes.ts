import { fromCents, toCents } from '../payments/PaymentSimulation.ts';
import {
  refundedCents,
  type SimulatedCapture,
  type PayPalMoney,
  type SimulatedOrder,
  type SimulatedRefund,
} from './PayPalBook.ts';

/** Merchant's account as PayPal names it. */
const payee = { email_address: 'merchant@example.com', merchant_id: 'SIMULATED1234' };
const payer = {
  name: { given_name: 'Example', surname: 'Payer' },
  email_address: 'payer@example.com',
  payer_id: 'SIMULATEDPAYER',
  address: { country_code: 'US' },
};

const link = (href: string, rel: string, method = 'GET') => ({ href, rel, method });
const money = (currency_code: string, cents: number): PayPalMoney => ({ currency_code, value: fromCents(cents) });
/** Fee: 2.9 % and 30 of the smallest unit, but never more than the amount. */
const feeOf = (cents: number) => Math.min(cents, Math.round(cents * 0.029) + 30);

export const payerOf = (): typeof payer => payer;

function orderLinks(base: string, order: SimulatedOrder) {
  const self = `${base}/v2/checkout/orders/${order.id}`;
  const page = `${base}/checkoutnow?token=${order.id}`;
  if (order.status === 'COMPLETED') return [link(self, 'self')];
  if (order.status === 'APPROVED') return [link(self, 'self'), link(`${self}/capture`, 'capture', 'POST')];
  if (order.withSource) return [link(self, 'self'), link(page, 'payer-action')];
  return [
    link(self, 'self'),
    link(page, 'approve'),
    link(self, 'update', 'PATCH'),
    link(`${self}/capture`, 'capture', 'POST'),
  ];
}

export const minimalOrder = (base: string, order: SimulatedOrder) => ({
  id: order.id,
  status: order.status,
  ...(order.withSource && { payment_source: { paypal: {} } }),
  links: orderLinks(base, order),
});

export function fullOrder(base: string, order: SimulatedOrder) {
  const { capture } = order;
  const known = order.status === 'APPROVED' || order.status === 'COMPLETED';
  return {
    id: order.id,
    intent: order.intent,
    status: order.status,
    ...(order.withSource && {
      payment_source: { paypal: known ? { email_address: payer.email_address, account_id: payer.payer_id } : {} },
    }),
    purchase_units: [
      {
        ...order.unit,
        payee,
        ...(capture && { payments: paymentsOf(base, order, capture) }),
      },
    ],
    ...(known && { payer }),
    create_time: order.createdAt,
    links: orderLinks(base, order),
  };
}

function paymentsOf(base: string, order: SimulatedOrder, capture: SimulatedCapture) {
  const refunds = capture.refunds.map((refund) => refundOf(base, order, capture, refund));
  return { captures: [captureOf(base, order, capture)], ...(refunds.length > 0 && { refunds }) };
}

export function captureOf(base: string, order: SimulatedOrder, capture: SimulatedCapture) {
  const { currency_code, value } = capture.amount;
  const gross = toCents(value);
  const self = `${base}/v2/payments/captures/${capture.id}`;
  return {
    id: capture.id,
    status: capture.status,
    ...(capture.status === 'PENDING' && { status_details: { reason: 'ECHECK' } }),
    amount: capture.amount,
    final_capture: true,
    seller_protection: {
      status: 'ELIGIBLE',
      dispute_categories: ['ITEM_NOT_RECEIVED', 'UNAUTHORIZED_TRANSACTION'],
    },
    ...(capture.status !== 'PENDING' &&
      capture.status !== 'DECLINED' && {
        seller_receivable_breakdown: {
          gross_amount: capture.amount,
          paypal_fee: money(currency_code, feeOf(gross)),
          net_amount: money(currency_code, gross - feeOf(gross)),
        },
      }),
    ...(order.unit.custom_id !== undefined && { custom_id: order.unit.custom_id }),
    ...(order.unit.invoice_id !== undefined && { invoice_id: order.unit.invoice_id }),
    supplementary_data: { related_ids: { order_id: order.id } },
    create_time: capture.createdAt,
    update_time: capture.createdAt,
    links: [
      link(self, 'self'),
      link(`${self}/refund`, 'refund', 'POST'),
      link(`${base}/v2/checkout/orders/${order.id}`, 'up'),
    ],
  };
}

export function refundOf(base: string, order: SimulatedOrder, capture: SimulatedCapture, refund: SimulatedRefund) {
  const { currency_code, value } = refund.amount;
  return {
    id: refund.id,
    amount: refund.amount,
    status: 'COMPLETED',
    ...(order.unit.custom_id !== undefined && { custom_id: order.unit.custom_id }),
    seller_payable_breakdown: {
      gross_amount: refund.amount,
      paypal_fee: money(currency_code, 0),
      net_amount: money(currency_code, toCents(value)),
      total_refunded_amount: money(currency_code, refundedCents(capture)),
    },
    create_time: refund.createdAt,
    update_time: refund.createdAt,
    links: [
      link(`${base}/v2/payments/refunds/${refund.id}`, 'self'),
      link(`${base}/v2/payments/captures/${capture.id}`, 'up'),
    ],
  };
}

export function disputeOf(base: string, order: SimulatedOrder, capture: SimulatedCapture) {
  const { dispute } = capture;
  if (!dispute) throw new Error('this capture is not disputed');
  return {
    dispute_id: dispute.id,
    create_time: dispute.createdAt,
    update_time: dispute.createdAt,
    disputed_transactions: [
      {
        seller_transaction_id: capture.id,
        create_time: capture.createdAt,
        transaction_status: 'COMPLETED',
        gross_amount: capture.amount,
        ...(order.unit.custom_id !== undefined && { custom: order.unit.custom_id }),
        buyer: { name: 'Example Payer' },
        seller: { email: payee.email_address, merchant_id: payee.merchant_id, name: 'Example Merchant' },
        seller_protection_eligible: true,
      },
    ],
    reason: 'MERCHANDISE_OR_SERVICE_NOT_RECEIVED',
    status: dispute.outcome === undefined ? 'OPEN' : 'RESOLVED',
    dispute_amount: dispute.amount,
    ...(dispute.outcome !== undefined && {
      dispute_outcome: { outcome_code: dispute.outcome, amount_refunded: dispute.amount },
    }),
    dispute_life_cycle_stage: 'INQUIRY',
    dispute_channel: 'INTERNAL',
    links: [link(`${base}/v1/customer/disputes/${dispute.id}`, 'self')],
  };
}
