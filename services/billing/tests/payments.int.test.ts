import { randomUUID } from 'node:crypto';
import type { Order } from '@nolo/proto/billing';
import { currencies, type Currency, type PaymentGatewayId } from '@nolo/rules';
import { eventually } from '@nolo/testing';
import { operatorCaller, startBilling, type TestBilling } from './startBilling.ts';
import { submitPayFastCheckout, submitPayPalCheckout, startGateways } from './startGateways.ts';

/** Billing with its own adapters, connected to the simulated PayPal and PayFast. */
let outside: Awaited<ReturnType<typeof startGateways>>;
let nolo: TestBilling;

beforeAll(async () => {
  outside = await startGateways();
  const { paypal, payfast } = outside;
  nolo = await startBilling({ PUBLIC_URL: outside.receiver.url }, { paypal, payfast });
});
afterAll(async () => {
  await nolo.stop();
  await outside.stop();
});

const person = { origin: '', firstName: 'Ada', lastName: 'O’Neill', email: 'ada@example.org' };
const begin = async (actorId: string, item: string, currency: string) => {
  const reply = await nolo.billing.createOrder({ actorId, orderId: randomUUID(), item, seats: 1, currency, ...person });
  if (!reply.order || !reply.payment) throw new Error('billing answered without an order or a way to pay');
  return { order: reply.order, payment: reply.payment };
};
type Payment = Awaited<ReturnType<typeof begin>>['payment'];
const formOf = (payment: Payment) => {
  if (payment.$case !== 'form') throw new Error('this gateway has no form');
  const fields = payment.value.fields.map(({ name, value }) => [name, value] as const);
  return { action: payment.value.action, fields };
};
const pageOf = (payment: Payment) => (payment.$case === 'approveUrl' ? payment.value : '');

/** Forwards requests to the notify URLs, like the gateway does. */
async function pass(gateway: 'payfast' | 'paypal', words: string[], count = 1): Promise<void> {
  for (const raw of await outside.receiver.wait(words, count)) {
    await nolo.billing.storeNotification({ gateway, ...raw, body: Buffer.from(raw.body), headers: { ...raw.headers } });
  }
}
const becomes = (order: Order, state: string) =>
  eventually(
    async () =>
      (await nolo.billing.getOrder({ actorId: order.userId, orderId: order.id })).state === state || undefined,
  );

test('PayFast: paying on its page grants the plan, and an operator refund revokes it', async () => {
  const actorId = randomUUID();
  const { order, payment } = await begin(actorId, 'plus', 'ZAR');
  await submitPayFastCheckout(formOf(payment), 'pay');
  await pass('payfast', [order.id]);
  await becomes(order, 'paid');
  expect(await nolo.planOf(actorId)).toBe('plus');

  const refund = {
    ...operatorCaller,
    orderId: order.id,
    refundId: randomUUID(),
    amountMinor: 0,
    reason: 'asked for',
  };
  expect(await nolo.admin.refundOrder(refund)).toMatchObject({ state: 'refunded', refundedMinor: 12_900 });
  expect(await nolo.admin.refundOrder(refund)).toMatchObject({ state: 'refunded' });
  expect(await nolo.planOf(actorId)).toBe('free');
  // Operators still see it as an ended plan.
  const listed = async (state?: string) => {
    const find = { ...operatorCaller, userId: actorId, state };
    const { subscriptions } = await nolo.admin.findSubscriptions(find);
    return subscriptions.map(({ userId, subscription }) => [userId, subscription?.plan, subscription?.state]);
  };
  expect([await listed(), await listed('ended'), await listed('active')]).toEqual([
    [[actorId, 'free', 'ended']],
    [[actorId, 'free', 'ended']],
    [],
  ]);
});

test('PayPal: an approved payment is captured, and its event and the capture count once', async () => {
  const actorId = randomUUID();
  const { order, payment } = await begin(actorId, 'business', 'EUR');
  await submitPayPalCheckout(pageOf(payment), 'pay');
  await pass('paypal', ['CHECKOUT.ORDER.APPROVED', order.id]);
  await becomes(order, 'paid');
  await pass('paypal', ['PAYMENT.CAPTURE.COMPLETED', order.id]);
  expect(await nolo.planOf(actorId)).toBe('business');
  expect(await nolo.db('facts').where({ order_id: order.id, kind: 'payment' })).toHaveLength(1);

  const refund = { ...operatorCaller, orderId: order.id, refundId: randomUUID(), amountMinor: 300, reason: 'a part' };
  expect(await nolo.admin.refundOrder(refund)).toMatchObject({ state: 'paid', refundedMinor: 300 });
  await pass('paypal', ['PAYMENT.CAPTURE.REFUNDED', order.id]);
  await eventually(async () => (await nolo.db('notifications').whereNot({ state: 'done' })).length === 0);
  expect((await nolo.billing.getOrder({ actorId, orderId: order.id })).refundedMinor).toBe(300);
});

/** Table of charges for Plus by displayed currency, spelled out because sellers rely on it. */
const charged = {
  ZAR: ['payfast', 'ZAR', '129.00'],
  USD: ['paypal', 'USD', '7.00'],
  EUR: ['paypal', 'EUR', '6.00'],
  GBP: ['paypal', 'GBP', '5.00'],
  NGN: ['paypal', 'USD', '7.00'],
  KES: ['paypal', 'USD', '7.00'],
  GHS: ['paypal', 'USD', '7.00'],
  CAD: ['paypal', 'CAD', '9.00'],
  AUD: ['paypal', 'AUD', '11.00'],
} as const satisfies Record<Currency, readonly [PaymentGatewayId, Currency, string]>;

test.each(currencies)(
  'a price shown in %s is charged by its gateway in its settlement currency, and grants the plan',
  async (shown) => {
    const [gateway, currency, amount] = charged[shown];
    const actorId = randomUUID();
    const { order, payment } = await begin(actorId, 'plus', shown);
    const price = { gateway, currency, shownCurrency: shown, amountMinor: Math.round(Number(amount) * 100) };
    expect(order).toMatchObject(price);
    if (gateway === 'payfast') await submitPayFastCheckout(formOf(payment), 'pay');
    else await submitPayPalCheckout(pageOf(payment), 'pay');
    expect(await nolo.billing.validateOrder({ actorId, orderId: order.id })).toMatchObject({ state: 'paid', ...price });
    expect(await nolo.planOf(actorId)).toBe('plus');
    const { content } = (await nolo.db('receipts').where({ order_id: order.id }).first()) as { content: object };
    expect(content).toMatchObject({ currency, amount: price.amountMinor });
    // Amount that the gateway itself reports.
    const words = gateway === 'payfast' ? [order.id] : ['PAYMENT.CAPTURE.COMPLETED', order.id];
    const [gatewayNotification] = await outside.receiver.wait(words);
    const body = Buffer.from(gatewayNotification?.body ?? '').toString();
    if (gateway === 'payfast') expect(new URLSearchParams(body).get('amount_gross')).toBe(amount);
    else expect(JSON.parse(body)).toMatchObject({ resource: { amount: { currency_code: currency, value: amount } } });
  },
);

test('returning before any notification makes billing ask the gateway', async () => {
  const actorId = randomUUID();
  const rand = await begin(actorId, 'storage', 'ZAR');
  await submitPayFastCheckout(formOf(rand.payment), 'pay');
  const pounds = await begin(actorId, 'plus', 'GBP');
  await submitPayPalCheckout(pageOf(pounds.payment), 'pay');
  for (const { order } of [rand, pounds]) {
    expect((await nolo.billing.validateOrder({ actorId, orderId: order.id })).state).toBe('paid');
  }
});
