import { randomUUID } from 'node:crypto';
import { systemClock } from '@nolo/kit/clock';
import type { PaymentOrder, RawNotification } from '../src/domain/gateway.ts';
import { joinSignedParameters, signNotification, type FormFields } from '../src/gateways/payfastSignature.ts';
import { createNotificationSourceAllowlist } from '../src/gateways/notificationSourceAllowlist.ts';
import {
  cancelUrl,
  amountInZar,
  createTestGatewayOrder,
  submitPayFastForm,
  submitPayFastCheckout,
  gatewayErrorOf,
  returnUrl,
  startGateways,
  type PayFastForm,
} from './startGateways.ts';

const passphrase = 'simulated-passphrase';
let started: Awaited<ReturnType<typeof startGateways>>;
beforeAll(async () => {
  started = await startGateways();
});
afterEach(async () => {
  await started.set('payfast');
  await started.answers('payfast');
});
afterAll(() => started.stop());

const newOrder = (more: Partial<PaymentOrder> = {}) => started.newOrder({ ...amountInZar, ...more });

async function pressed(action: string, more: Partial<PaymentOrder> = {}) {
  const order = newOrder(more);
  const { form } = await started.payfast.begin(order);
  const back = await submitPayFastCheckout(form, action);
  return { order, form, back, known: createTestGatewayOrder(order) };
}

async function paid() {
  const { order, known } = await pressed('pay');
  const [raw] = await started.receiver.wait(['payment_status=COMPLETE', order.id]);
  const [fact] = await started.payfast.lookUp(known);
  return { order, raw: raw as RawNotification, known: { ...known, gatewayPaymentId: fact?.gatewayPaymentId ?? '' } };
}

test('PayFast gets a correct form, and a notification and a lookup report the same payment', async () => {
  const { order, form, back, known } = await pressed('pay', { item: 'business', seats: 3, amountMinor: 83_700 });
  expect(form?.action).toBe(`${started.url}/payfast/eng/process`);
  expect(form?.fields.map(([name]) => name).join(' ')).toBe(
    'merchant_id merchant_key return_url cancel_url notify_url name_first name_last email_address m_payment_id amount item_name item_description custom_str1 custom_str2 custom_str3 signature',
  );
  expect(new Map(form?.fields)).toEqual(
    new Map([
      ...(form?.fields ?? []),
      ['m_payment_id', order.id],
      ['amount', '837.00'],
      ['custom_str1', 'business'],
      ['custom_str2', order.userId],
      ['custom_str3', 'monthly'],
    ]),
  );
  expect(back.href).toBe(returnUrl);
  const [raw] = await started.receiver.wait(['payment_status=COMPLETE', order.id]);
  const read = await started.payfast.read(raw as RawNotification);
  const fact = { kind: 'paid', orderId: order.id, amountMinor: 83_700, currency: 'ZAR', gatewayOrderId: null };
  expect(read).toMatchObject({ genuine: true, facts: [fact] });
  const [lookedUpFact] = await started.payfast.lookUp(known);
  expect(lookedUpFact).toMatchObject({ ...fact, id: read.genuine ? read.facts[0]?.id : '' });
  expect(await started.payfast.capture(known)).toEqual([lookedUpFact]);
  const retry = await started.payfast.read(raw as RawNotification);
  expect(retry.genuine && read.genuine && retry.eventId === read.eventId).toBe(true);
});

test('empty fields are left out of the form, and no field is too long for PayFast', async () => {
  const order = newOrder({ firstName: '', lastName: '  ', email: '', description: 'Nolo Plus '.repeat(20) });
  const { form } = await started.payfast.begin(order);
  const names = form?.fields.map(([name]) => name);
  expect(names).not.toEqual(expect.arrayContaining(['name_first']));
  expect(names).not.toContain('email_address');
  // The field is always present and part of the signature, which PayFast checks below.
  expect(names).toContain('item_description');
  expect(new Map(form?.fields).get('item_name')?.length).toBeLessThanOrEqual(100);
  expect((await submitPayFastForm(form)).status).toBe(302);
  const { form: same } = await started.payfast.begin(order);
  expect(same).toEqual(form);
});

test('PayFast accepts only rand, and no altered form', async () => {
  expect(await gatewayErrorOf(started.payfast.begin(started.newOrder()))).toMatchObject({ retryable: false });
  const { form } = await started.payfast.begin(newOrder());
  for (const [index, [name, value]] of (form?.fields ?? []).entries()) {
    const fields = (form as PayFastForm).fields.with(index, [name, name === 'amount' ? '1.00' : `${value}1`]);
    const reply = await submitPayFastForm({ action: form?.action ?? '', fields });
    expect({ name, status: reply.status }).toEqual({ name, status: 400 });
  }
});

test('a cancelled or declined payment charges nothing', async () => {
  const cancelled = await pressed('cancel');
  expect(cancelled.back.href).toBe(cancelUrl);
  expect(await started.payfast.lookUp(cancelled.known)).toEqual([]);
  const declined = await pressed('fail');
  expect(declined.back.pathname).toContain('/eng/process/payment/');
  const [raw] = await started.receiver.wait(['payment_status=FAILED', declined.order.id]);
  expect(await started.payfast.read(raw as RawNotification)).toMatchObject({
    genuine: true,
    facts: [{ kind: 'failed', orderId: declined.order.id }],
  });
  expect(await started.payfast.lookUp(declined.known)).toEqual([]);
});

const fieldsOf = (body: Uint8Array): [string, string][] => [...new URLSearchParams(Buffer.from(body).toString())];
const bodyOf = (fields: FormFields) => Buffer.from(joinSignedParameters(fields));
/** Signs a body as PayFast would. */
const signedBody = (fields: FormFields) => bodyOf([...fields, ['signature', signNotification(fields, passphrase)]]);

test('a notification with any field changed, added, removed or moved is not genuine', async () => {
  const { raw } = await paid();
  const fields = fieldsOf(raw.body);
  const others = fields.flatMap(([name, value], index): [string, FormFields][] => [
    [`${name} changed`, fields.with(index, [name, `${value}1`])],
    [`${name} emptied`, value === '' ? [] : fields.with(index, [name, ''])],
    [`${name} left out`, fields.toSpliced(index, 1)],
    [`${name} twice`, [[name, 'x'], ...fields]],
    [`${name} renamed`, fields.with(index, [`${name}x`, value])],
  ]);
  const [first, second, ...rest] = fields as [[string, string], [string, string]];
  others.push(['moved', [second, first, ...rest]], ['added', [['more', '1'], ...fields]]);
  others.push(['behind the signature', [...fields, ['payment_status', 'COMPLETE']]], ['nothing', []]);
  for (const [what, changed] of others) {
    const read = await started.payfast.read({ ...raw, body: bodyOf(changed) });
    expect({ what, ...read }).toMatchObject({ what, genuine: false });
  }
});

test('a notification is genuine only with the right merchant, a PayFast address and validation', async () => {
  const { raw } = await paid();
  const signed = fieldsOf(raw.body).slice(0, -1);
  const with_ = (name: string, value: string) => signed.map(([one, old]) => [one, one === name ? value : old] as const);
  expect(await started.payfast.read({ ...raw, body: signedBody(signed) })).toMatchObject({ genuine: true });
  expect(await started.payfast.read({ ...raw, body: signedBody(with_('merchant_id', '10000101')) })).toEqual({
    genuine: false,
    reason: 'wrong_merchant',
  });
  // An attacker with the passphrase can sign, but PayFast denies having sent this.
  expect(await started.payfast.read({ ...raw, body: signedBody(with_('amount_gross', '1.00')) })).toEqual({
    genuine: false,
    reason: 'not_validated',
  });
  for (const sourceAddress of ['203.0.113.7', '::1:1', 'localhost', '']) {
    expect(await started.payfast.read({ ...raw, sourceAddress })).toEqual({ genuine: false, reason: 'wrong_source' });
  }
  expect(await started.payfast.read({ ...raw, sourceAddress: '::ffff:127.0.0.1' })).toMatchObject({ genuine: true });
});

test('sources are names, addresses and ranges; an unresolved name is retried', async () => {
  let now = 0;
  const clock = { now: () => new Date(now) };
  const resolvedNames: string[] = [];
  const resolve = async (name: string) => {
    resolvedNames.push(name);
    if (name === 'down.example') throw new Error('no answer');
    return await Promise.resolve(name === 'www.example' ? ['192.0.2.1', '2001:db8::1'] : []);
  };
  const sources = createNotificationSourceAllowlist(
    ['www.example', 'gone.example', '198.51.100.0/28', '2001:db8:1::/48'],
    clock,
    resolve,
  );
  expect(await sources.include('198.51.100.15')).toBe(true);
  expect(resolvedNames).toEqual([]);
  expect(await sources.include('198.51.100.16')).toBe(false);
  expect(await sources.include('192.0.2.1')).toBe(true);
  expect(await sources.include('2001:db8::1')).toBe(true);
  expect(await sources.include('2001:db8:1:2::3')).toBe(true);
  expect(resolvedNames).toEqual(['www.example', 'gone.example']);
  now += 11 * 60_000;
  expect(await sources.include('192.0.2.1')).toBe(true);
  expect(resolvedNames).toHaveLength(4);
  const doubtful = createNotificationSourceAllowlist(['www.example', 'down.example'], clock, resolve);
  expect(await doubtful.include('192.0.2.1')).toBe(true);
  expect(await gatewayErrorOf(doubtful.include('192.0.2.2'))).toMatchObject({
    issue: 'sources_unresolved',
    retryable: true,
  });
});

test('notification modes: late, twice, never, wrong and out of order', async () => {
  const payWith = async (delivery: string) => {
    await started.set('payfast', { delivery, lateSeconds: 3_600 });
    const { order, back } = await pressed('pay');
    expect(back.href).toBe(returnUrl);
    const made = (await started.notifications('payfast')).filter(({ body }) => body.includes(order.id));
    const raws = await started.receiver.wait(
      [order.id],
      made.reduce((sum, { attempts }) => sum + attempts.length, 0),
    );
    return { order, made, raws, reads: await Promise.all(raws.map((raw) => started.payfast.read(raw))) };
  };
  for (const delivery of ['late', 'never']) {
    const { order, made, raws } = await payWith(delivery);
    expect([made.length, raws.length]).toEqual([1, 0]);
    await started.resendNotification(made[0]?.id ?? '');
    const [raw] = await started.receiver.wait([order.id]);
    expect(await started.payfast.read(raw as RawNotification)).toMatchObject({ genuine: true });
  }
  const { reads: twice } = await payWith('twice');
  expect(twice.map((read) => read.genuine && read.eventId)).toEqual([expect.any(String), expect.any(String)]);
  expect(new Set(twice.map((read) => read.genuine && read.eventId)).size).toBe(1);
  expect((await payWith('wrong_signature')).reads).toEqual([{ genuine: false, reason: 'wrong_signature' }]);
  expect((await payWith('wrong_merchant')).reads).toEqual([{ genuine: false, reason: 'wrong_merchant' }]);
  // Billing compares it with the amount of the order.
  expect((await payWith('wrong_amount')).reads).toMatchObject([{ genuine: true, facts: [{ amountMinor: 13_000 }] }]);
  expect((await payWith('out_of_order')).reads).toMatchObject([
    { genuine: true, facts: [{ kind: 'paid' }] },
    { genuine: true, facts: [{ kind: 'pending' }] },
  ]);
});

test('a payment is refunded in parts, up to the amount paid', async () => {
  const { known } = await paid();
  const refund = { order: known, refundId: randomUUID(), amountMinor: 2_900, reason: 'Asked for' };
  const id = known.gatewayPaymentId;
  const first = { kind: 'refunded', id: `${id}-refund-1`, orderId: known.id, amountMinor: 2_900, gatewayPaymentId: id };
  expect(await started.payfast.refund(refund)).toMatchObject([first]);
  expect(await gatewayErrorOf(started.payfast.refund({ ...refund, amountMinor: 10_001 }))).toMatchObject({
    issue: 'REFUND_AMOUNT_EXCEEDED',
    retryable: false,
    mayBeDone: false,
  });
  // Refunds made by the merchant at PayFast itself are found by look-up.
  await started.act('payfast', known.id, 'refund', '100.00');
  const seen = [{ kind: 'paid', amountMinor: 12_900 }, first, { id: `${id}-refund-2`, amountMinor: 10_000 }];
  expect(await started.payfast.lookUp(known)).toMatchObject(seen);
  expect(await gatewayErrorOf(started.payfast.refund(refund))).toMatchObject({ issue: 'COMPLETED', retryable: false });
});

describe('an outage of PayFast', () => {
  test.each(['outage', 'server_error', 'not_json', 'rate_limited'])('%s is retried', async (error) => {
    const { raw, known } = await paid();
    await started.answers(
      'payfast',
      { step: 'validate', error },
      { step: 'history', error },
      { step: 'refund', error },
    );
    expect(await gatewayErrorOf(started.payfast.read(raw))).toMatchObject({ retryable: true });
    expect(await gatewayErrorOf(started.payfast.lookUp(known))).toMatchObject({ retryable: true, mayBeDone: false });
    const refund = { order: known, refundId: randomUUID(), amountMinor: 100, reason: 'Asked for' };
    expect(await gatewayErrorOf(started.payfast.refund(refund))).toMatchObject({
      retryable: true,
      mayBeDone: error !== 'rate_limited',
    });
    expect(await started.payfast.read(raw)).toMatchObject({ genuine: true });
    expect(await started.payfast.lookUp(known)).toHaveLength(1);
  });

  test('a refund with a lost response may have happened, and a lookup shows it', async () => {
    const { known } = await paid();
    await started.answers('payfast', { step: 'refund', lost: true });
    const refund = { order: known, refundId: randomUUID(), amountMinor: 100, reason: 'Asked for' };
    expect(await gatewayErrorOf(started.payfast.refund(refund))).toMatchObject({ retryable: true, mayBeDone: true });
    expect(await started.payfast.lookUp(known)).toMatchObject([
      { kind: 'paid' },
      { kind: 'refunded', amountMinor: 100 },
    ]);
  });

  test('a slow response times out', async () => {
    const { raw, known } = await paid();
    const { payfast } = started.gateways({}, { timeoutMs: 300 });
    await started.answers('payfast', { step: 'validate', delayMs: 30_000 }, { step: 'history', delayMs: 30_000 });
    expect(await gatewayErrorOf(payfast.read(raw))).toMatchObject({ retryable: true });
    expect(await gatewayErrorOf(payfast.lookUp(known))).toMatchObject({ retryable: true });
  });

  test('a lookup reveals a wrong passphrase', async () => {
    const { known } = await paid();
    const { payfast } = started.gateways({ PAYFAST_PASSPHRASE: 'another-passphrase' });
    expect(await gatewayErrorOf(payfast.lookUp(known))).toMatchObject({ issue: 'Merchant authorisation failed' });
  });
});

test('an old payment is found, in the sandbox as well', async () => {
  const { known } = await paid();
  const later = { now: () => new Date(systemClock.now().getTime() + 40 * 86_400_000) };
  expect(await started.gateways({ PAYFAST_SANDBOX: 'true' }, { clock: later }).payfast.lookUp(known)).toHaveLength(1);
  expect(await started.payfast.lookUp({ ...known, id: randomUUID() })).toEqual([]);
});
