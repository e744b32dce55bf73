import * as z from 'zod/mini';
import * as a from './billingAdminSchemas.ts';
import { billing, notificationStates, orderStates, subscriptionStates } from './billingSchemas.ts';
import { count, cursor, idParams } from './parameters.ts';
import { route } from './route.ts';
import * as s from './schemas.ts';

const tagged = { access: 'session', tag: 'billing', proof: 'operator' } as const;
const away = 'billing_unavailable';
const listed = [away, 'cursor_invalid'] as const;

const pageQuery = z.object({
  /** Account to which entries are limited. */
  userId: z.optional(s.id),
  cursor: z.optional(cursor),
  limit: z.optional(count(100)),
});

/** Routes for operators. billing decides who is an operator and audits every action. */
export const billingAdminRoutes = {
  findOrders: route({
    ...tagged,
    method: 'GET',
    path: '/api/admin/billing/orders',
    summary:
      'Orders of all accounts, newest first; `leftover` are those whose money pays for nothing, in part or at all',
    query: z.extend(pageQuery, { state: z.optional(z.enum([...orderStates, 'leftover'])) }),
    reply: z.array(a.adminOrder),
    errors: listed,
  }),
  findSubscriptions: route({
    ...tagged,
    method: 'GET',
    path: '/api/admin/billing/subscriptions',
    summary: 'Accounts that have or had a plan, newest first; `ended` are those that expired or were given back',
    query: z.extend(pageQuery, { state: z.optional(z.enum(subscriptionStates)) }),
    reply: z.array(a.adminSubscription),
    errors: listed,
  }),
  findNotifications: route({
    ...tagged,
    method: 'GET',
    path: '/api/admin/billing/notifications',
    summary: 'What the gateways sent, as it came, newest first',
    query: z.extend(pageQuery, { state: z.optional(z.enum(notificationStates)) }),
    reply: z.array(a.paymentNotification),
    errors: listed,
  }),
  findAudit: route({
    ...tagged,
    method: 'GET',
    path: '/api/admin/billing/audit',
    summary: 'What operators did and tried to do, newest first',
    query: pageQuery,
    reply: z.array(a.auditRecord),
    errors: listed,
  }),
  retryNotification: route({
    ...tagged,
    method: 'POST',
    path: '/api/admin/billing/notifications/{id}/retry',
    summary: 'Work a notification off again',
    params: idParams,
    reply: a.paymentNotification,
    limit: 'operatorChangesPerUser',
    errors: [away, 'notification_not_found'],
  }),
  refundOrder: route({
    ...tagged,
    method: 'POST',
    path: '/api/admin/billing/orders/{id}/refund',
    summary: 'Give money back at the gateway, all that is left unless `amountMinor` says otherwise',
    params: idParams,
    body: a.newRefund,
    example: { id: '0190a5f4-7d3e-7000-8000-000000000001', amountMinor: 12_900, reason: 'Bought twice.' },
    reply: a.adminOrder,
    limit: 'operatorChangesPerUser',
    errors: [away, 'order_not_found', 'refund_invalid', 'payment_unavailable'],
  }),
  reconcileMeters: route({
    ...tagged,
    method: 'POST',
    path: '/api/admin/billing/meters/reconcile',
    summary: 'Hold what was counted of plans against what services hold, as every night; answers of what',
    reply: z.object({ features: z.array(z.string()) }),
    limit: 'operatorChangesPerUser',
    errors: [away],
  }),
  grantPlan: route({
    ...tagged,
    method: 'POST',
    path: '/api/admin/billing/users/{id}/plan',
    summary: 'Give an account a plan by hand for some days; `free` ends what was given',
    params: idParams,
    body: a.grantedPlan,
    example: { id: '0190a5f4-7d3e-7000-8000-000000000001', plan: 'plus', days: 30, reason: 'Helped us test.' },
    reply: billing,
    limit: 'operatorChangesPerUser',
    errors: [away, 'user_not_found', 'grant_invalid'],
  }),
} as const;
