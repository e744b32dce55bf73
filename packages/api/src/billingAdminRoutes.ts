import * as z from 'zod/mini';
import * as a from './billingAdminSchemas.ts';
import { billing, paymentNotificationStates, orderStates, subscriptionStates } from './billingSchemas.ts';
import { limitUpTo, cursor, idParams } from './parameters.ts';
import { defineRoute } from './route.ts';
import * as s from './schemas.ts';

const tagged = { access: 'session', tag: 'billing', proof: 'operator' } as const;
const away = 'billing_unavailable';
const listed = [away, 'cursor_invalid'] as const;

const pageQuery = z.object({
  /** Account to which entries are limited. */
  userId: z.optional(s.id),
  cursor: z.optional(cursor),
  limit: z.optional(limitUpTo(100)),
});

/** Routes for operators. billing decides who is an operator and audits every action. */
export const billingAdminRoutes = {
  findOrders: defineRoute({
    ...tagged,
    method: 'GET',
    path: '/api/admin/billing/orders',
    summary:
      'List the orders of all accounts, newest first; `leftover` selects those whose money pays for nothing, wholly or in part',
    query: z.extend(pageQuery, { state: z.optional(z.enum([...orderStates, 'leftover'])) }),
    reply: z.array(a.adminOrder),
    errors: listed,
  }),
  findSubscriptions: defineRoute({
    ...tagged,
    method: 'GET',
    path: '/api/admin/billing/subscriptions',
    summary:
      'List the accounts that have or had a plan, newest first; `ended` selects plans that expired or were refunded',
    query: z.extend(pageQuery, { state: z.optional(z.enum(subscriptionStates)) }),
    reply: z.array(a.adminSubscription),
    errors: listed,
  }),
  findNotifications: defineRoute({
    ...tagged,
    method: 'GET',
    path: '/api/admin/billing/notifications',
    summary: 'List the notifications of payment gateways as received, newest first',
    query: z.extend(pageQuery, { state: z.optional(z.enum(paymentNotificationStates)) }),
    reply: z.array(a.paymentNotification),
    errors: listed,
  }),
  findAudit: defineRoute({
    ...tagged,
    method: 'GET',
    path: '/api/admin/billing/audit',
    summary: 'List operator actions and attempts, newest first',
    query: pageQuery,
    reply: z.array(a.billingAuditRecord),
    errors: listed,
  }),
  retryNotification: defineRoute({
    ...tagged,
    method: 'POST',
    path: '/api/admin/billing/notifications/{id}/retry',
    summary: 'Process a notification again',
    params: idParams,
    reply: a.paymentNotification,
    limit: 'operatorChangesPerUser',
    errors: [away, 'notification_not_found'],
  }),
  refundOrder: defineRoute({
    ...tagged,
    method: 'POST',
    path: '/api/admin/billing/orders/{id}/refund',
    summary: 'Refund money through the gateway: all that is left, unless `amountMinor` is given',
    params: idParams,
    body: a.newRefund,
    example: { id: '0190a5f4-7d3e-7000-8000-000000000001', amountMinor: 12_900, reason: 'Bought twice.' },
    reply: a.adminOrder,
    limit: 'operatorChangesPerUser',
    errors: [away, 'order_not_found', 'refund_invalid', 'payment_unavailable'],
  }),
  reconcileMeters: defineRoute({
    ...tagged,
    method: 'POST',
    path: '/api/admin/billing/meters/reconcile',
    summary:
      'Reconcile usage meters with the services that hold the data, as happens every night; returns the features covered',
    reply: z.object({ features: z.array(z.string()) }),
    limit: 'operatorChangesPerUser',
    errors: [away],
  }),
  grantPlan: defineRoute({
    ...tagged,
    method: 'POST',
    path: '/api/admin/billing/users/{id}/plan',
    summary: 'Grant an account a plan for some days; `free` ends the grant',
    params: idParams,
    body: a.newPlanGrant,
    example: { id: '0190a5f4-7d3e-7000-8000-000000000001', plan: 'plus', days: 30, reason: 'Helped us test.' },
    reply: billing,
    limit: 'operatorChangesPerUser',
    errors: [away, 'user_not_found', 'grant_invalid'],
  }),
} as const;
