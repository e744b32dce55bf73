import { isAppError } from '@nolo/kit/errors';
import { parseActorId, type UserId } from '@nolo/kit/ids';
import { clampPageSize } from '@nolo/kit/pages';
import type { RpcHandler } from '@nolo/kit/rpc';
import type { BillingServiceDefinition, CreateOrderReply, Order } from '@nolo/proto/billing';
import { cutText, type ReaderLocale, toSupportedLanguage } from '@nolo/rules';
import { GatewayError, type PaymentStart } from '../domain/gateway.ts';
import { checkOrderRequest } from '../domain/newOrder.ts';
import type { OrderView } from '../domain/orders.ts';
import type { PeopleDirectory } from '../domain/ports.ts';
import { createBillingError, paymentUnavailable } from '../errors.ts';
import { receiptFileName, renderReceiptPdf } from '../mail/renderReceiptPdf.ts';
import type { Dependencies } from './dependencies.ts';
import { parseUuid } from './parse.ts';

type Handler<Name extends keyof (typeof BillingServiceDefinition)['methods']> = RpcHandler<
  (typeof BillingServiceDefinition)['methods'][Name]
>;

export function toOrderReply(order: OrderView): Order {
  return {
    id: order.id,
    item: order.item,
    seats: order.seats,
    state: order.state,
    gateway: order.gateway,
    amountMinor: order.money.amount,
    currency: order.money.currency,
    creditMinor: order.credit,
    shownCurrency: order.shownCurrency,
    refundedMinor: order.refunded,
    createdAt: order.createdAt,
    paidAt: order.paidAt ?? undefined,
    receiptNumber: order.receiptNumber ?? undefined,
    reason: order.reason || undefined,
    userId: order.userId,
  };
}

function paymentReply(approveUrl: PaymentStart['approveUrl'], form: PaymentStart['form']): CreateOrderReply['payment'] {
  if (form) {
    const fields = form.fields.map(([name, value]) => ({ name, value }));
    return { $case: 'form', value: { action: form.action, fields } };
  }
  return approveUrl === null ? undefined : { $case: 'approveUrl', value: approveUrl };
}

function startReply(order: OrderView, { approveUrl, form, links, gatewayOrderId }: PaymentStart): CreateOrderReply {
  return {
    order: toOrderReply(order),
    payment: paymentReply(approveUrl, form),
    links: links.map((link) => ({ ...link })),
    gatewayOrderId: gatewayOrderId ?? undefined,
  };
}

export function createOrder({ payments, metrics, transcribes }: Dependencies): Handler<'createOrder'> {
  return async (request) => {
    const userId = parseActorId(request.actorId);
    const id = parseUuid('order_id', request.orderId);
    const wanted = checkOrderRequest(request.item, request.currency, request.seats, transcribes);
    const { expectedMinor: expected, origin, firstName = '', lastName = '', email = '' } = request;
    const language = toSupportedLanguage(request.language);
    const person = {
      language,
      firstName: cutText(firstName, 100),
      lastName: cutText(lastName, 100),
      email: cutText(email, 255),
    };
    if (origin !== '' && !/^https?:\/\/[^/?#\s]+$/.test(origin)) {
      throw createBillingError('invalid', 'invalid_request', 'origin must be the origin of a URL.');
    }
    const { order, start } = await payments.create({ id, userId, ...wanted, expected, origin, ...person });
    metrics.ordersBegun.inc({ gateway: order.gateway, item: order.item });
    return startReply(order, start);
  };
}

export function getOrder({ payments }: Dependencies): Handler<'getOrder'> {
  return async ({ actorId, orderId }) =>
    toOrderReply(await payments.mustFind(parseActorId(actorId), parseUuid('order_id', orderId)));
}

export function listOrders({ orders }: Dependencies): Handler<'listOrders'> {
  return async ({ actorId, cursor, limit }) => {
    const page = await orders.list({ userId: parseActorId(actorId) }, cursor, clampPageSize(limit, 50, 50));
    return { orders: page.rows.map(toOrderReply), nextCursor: page.nextCursor };
  };
}

export function cancelOrder({ payments }: Dependencies): Handler<'cancelOrder'> {
  return async ({ actorId, orderId }) =>
    toOrderReply(await payments.cancel(parseActorId(actorId), parseUuid('order_id', orderId)));
}

export function validateOrder({ payments }: Dependencies): Handler<'validateOrder'> {
  return async ({ actorId, orderId }) => {
    const userId = parseActorId(actorId);
    const order = await payments.mustFind(userId, parseUuid('order_id', orderId));
    if (order.state === 'paid') return toOrderReply(order);
    try {
      await payments.syncWithGateway(order);
    } catch (error) {
      if (error instanceof GatewayError) throw paymentUnavailable(error);
      throw error;
    }
    return toOrderReply(await payments.mustFind(userId, order.id));
  };
}

/** Returns the reader; falls back to a default while identity is unavailable, so that receipts still work. */
async function readerOf(people: Pick<PeopleDirectory, 'find'>, userId: UserId): Promise<ReaderLocale> {
  const person = await people.find(userId).catch((error: unknown) => {
    if (isAppError(error) && error.kind === 'unavailable') return undefined;
    throw error;
  });
  return person?.reader ?? { language: toSupportedLanguage(undefined) };
}

export function getReceipt({ payments, orders, people }: Dependencies): Handler<'getReceipt'> {
  return async ({ actorId, orderId }) => {
    const order = await payments.mustFind(parseActorId(actorId), parseUuid('order_id', orderId));
    const receipt = await orders.findReceipt(order.id);
    if (!receipt) throw createBillingError('not_found', 'receipt_not_found', 'There is no receipt for this order yet.');
    const reader = await readerOf(people, parseActorId(actorId));
    const { number } = receipt;
    return { number, pdf: await renderReceiptPdf(receipt, reader), fileName: receiptFileName(number, reader) };
  };
}
