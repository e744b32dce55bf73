import { randomUUID } from 'node:crypto';
import { billing, planLimited, type Billing, type BegunOrder, type RouteName } from '@nolo/api';
import { eventually, signUpByPhone, TestApi, type Json, type TestUser } from '@nolo/testing';
import { gatherCast, type Cast } from '../support/authorizationCast.ts';
import { askAs, describeMatrix } from '../support/authorizationMatrix.ts';
import type { Expectation } from '../support/authorizationTable.ts';
import { billingExpectations } from '../support/billingAuthorizationTable.ts';
import { must } from '../support/must.ts';
import { startTestStack, type TestStack } from '../support/testStack.ts';

/**
 * Plans through all of Nolo: bought at the simulated gateways, which tell of it as the real ones do. Who may do what with
 * them is walked here too, for elsewhere plans would limit people who are about something else.
 */

let running: TestStack;
let ann: TestUser;

beforeAll(async () => {
  running = await startTestStack({
    media: 1,
    social: true,
    billing: true,
    env: { MEDIA_WORKERS: '1' },
  });
}, 120_000);
afterAll(async () => {
  await running?.stop();
});

const planOf = async ({ api }: TestUser): Promise<Billing> =>
  billing.parse(must(await api.get('/api/billing'), 'The plan').body);

async function order({ api }: TestUser, wanted: object): Promise<BegunOrder> {
  return must(await api.post('/api/billing/orders', { id: randomUUID(), ...wanted }), 'The order').body as BegunOrder;
}

/** Waits as the page does that one comes back to. */
const paid = ({ api }: TestUser, id: string) =>
  eventually(async () => {
    const { body } = must(await api.get(`/api/billing/orders/${id}`), 'The order');
    return body.state === 'paid' ? (body as Json) : undefined;
  });

async function simulator(path: string, body: object): Promise<void> {
  const { status } = await new TestApi(running.stack.simulatorsUrl).post(path, body, {
    headers: { accept: 'application/json' },
  });
  expect(status).toBe(204);
}

/** As a browser posts the form, and as somebody then presses the button. */
async function payAtPayFast({ order: { id }, payment }: BegunOrder): Promise<void> {
  if (payment?.type !== 'form') throw new Error('PayFast is paid by a form.');
  const body = new URLSearchParams(payment.fields.map(({ name, value }) => [name, value] as [string, string]));
  const { status } = await fetch(payment.action, { method: 'POST', body, redirect: 'manual' });
  expect(status).toBe(302);
  await simulator(`/payments/payfast/payments/${id}`, { action: 'pay' });
}

async function payAtPayPal({ payment }: BegunOrder): Promise<void> {
  if (payment?.type !== 'redirect') throw new Error('PayPal is navigated to.');
  const token = new URL(payment.url).searchParams.get('token') ?? '';
  await simulator(`/payments/paypal/payments/${token}`, { action: 'approve' });
}

describe('who may do what', () => {
  let cast: Cast;
  beforeAll(async () => {
    cast = await gatherCast(running.urls[0]!);
  }, 120_000);
  beforeEach(() => running.forgetLimits('requestsPerUser', 'requestsPerAddress', 'billingChangesPerUser'));

  describeMatrix(Object.keys(billingExpectations) as RouteName[], () => cast);

  it('lets an operator in to all that is theirs alone', async () => {
    const operator = await signUpByPhone(cast.baseUrl);
    await running.letIn(operator.id);
    const wanted = Object.entries<Expectation>(billingExpectations).flatMap(([name, expectation]) =>
      'operator' in expectation ? [[name as RouteName, expectation.operator, expectation] as const] : [],
    );
    const seen: [RouteName, number][] = [];
    for (const [name, , { attempt }] of wanted) {
      seen.push([name, (await askAs(operator.api, name, await attempt(cast))).status]);
    }
    expect(seen).toEqual(wanted.map(([name, status]) => [name, status]));
    expect(seen).toHaveLength(8);
  });
});

describe('what is sold', () => {
  beforeEach(async () => {
    ann = await signUpByPhone(running.urls[0]!);
  });

  it('sells Plus for rand at PayFast, with a receipt', async () => {
    expect(await planOf(ann)).toMatchObject({ plan: 'free', status: 'none', operator: false });
    const begun = await order(ann, { item: 'plus', currency: 'ZAR', amountMinor: 12_900 });
    expect(begun.order).toMatchObject({ gateway: 'payfast', amountMinor: 12_900, currency: 'ZAR', paidAt: null });
    await payAtPayFast(begun);
    const { id, receiptNumber } = await paid(ann, begun.order.id);
    expect(await planOf(ann)).toMatchObject({ plan: 'plus', status: 'active', source: 'own' });
    expect(must(await ann.api.post('/api/payfast/validate', { paymentId: id }), 'The check').body).toEqual({
      ok: true,
    });
    const receipt = must(await ann.api.get(`/api/billing/orders/${id}/receipt`), 'The receipt');
    expect(String(receipt.body)).toMatch(/^%PDF-/);
    expect(receipt.headers.get('content-disposition')).toBe(`attachment; filename="receipt-${receiptNumber}.pdf"`);
    const [listed] = must(await ann.api.get('/api/billing/orders'), 'The orders').body as Json[];
    expect(listed).toMatchObject({ id, state: 'paid', receiptNumber });
  });

  it('sells Business for dollars at PayPal, and its seats are given and taken back', async () => {
    const ben = await signUpByPhone(running.urls[0]!);
    const begun = await order(ann, { item: 'business', seats: 2, currency: 'USD', amountMinor: 3_000 });
    expect(begun.order).toMatchObject({ gateway: 'paypal', seats: 2, amountMinor: 3_000, currency: 'USD' });
    await payAtPayPal(begun);
    await paid(ann, begun.order.id);
    expect(await planOf(ann)).toMatchObject({ plan: 'business', seats: { bought: 2, taken: 1 } });
    must(await ann.api.post('/api/billing/team/seats', { userId: ben.id }), 'The invitation');
    must(await ben.api.post(`/api/billing/team/seats/${ann.id}/accept`), 'The seat');
    expect(await planOf(ben)).toMatchObject({ plan: 'business', source: 'seat' });
    const { members } = must(await ann.api.get('/api/billing/team'), 'The team').body as { members: Json[] };
    expect(members.map(({ userId, state }) => [userId, state])).toEqual([
      [ann.id, 'owner'],
      [ben.id, 'member'],
    ]);
    const cara = await signUpByPhone(running.urls[0]!);
    expect((await ann.api.post('/api/billing/team/seats', { userId: cara.id })).body).toMatchObject({
      code: 'seats_taken',
    });
    must(await ann.api.delete(`/api/billing/team/seats/${ben.id}`), 'The seat back');
    expect(await planOf(ben)).toMatchObject({ plan: 'free' });
  });

  it('ends with its period, unless that is taken back', async () => {
    const begun = await order(ann, { item: 'plus', currency: 'ZAR' });
    await payAtPayFast(begun);
    await paid(ann, begun.order.id);
    expect(must(await ann.api.post('/api/billing/cancel'), 'The end').body).toMatchObject({
      plan: 'plus',
      status: 'ending',
      nextPlan: 'free',
    });
    expect(must(await ann.api.post('/api/billing/resume'), 'The return').body).toMatchObject({
      status: 'active',
      nextPlan: null,
    });
  });

  it('believes no price of a browser, and makes one order of one id', async () => {
    const wanted = { id: randomUUID(), item: 'plus', currency: 'USD' };
    const cheap = await ann.api.post('/api/billing/orders', { ...wanted, amountMinor: 1 });
    expect(cheap).toMatchObject({ status: 409, body: { code: 'amount_mismatch' } });
    const [first, again] = [await order(ann, wanted), await order(ann, wanted)];
    expect(again.order.id).toBe(first.order.id);
    expect(must(await ann.api.get('/api/billing/orders'), 'The orders').body).toHaveLength(1);
    const other = await ann.api.post('/api/billing/orders', { ...wanted, item: 'business' });
    expect(other).toMatchObject({ status: 409, body: { code: 'order_conflict' } });
  });

  it('keeps what it cannot believe, and gives nothing for it', async () => {
    const begun = await order(ann, { item: 'plus', currency: 'ZAR' });
    const forged = new URLSearchParams({
      m_payment_id: begun.order.id,
      pf_payment_id: '1',
      payment_status: 'COMPLETE',
      amount_gross: '129.00',
      merchant_id: '10000100',
      signature: 'f'.repeat(32),
    });
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const anonymous = new TestApi(running.urls[0]!);
    expect((await anonymous.post('/api/payfast/notify', forged.toString(), { headers })).status).toBe(200);
    const event = { id: 'WH-1', event_type: 'PAYMENT.CAPTURE.COMPLETED', resource: { custom_id: begun.order.id } };
    expect((await anonymous.post('/api/paypal/notify', event)).status).toBe(200);
    // Whoever pays another order after that has been served after it.
    const real = await order(ann, { item: 'storage', currency: 'ZAR' });
    await payAtPayFast(real);
    await paid(ann, real.order.id);
    expect((await ann.api.get(`/api/billing/orders/${begun.order.id}`)).body.state).not.toBe('paid');
    expect(await planOf(ann)).toMatchObject({ plan: 'free', addOns: [{ id: 'storage' }] });
  });

  it('takes the calls of the specification: an order at PayPal, and the check of one at PayFast', async () => {
    const wanted = { intent: 'CAPTURE', amount: '7.00', currency: 'USD', description: 'Plus', custom_id: 'plus' };
    const { links } = must(await ann.api.post('/api/paypal/order', wanted), 'The order').body as { links: Json[] };
    const approve = links.find(({ rel }) => rel === 'approve' || rel === 'payer-action');
    expect(URL.canParse(approve?.href as string)).toBe(true);
    expect((await ann.api.post('/api/paypal/order', { ...wanted, amount: '1.00' })).status).toBe(409);
    const unsupported = await ann.api.post('/api/paypal/order', { ...wanted, currency: 'XYZ' });
    expect(unsupported.body.message).toBe('Unsupported currency');
    const { order: unpaid } = await order(ann, { item: 'plus', currency: 'ZAR' });
    const check = must(await ann.api.post('/api/payfast/validate', { paymentId: unpaid.id }), 'The check');
    expect(check.body).toEqual({ ok: false });
  });

  it('says with 402 how far a plan goes, and what lifts that', async () => {
    const connect = (platform: string, body?: object) => ann.api.post(`/api/social/connect/${platform}`, body);
    const appPassword = { handle: 'example.bsky.social', appPassword: 'simulated-platform-secret' };
    must(await connect('bluesky', appPassword), 'The first platform');
    const { status, body } = await connect('mastodon');
    expect([status, body.code]).toEqual([402, 'social_limit_plan']);
    expect(planLimited.parse(body).details).toEqual({
      feature: 'platforms',
      limit: 1,
      used: 1,
      liftedBy: ['plus', 'business'],
      addOn: null,
    });
  });
});
