import { parseActorId, idFromName } from '@nolo/kit/ids';
import { clampPageSize } from '@nolo/kit/pages';
import type { RpcCaller } from '@nolo/kit/proof';
import type { RpcHandler } from '@nolo/kit/rpc';
import type { Subscription } from '@nolo/proto/billing';
import type { BillingAdminServiceDefinition, FindRequest, NotificationRecord } from '@nolo/proto/billingAdmin';
import { cutText, paidPlanIds } from '@nolo/rules';
import { accountCursor } from '../domain/cursors.ts';
import { assignGrantTime, type BillingFact } from '../domain/facts.ts';
import { dayMs } from '../domain/periods.ts';
import type { StoredGatewayNotification } from '../domain/ports.ts';
import { createBillingError } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';
import { toOrderReply } from './orders.ts';
import { parseText, parseUuid, parseUserId } from './parse.ts';
import { loadSubscription } from './subscriptions.ts';

type Handler<Name extends keyof (typeof BillingAdminServiceDefinition)['methods']> = RpcHandler<
  (typeof BillingAdminServiceDefinition)['methods'][Name]
>;

const maxReasonLength = 500;

/** Admits recently proven operators, and records each request before it runs, including refused ones. */
async function admit(
  { admitOperator, audit, clock }: Dependencies,
  caller: RpcCaller,
  action: string,
  subject: string,
  details: object,
): Promise<void> {
  const operatorId = parseActorId(caller.actorId ?? '');
  const write = (isAllowed: boolean) =>
    audit.write({ operatorId, action, subject: cutText(subject, 100), isAllowed, details, at: clock.now() });
  try {
    await admitOperator(caller);
  } catch (refusal) {
    await write(false);
    throw refusal;
  }
  await write(true);
}

const filterOf = ({ userId, state, cursor, limit }: FindRequest) => ({
  userId: userId ? parseUserId(userId) : undefined,
  state: state || undefined,
  cursor,
  limit: clampPageSize(limit, 50, 100),
});

const describeQuery = ({ state, limit, cursor }: FindRequest) => ({ state, limit, isFirst: !cursor });

export function findOrders(dependencies: Dependencies): Handler<'findOrders'> {
  return async (request) => {
    await admit(dependencies, request, 'FindOrders', request.userId ?? '', describeQuery(request));
    const { userId, state, cursor, limit } = filterOf(request);
    const page = await dependencies.orders.list({ userId, state }, cursor, limit);
    const leftovers = await dependencies.orders.leftovers(page.rows.map(({ id }) => id));
    return {
      orders: page.rows.map(toOrderReply),
      nextCursor: page.nextCursor,
      leftovers: leftovers.map(({ amount: amountMinor, ...rest }) => ({ ...rest, amountMinor })),
    };
  };
}

/** Shows a listed account without a remaining plan as ended: it had one, which for example was fully refunded. */
const hadPlan = (one: Subscription): Subscription => (one.state === 'none' ? { ...one, state: 'ended' } : one);

export function findSubscriptions(dependencies: Dependencies): Handler<'findSubscriptions'> {
  return async (request) => {
    await admit(dependencies, request, 'FindSubscriptions', request.userId ?? '', describeQuery(request));
    const { userId, state, cursor, limit } = filterOf(request);
    const ids = await dependencies.subscriptions.list(userId, accountCursor.read(cursor)?.id, limit + 1);
    const subscriptions = [];
    for (const id of ids.slice(0, limit)) {
      const subscription = hadPlan(await loadSubscription(dependencies, id));
      if (state === undefined || subscription.state === state) subscriptions.push({ userId: id, subscription });
    }
    const last = ids[limit - 1];
    return { subscriptions, nextCursor: ids.length > limit && last ? accountCursor.write({ id: last }) : undefined };
  };
}

const recordOf = (row: StoredGatewayNotification): NotificationRecord => ({
  id: row.id,
  gateway: row.gateway,
  state: row.state,
  reason: row.reason || undefined,
  orderId: row.orderId ?? undefined,
  body: Buffer.from(row.raw.body).toString(),
  receivedAt: row.receivedAt,
  attempts: row.attempts,
});

export function findNotifications(dependencies: Dependencies): Handler<'findNotifications'> {
  return async (request) => {
    await admit(dependencies, request, 'FindNotifications', request.userId ?? '', describeQuery(request));
    // Each body may have 256 KiB; the limit is what fits into a reply.
    const page = await dependencies.notifications.list(
      request.state,
      request.cursor,
      clampPageSize(request.limit, 10, 12),
    );
    return { notifications: page.rows.map(recordOf), nextCursor: page.nextCursor };
  };
}

export function findAudit(dependencies: Dependencies): Handler<'findAudit'> {
  return async (request) => {
    await admit(dependencies, request, 'FindAudit', request.userId ?? '', describeQuery(request));
    const page = await dependencies.audit.list(request.userId, request.cursor, clampPageSize(request.limit, 50, 100));
    return {
      records: page.rows.map((row) => ({
        id: row.id,
        operatorId: row.operatorId,
        action: row.action,
        subject: row.subject || undefined,
        details: JSON.stringify(row.details),
        at: row.at,
        allowed: row.isAllowed,
      })),
      nextCursor: page.nextCursor,
    };
  };
}

export function refundOrder(dependencies: Dependencies): Handler<'refundOrder'> {
  return async (request) => {
    const { orderId, refundId, amountMinor = 0, reason } = request;
    const details = { refundId, amountMinor, reason: cutText(reason, maxReasonLength) };
    await admit(dependencies, request, 'RefundOrder', orderId, details);
    const [id, refund] = [parseUuid('order_id', orderId), parseUuid('refund_id', refundId)];
    const why = parseText('reason', reason, maxReasonLength);
    return toOrderReply(await dependencies.refunds.refund(id, refund, amountMinor, why));
  };
}

export function grantPlan(dependencies: Dependencies): Handler<'grantPlan'> {
  return async (request) => {
    const { userId: user, plan: name, days, reason, grantId } = request;
    const details = { grantId, plan: name, days, reason: cutText(reason, maxReasonLength) };
    await admit(dependencies, request, 'GrantPlan', user, details);
    const [userId, id] = [parseUserId(user), parseUuid('grant_id', grantId)];
    parseText('reason', reason, maxReasonLength);
    const plan = paidPlanIds.find((paid) => paid === name);
    const isEnd = name === 'free';
    if ((!plan && !isEnd) || (!isEnd && (!Number.isInteger(days) || days < 1 || days > 366))) {
      throw createBillingError('invalid', 'grant_invalid', 'A plan can be granted for 1 to 366 days.');
    }
    if (!(await dependencies.people.find(userId))) {
      throw createBillingError('not_found', 'user_not_found', 'This account does not exist.');
    }
    await dependencies.recorder.record(userId, ({ facts }): BillingFact[] => {
      const at = assignGrantTime(facts, dependencies.clock.now());
      const base = { id: idFromName(`grant:${id}`), userId, at };
      const until = new Date(at.getTime() + days * dayMs);
      return [plan ? { ...base, kind: 'grant', plan, seats: 1, until } : { ...base, kind: 'grants_ended' }];
    });
    return await loadSubscription(dependencies, userId);
  };
}

export function retryNotification(dependencies: Dependencies): Handler<'retryNotification'> {
  return async (request) => {
    const { notificationId } = request;
    await admit(dependencies, request, 'RetryNotification', notificationId, {});
    const id = parseUuid('notification_id', notificationId);
    const { notifications } = dependencies;
    if (await notifications.get(id)) await notifications.retry(id);
    const row = await notifications.get(id);
    if (!row) throw createBillingError('not_found', 'notification_not_found', 'This notification does not exist.');
    return recordOf(row);
  };
}

export function reconcileMeters(dependencies: Dependencies): Handler<'reconcileMeters'> {
  return async (request) => {
    await admit(dependencies, request, 'ReconcileMeters', '', {});
    return { features: await dependencies.beginReconciliation() };
  };
}
