import { randomUUID } from 'node:crypto';
import { eventually } from '@nolo/testing';
import fc from 'fast-check';
import { checkLedger } from '../src/store/ledgerCheck.ts';
import { MemoryGateway } from './memoryGateway.ts';
import { operatorCaller, operatorId, operatorIds, startBilling, type TestBilling } from './startBilling.ts';

let nolo: TestBilling;
beforeAll(async () => {
  nolo = await startBilling();
});
afterEach(() => {
  nolo.gateways.payfast.isAway = false;
});
afterAll(() => nolo.stop());

const stateOf = async (id: string) =>
  ((await nolo.db('notifications').where({ id }).first('state', 'reason')) as { state: string; reason: string }) ?? {};
const worked = (id: string, state: string) => eventually(async () => (await stateOf(id)).state === state);
const countFacts = async (orderId: string, kind: string) =>
  (await nolo.db('facts').where({ order_id: orderId, kind })).length;
const periodEnd = async (actorId: string) => (await nolo.billing.getSubscription({ actorId })).periodEndsAt;
const day = 86_400_000;

test('a hundred concurrent copies of a notification, as bytes and events, give one payment and one plan', async () => {
  const actorId = randomUUID();
  const order = await nolo.order(actorId, 'plus');
  const paid = nolo.factOf('paid', order);
  const same = MemoryGateway.body([paid]);
  const bodies = Array.from({ length: 100 }, (_, place) =>
    // Half of them are byte-for-byte equal; the others have their own event ID for the same payment.
    place % 2 === 0 ? same : MemoryGateway.body([{ ...paid, id: `event-${place}` }]),
  );
  const ids = await Promise.all(bodies.map((body) => nolo.notify('payfast', body)));
  expect(new Set(ids).size).toBe(51);
  await Promise.all([...new Set(ids)].map((id) => worked(id, 'done')));

  expect(await countFacts(order.id, 'payment')).toBe(1);
  expect(await nolo.db('receipts').where({ order_id: order.id })).toHaveLength(1);
  expect(await periodEnd(actorId)).toEqual(new Date(nolo.clock.now().getTime() + 30 * day));
  expect(await checkLedger(nolo.db)).toEqual([]);
});

test('a stored notification is acknowledged at once, and processed when the gateway is back', async () => {
  const actorId = randomUUID();
  const order = await nolo.order(actorId, 'plus');
  const gate = Promise.withResolvers<void>();
  Object.assign(nolo.gateways.payfast, { isAway: true, readsAfter: gate.promise });
  // A reply that waited for the gateway would never arrive.
  const id = await nolo.notify('payfast', MemoryGateway.body([nolo.factOf('paid', order)]));
  await nolo.notify('payfast', MemoryGateway.body([], { genuine: false }));
  gate.resolve();
  await worked(id, 'failed');
  expect(await nolo.planOf(actorId)).toBe('free');

  nolo.gateways.payfast.isAway = false;
  await worked(id, 'done');
  expect(await nolo.planOf(actorId)).toBe('plus');
});

test('a forged notification, or one with a wrong amount, currency or order, grants nothing', async () => {
  const actorId = randomUUID();
  const order = await nolo.order(actorId, 'plus');
  const paid = nolo.factOf('paid', order);
  const refusedFor = async (gateway: 'payfast' | 'paypal', body: Buffer) => {
    const id = await nolo.notify(gateway, body);
    await worked(id, 'refused');
    return (await stateOf(id)).reason;
  };
  expect(await refusedFor('payfast', MemoryGateway.body([paid], { genuine: false }))).toBe('signature');
  expect(
    await refusedFor('payfast', MemoryGateway.body([{ ...paid, id: 'a', gatewayPaymentId: 'a', amountMinor: 1 }])),
  ).toBe('amount_mismatch');
  expect(
    await refusedFor('payfast', MemoryGateway.body([{ ...paid, id: 'b', gatewayPaymentId: 'b', currency: 'NGN' }])),
  ).toBe('amount_mismatch');
  expect(await refusedFor('paypal', MemoryGateway.body([paid]))).toBe('other_gateway');
  expect(await nolo.planOf(actorId)).toBe('free');
  expect((await nolo.billing.getOrder({ actorId, orderId: order.id })).state).toBe('redirected');
  // Money that arrived anyway belongs to the customer.
  const owed = (await nolo.db('ledger').where({ order_id: order.id, account: 'customers' })) as { amount: number }[];
  expect(owed.map(({ amount }) => amount).toSorted((a, b) => b - a)).toEqual([-1, -12_900]);
});

test('a notification that arrives before its order waits for it', async () => {
  const [actorId, orderId] = [randomUUID(), randomUUID()];
  const known = { id: orderId, amountMinor: 12_900, currency: 'ZAR' as const };
  const fact = nolo.gateways.payfast.factOf('paid', known, { at: nolo.clock.now() });
  const id = await nolo.notify('payfast', MemoryGateway.body([fact]));
  await worked(id, 'waiting');
  await nolo.order(actorId, 'plus', { orderId });
  await worked(id, 'done');
  expect(await nolo.planOf(actorId)).toBe('plus');
});

test('a notification with only the gateway’s ids finds its order', async () => {
  const actorId = randomUUID();
  const order = await nolo.order(actorId, 'plus', { currency: 'USD' });
  const unnamed = { orderId: null };
  await worked(await nolo.notify('paypal', MemoryGateway.body([nolo.factOf('paid', order, unnamed)])), 'done');
  const refund = nolo.factOf('refunded', order, { ...unnamed, gatewayOrderId: null });
  await worked(await nolo.notify('paypal', MemoryGateway.body([refund])), 'done');
  expect((await nolo.billing.getOrder({ actorId, orderId: order.id })).state).toBe('refunded');
  expect(await nolo.planOf(actorId)).toBe('free');
});

test('an approved payment is captured once', async () => {
  const actorId = randomUUID();
  const order = await nolo.order(actorId, 'plus', { currency: 'USD' });
  const { captures } = nolo.gateways.paypal;
  await nolo.notify('paypal', MemoryGateway.body([nolo.factOf('approved', order)]));
  await nolo.notify('paypal', MemoryGateway.body([nolo.factOf('approved', order, { id: 'again' })]));
  await eventually(async () => (await nolo.planOf(actorId)) === 'plus');
  expect(nolo.gateways.paypal.captures).toBe(captures + 1);
});

test('notifications in any order, repeated or not, lead to the same state', async () => {
  const kinds = ['paid', 'refunded', 'dispute_opened', 'dispute_won', 'failed', 'cancelled'] as const;
  const someKinds = fc.uniqueArray(fc.constantFrom(...kinds), { minLength: 1 });
  const orders = someKinds.chain((some) =>
    fc.tuple(
      fc.shuffledSubarray([...some, ...some], { minLength: some.length * 2 }),
      fc.shuffledSubarray(some, { minLength: some.length }),
    ),
  );
  await fc.assert(
    fc.asyncProperty(orders, async (sequences) => {
      const ends = await Promise.all(
        sequences.map(async (sequence) => {
          const actorId = randomUUID();
          const order = await nolo.order(actorId, 'plus');
          for (const kind of sequence) {
            const fact = nolo.factOf(kind, order, kind.startsWith('dispute') ? { id: `case-${order.id}` } : {});
            await worked(await nolo.notify('payfast', MemoryGateway.body([fact])), 'done');
          }
          const { state, refundedMinor } = await nolo.billing.getOrder({ actorId, orderId: order.id });
          const ledger = (await nolo
            .db('ledger')
            .where({ order_id: order.id })
            .groupBy('account')
            .orderBy('account')
            .havingRaw('sum(amount) <> 0')
            .select('account', nolo.db.raw('sum(amount)::int as amount'))) as object[];
          return { state, refundedMinor, ledger, plan: await nolo.planOf(actorId) };
        }),
      );
      expect(ends[1]).toEqual(ends[0]);
    }),
    { numRuns: 12 },
  );
});

test('the ledger rejects an unbalanced transaction, and accounting rows cannot be changed', async () => {
  const actorId = randomUUID();
  const { id: orderId } = await nolo.buy(actorId, 'plus');
  const [row] = (await nolo.db('ledger').where({ order_id: orderId }).limit(1)) as { transaction_id: string }[];
  const entry = {
    transaction_id: row?.transaction_id,
    order_id: orderId,
    account: 'gifts',
    currency: 'ZAR',
    amount: 5,
  };
  await expect(nolo.db('ledger').insert(entry)).rejects.toMatchObject({ code: '23514' });
  for (const table of ['ledger', 'facts', 'receipts']) {
    await expect(nolo.db(table).where({ order_id: orderId }).delete()).rejects.toMatchObject({ code: '23001' });
    await expect(nolo.db(table).where({ order_id: orderId }).update({ order_id: orderId })).rejects.toMatchObject({
      code: '23001',
    });
  }
});

test('operators see refused notifications, retry them, and refund a payment once', async () => {
  const actorId = randomUUID();
  const find = { ...operatorCaller, userId: '', state: '', limit: 12 };
  const order = await nolo.buy(actorId, 'plus');
  const id = await nolo.notify('payfast', MemoryGateway.body([nolo.factOf('paid', order)], { genuine: false }));
  await worked(id, 'refused');
  const { notifications } = await nolo.admin.findNotifications({ ...find, state: 'refused' });
  expect(notifications.find((one) => one.id === id)).toMatchObject({ reason: 'signature', gateway: 'payfast' });
  await nolo.admin.retryNotification({ ...operatorCaller, notificationId: id });
  await eventually(
    async () => (await nolo.db('notifications').where({ id, attempts: 2, state: 'refused' })).length === 1,
  );

  const refund = {
    ...operatorCaller,
    orderId: order.id,
    refundId: randomUUID(),
    amountMinor: 900,
    reason: 'asked for',
  };
  expect(await nolo.admin.refundOrder(refund)).toMatchObject({ state: 'paid', refundedMinor: 900 });
  expect(await nolo.admin.refundOrder(refund)).toMatchObject({ refundedMinor: 900 });
  const rest = { ...refund, refundId: randomUUID(), amountMinor: 0 };
  expect(await nolo.admin.refundOrder(rest)).toMatchObject({ state: 'refunded', refundedMinor: 12_900 });
  expect(await nolo.admin.refundOrder(rest)).toMatchObject({ state: 'refunded', refundedMinor: 12_900 });
  expect(nolo.gateways.payfast.refundCalls).toBe(2);
  await expect(nolo.admin.refundOrder({ ...rest, refundId: randomUUID() })).rejects.toMatchObject({
    code: 'refund_invalid',
  });
  expect(await nolo.planOf(actorId)).toBe('free');
});

test('only operators can use operator calls, and every attempt is audited', async () => {
  const stranger = randomUUID();
  const grant = { userId: randomUUID(), plan: 'business', days: 10, reason: 'a test', grantId: randomUUID() };
  await expect(nolo.admin.grantPlan({ ...grant, ...operatorCaller, actorId: stranger })).rejects.toMatchObject({
    kind: 'forbidden',
    code: 'not_operator',
  });
  expect(await nolo.planOf(grant.userId)).toBe('free');
  expect(await nolo.admin.grantPlan({ ...grant, ...operatorCaller })).toMatchObject({
    plan: 'business',
    source: 'grant',
    periodEndsAt: new Date(nolo.clock.now().getTime() + 10 * day),
  });
  await expect(nolo.admin.grantPlan({ ...grant, ...operatorCaller, days: 400 })).rejects.toMatchObject({
    code: 'grant_invalid',
  });
  const { records } = await nolo.admin.findAudit({
    ...operatorCaller,
    userId: grant.userId,
    limit: 10,
  });
  const written = records.map(({ operatorId: who, action, allowed }) => [who, action, allowed]);
  expect(written).toContainEqual([stranger, 'GrantPlan', false]);
  expect(written).toContainEqual([operatorId, 'GrantPlan', true]);
  const { subscriptions } = await nolo.admin.findSubscriptions({
    ...operatorCaller,
    userId: grant.userId,
    state: 'active',
    limit: 10,
  });
  expect(subscriptions.map(({ userId }) => userId)).toEqual([grant.userId]);
});

test('identity decides at that moment who is an operator', async () => {
  const one = randomUUID();
  const find = () => nolo.admin.findOrders({ ...operatorCaller, actorId: one, userId: '', state: '', limit: 1 });
  const isOperator = async (actorId: string) => (await nolo.billing.getSubscription({ actorId })).operator;
  operatorIds.add(one);
  expect([await isOperator(one), await isOperator(operatorId), await isOperator(randomUUID())]).toEqual([
    true,
    true,
    false,
  ]);
  await find();
  operatorIds.delete(one);
  expect(await isOperator(one)).toBe(false);
  await expect(find()).rejects.toMatchObject({ code: 'not_operator' });
});

test('operators are refused with an old proof, without a session, or when identity cannot verify them', async () => {
  const [old, unknown] = [randomUUID(), randomUUID()];
  nolo.proofs.outdated.add(old);
  nolo.proofs.unknown.add(unknown);
  const id = randomUUID();
  const about = { userId: id, state: '', limit: 10 };
  const change = {
    reason: 'a test',
    days: 3,
    plan: 'plus',
    orderId: id,
    refundId: id,
    grantId: id,
    notificationId: id,
  };
  const askings: [object, { kind: string; code: string }][] = [
    [{ sessionId: old }, { kind: 'forbidden', code: 'proof_required' }],
    [{ sessionId: undefined }, { kind: 'forbidden', code: 'proof_required' }],
    [{ sessionId: unknown }, { kind: 'unavailable', code: 'proof_unavailable' }],
  ];
  for (const [callerFields, refusal] of askings) {
    const request = { ...about, ...change, ...operatorCaller, ...callerFields };
    for (const [name, call] of Object.entries(nolo.admin)) {
      if (name === 'close') continue;
      const reply = (call as (one: typeof request) => Promise<unknown>)(request);
      expect({
        name,
        refusal: await reply.catch(({ kind, code }: Error & typeof refusal) => ({ kind, code })),
      }).toEqual({ name, refusal });
    }
  }
  expect(await nolo.planOf(id)).toBe('free');
  const { records } = await nolo.admin.findAudit({ ...operatorCaller, limit: 100 });
  const refused = records.filter(({ action, allowed }) => action === 'GrantPlan' && !allowed);
  expect(refused.filter(({ subject }) => subject === id)).toHaveLength(askings.length);
});
