import { randomUUID } from 'node:crypto';
import { eventually } from '@nolo/testing';
import { MemoryGateway } from './memoryGateway.ts';
import { startBilling, type TestBilling } from './startBilling.ts';

let nolo: TestBilling;
beforeAll(async () => {
  // A configured transcriber makes the transcription pack available.
  nolo = await startBilling({ TRANSCRIBER_ADDR: '127.0.0.1:1' });
});
afterAll(() => nolo.stop());

const subscription = (actorId: string) => nolo.billing.getSubscription({ actorId });
const day = 86_400_000;

test('an order redirects to the gateway, is paid by its notification, has a receipt and grants its plan', async () => {
  const actorId = randomUUID();
  const made = await nolo.order(actorId, 'plus');
  expect(made).toMatchObject({ state: 'redirected', gateway: 'payfast', amountMinor: 12_900, currency: 'ZAR' });
  expect(await nolo.planOf(actorId)).toBe('free');

  await nolo.notify('payfast', MemoryGateway.body([nolo.factOf('paid', made)]));
  await eventually(async () => (await nolo.planOf(actorId)) === 'plus');

  const paid = await nolo.billing.getOrder({ actorId, orderId: made.id });
  expect(paid).toMatchObject({ state: 'paid', paidAt: nolo.clock.now() });
  expect(paid.receiptNumber).toMatch(/^2026-\d{6}$/);
  const { number, pdf } = await nolo.billing.getReceipt({ actorId, orderId: made.id });
  expect(number).toBe(paid.receiptNumber);
  expect(Buffer.from(pdf).subarray(0, 5).toString()).toBe('%PDF-');
  expect(await subscription(actorId)).toMatchObject({
    plan: 'plus',
    source: 'own',
    state: 'active',
    periodEndsAt: new Date(nolo.clock.now().getTime() + 30 * day),
    creditMinor: 12_900,
    creditCurrency: 'ZAR',
  });
});

test('the server sets prices: a different price in the request is rejected and nothing starts', async () => {
  const actorId = randomUUID();
  await expect(nolo.order(actorId, 'plus', { expectedMinor: 100 })).rejects.toMatchObject({
    kind: 'conflict',
    code: 'amount_mismatch',
    details: { amountMinor: 12_900, creditMinor: 0, currency: 'ZAR' },
  });
  expect((await nolo.billing.listOrders({ actorId, limit: 10 })).orders).toEqual([]);
  // Prices shown in naira are charged in dollars.
  expect(await nolo.order(actorId, 'plus', { currency: 'NGN', expectedMinor: 700 })).toMatchObject({
    gateway: 'paypal',
    currency: 'USD',
    shownCurrency: 'NGN',
    amountMinor: 700,
  });
});

test('a repeated order is the same order, and its id cannot be reused for another item or by another person', async () => {
  const actorId = randomUUID();
  const made = await nolo.order(actorId, 'plus');
  const orderId = made.id;
  expect(await nolo.order(actorId, 'plus', { orderId })).toEqual(made);
  await expect(nolo.order(actorId, 'storage', { orderId })).rejects.toMatchObject({ code: 'order_conflict' });
  await expect(nolo.order(randomUUID(), 'plus', { orderId })).rejects.toMatchObject({ code: 'order_conflict' });
  await expect(nolo.billing.getOrder({ actorId: randomUUID(), orderId })).rejects.toMatchObject({
    code: 'order_not_found',
  });
});

test('an item that is not for sale is rejected with its own code', async () => {
  const actorId = randomUUID();
  await expect(nolo.order(actorId, 'gold')).rejects.toMatchObject({ kind: 'invalid', code: 'item_unknown' });
  await expect(nolo.order(actorId, 'plus', { currency: 'XYZ' })).rejects.toMatchObject({
    code: 'currency_unsupported',
  });
  await expect(nolo.order(actorId, 'plus', { seats: 2 })).rejects.toMatchObject({ code: 'seats_invalid' });
  await expect(nolo.order(actorId, 'business', { seats: 501 })).rejects.toMatchObject({ code: 'seats_invalid' });
  await expect(nolo.order(actorId, 'plus', { orderId: 'mine' })).rejects.toMatchObject({ code: 'invalid_request' });
});

test('an upgrade costs the price less the unused days, and a downgrade follows at the end of the period', async () => {
  const actorId = randomUUID();
  await nolo.buy(actorId, 'plus');
  // Payments never happen twice at the same instant.
  nolo.clock.advance(1);
  const { creditMinor } = await subscription(actorId);
  const paid = await nolo.buy(actorId, 'business', { seats: 2, expectedMinor: 2 * 27_900 - creditMinor });
  expect(paid).toMatchObject({ creditMinor: 12_900, amountMinor: 42_900 });
  expect(await subscription(actorId)).toMatchObject({ plan: 'business', seats: 2, seatsTaken: 1 });

  const planned = await nolo.billing.planDowngrade({ actorId, plan: 'plus' });
  expect(planned).toMatchObject({ plan: 'business', state: 'active', nextPlan: 'plus' });
  expect(await nolo.billing.resumeSubscription({ actorId })).toMatchObject({ nextPlan: undefined });
  expect(await nolo.billing.cancelSubscription({ actorId })).toMatchObject({ state: 'ending', nextPlan: 'free' });
  await expect(nolo.billing.planDowngrade({ actorId, plan: 'business', seats: 3 })).rejects.toMatchObject({
    code: 'downgrade_invalid',
  });
  await expect(nolo.billing.cancelSubscription({ actorId: randomUUID() })).rejects.toMatchObject({
    code: 'subscription_not_found',
  });
});

test('a withdrawn order is cancelled, but a payment already in flight still pays for it', async () => {
  const actorId = randomUUID();
  const made = await nolo.order(actorId, 'plus');
  expect((await nolo.billing.cancelOrder({ actorId, orderId: made.id })).state).toBe('cancelled');
  await nolo.notify('payfast', MemoryGateway.body([nolo.factOf('paid', made)]));
  await eventually(async () => (await nolo.planOf(actorId)) === 'plus');
  expect((await nolo.billing.cancelOrder({ actorId, orderId: made.id })).state).toBe('paid');
});

test('returning before the notification makes billing ask the gateway and capture an approved payment', async () => {
  const actorId = randomUUID();
  const made = await nolo.order(actorId, 'plus', { currency: 'USD' });
  nolo.gateways.paypal.known.set(made.id, [nolo.factOf('approved', made)]);
  expect((await nolo.billing.validateOrder({ actorId, orderId: made.id })).state).toBe('paid');

  const other = await nolo.order(actorId, 'storage', { currency: 'USD' });
  nolo.gateways.paypal.isAway = true;
  await expect(nolo.billing.validateOrder({ actorId, orderId: other.id })).rejects.toMatchObject({
    kind: 'unavailable',
    code: 'payment_unavailable',
  });
  await expect(nolo.order(actorId, 'plus', { currency: 'USD' })).rejects.toMatchObject({ code: 'payment_unavailable' });
  nolo.gateways.paypal.isAway = false;
});

test('add-ons extend the limits of the plan', async () => {
  const actorId = randomUUID();
  await nolo.buy(actorId, 'storage');
  await nolo.buy(actorId, 'transcription');
  const { addOns, entitlements } = await subscription(actorId);
  expect(addOns.map(({ id }) => id)).toEqual(['storage', 'transcription']);
  const limitOf = (feature: string) => entitlements?.limits.find((one) => one.feature === feature)?.limit;
  expect(limitOf('storageBytes')).toBe(22 * 2 ** 30);
  expect(limitOf('transcriptionSeconds')).toBe(30 * 60 + 100 * 3_600);
  expect(limitOf('participants')).toBe(4);
});

test('orders are listed newest first, page by page', async () => {
  const actorId = randomUUID();
  const ids: string[] = [];
  for (const item of ['plus', 'storage', 'transcription']) {
    nolo.clock.advance(1_000);
    ids.unshift((await nolo.order(actorId, item)).id);
  }
  const first = await nolo.billing.listOrders({ actorId, limit: 2 });
  const second = await nolo.billing.listOrders({ actorId, cursor: first.nextCursor, limit: 2 });
  expect([...first.orders, ...second.orders].map(({ id }) => id)).toEqual(ids);
  expect(second.nextCursor).toBeUndefined();
  await expect(nolo.billing.listOrders({ actorId, cursor: 'x', limit: 2 })).rejects.toMatchObject({
    code: 'cursor_invalid',
  });
});
