import { randomUUID } from 'node:crypto';
import { fail } from '@nolo/kit/errors';
import type { TestUser } from '@nolo/testing';
import { aNotification, aSubscription, aTeam, anAuditRecord, anOrder } from '@nolo/testing/protos';
import { startTestGateway, type TestGateway } from './startTestGateway.ts';

let gateway: TestGateway;
let user: TestUser;
let answers: TestGateway['billing']['answers'];

beforeAll(async () => {
  gateway = await startTestGateway();
  ({ answers } = gateway.billing);
}, 30_000);
afterAll(() => gateway.stop());

beforeEach(async () => {
  answers.error = undefined;
  answers.nextCursor = undefined;
  gateway.billing.asked.length = 0;
  user = await gateway.signUp();
});

const lastAsked = () => gateway.billing.asked.at(-1);

describe("one's plan", () => {
  it('says what it allows, how much of it is used, and what comes next', async () => {
    answers.subscription = aSubscription({
      plan: 'business',
      state: 'ending',
      nextPlan: 'plus',
      seats: 3,
      seatsTaken: 2,
      addOns: [{ id: 'storage', endsAt: new Date('2026-03-10T00:00:00Z') }],
      creditMinor: 350,
      creditCurrency: 'USD',
      seatOffered: true,
      operator: true,
      entitlements: {
        plan: 'business',
        limits: [
          { feature: 'storageBytes', limit: 50_000_000_000, used: 12 },
          { feature: 'platforms', limit: undefined, used: undefined },
        ],
        validUntil: undefined,
        month: '2026-03',
        monthEndsAt: new Date('2026-03-31T22:00:00Z'),
      },
    });
    expect(await user.api.get('/api/billing?timeZone=Africa%2FLagos')).toMatchObject({
      status: 200,
      body: {
        plan: 'business',
        status: 'ending',
        source: 'own',
        periodEndsAt: '2026-03-02T08:30:00.000Z',
        graceEndsAt: null,
        nextPlan: 'plus',
        seats: { bought: 3, taken: 2 },
        addOns: [{ id: 'storage', endsAt: '2026-03-10T00:00:00.000Z' }],
        limits: [
          { feature: 'platforms', limit: null, used: null },
          { feature: 'storageBytes', limit: 50_000_000_000, used: 12 },
        ],
        month: '2026-03',
        monthEndsAt: '2026-03-31T22:00:00.000Z',
        credit: { amountMinor: 350, currency: 'USD' },
        seatOffered: true,
        operator: true,
      },
    });
    expect(lastAsked()).toEqual({ name: 'getSubscription', request: { actorId: user.id, timeZone: 'Africa/Lagos' } });
  });

  it.each([
    ['/api/billing/cancel', undefined, 'cancelSubscription', {}],
    ['/api/billing/resume', undefined, 'resumeSubscription', {}],
    ['/api/billing/downgrade', { plan: 'plus' }, 'planDowngrade', { plan: 'plus', seats: undefined }],
    ['/api/billing/downgrade', { plan: 'business', seats: 2 }, 'planDowngrade', { plan: 'business', seats: 2 }],
  ])('changes by POST %s %j', async (path, body, name, request) => {
    answers.subscription = aSubscription({ nextPlan: 'free' });
    expect(await user.api.post(path, body)).toMatchObject({ status: 200, body: { plan: 'plus', nextPlan: 'free' } });
    expect(lastAsked()).toEqual({ name, request: { actorId: user.id, ...request } });
  });
});

describe('an order', () => {
  const wanted = () => ({ id: randomUUID(), item: 'plus', currency: 'ZAR', amountMinor: 12_900 });

  it('is paid by a form, whose fields come as they are', async () => {
    const fields = [
      { name: 'merchant_id', value: '10000100' },
      { name: 'signature', value: 'abc' },
    ];
    const form = { action: 'https://pay.example/eng/process', fields };
    answers.begun = { order: anOrder(), payment: { $case: 'form', value: form }, links: [] };
    await user.api.put('/api/profile', { firstName: 'Thandi', lastName: 'M' });
    const order = wanted();
    expect(await user.api.post('/api/billing/orders', order)).toMatchObject({
      status: 201,
      body: { order: { state: 'created', amountMinor: 12_900, paidAt: null }, payment: { type: 'form', ...form } },
    });
    expect(lastAsked()).toMatchObject({
      name: 'createOrder',
      request: {
        actorId: user.id,
        orderId: order.id,
        item: 'plus',
        seats: 1,
        currency: 'ZAR',
        expectedMinor: 12_900,
        origin: gateway.origin,
        firstName: 'Thandi',
        lastName: 'M',
      },
    });
  });

  it('is paid at an address, or not at all once it is paid', async () => {
    const approveUrl = 'https://pay.example/checkoutnow?token=1';
    const payment = { $case: 'approveUrl' as const, value: approveUrl };
    answers.begun = { order: anOrder({ gateway: 'paypal' }), payment, links: [], gatewayOrderId: 'P1' };
    const { body } = await user.api.post('/api/billing/orders', wanted());
    expect(body.payment).toEqual({ type: 'redirect', url: approveUrl });
    answers.begun = { order: anOrder({ state: 'paid' }), payment: undefined, links: [] };
    expect((await user.api.post('/api/billing/orders', wanted())).body.payment).toBeNull();
  });

  it.each([
    [{ item: 'gold' }],
    [{ currency: 'XAU' }],
    [{ seats: 0 }],
    [{ seats: 501 }],
    [{ amountMinor: -1 }],
    [{ amountMinor: 1.5 }],
    [{ id: 'mine' }],
  ])('with %j is no order', async (more) => {
    const reply = await user.api.post('/api/billing/orders', { ...wanted(), ...more });
    expect(reply).toMatchObject({ status: 400, body: { code: 'invalid_input' } });
    expect(gateway.billing.asked).toEqual([]);
  });

  it.each([
    [409, fail('conflict', 'amount_mismatch', 'That is not what it costs.')],
    [503, fail('unavailable', 'payment_unavailable', 'PayPal is away.', undefined, { retryAfterMs: 30_000 })],
  ])('is refused with %i as billing says', async (status, error) => {
    answers.error = error;
    const reply = await user.api.post('/api/billing/orders', wanted());
    expect(reply).toMatchObject({ status, body: { code: error.code } });
    expect(reply.headers.get('retry-after')).toBe(status === 503 ? '30' : null);
  });

  it('is listed, looked at and cancelled by its owner', async () => {
    answers.order = anOrder({ state: 'paid', paidAt: new Date('2026-03-03T00:00:00Z'), receiptNumber: '2026-000001' });
    answers.nextCursor = 'more';
    const { id } = answers.order;
    const list = await user.api.get('/api/billing/orders?limit=1&cursor=abc');
    expect(list.headers.get('nolo-next-cursor')).toBe('more');
    expect(list.body).toMatchObject([{ id, paidAt: '2026-03-03T00:00:00.000Z', receiptNumber: '2026-000001' }]);
    expect(list.body[0]).not.toHaveProperty('userId');
    expect(lastAsked()?.request).toEqual({ actorId: user.id, cursor: 'abc', limit: 1 });
    expect(await user.api.get(`/api/billing/orders/${id}`)).toMatchObject({ status: 200, body: { id } });
    expect(await user.api.post(`/api/billing/orders/${id}/cancel`)).toMatchObject({ status: 200, body: { id } });
    expect(lastAsked()).toEqual({ name: 'cancelOrder', request: { actorId: user.id, orderId: id } });
  });

  it('has a receipt that is kept as a file', async () => {
    const { status, body, headers } = await user.api.get(`/api/billing/orders/${randomUUID()}/receipt`);
    expect([status, body]).toEqual([200, '%PDF-1.7 bytes']);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': 'attachment; filename="receipt-2026-000001.pdf"',
      'content-security-policy': "sandbox; default-src 'none'",
      'cache-control': 'no-store',
    });
  });
});

describe('the calls of the specification', () => {
  it('orders at PayPal by what custom_id names, and answers its links', async () => {
    const links = [{ href: 'https://pay.example/approve', rel: 'approve', method: 'GET' }];
    answers.begun = { order: anOrder(), payment: undefined, links, gatewayOrderId: 'P1' };
    const body = { intent: 'CAPTURE', amount: '7.00', currency: 'USD', description: 'Plus', custom_id: 'plus' };
    expect(await user.api.post('/api/paypal/order', body)).toMatchObject({ status: 200, body: { id: 'P1', links } });
    expect(lastAsked()?.request).toMatchObject({ item: 'plus', currency: 'USD', expectedMinor: 700, seats: 1 });
    const rand = await user.api.post('/api/paypal/order', { ...body, currency: 'ZAR' });
    expect(rand).toMatchObject({
      status: 400,
      body: { code: 'currency_unsupported', message: 'Unsupported currency' },
    });
  });

  it.each([
    ['paid', true],
    ['created', false],
    ['refunded', false],
  ])('says of an order that is %s whether it was paid: %s', async (state, ok) => {
    answers.order = anOrder({ state });
    const paymentId = randomUUID();
    expect(await user.api.post('/api/payfast/validate', { paymentId })).toMatchObject({ status: 200, body: { ok } });
    expect(lastAsked()).toEqual({ name: 'validateOrder', request: { actorId: user.id, orderId: paymentId } });
  });

  it('sends mails of ours', async () => {
    const mail = { purpose: 'invitation', to: ' thandi@example.org ' };
    expect((await user.api.post('/api/email/send', mail)).status).toBe(204);
    expect(lastAsked()?.request).toEqual({
      actorId: user.id,
      purpose: 'invitation',
      to: 'thandi@example.org',
      orderId: '',
      origin: gateway.origin,
    });
    expect((await user.api.post('/api/email/send', { ...mail, purpose: 'greeting' })).status).toBe(400);
  });
});

describe('a team', () => {
  it('shows its people, and usage to whoever bought the seats', async () => {
    const other = await gateway.signUp();
    await other.api.put('/api/profile', { firstName: 'Thandi', lastName: 'M' });
    const since = new Date('2026-03-01T00:00:00Z');
    const usage = { transcriptionSeconds: 60, storageBytes: 7, scheduledPosts: 1 };
    const used = { ...usage, devices: 2, lastUsedOn: '2026-02-28' };
    const members = [
      { userId: user.id, state: 'owner', since, ...usage, devices: undefined, lastUsedOn: undefined },
      { userId: other.id, state: 'member', since, ...used },
      { userId: randomUUID(), state: 'invited', since, ...used },
    ];
    answers.team = aTeam({ ownerId: user.id, members });
    const { body } = await user.api.get('/api/billing/team');
    expect(body).toMatchObject({ ownerId: user.id, seats: 3, periodEndsAt: '2026-03-02T08:30:00.000Z' });
    expect(body.members[1]).toMatchObject({ user: { displayName: 'Thandi M' }, state: 'member', usage });
    expect(body.members[1].sessions).toEqual({ devices: 2, lastUsedOn: '2026-02-28' });
    expect(body.members[0].sessions).toBeNull();
    expect(body.members[2]).toMatchObject({ user: null, usage: null, sessions: null });
    const seen = (await other.api.get('/api/billing/team')).body.members as { usage: unknown; sessions: unknown }[];
    expect(seen.flatMap((one) => [one.usage, one.sessions])).toEqual([null, null, null, null, null, null]);
  });

  const someone = randomUUID();
  it.each([
    ['POST', '/api/billing/team/seats', { userId: someone }, 200, 'inviteToSeat', { userId: someone }],
    ['DELETE', `/api/billing/team/seats/${someone}`, undefined, 204, 'freeSeat', { userId: someone }],
    ['POST', `/api/billing/team/seats/${someone}/accept`, undefined, 200, 'acceptSeat', { userId: someone }],
    [
      'POST',
      `/api/billing/team/seats/${someone}/move`,
      { userId: '0190a5f4-7d3e-7000-8000-000000000001' },
      200,
      'moveSeat',
      { fromUserId: someone, toUserId: '0190a5f4-7d3e-7000-8000-000000000001' },
    ],
  ])('%s %s asks billing, which decides', async (method, path, body, status, name, request) => {
    expect((await user.api.request(method, path, { body })).status).toBe(status);
    expect(lastAsked()).toEqual({ name, request: { actorId: user.id, ...request } });
    answers.error = fail('forbidden', 'not_team_owner', 'Only who bought the seats may do that.');
    expect((await user.api.request(method, path, { body })).status).toBe(403);
  });
});

describe('operators', () => {
  it('page through everything, with filters', async () => {
    answers.order = anOrder({ state: 'refunded' });
    answers.nextCursor = 'more';
    const { userId } = answers.order;
    const orders = await user.api.get(`/api/admin/billing/orders?userId=${userId}&state=refunded&limit=7&cursor=c`);
    expect(orders).toMatchObject({ status: 200, body: [{ userId, state: 'refunded' }] });
    expect(orders.headers.get('nolo-next-cursor')).toBe('more');
    expect(lastAsked()?.request).toEqual({ actorId: user.id, userId, state: 'refunded', cursor: 'c', limit: 7 });
    expect((await user.api.get('/api/admin/billing/orders?state=lost')).status).toBe(400);
    const subscriptions = await user.api.get('/api/admin/billing/subscriptions');
    expect(subscriptions.body).toMatchObject([{ userId, subscription: { plan: expect.any(String) } }]);
    answers.notification = aNotification({ state: 'refused', reason: 'signature', body: 'a=1&b=2' });
    expect((await user.api.get('/api/admin/billing/notifications?state=refused')).body).toMatchObject([
      { state: 'refused', reason: 'signature', body: 'a=1&b=2', orderId: null },
    ]);
    answers.auditRecord = anAuditRecord({ details: '{"plan":"plus"}', allowed: false });
    expect((await user.api.get('/api/admin/billing/audit')).body).toMatchObject([
      { details: { plan: 'plus' }, allowed: false, subject: null },
    ]);
  });

  it('refund, give plans and have notifications worked off again', async () => {
    const [subject, id] = [randomUUID(), randomUUID()];
    const refund = { id, amountMinor: 100, reason: 'Bought twice.' };
    expect((await user.api.post(`/api/admin/billing/orders/${subject}/refund`, refund)).status).toBe(200);
    expect(lastAsked()?.request).toEqual({
      actorId: user.id,
      orderId: subject,
      refundId: id,
      amountMinor: 100,
      reason: 'Bought twice.',
    });
    const grant = { id, plan: 'business', days: 10, reason: 'A talk.' };
    expect((await user.api.post(`/api/admin/billing/users/${subject}/plan`, grant)).status).toBe(200);
    expect(lastAsked()?.request).toEqual({
      actorId: user.id,
      userId: subject,
      grantId: id,
      plan: 'business',
      days: 10,
      reason: 'A talk.',
    });
    expect((await user.api.post(`/api/admin/billing/notifications/${subject}/retry`)).status).toBe(200);
    expect(lastAsked()).toMatchObject({ name: 'retryNotification', request: { notificationId: subject } });
    const noReason = { ...refund, reason: '  ' };
    expect((await user.api.post(`/api/admin/billing/orders/${subject}/refund`, noReason)).status).toBe(400);
  });

  it('are who billing says', async () => {
    answers.error = fail('forbidden', 'not_operator', 'Only operators may do that.');
    const reply = await user.api.get('/api/admin/billing/orders');
    expect(reply).toMatchObject({ status: 403, body: { code: 'not_operator' } });
  });
});
