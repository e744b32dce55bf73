import { randomUUID } from 'node:crypto';
import { createAppError } from '@nolo/kit/errors';
import { createLimitDetails } from '@nolo/rules';
import type { TestUser } from '@nolo/testing';
import { aTeam } from '@nolo/testing/protos';
import { startGateway, type TestGateway } from './startGateway.ts';

let gateway: TestGateway;
let user: TestUser;
let answers: TestGateway['billing']['answers'];

beforeAll(async () => {
  gateway = await startGateway({ PAYMENT_FORM_ORIGINS: 'https://pay.example, https://other.example' });
  ({ answers } = gateway.billing);
});
afterAll(() => gateway.stop());

beforeEach(async () => {
  answers.error = undefined;
  answers.nextCursor = undefined;
  gateway.billing.asked.length = 0;
  gateway.billing.stored.length = 0;
  user = await gateway.signUp();
});

const lastRequest = () => gateway.billing.asked.at(-1);

it('the plan comes with the price currencies and their exchange rates to the rand', async () => {
  const { currencies } = (await user.api.get('/api/billing')).body as { currencies: object[] };
  expect(currencies).toHaveLength(9);
  expect(currencies.slice(0, 2)).toEqual([
    { code: 'ZAR', symbol: 'R', name: 'South African rand', exchangeRate: 1 },
    { code: 'USD', symbol: '$', name: 'US dollar', exchangeRate: 0.054 },
  ]);
});

it('a plan can be downgraded to another, with a number of seats', async () => {
  const downgrade = { plan: 'business', seats: 2 };
  expect((await user.api.post('/api/billing/downgrade', downgrade)).status).toBe(200);
  expect(lastRequest()).toEqual({ name: 'planDowngrade', request: { actorId: user.id, ...downgrade } });
});

it('a receipt is downloaded as a file', async () => {
  const { status, body, headers } = await user.api.get(`/api/billing/orders/${randomUUID()}/receipt`);
  expect([status, body]).toEqual([200, '%PDF-1.7 bytes']);
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-type': 'application/pdf',
    'content-disposition': 'attachment; filename="receipt-2026-000001.pdf"',
    'content-security-policy': "sandbox; default-src 'none'",
    'cache-control': 'no-store',
  });
});

it('emails are sent from our own address', async () => {
  const mail = { purpose: 'invitation', to: ' thandi@example.org ' };
  expect((await user.api.post('/api/email/send', mail)).status).toBe(204);
  expect(lastRequest()?.request).toMatchObject({ to: 'thandi@example.org', origin: gateway.origin });
});

it('a team shows its members, and usage to its owner only', async () => {
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

it('operators page through orders with filters', async () => {
  answers.nextCursor = 'more';
  const { userId } = answers.order;
  const orders = await user.api.get(`/api/admin/billing/orders?userId=${userId}&state=refunded&limit=7&cursor=c`);
  expect(orders.headers.get('nolo-next-cursor')).toBe('more');
  const find = { userId, state: 'refunded', cursor: 'c', limit: 7 };
  expect(lastRequest()?.request).toEqual({ actorId: user.id, sessionId: expect.any(String), ...find });
});

describe('gateway notifications', () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const send = (body: string | Buffer, headers: Record<string, string> = form) =>
    gateway.anonymous.post('/api/payfast/notify', body, { headers });

  it('are stored byte for byte, from any source and without a session', async () => {
    // PayFast signs the field order, the case of escapes, and the plus signs.
    const body = 'm_payment_id=1&item_name=Nolo+Plus%2c+monthly&amount_gross=129.00&empty=&signature=aB%C3%A9';
    const headers = {
      ...form,
      origin: 'https://elsewhere.example',
      cookie: 'a=b',
      authorization: 'Basic Zm9v',
      'X-Odd': 'Yes',
    };
    const reply = await send(body, headers);
    expect([reply.status, reply.body]).toEqual([200, undefined]);
    const [stored] = gateway.billing.stored;
    expect(stored).toMatchObject({ gateway: 'payfast', sourceAddress: '127.0.0.1' });
    expect(Buffer.from(stored!.body).toString()).toBe(body);
    expect(stored!.headers).toMatchObject({ ...form, 'x-odd': 'Yes' });
    for (const secret of ['cookie', 'authorization']) expect(stored!.headers).not.toHaveProperty(secret);
  });

  it('are stored for PayPal with white space and signature headers', async () => {
    // The body need not be valid JSON, because it is parsed later.
    const body = '{ "id" : "WH-1",\n "resource":{"amount":7.0}';
    const headers = { 'content-type': 'application/json; charset=utf-8', 'PayPal-Transmission-Sig': 'sig==' };
    expect((await gateway.anonymous.post('/api/paypal/notify', body, { headers })).status).toBe(200);
    const [stored] = gateway.billing.stored;
    expect([stored?.gateway, stored?.headers['paypal-transmission-sig']]).toEqual(['paypal', 'sig==']);
    expect(Buffer.from(stored!.body).toString()).toBe(body);
  });

  it.each<[number, string, string, Record<string, string>]>([
    [413, 'body_too_large', 'x'.repeat(65_537), form],
    [415, 'content_type_unsupported', 'a=1', { 'content-type': 'text/plain' }],
    [415, 'content_type_unsupported', 'a=1', { ...form, 'content-encoding': 'gzip' }],
    [400, 'notification_empty', '', form],
  ])('are rejected with %i %s if malformed', async (status, code, body, headers) => {
    expect(await send(body, headers)).toMatchObject({ status, body: { code } });
    expect(gateway.billing.stored).toEqual([]);
  });

  it('are retried by the sender while billing is down', async () => {
    answers.error = createAppError('unavailable', 'storage_unavailable', 'Storage is away.', undefined, {
      retryAfterMs: 5_000,
    });
    const reply = await send('a=1');
    expect(reply).toMatchObject({ status: 503, body: { code: 'storage_unavailable' } });
    expect(reply.headers.get('retry-after')).toBe('5');
  });
});

describe('an installation that sells plans', () => {
  const formAction = async (at: TestGateway) =>
    /form-action ([^;]*)/.exec(
      (await at.anonymous.get('/api/config')).headers.get('content-security-policy') ?? '',
    )?.[1];

  it('allows pages to navigate to the payment gateways', async () => {
    expect(await formAction(gateway)).toBe("'self' https://pay.example https://other.example");
    expect((await gateway.anonymous.get('/api/config')).body.features.billing).toBe(true);
    expect((await gateway.anonymous.get('/healthz')).body.parts.billing).toEqual({ ok: true });
  });

  it('reports what raises a limit, no matter which service refuses', async () => {
    const details = createLimitDetails('transcriptionSeconds', 1_800, 1_790);
    gateway.transcriber.answers.error = createAppError('plan_limited', 'transcription_limit', 'Used up.', details);
    const voice = new FormData();
    voice.set('audio', new Blob(['hello'], { type: 'audio/webm' }), 'voice.webm');
    expect(await user.api.post('/api/transcribe-voice', voice)).toMatchObject({
      status: 402,
      body: {
        code: 'transcription_limit',
        details: {
          feature: 'transcriptionSeconds',
          limit: 1_800,
          used: 1_790,
          liftedBy: ['plus', 'business'],
          addOn: 'transcription',
        },
      },
    });
    gateway.transcriber.answers.error = undefined;
  });

  it('offers no plans without billing, and reports it', async () => {
    const without = await startGateway({ BILLING_ADDR: '' });
    try {
      const buyer = await without.signUp();
      for (const [method, path] of [
        ['GET', '/api/billing'],
        ['GET', '/api/billing/team'],
        ['GET', '/api/admin/billing/orders'],
        ['POST', '/api/payfast/notify'],
      ] as const) {
        expect(await buyer.api.request(method, path)).toMatchObject({
          status: 404,
          body: { code: 'billing_unavailable' },
        });
      }
      expect((await without.anonymous.get('/api/config')).body.features.billing).toBe(false);
      expect(await formAction(without)).toBe("'self'");
    } finally {
      await without.stop();
    }
  });
});
