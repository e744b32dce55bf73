import { randomUUID } from 'node:crypto';
import { systemClock } from '@nolo/kit/clock';
import type { Currency } from '@nolo/rules';
import type { GatewayFact, GatewayOrder, RawNotification } from '../src/domain/gateway.ts';
import {
  cancelUrl,
  createTestGatewayOrder,
  submitPayPalCheckout,
  gatewayErrorOf,
  returnUrl,
  startGateways,
} from './startGateways.ts';

let started: Awaited<ReturnType<typeof startGateways>>;
beforeAll(async () => {
  started = await startGateways();
});
afterEach(async () => {
  await started.set('paypal');
  await started.answers('paypal');
});
afterAll(() => started.stop());

async function begun(action: string, more: Parameters<typeof started.newOrder>[0] = {}, delivery?: 'late' | 'twice') {
  const order = started.newOrder(more);
  const start = await started.paypal.begin(order);
  const back = await submitPayPalCheckout(start.approveUrl, action, delivery);
  return { order, start, back, known: createTestGatewayOrder(order, { gatewayOrderId: start.gatewayOrderId }) };
}

async function paid(more: Parameters<typeof started.newOrder>[0] = {}) {
  const { order, known } = await begun('pay', more);
  const [fact] = await started.paypal.capture(known);
  return { order, known: { ...known, gatewayPaymentId: fact?.gatewayPaymentId ?? '' }, fact };
}

/** Returns the facts of the one notification that contains all of these words. It must be genuine. */
async function factsOf(...words: string[]): Promise<readonly GatewayFact[]> {
  const [raw] = await started.receiver.wait(words);
  const read = await started.paypal.read(raw as RawNotification);
  if (!read.genuine) throw new Error(`not genuine: ${read.reason}`);
  return read.facts;
}

test.each<Currency>(['USD', 'EUR', 'GBP', 'CAD', 'AUD'])(
  'an order in %s is paid, and every source reports the same payment',
  async (currency) => {
    const { order, start, back, known } = await begun('pay', { currency, amountMinor: 1_105 });
    expect(start.form).toBeNull();
    expect(start.links.map(({ rel }) => rel)).toContain('payer-action');
    expect(back.href.startsWith(`${returnUrl}?`)).toBe(true);
    expect(back.searchParams.get('token')).toBe(start.gatewayOrderId);
    const amount = { orderId: order.id, gatewayOrderId: start.gatewayOrderId, amountMinor: 1_105, currency };
    expect(await factsOf('CHECKOUT.ORDER.APPROVED', order.id)).toEqual([
      expect.objectContaining({ kind: 'approved', id: start.gatewayOrderId, ...amount }),
    ]);
    expect(await started.paypal.lookUp(known)).toEqual([expect.objectContaining({ kind: 'approved', ...amount })]);

    const captured = await started.paypal.capture(known);
    expect(captured).toEqual([expect.objectContaining({ kind: 'paid', ...amount })]);
    expect(captured[0]?.id).toBe(captured[0]?.gatewayPaymentId);
    expect(await factsOf('PAYMENT.CAPTURE.COMPLETED', order.id)).toEqual(captured);
    expect(await started.paypal.capture(known)).toEqual(captured);
    expect(await started.paypal.lookUp(known)).toEqual(captured);
  },
);

test('repeating an order starts one payment, and a capture by another request counts as success', async () => {
  const order = started.newOrder();
  const first = await started.paypal.begin(order);
  const second = await started.gateways().paypal.begin(order);
  expect(second.gatewayOrderId).toBe(first.gatewayOrderId);
  await submitPayPalCheckout(first.approveUrl, 'pay');
  const known = createTestGatewayOrder(order, { gatewayOrderId: first.gatewayOrderId });
  const [fact] = await started.paypal.capture(known);
  // PayPal refuses a second capture under another request ID with ORDER_ALREADY_CAPTURED.
  const retry = await started.paypal.capture({ ...known, id: randomUUID() });
  expect(retry.map(({ id, orderId }) => ({ id, orderId }))).toEqual([{ id: fact?.id, orderId: order.id }]);
});

test('a cancelled or declined payment charges nothing', async () => {
  const cancelled = await begun('cancel');
  expect(cancelled.back.href.startsWith(`${cancelUrl}?`)).toBe(true);
  expect(await started.paypal.lookUp(cancelled.known)).toEqual([]);
  expect(await gatewayErrorOf(started.paypal.capture(cancelled.known))).toMatchObject({
    issue: 'ORDER_NOT_APPROVED',
    retryable: false,
    mayBeDone: false,
  });
  const declined = await begun('decline');
  const failed = { kind: 'failed', orderId: declined.order.id, gatewayPaymentId: null };
  expect(await started.paypal.capture(declined.known)).toMatchObject([failed]);
  expect(await started.paypal.lookUp(declined.known)).toEqual([]);
  // The payer uses another card on the same page.
  await submitPayPalCheckout(declined.start.approveUrl, 'pay');
  expect(await started.paypal.capture(declined.known)).toMatchObject([{ kind: 'paid' }]);
  expect(await gatewayErrorOf(started.paypal.capture({ ...declined.known, gatewayOrderId: null }))).toMatchObject({
    retryable: false,
  });
});

test.each([
  ['complete', 'PAYMENT.CAPTURE.COMPLETED', 'paid'],
  ['deny', 'PAYMENT.CAPTURE.DENIED', 'failed'],
])('a pending payment: %s', async (action, event, kind) => {
  const { order, known } = await begun('pending');
  const [pending] = await started.paypal.capture(known);
  expect(pending).toMatchObject({ kind: 'pending', amountMinor: 700 });
  expect(await factsOf('PAYMENT.CAPTURE.PENDING', order.id)).toEqual([pending]);
  await started.act('paypal', order.id, action);
  expect(await factsOf(event, order.id)).toEqual([{ ...pending, kind }]);
});

test('a payment is refunded once per refund id, in parts, up to the amount paid', async () => {
  const { order, known } = await paid();
  const refund = { order: known, refundId: randomUUID(), amountMinor: 200, reason: 'Asked for' };
  const [first] = await started.paypal.refund(refund);
  expect(first).toMatchObject({ kind: 'refunded', orderId: order.id, amountMinor: 200, currency: 'USD' });
  expect(await started.paypal.refund(refund)).toEqual([first]);
  expect(await factsOf('PAYMENT.CAPTURE.REFUNDED', order.id)).toMatchObject([
    { kind: 'refunded', id: first?.id, gatewayPaymentId: known.gatewayPaymentId, amountMinor: 200 },
  ]);
  const more = { ...refund, refundId: randomUUID(), amountMinor: 501 };
  expect(await gatewayErrorOf(started.paypal.refund(more))).toMatchObject({
    issue: 'REFUND_AMOUNT_EXCEEDED',
    retryable: false,
  });
  expect(await started.paypal.refund({ ...more, amountMinor: 500 })).toMatchObject([{ amountMinor: 500 }]);
  expect(
    await gatewayErrorOf(started.paypal.refund({ ...more, refundId: randomUUID(), amountMinor: 1 })),
  ).toMatchObject({
    issue: 'CAPTURE_FULLY_REFUNDED',
  });
  const seen = await started.paypal.lookUp(known);
  expect(seen.map(({ kind, amountMinor }) => [kind, amountMinor])).toEqual([
    ['paid', 700],
    ['refunded', 200],
    ['refunded', 500],
  ]);
});

test('PayPal reversals and disputes are reported', async () => {
  const { order, known } = await paid();
  await started.act('paypal', order.id, 'dispute');
  const [opened] = await factsOf('CUSTOMER.DISPUTE.CREATED', order.id);
  expect(opened).toMatchObject({
    kind: 'dispute_opened',
    orderId: order.id,
    gatewayPaymentId: known.gatewayPaymentId,
    amountMinor: 700,
  });
  await started.act('paypal', order.id, 'resolve_buyer');
  expect(await factsOf('CUSTOMER.DISPUTE.RESOLVED', order.id)).toMatchObject([
    { kind: 'dispute_lost', id: opened?.id },
  ]);
  await started.act('paypal', order.id, 'reverse');
  expect(await factsOf('PAYMENT.CAPTURE.REVERSED', order.id)).toMatchObject([
    { kind: 'refunded', orderId: order.id, gatewayPaymentId: known.gatewayPaymentId, amountMinor: 700 },
  ]);
  const other = await paid();
  await started.act('paypal', other.order.id, 'dispute');
  await started.act('paypal', other.order.id, 'resolve_seller');
  expect(await factsOf('CUSTOMER.DISPUTE.RESOLVED', other.order.id)).toMatchObject([{ kind: 'dispute_won' }]);
});

/** Returns every path to a value in a JSON document. */
function leaves(value: unknown, path: readonly string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [[...path]];
  return Object.entries(value).flatMap(([name, one]) => leaves(one, [...path, name]));
}

function changed(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return typeof value === 'string' ? `${value}0` : typeof value === 'boolean' ? !value : 1;
  const copy = structuredClone(value) as Record<string, unknown>;
  copy[name] = changed(copy[name], rest);
  return copy;
}

test('a webhook with any field changed is not genuine', async () => {
  const { order } = await paid();
  const [raw] = await started.receiver.wait(['PAYMENT.CAPTURE.COMPLETED', order.id]);
  const { body, headers, sourceAddress } = raw as RawNotification;
  expect(await started.paypal.read({ body, headers, sourceAddress })).toMatchObject({ genuine: true });
  const event: unknown = JSON.parse(Buffer.from(body).toString());
  const bodies = leaves(event).map((path) => Buffer.from(JSON.stringify(changed(event, path))));
  expect(bodies.length).toBeGreaterThan(20);
  const added = Buffer.from(JSON.stringify({ ...(event as object), more: 1 }));
  const cut = Buffer.from(body).subarray(0, -1);
  for (const other of [...bodies, added, cut, Buffer.from(''), Buffer.from('[]')]) {
    expect(await started.paypal.read({ body: other, headers, sourceAddress })).toMatchObject({ genuine: false });
  }
  for (const name of Object.keys(headers).filter((one) => /^paypal-(?!auth-version)/.test(one))) {
    const { [name]: value = '', ...others } = headers;
    for (const other of [others, { ...headers, [name]: '' }, { ...headers, [name]: `${value}0` }]) {
      // Base64 has no character after its end, so a different end is a longer signature.
      const read = await started.paypal.read({ body, headers: other, sourceAddress });
      expect({ name, ...read }).toMatchObject({ name, genuine: false });
    }
  }
  const elsewhere = started.gateways({ PAYPAL_WEBHOOK_ID: 'WH-OF-ANOTHER' }).paypal;
  expect(await elsewhere.read({ body, headers, sourceAddress })).toMatchObject({ genuine: false });
});

test('webhook modes: late, twice, never, wrong and out of order', async () => {
  const { paypal, receiver } = started;
  const read = async (...words: string[]) => {
    const [raw] = await receiver.wait(words);
    return await paypal.read(raw as RawNotification);
  };
  const payWith = async (delivery: string) => {
    await started.set('paypal', { delivery, lateSeconds: 3_600 });
    const { order } = await paid();
    const made = (await started.notifications('paypal')).filter(({ body }) => body.includes(order.id));
    return { order, made };
  };
  for (const delivery of ['late', 'never']) {
    const { order, made } = await payWith(delivery);
    expect(made.map(({ event, attempts }) => [event, attempts.length])).toEqual([
      ['PAYMENT.CAPTURE.COMPLETED', 0],
      ['CHECKOUT.ORDER.APPROVED', 0],
    ]);
    for (const { id } of made) await started.resendNotification(id);
    expect(await read('PAYMENT.CAPTURE.COMPLETED', order.id)).toMatchObject({ genuine: true });
  }
  const twice = await payWith('twice');
  const both = await receiver.wait(['PAYMENT.CAPTURE.COMPLETED', twice.order.id], 2);
  const reads = await Promise.all(both.map((raw) => paypal.read(raw)));
  expect(reads[0]).toEqual(reads[1]);

  const signature = await payWith('wrong_signature');
  expect(await read('PAYMENT.CAPTURE.COMPLETED', signature.order.id)).toEqual({
    genuine: false,
    reason: 'wrong_signature',
  });
  const merchant = await payWith('wrong_merchant');
  expect(await read('PAYMENT.CAPTURE.COMPLETED', merchant.order.id)).toMatchObject({ genuine: false });
  const amount = await payWith('wrong_amount');
  // Billing compares it with the amount of the order.
  expect(await read('PAYMENT.CAPTURE.COMPLETED', amount.order.id)).toMatchObject({
    genuine: true,
    facts: [{ kind: 'paid', orderId: amount.order.id, amountMinor: 800 }],
  });
  const order = await payWith('out_of_order');
  const arrived = await receiver.wait([order.order.id], 2);
  const events = arrived.map(
    ({ body }) => (JSON.parse(Buffer.from(body).toString()) as { event_type: string }).event_type,
  );
  expect(events).toEqual(['PAYMENT.CAPTURE.COMPLETED', 'CHECKOUT.ORDER.APPROVED']);
});

describe('an outage of PayPal', () => {
  test.each([
    ['outage', true],
    ['server_error', true],
    ['not_json', true],
    ['rate_limited', false],
  ])('%s is retried', async (error, mayBeDone) => {
    const { order, known } = await begun('pay');
    await started.answers('paypal', { step: 'capture', error }, { step: 'verify', error }, { step: 'create', error });
    expect(await gatewayErrorOf(started.paypal.begin(started.newOrder()))).toMatchObject({
      retryable: true,
      mayBeDone: false,
    });
    expect(await gatewayErrorOf(started.paypal.capture(known))).toMatchObject({ retryable: true, mayBeDone });
    const [raw] = await started.receiver.wait(['CHECKOUT.ORDER.APPROVED', order.id]);
    expect(await gatewayErrorOf(started.paypal.read(raw as RawNotification))).toMatchObject({ retryable: true });
    expect(await started.paypal.capture(known)).toMatchObject([{ kind: 'paid' }]);
  });

  test('a capture and a refund with lost responses happen once', async () => {
    const { known } = await begun('pay');
    await started.answers('paypal', { step: 'capture', lost: true }, { step: 'refund', lost: true });
    expect(await gatewayErrorOf(started.paypal.capture(known))).toMatchObject({ retryable: true, mayBeDone: true });
    const [fact] = await started.paypal.capture(known);
    expect(fact).toMatchObject({ kind: 'paid' });
    const order: GatewayOrder = { ...known, gatewayPaymentId: fact?.id ?? '' };
    const refund = { order, refundId: randomUUID(), amountMinor: 300, reason: 'Asked for' };
    expect(await gatewayErrorOf(started.paypal.refund(refund))).toMatchObject({ retryable: true, mayBeDone: true });
    expect(await started.paypal.refund(refund)).toMatchObject([{ amountMinor: 300 }]);
    expect(await started.paypal.lookUp(known)).toHaveLength(2);
  });

  test('a slow response times out', async () => {
    const { known } = await begun('pay');
    const { paypal } = started.gateways({}, { timeoutMs: 300 });
    await paypal.lookUp(known);
    await started.answers('paypal', { step: 'capture', delayMs: 30_000 }, { step: 'show', delayMs: 30_000 });
    expect(await gatewayErrorOf(paypal.capture(known))).toMatchObject({ retryable: true, mayBeDone: true });
    expect(await gatewayErrorOf(paypal.lookUp(known))).toMatchObject({ retryable: true, mayBeDone: false });
    const gone = AbortSignal.abort();
    expect(await gatewayErrorOf(started.paypal.lookUp(known, gone))).toMatchObject({ retryable: true });
  });

  test('a request that never reached PayPal has had no effect', async () => {
    const { known } = await begun('pay');
    const { paypal } = started.gateways({ PAYPAL_URL: 'http://127.0.0.1:1' });
    expect(await gatewayErrorOf(paypal.capture(known))).toMatchObject({ retryable: true, mayBeDone: false });
  });
});

test('a token is cached, requested once for concurrent calls, and renewed when PayPal rejects it', async () => {
  const { known } = await begun('pay');
  const { paypal } = started.gateways();
  // Every call for a token except the first would fail.
  await started.answers('paypal', { step: 'token' }, { step: 'token', error: 'invalid_client' });
  await Promise.all(Array.from({ length: 8 }, () => paypal.lookUp(known)));
  await started.answers('paypal');
  await started.endTokens();
  expect(await paypal.lookUp(known)).toMatchObject([{ kind: 'approved' }]);
  const wrong = started.gateways({ PAYPAL_CLIENT_SECRET: 'another-secret' }).paypal;
  expect(await gatewayErrorOf(wrong.lookUp(known))).toMatchObject({ issue: 'invalid_client', retryable: true });
});

test('an order that PayPal no longer knows was never paid', async () => {
  const order = started.newOrder();
  const known = createTestGatewayOrder(order, { gatewayOrderId: 'NOSUCHORDER' });
  expect(await gatewayErrorOf(started.paypal.lookUp(known))).toMatchObject({
    issue: 'INVALID_RESOURCE_ID',
    retryable: false,
  });
  const later = { now: () => new Date(systemClock.now().getTime() + 4 * 86_400_000) };
  const { paypal } = started.gateways({}, { clock: later });
  expect(await paypal.lookUp(known)).toMatchObject([{ kind: 'cancelled', orderId: order.id }]);
  expect(await paypal.lookUp({ ...known, gatewayOrderId: null })).toEqual([]);
});

test('a sale by another shop of the same account matches no order', async () => {
  const { known } = await begun('pay', { id: `shop-${randomUUID()}` });
  expect(await started.paypal.capture(known)).toMatchObject([{ kind: 'paid', orderId: null }]);
});
