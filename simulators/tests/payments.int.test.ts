import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startSimulators } from './startSimulators.ts';

let simulators: Awaited<ReturnType<typeof startSimulators>>;
beforeAll(async () => {
  simulators = await startSimulators();
});
afterAll(() => simulators.stop());

const callSimulator = (path: string, method = 'GET', body?: unknown) =>
  fetch(`${simulators.url}${path}`, {
    method,
    redirect: 'manual',
    headers: { 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  });

async function token(): Promise<string> {
  const reply = await fetch(`${simulators.url}/paypal/v1/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa('simulated-paypal-client:simulated-paypal-secret')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  return ((await reply.json()) as { access_token: string }).access_token;
}

/** Builds an order as in PayPal's reference. */
const order = (value = '7.00', currency_code = 'USD') => ({
  intent: 'CAPTURE',
  purchase_units: [{ custom_id: 'our <b>order</b>', description: 'Tea & "cake"', amount: { currency_code, value } }],
});
const urls = { return_url: 'http://shop.example/done', cancel_url: 'http://shop.example/back' };

async function create(body: object, headers: Record<string, string> = {}) {
  const reply = await fetch(`${simulators.url}/paypal/v2/checkout/orders`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${await token()}`, ...headers },
    body: JSON.stringify(body),
  });
  const answer = (await reply.json()) as {
    id: string;
    name?: string;
    links: { rel: string }[];
    details?: { issue: string }[];
  };
  return {
    ...answer,
    status: reply.status,
    rels: answer.links.map(({ rel }) => rel),
    issue: answer.details?.[0]?.issue,
  };
}

test('an order has the link approve, or payer-action if it has a payment source', async () => {
  expect(await create({ ...order(), application_context: urls })).toMatchObject({
    status: 201,
    rels: ['self', 'approve', 'update', 'capture'],
  });
  const source = { payment_source: { paypal: { experience_context: urls } } };
  expect(await create({ ...order(), ...source })).toMatchObject({ status: 400, issue: 'PAYPAL_REQUEST_ID_REQUIRED' });
  const headers = { 'paypal-request-id': 'one' };
  const first = await create({ ...order(), ...source }, headers);
  expect(first).toMatchObject({ status: 201, rels: ['self', 'payer-action'] });
  expect(await create({ ...order(), ...source }, headers)).toMatchObject({ status: 200, id: first.id });
});

test.each([
  [{ ...order('7.001'), application_context: urls }, 422, 'DECIMAL_PRECISION'],
  [{ ...order('7.00', 'NGN'), application_context: urls }, 422, 'CURRENCY_NOT_SUPPORTED'],
  [{ ...order(), intent: 'GIFT', application_context: urls }, 400, 'INVALID_PARAMETER_SYNTAX'],
  [{ intent: 'CAPTURE', application_context: urls }, 400, 'MISSING_REQUIRED_PARAMETER'],
])('an invalid order is refused as PayPal refuses it', async (body, status, issue) => {
  expect(await create(body)).toMatchObject({ status, issue });
});

test('the payer’s page is plainly a simulator, escapes its input, and may redirect to the merchant', async () => {
  const { id } = await create({ ...order(), application_context: urls });
  const reply = await callSimulator(`/paypal/checkoutnow?token=${id}`);
  const markup = await reply.text();
  expect(markup).toContain('Simulator');
  expect(markup).toContain('Tea &amp; &quot;cake&quot;');
  expect(reply.headers.get('content-security-policy')).toContain("form-action http://shop.example 'self'");
  const desk = await (await callSimulator('/payments')).text();
  expect(desk).toContain('our &lt;b&gt;order&lt;/b&gt;');
  expect((await callSimulator('/paypal/checkoutnow?token=none')).status).toBe(404);
});

test('switches are set on the page and by programs, and an unknown switch is rejected', async () => {
  const form = new URLSearchParams({ delivery: 'twice', lateSeconds: '5', condition: 'outage' });
  const reply = await fetch(`${simulators.url}/payments/payfast/switches`, {
    method: 'POST',
    body: form,
    redirect: 'manual',
  });
  expect([reply.status, reply.headers.get('location')]).toEqual([303, '/payments']);
  expect(await (await callSimulator('/payments')).text()).toMatch(/value="twice" selected/);
  expect((await callSimulator('/payfast/eng/process', 'POST')).status).toBe(503);
  expect((await callSimulator('/payfast/api/ping')).status).toBe(503);
  expect((await callSimulator('/payments/payfast/switches', 'PUT', {})).status).toBe(204);
  expect((await callSimulator('/payfast/eng/process', 'POST')).status).toBe(400);
  expect((await callSimulator('/payments/payfast/switches', 'PUT', { delivery: 'by_pigeon' })).status).toBe(400);
  expect((await callSimulator('/payments/nobody/switches', 'PUT', {})).status).toBe(400);
  expect((await callSimulator('/payments/paypal/payments/none', 'POST', { action: 'refund' })).status).toBe(409);
  expect((await callSimulator('/payments/notifications/none/send', 'POST')).status).toBe(404);
});

test('a notification without a success response is sent again', async () => {
  const answers = [500, 200];
  let second: () => void = () => {};
  const came = new Promise<void>((resolve) => void (second = resolve));
  const merchant = createServer((request, response) => {
    request.resume();
    response.writeHead(answers.shift() ?? 200).end();
    if (answers.length === 0) second();
  });
  await new Promise<void>((resolve) => void merchant.listen(0, '127.0.0.1', resolve));
  const PAYPAL_WEBHOOK_URL = `http://127.0.0.1:${(merchant.address() as AddressInfo).port}/notify`;
  const own = await startSimulators({ PAYPAL_WEBHOOK_URL });
  const before = simulators;
  simulators = own;
  const { id } = await create({ ...order(), application_context: urls });
  expect((await callSimulator(`/payments/paypal/payments/${id}`, 'POST', { action: 'approve' })).status).toBe(204);
  simulators = before;
  await came;
  await own.stop();
  await new Promise((resolve) => void merchant.close(resolve));
  expect(answers).toEqual([]);
});
