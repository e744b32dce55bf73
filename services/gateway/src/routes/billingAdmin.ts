import { routes } from '@nolo/api';
import type { FindRequest } from '@nolo/proto/billingAdmin';
import type { Response } from 'express';
import type { GatewayContext } from '../gatewayContext.ts';
import type { BindRoute } from '../http/routeBinder.ts';
import type { RequestActor } from '../http/sessionAuthenticator.ts';
import { setNextPageHeader } from '../http/nextPage.ts';
import { callerOf } from './callerOf.ts';
import { requireBilling } from './billing.ts';
import {
  toAdminOrder,
  toAdminSubscription,
  toBillingAuditRecord,
  toBilling,
  toAdminPaymentNotification,
} from '../mapping/billing.ts';

/** Timeout for a refund at the payment gateway while an operator waits. */
const gatewayTimeoutMs = 25_000;

interface Filter {
  readonly userId?: string | undefined;
  readonly state?: string | undefined;
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

const toFind = (actor: RequestActor, { userId, state, cursor, limit = 50 }: Filter): FindRequest => ({
  ...callerOf(actor),
  userId,
  state,
  cursor,
  limit,
});

/** Returns the rows of a page and sets the header with the cursor of the next page. */
function hand<Row>(response: Response, rows: readonly Row[], nextCursor: string | undefined): readonly Row[] {
  setNextPageHeader(response, nextCursor);
  return rows;
}

/** Billing routes for operators. Billing asks identity who is an operator and whether they have fresh proof. */
export function bindBillingAdmin(
  bind: BindRoute,
  context: Pick<GatewayContext, 'billing' | 'team' | 'billingAdmin'>,
): void {
  bind(routes.findOrders, async ({ actor, query, rpc, response }) => {
    const found = await requireBilling(context).admin.findOrders(toFind(actor, query), rpc);
    return hand(response, found.orders, found.nextCursor).map((row) => toAdminOrder(row, found.leftovers));
  });
  bind(routes.findSubscriptions, async ({ actor, query, rpc, response }) => {
    const found = await requireBilling(context).admin.findSubscriptions(toFind(actor, query), rpc);
    return hand(response, found.subscriptions, found.nextCursor).flatMap(toAdminSubscription);
  });
  bind(routes.findNotifications, async ({ actor, query, rpc, response }) => {
    const found = await requireBilling(context).admin.findNotifications(toFind(actor, query), rpc);
    return hand(response, found.notifications, found.nextCursor).map(toAdminPaymentNotification);
  });
  bind(routes.findAudit, async ({ actor, query, rpc, response }) => {
    const found = await requireBilling(context).admin.findAudit(toFind(actor, query), rpc);
    return hand(response, found.records, found.nextCursor).map(toBillingAuditRecord);
  });

  bind(routes.retryNotification, async ({ actor, params, rpc }) => {
    const retryRequest = { ...callerOf(actor), notificationId: params.id };
    return toAdminPaymentNotification(await requireBilling(context).admin.retryNotification(retryRequest, rpc));
  });
  bind(routes.refundOrder, async ({ actor, params, body, rpc }) => {
    const { id: refundId, amountMinor, reason } = body;
    const refund = { ...callerOf(actor), orderId: params.id, refundId, amountMinor, reason };
    return toAdminOrder(
      await requireBilling(context).admin.refundOrder(refund, { ...rpc, timeoutMs: gatewayTimeoutMs }),
    );
  });
  bind(routes.reconcileMeters, async ({ actor, rpc }) => {
    return await requireBilling(context).admin.reconcileMeters(callerOf(actor), rpc);
  });
  bind(routes.grantPlan, async ({ actor, params, body, rpc }) => {
    const { id: grantId, ...rest } = body;
    const grant = { ...rest, ...callerOf(actor), userId: params.id, grantId };
    return toBilling(await requireBilling(context).admin.grantPlan(grant, rpc));
  });
}
