import { routes } from '@nolo/api';
import { newId } from '@nolo/kit/ids';
import type { RpcCallOptions } from '@nolo/kit/rpc';
import type { CreateOrderReply } from '@nolo/proto/billing';
import { formatContentDisposition } from '../domain/contentDisposition.ts';
import { readPayPalOrderRequest } from '../domain/payPalOrder.ts';
import type { GatewayContext } from '../gatewayContext.ts';
import { createGatewayError } from '../errors.ts';
import type { BindRoute } from '../http/routeBinder.ts';
import { setNextPageHeader } from '../http/nextPage.ts';
import { toBilling, toOrder, toPayment } from '../mapping/billing.ts';

/** Timeout for calls to a payment gateway while a user waits. */
const gatewayTimeoutMs = 25_000;

/** Returns the clients of the billing service. @throws AppError not_found billing_unavailable if nothing is sold. */
export function requireBilling({
  billing,
  team,
  billingAdmin,
}: Pick<GatewayContext, 'billing' | 'team' | 'billingAdmin'>) {
  if (billing && team && billingAdmin) return { plans: billing, team, admin: billingAdmin };
  throw createGatewayError('not_found', 'billing_unavailable', 'There is no billing here, so no plans and no limits.');
}

interface Wanted {
  readonly id: string;
  readonly item: string;
  readonly seats: number;
  readonly currency: string;
  readonly expectedMinor: number | undefined;
}

/** Routes for a user's own plans, orders, and payments. */
export function bindBilling(
  bind: BindRoute,
  context: Pick<GatewayContext, 'identity' | 'publicUrl' | 'billing' | 'team' | 'billingAdmin'>,
): void {
  const { identity, publicUrl } = context;

  /** Creates an order with the buyer's name and email, which the payment gateway and the receipt need. */
  const order = async (actorId: string, wanted: Wanted, rpc: RpcCallOptions): Promise<CreateOrderReply> => {
    const { plans } = requireBilling(context);
    const { firstName, lastName, email, writtenLanguage: language } = await identity.getSelf({ actorId }, rpc);
    const { id: orderId, ...rest } = wanted;
    const request = { ...rest, actorId, orderId, origin: publicUrl, firstName, lastName, email, language };
    return plans.createOrder(request, { ...rpc, timeoutMs: gatewayTimeoutMs });
  };

  bind(routes.getBilling, async ({ actor, query, rpc }) => {
    const rpcRequest = { actorId: actor.userId, timeZone: query.timeZone };
    return toBilling(await requireBilling(context).plans.getSubscription(rpcRequest, rpc));
  });

  bind(routes.createOrder, async ({ actor, body, rpc }) => {
    const { amountMinor, ...rest } = body;
    const begun = await order(actor.userId, { ...rest, expectedMinor: amountMinor }, rpc);
    return { order: toOrder(orderIn(begun)), payment: toPayment(begun) };
  });

  bind(routes.payPalOrder, async ({ actor, body, rpc }) => {
    const begun = await order(actor.userId, { id: newId(), seats: 1, ...readPayPalOrderRequest(body) }, rpc);
    return { id: begun.gatewayOrderId ?? '', status: 'CREATED', orderId: orderIn(begun).id, links: begun.links };
  });

  bind(routes.validatePayFast, async ({ actor, body, rpc }) => {
    const rpcRequest = { actorId: actor.userId, orderId: body.paymentId };
    const { state } = await requireBilling(context).plans.validateOrder(rpcRequest, {
      ...rpc,
      timeoutMs: gatewayTimeoutMs,
    });
    return { ok: state === 'paid' };
  });

  bind(routes.listOrders, async ({ actor, query, rpc, response }) => {
    const page = { actorId: actor.userId, cursor: query.cursor, limit: query.limit ?? 50 };
    const { orders, nextCursor } = await requireBilling(context).plans.listOrders(page, rpc);
    setNextPageHeader(response, nextCursor);
    return orders.map(toOrder);
  });

  const named = (actorId: string, orderId: string) => ({ actorId, orderId });
  bind(routes.getOrder, async ({ actor, params, rpc }) =>
    toOrder(await requireBilling(context).plans.getOrder(named(actor.userId, params.id), rpc)),
  );
  bind(routes.cancelOrder, async ({ actor, params, rpc }) =>
    toOrder(await requireBilling(context).plans.cancelOrder(named(actor.userId, params.id), rpc)),
  );
  bind(routes.getReceipt, async ({ actor, params, rpc, response }) => {
    const {
      number,
      pdf,
      fileName = `receipt-${number}.pdf`,
    } = await requireBilling(context).plans.getReceipt(named(actor.userId, params.id), rpc);
    response.set({
      'Content-Type': 'application/pdf',
      'Content-Disposition': formatContentDisposition('attachment', fileName),
      'Content-Security-Policy': "sandbox; default-src 'none'",
    });
    response.end(pdf);
  });

  bind(routes.cancelPlan, async ({ actor, rpc }) =>
    toBilling(await requireBilling(context).plans.cancelSubscription({ actorId: actor.userId }, rpc)),
  );
  bind(routes.resumePlan, async ({ actor, rpc }) =>
    toBilling(await requireBilling(context).plans.resumeSubscription({ actorId: actor.userId }, rpc)),
  );
  bind(routes.downgradePlan, async ({ actor, body, rpc }) => {
    const planned = { actorId: actor.userId, plan: body.plan, seats: body.seats };
    return toBilling(await requireBilling(context).plans.planDowngrade(planned, rpc));
  });

  bind(routes.sendEmail, async ({ actor, body, rpc }) => {
    const { purpose, to, orderId = '' } = body;
    await requireBilling(context).plans.sendMail(
      { actorId: actor.userId, purpose, to, orderId, origin: publicUrl },
      rpc,
    );
  });
}

function orderIn({ order }: CreateOrderReply) {
  if (order) return order;
  throw new Error('billing returned no order.');
}
