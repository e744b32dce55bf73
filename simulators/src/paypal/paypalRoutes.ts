import { createHash, timingSafeEqual } from 'node:crypto';
import type { Response, Router } from 'express';
import { z } from 'zod';
import { answerPage } from '../payments/answerPage.ts';
import { createGatewayRouter, toGatewayText, type GatewayAnswer, type GatewayCall } from '../payments/gatewayRouter.ts';
import { createPaymentId, toCents } from '../payments/PaymentSimulation.ts';
import { deliveryModes } from '../payments/switches.ts';
import { messagePage } from '../pages/messagePage.ts';
import { checkoutPage } from './checkoutPage.ts';
import { refundedCents, type SimulatedOrder } from './PayPalBook.ts';
import { paypalErrors, createPayPalRefusal, createFieldRefusal } from './paypalErrors.ts';
import {
  createIdempotencyCache,
  extractLastField,
  readOrder,
  readRefund,
  wantsFullRepresentation,
} from './paypalRequests.ts';
import { captureOf, fullOrder, minimalOrder, payerOf, refundOf } from './paypalShapes.ts';
import type { PayPalSimulator } from './PayPalSimulator.ts';

export interface PayPalClient {
  readonly id: string;
  readonly secret: string;
}

type On = ReturnType<typeof createGatewayRouter>['on'];

const tokenSeconds = 32_400;

/** Serves the calls of PayPal's REST API that Nolo makes, and the page that payers see. */
export function paypalRoutes(simulator: PayPalSimulator, client: PayPalClient): Router {
  const { simulation } = simulator;
  const { router, on } = createGatewayRouter({ simulation, name: 'paypal', errors: paypalErrors });
  const tokens = new Map<string, number>();

  on('post', '/v1/oauth2/token', 'token', ({ request, text }) => {
    const [scheme, credentials = ''] = (request.headers.authorization ?? '').split(' ');
    const given = scheme === 'Basic' ? Buffer.from(credentials, 'base64').toString() : '';
    if (!same(given, `${client.id}:${client.secret}`)) throw createPayPalRefusal('invalid_client');
    if (new URLSearchParams(text).get('grant_type') !== 'client_credentials') {
      return { status: 400, body: { error: 'unsupported_grant_type', error_description: 'Grant Type is NULL' } };
    }
    const access_token = `A21AA${createPaymentId(60)}`;
    tokens.set(access_token, simulation.now().getTime() + tokenSeconds * 1_000);
    const scope = 'https://uri.paypal.com/services/payments/payment';
    return { body: { scope, access_token, token_type: 'Bearer', app_id: 'APP-SIMULATED', expires_in: tokenSeconds } };
  });
  /** Revokes all issued tokens, as if the secret had been renewed. */
  router.post('/end-tokens', (_request, response) => {
    tokens.clear();
    response.status(204).end();
  });

  const signedIn: On = (method, path, step, handle) =>
    on(method, path, step, (call) => {
      const [scheme, token = ''] = (call.request.headers.authorization ?? '').split(' ');
      const end = scheme === 'Bearer' ? tokens.get(token) : undefined;
      if (end === undefined || end <= simulation.now().getTime()) throw createPayPalRefusal('invalid_token');
      return handle(call);
    });
  orderCalls(simulator, signedIn);
  paymentCalls(simulator, signedIn);
  webhookCalls(simulator, signedIn);
  router.get('/v1/notifications/certs/:id', async ({ params }, response) => {
    const { webhooks } = simulator;
    if (!webhooks.certificateUrl.endsWith(`/${params.id}`)) return void response.status(404).end();
    response.type('text').send((await webhooks.certified).certificate);
  });
  // Serves the root of the simulated certification authority. PayPal's own are publicly known.
  router.get('/simulated-root.pem', async (_request, response) => {
    response.type('text').send((await simulator.webhooks.certified).root);
  });
  pageRoutes(simulator, router);
  return router;
}

function same(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

function orderCalls(simulator: PayPalSimulator, on: On): void {
  const { base, book } = simulator;
  const once = createIdempotencyCache();
  const known = (id: string): SimulatedOrder => {
    const order = book.get(id);
    if (!order) throw createPayPalRefusal('not_found');
    return order;
  };
  const shown = (call: GatewayCall, order: SimulatedOrder): GatewayAnswer => ({
    status: 201,
    body: wantsFullRepresentation(call) ? fullOrder(base, order) : minimalOrder(base, order),
  });

  on('post', '/v2/checkout/orders', 'create', (call) =>
    once(call, 'create', () => shown(call, book.add({ ...readOrder(call), createdAt: simulator.now() }))),
  );
  on('get', '/v2/checkout/orders/:id', 'show', ({ id }) => ({ body: fullOrder(base, known(id)) }));
  on('post', '/v2/checkout/orders/:id/capture', 'capture', (call) =>
    once(call, `capture ${call.id}`, () => {
      const order = known(call.id);
      if (order.status === 'COMPLETED') throw createPayPalRefusal('order_already_captured');
      if (order.status !== 'APPROVED') throw createPayPalRefusal('order_not_approved');
      if (order.outcome === 'decline') {
        order.status = order.withSource ? 'PAYER_ACTION_REQUIRED' : 'CREATED';
        throw createPayPalRefusal('instrument_declined');
      }
      simulator.capture(order);
      return { status: 201, body: fullOrder(base, order) };
    }),
  );
}

function paymentCalls(simulator: PayPalSimulator, on: On): void {
  const { base, book } = simulator;
  const once = createIdempotencyCache();
  const known = (id: string) => {
    const order = book.ofCapture(id);
    if (!order?.capture) throw createPayPalRefusal('not_found');
    return { order, capture: order.capture };
  };

  on('get', '/v2/payments/captures/:id', 'show', ({ id }) => {
    const { order, capture } = known(id);
    return { body: captureOf(base, order, capture) };
  });
  on('post', '/v2/payments/captures/:id/refund', 'refund', (call) =>
    once(call, `refund ${call.id}`, () => {
      const { order, capture } = known(call.id);
      const amount = readRefund(call);
      const left = toCents(capture.amount.value) - refundedCents(capture);
      if (left === 0) throw createPayPalRefusal('capture_fully_refunded');
      if (amount && amount.currency_code !== capture.amount.currency_code)
        throw createPayPalRefusal('refund_currency_mismatch');
      const cents = amount === undefined ? left : toCents(amount.value);
      if (cents > left) throw createPayPalRefusal('refund_amount_exceeded');
      const refund = simulator.refund(order, capture, cents);
      const { id, status, links } = refundOf(base, order, capture, refund);
      return {
        status: 201,
        body: wantsFullRepresentation(call) ? refundOf(base, order, capture, refund) : { id, status, links },
      };
    }),
  );
  on('get', '/v2/payments/refunds/:id', 'show', ({ id }) => {
    const found = book.ofRefund(id);
    if (!found?.order.capture) throw createPayPalRefusal('not_found');
    return { body: refundOf(base, found.order, found.order.capture, found.refund) };
  });
}

function webhookCalls({ webhooks }: PayPalSimulator, on: On): void {
  on('post', '/v1/notifications/verify-webhook-signature', 'verify', async ({ text, json }) => {
    const event = extractLastField(text, 'webhook_event');
    if (event === undefined || event === '') {
      throw createFieldRefusal(
        '/webhook_event',
        'MISSING_REQUIRED_PARAMETER',
        'A required field / parameter is missing.',
      );
    }
    return { body: { verification_status: (await webhooks.verifies(json, event)) ? 'SUCCESS' : 'FAILURE' } };
  });
}

const pressed = z.object({
  token: z.string(),
  action: z.enum(['pay', 'decline', 'pending', 'cancel']),
  delivery: z.enum(deliveryModes).optional().catch(undefined),
});

function pageRoutes(simulator: PayPalSimulator, router: Router): void {
  const { book, simulation } = simulator;
  const stop = (response: Response, status: number, title: string, text: string): void =>
    void response.status(status).send(messagePage(title, text).text);

  router.use('/checkoutnow', (_request, response, next) => {
    if (simulation.switchesOf('paypal').condition !== 'outage') return next();
    stop(response, 503, 'PayPal is down', 'The simulator is set to an outage.');
  });
  router.get('/checkoutnow', (request, response) => {
    const { token } = request.query;
    const order = typeof token === 'string' ? book.get(token) : undefined;
    if (!order) return stop(response, 404, 'No such order', 'There is no PayPal order with this id.');
    if (order.status === 'APPROVED' || order.status === 'COMPLETED') {
      return stop(response, 200, 'Already approved', 'This order has already been approved.');
    }
    answerPage(response, checkoutPage(order), order.returnUrl, order.cancelUrl);
  });
  router.post('/checkoutnow', (request, response) => {
    const given = pressed.safeParse(Object.fromEntries(new URLSearchParams(toGatewayText(request))));
    const order = given.success ? book.get(given.data.token) : undefined;
    if (!given.success || !order) return stop(response, 404, 'No such order', 'There is no PayPal order with this id.');
    const { action, delivery } = given.data;
    order.delivery = delivery ?? order.delivery;
    const target = new URL(action === 'cancel' ? order.cancelUrl : order.returnUrl);
    target.searchParams.set('token', order.id);
    if (action !== 'cancel') {
      // A payer who goes back and presses again has already agreed.
      if (order.status !== 'APPROVED' && order.status !== 'COMPLETED') simulator.approve(order, action);
      target.searchParams.set('PayerID', payerOf().payer_id);
    }
    response.redirect(303, target.href);
  });
}
