import * as z from 'zod/mini';
import * as b from './billingSchemas.ts';
import { limitUpTo, cursor, idParams } from './parameters.ts';
import { defineRoute } from './route.ts';
import * as s from './schemas.ts';

const tagged = { access: 'session', tag: 'billing' } as const;
const away = 'billing_unavailable';
/** Error codes of an order, however it is created. */
const ordered = [
  away,
  'item_unknown',
  'item_unavailable',
  'currency_unsupported',
  'seats_invalid',
  'amount_mismatch',
  'order_conflict',
  'nothing_to_pay',
  'too_many_orders',
  'payment_unavailable',
] as const;
const atOrder = [away, 'order_not_found'] as const;
const atPlan = [away, 'subscription_not_found'] as const;

const exampleOrder = {
  id: '0190a5f4-7d3e-7000-8000-000000000001',
  item: 'plus',
  currency: 'ZAR',
  amountMinor: 12_900,
} as const;

/** Plans, orders and payments (spec section 7), if the operator has set the service up (`features.billing`). */
export const billingRoutes = {
  getBilling: defineRoute({
    ...tagged,
    method: 'GET',
    path: '/api/billing',
    summary:
      'Get your plan, what follows it, your add-ons, and the limit and usage of each feature. If `timeZone` (an IANA name) is given, months are counted in it from now on',
    query: z.object({ timeZone: z.optional(z.string().check(z.maxLength(64))) }),
    reply: b.billing,
    errors: [away],
  }),
  createOrder: defineRoute({
    ...tagged,
    method: 'POST',
    path: '/api/billing/orders',
    status: 201,
    summary:
      'Order a plan or an add-on, and start the payment: `payment` is a URL to open, or a form to submit with its fields unchanged. Repeating the same `id` returns the same order. A plan starts once the order is `paid`, which the gateway reports, not the return page',
    body: b.newOrder,
    example: exampleOrder,
    reply: b.startedOrder,
    limit: 'ordersPerUser',
    errors: ordered,
  }),
  listOrders: defineRoute({
    ...tagged,
    method: 'GET',
    path: '/api/billing/orders',
    summary: 'List your orders, newest first; 50 unless `limit` is given',
    query: z.object({ cursor: z.optional(cursor), limit: z.optional(limitUpTo(50)) }),
    reply: z.array(b.order),
    errors: [away, 'cursor_invalid'],
  }),
  getOrder: defineRoute({
    ...tagged,
    method: 'GET',
    path: '/api/billing/orders/{id}',
    summary: 'Get one of your orders; poll it after returning from the payment until it is `paid`',
    params: idParams,
    reply: b.order,
    errors: atOrder,
  }),
  cancelOrder: defineRoute({
    ...tagged,
    method: 'POST',
    path: '/api/billing/orders/{id}/cancel',
    summary: 'Cancel an unpaid order; a paid or finished one stays as it is',
    params: idParams,
    reply: b.order,
    limit: 'billingChangesPerUser',
    errors: atOrder,
  }),
  getReceipt: defineRoute({
    ...tagged,
    method: 'GET',
    path: '/api/billing/orders/{id}/receipt',
    summary: 'Download the receipt of a paid order as a PDF',
    params: idParams,
    limit: 'billingChangesPerUser',
    errors: [...atOrder, 'receipt_not_found'],
  }),
  cancelPlan: defineRoute({
    ...tagged,
    method: 'POST',
    path: '/api/billing/cancel',
    summary: 'Let the plan end with its period; it stays in effect until then',
    reply: b.billing,
    limit: 'billingChangesPerUser',
    errors: atPlan,
  }),
  resumePlan: defineRoute({
    ...tagged,
    method: 'POST',
    path: '/api/billing/resume',
    summary: 'Undo the cancellation or downgrade of the plan',
    reply: b.billing,
    limit: 'billingChangesPerUser',
    errors: atPlan,
  }),
  downgradePlan: defineRoute({
    ...tagged,
    method: 'POST',
    path: '/api/billing/downgrade',
    summary: 'Downgrade to a smaller plan or fewer seats at the end of the period. No stored data is removed',
    body: b.plannedDowngrade,
    example: { plan: 'plus' },
    reply: b.billing,
    limit: 'billingChangesPerUser',
    errors: [...atPlan, 'downgrade_invalid'],
  }),
  payPalOrder: defineRoute({
    ...tagged,
    method: 'POST',
    path: '/api/paypal/order',
    summary:
      'Create a PayPal order, as the specification defines it: `custom_id` names the item (plus, business, storage, or transcription), and `amount` is decimal. Navigate to the link of the answer with rel `approve` or `payer-action`',
    body: b.payPalOrder,
    example: { intent: 'CAPTURE', amount: '7.00', currency: 'USD', description: 'Nolo Plus', custom_id: 'plus' },
    reply: b.payPalOrderReply,
    limit: 'ordersPerUser',
    errors: ordered,
  }),
  validatePayFast: defineRoute({
    ...tagged,
    method: 'POST',
    path: '/api/payfast/validate',
    summary: 'Ask PayFast now whether one of your orders was paid; `paymentId` is the id of the order',
    body: z.object({ paymentId: s.id }),
    example: { paymentId: exampleOrder.id },
    reply: z.object({ ok: z.boolean() }),
    limit: 'billingChangesPerUser',
    errors: [...atOrder, 'payment_unavailable'],
  }),
  notifyPayFast: defineRoute({
    method: 'POST',
    path: '/api/payfast/notify',
    access: 'signed',
    tag: 'billing',
    summary: 'Receive PayFast notifications of payments; stored unchanged, verified afterwards',
    bodyType: 'application/x-www-form-urlencoded',
    rawBytes: 65_536,
    limit: 'paymentNotificationsPerAddress',
    errors: [away, 'notification_empty', 'notification_too_large'],
  }),
  notifyPayPal: defineRoute({
    method: 'POST',
    path: '/api/paypal/notify',
    access: 'signed',
    tag: 'billing',
    summary: 'Receive PayPal notifications of payments, refunds and disputes; stored unchanged, verified afterwards',
    bodyType: 'application/json',
    rawBytes: 262_144,
    limit: 'paymentNotificationsPerAddress',
    errors: [away, 'notification_empty', 'notification_too_large'],
  }),
  sendEmail: defineRoute({
    ...tagged,
    method: 'POST',
    path: '/api/email/send',
    status: 204,
    summary:
      'Send one of our own emails (an invitation, a receipt, a reminder) to an address; the sender cannot change its text',
    body: z.object({
      purpose: z.enum(b.billingMailPurposes),
      to: z.string().check(z.trim(), z.minLength(3), z.maxLength(254)),
      /** Order of the receipt. */
      orderId: z.optional(s.id),
    }),
    example: { purpose: 'invitation', to: 'thandi@example.org' },
    limit: 'mailsPerUserDay',
    errors: [away, 'mail_purpose_unknown', 'mail_address_invalid', 'mail_unavailable', 'order_not_found'],
  }),
} as const;
