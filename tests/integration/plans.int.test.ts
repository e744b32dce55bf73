import { randomUUID } from 'node:crypto';
import { billing, planLimitErrorBody, type StartedOrder, type Billing, type RouteName } from '@nolo/api';
import { storageBytes } from '@nolo/rules';
import { eventually, exportOf, signUpByPhone, TestApi, type Json, type TestUser } from '@nolo/testing';
import { createAuthorizationCast, type AuthorizationCast } from '../support/authorization/authorizationCast.ts';
import { callWithProof, describeMatrix } from '../support/authorization/authorizationMatrix.ts';
import type { RouteExpectation } from '../support/authorization/routeExpectation.ts';
import { billingExpectations } from '../support/authorization/billingAuthorizationTable.ts';
import { requireSuccess } from '../support/clients/requireSuccess.ts';
import { createSilentWav } from '../support/clients/silentWav.ts';
import { simulatedBlueskyAppPassword } from '../support/clients/socialPlatforms.ts';
import { startTestStack, type TestStack } from '../support/stacks/testStack.ts';

/**
 * Tests plans through all of Nolo: bought at the simulated gateways, which notify as the real ones do, published by
 * billing, and enforced where they are used. Authorization of plans is tested here too, and so is the transcription of
 * voice notes, because elsewhere plans would limit users of other tests.
 */

let running: TestStack;

beforeAll(async () => {
  running = await startTestStack({
    media: 1,
    billing: true,
    social: true,
    transcription: true,
    env: { MEDIA_WORKERS: '1' },
  });
});
afterAll(() => running?.stop());

const signUp = () => signUpByPhone(running.urls[0]!);
const createdCapacityOf = async ({ api }: TestUser) =>
  requireSuccess(await api.post('/api/meetings/create', { name: 'Weekly', maxParticipants: 10 }), 'A meeting').body
    .maxParticipants as number;
const roomOf = async ({ api }: TestUser) => (await api.get('/api/storage')).body.limit as number;
const minutesOf = async ({ api }: TestUser) => (await api.get('/api/transcription')).body.limitSeconds / 60;

/** Orders, and pays at PayPal with a click. */
async function buy({ api }: TestUser, item: string): Promise<void> {
  const wanted = { id: randomUUID(), item, currency: 'USD' };
  const { order, payment } = requireSuccess(await api.post('/api/billing/orders', wanted), 'An order').body;
  const token = new URL(payment.url).searchParams.get('token');
  const paid = await fetch(`${running.stack.simulatorsUrl}/payments/paypal/payments/${token}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ action: 'approve' }),
  });
  expect(paid.status).toBe(204);
  await eventually(async () => (await api.get(`/api/billing/orders/${order.id}`)).body.state === 'paid', {
    timeoutMs: 20_000,
  });
}

test('each limit states what raises it, and is raised once that is paid', async () => {
  const ann = await signUp();
  const { api } = ann;
  const bluesky = { handle: 'example.bsky.social', appPassword: simulatedBlueskyAppPassword };
  requireSuccess(await api.post('/api/social/connect/bluesky', bluesky), 'The first platform');
  // Schedules all in one month, whatever the current day is.
  const time = new Date();
  const scheduledAt = new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + 2, 15)).toISOString().slice(0, 16);
  const schedule = (content: string) =>
    api.post('/api/social/schedule', { content, platforms: ['bluesky'], scheduledAt, timeZone: 'UTC' });
  for (const content of ['One', 'Two', 'Three']) requireSuccess(await schedule(content), 'A scheduled post');
  const token = { name: 'Export', scopes: ['messages:read'], expiresInDays: 30 };
  const tries = {
    platforms: () => api.post('/api/social/connect/mastodon'),
    scheduledPosts: () => schedule('Four'),
    apiAccess: () => api.post('/api/account/tokens', token),
    branding: () => api.put('/api/brand', { name: 'Harbour Dental', color: '#0a6e5c' }),
  };
  const cheapest = { platforms: 'plus', scheduledPosts: 'plus', apiAccess: 'business', branding: 'business' };
  for (const [feature, attempt] of Object.entries(tries)) {
    const { status, body } = await attempt();
    expect({ feature, status }).toEqual({ feature, status: 402 });
    const { details } = planLimitErrorBody.parse(body);
    expect([details.feature, details.liftedBy[0]]).toEqual([feature, cheapest[feature as keyof typeof tries]]);
  }

  await buy(ann, 'business');
  for (const [feature, attempt] of Object.entries(tries)) {
    const status = await eventually(async () => {
      const reply = await attempt();
      return reply.status === 402 ? undefined : reply.status;
    });
    expect({ feature, went: status < 300 }).toEqual({ feature, went: true });
  }
});

const planOf = async ({ api }: TestUser): Promise<Billing> =>
  billing.parse(requireSuccess(await api.get('/api/billing'), 'The plan').body);

async function order({ api }: TestUser, wanted: object): Promise<StartedOrder> {
  return requireSuccess(await api.post('/api/billing/orders', { id: randomUUID(), ...wanted }), 'The order')
    .body as StartedOrder;
}

/** Polls as the page does that a buyer returns to. */
const paid = ({ api }: TestUser, id: string) =>
  eventually(async () => {
    const { body } = requireSuccess(await api.get(`/api/billing/orders/${id}`), 'The order');
    return body.state === 'paid' ? (body as Json) : undefined;
  });

async function simulator(path: string, body: object): Promise<void> {
  const { status } = await new TestApi(running.stack.simulatorsUrl).post(path, body, {
    headers: { accept: 'application/json' },
  });
  expect(status).toBe(204);
}

/** Posts the form as a browser does, and then presses the button as a buyer does. */
async function payAtPayFast({ order: { id }, payment }: StartedOrder): Promise<void> {
  if (payment?.type !== 'form') throw new Error('PayFast is paid by a form.');
  const body = new URLSearchParams(payment.fields.map(({ name, value }) => [name, value] as [string, string]));
  const { status } = await fetch(payment.action, { method: 'POST', body, redirect: 'manual' });
  expect(status).toBe(302);
  await simulator(`/payments/payfast/payments/${id}`, { action: 'pay' });
}

async function payAtPayPal({ payment }: StartedOrder): Promise<void> {
  if (payment?.type !== 'redirect') throw new Error('PayPal is navigated to.');
  const token = new URL(payment.url).searchParams.get('token') ?? '';
  await simulator(`/payments/paypal/payments/${token}`, { action: 'approve' });
}

describe('access to billing', () => {
  let cast: AuthorizationCast;
  beforeAll(async () => {
    cast = await createAuthorizationCast(running.urls[0]!);
  });
  beforeEach(() => running.forgetLimits('requestsPerUser', 'requestsPerAddress', 'billingChangesPerUser'));

  describeMatrix(
    Object.keys(billingExpectations) as RouteName[],
    () => cast,
    () => running,
  );

  it('gives an operator access to everything reserved for operators', async () => {
    const operator = await signUpByPhone(cast.baseUrl);
    await running.letIn(operator.id);
    const wanted = Object.entries<RouteExpectation>(billingExpectations).flatMap(([name, expectation]) =>
      'operator' in expectation ? [[name as RouteName, expectation.operator, expectation] as const] : [],
    );
    const seen: [RouteName, number][] = [];
    for (const [name, , { attempt }] of wanted) {
      seen.push([name, (await callWithProof(running, operator, name, await attempt(cast))).status]);
    }
    expect(seen).toEqual(wanted.map(([name, status]) => [name, status]));
    expect(seen).toHaveLength(8);
  });
});

describe('sales', () => {
  let ann: TestUser;
  beforeEach(async () => {
    ann = await signUpByPhone(running.urls[0]!);
  });

  it('sell Plus for rand at PayFast, with a receipt', async () => {
    expect(await planOf(ann)).toMatchObject({ plan: 'free', status: 'none', operator: false });
    const begun = await order(ann, { item: 'plus', currency: 'ZAR', amountMinor: 12_900 });
    expect(begun.order).toMatchObject({ gateway: 'payfast', amountMinor: 12_900, currency: 'ZAR', paidAt: null });
    await payAtPayFast(begun);
    const { id, receiptNumber } = await paid(ann, begun.order.id);
    expect(await planOf(ann)).toMatchObject({ plan: 'plus', status: 'active', source: 'own' });
    expect(requireSuccess(await ann.api.post('/api/payfast/validate', { paymentId: id }), 'The check').body).toEqual({
      ok: true,
    });
    const receipt = requireSuccess(await ann.api.get(`/api/billing/orders/${id}/receipt`), 'The receipt');
    expect(String(receipt.body)).toMatch(/^%PDF-/);
    expect(receipt.headers.get('content-disposition')).toBe(`attachment; filename="receipt-${receiptNumber}.pdf"`);
    const [listed] = requireSuccess(await ann.api.get('/api/billing/orders'), 'The orders').body as Json[];
    expect(listed).toMatchObject({ id, state: 'paid', receiptNumber });
  });

  it('sell Business for dollars at PayPal, and its seats are assigned and taken back', async () => {
    const ben = await signUpByPhone(running.urls[0]!);
    const begun = await order(ann, { item: 'business', seats: 2, currency: 'USD', amountMinor: 3_000 });
    expect(begun.order).toMatchObject({ gateway: 'paypal', seats: 2, amountMinor: 3_000, currency: 'USD' });
    await payAtPayPal(begun);
    await paid(ann, begun.order.id);
    expect(await planOf(ann)).toMatchObject({ plan: 'business', seats: { bought: 2, taken: 1 } });
    requireSuccess(await ann.api.post('/api/billing/team/seats', { userId: ben.id }), 'The invitation');
    requireSuccess(await ben.api.post(`/api/billing/team/seats/${ann.id}/accept`), 'The seat');
    expect(await planOf(ben)).toMatchObject({ plan: 'business', source: 'seat' });
    const { members } = requireSuccess(await ann.api.get('/api/billing/team'), 'The team').body as { members: Json[] };
    expect(members.map(({ userId, state }) => [userId, state])).toEqual([
      [ann.id, 'owner'],
      [ben.id, 'member'],
    ]);
    const cara = await signUpByPhone(running.urls[0]!);
    expect((await ann.api.post('/api/billing/team/seats', { userId: cara.id })).body).toMatchObject({
      code: 'seats_taken',
    });
    requireSuccess(await ann.api.delete(`/api/billing/team/seats/${ben.id}`), 'The seat back');
    expect(await planOf(ben)).toMatchObject({ plan: 'free' });
  });

  it('end with the period, unless the cancellation is withdrawn', async () => {
    const begun = await order(ann, { item: 'plus', currency: 'ZAR' });
    await payAtPayFast(begun);
    await paid(ann, begun.order.id);
    expect(requireSuccess(await ann.api.post('/api/billing/cancel'), 'The end').body).toMatchObject({
      plan: 'plus',
      status: 'ending',
      nextPlan: 'free',
    });
    expect(requireSuccess(await ann.api.post('/api/billing/resume'), 'The return').body).toMatchObject({
      status: 'active',
      nextPlan: null,
    });
  });

  it('reject a price that the browser changed, and create one order per id', async () => {
    const wanted = { id: randomUUID(), item: 'plus', currency: 'USD' };
    const cheap = await ann.api.post('/api/billing/orders', { ...wanted, amountMinor: 1 });
    expect(cheap).toMatchObject({ status: 409, body: { code: 'amount_mismatch' } });
    const [first, retry] = [await order(ann, wanted), await order(ann, wanted)];
    expect(retry.order.id).toBe(first.order.id);
    expect(requireSuccess(await ann.api.get('/api/billing/orders'), 'The orders').body).toHaveLength(1);
    const other = await ann.api.post('/api/billing/orders', { ...wanted, item: 'business' });
    expect(other).toMatchObject({ status: 409, body: { code: 'order_conflict' } });
  });

  it('record a notification that cannot be verified, and grant nothing for it', async () => {
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
    // A later order that is paid shows that the earlier notifications have been handled.
    const real = await order(ann, { item: 'storage', currency: 'ZAR' });
    await payAtPayFast(real);
    await paid(ann, real.order.id);
    expect((await ann.api.get(`/api/billing/orders/${begun.order.id}`)).body.state).not.toBe('paid');
    expect(await planOf(ann)).toMatchObject({ plan: 'free', addOns: [{ id: 'storage' }] });
  });

  it('accept the calls of the specification: an order at PayPal, and its check at PayFast', async () => {
    const wanted = { intent: 'CAPTURE', amount: '7.00', currency: 'USD', description: 'Plus', custom_id: 'plus' };
    const { links } = requireSuccess(await ann.api.post('/api/paypal/order', wanted), 'The order').body as {
      links: Json[];
    };
    const approve = links.find(({ rel }) => rel === 'approve' || rel === 'payer-action');
    expect(URL.canParse(approve?.href as string)).toBe(true);
    expect((await ann.api.post('/api/paypal/order', { ...wanted, amount: '1.00' })).status).toBe(409);
    const unsupported = await ann.api.post('/api/paypal/order', { ...wanted, currency: 'XYZ' });
    expect(unsupported.body.message).toBe('Unsupported currency');
    const { order: unpaid } = await order(ann, { item: 'plus', currency: 'ZAR' });
    const check = requireSuccess(await ann.api.post('/api/payfast/validate', { paymentId: unpaid.id }), 'The check');
    expect(check.body).toEqual({ ok: false });
  });

  it('answer 402 with the limit of the plan and what lifts it', async () => {
    const connect = (platform: string, body?: object) => ann.api.post(`/api/social/connect/${platform}`, body);
    const appPassword = { handle: 'example.bsky.social', appPassword: 'simulated-platform-secret' };
    requireSuccess(await connect('bluesky', appPassword), 'The first platform');
    const { status, body } = await connect('mastodon');
    expect([status, body.code]).toEqual([402, 'social_limit_plan']);
    expect(planLimitErrorBody.parse(body).details).toEqual({
      feature: 'platforms',
      limit: 1,
      used: 1,
      liftedBy: ['plus', 'business'],
      addOn: null,
    });
  });
});

describe('a voice note, with the simulated engine', () => {
  let speaker: TestUser;
  beforeAll(async () => {
    speaker = await signUp();
  });

  function voiceNote(seconds = 1): FormData {
    const form = new FormData();
    form.set('audio', new Blob([createSilentWav(seconds)], { type: 'audio/wav' }), 'voice.wav');
    return form;
  }

  const transcribe = (user: TestUser, form = voiceNote()) => user.api.post('/api/transcribe-voice', form);
  const prepare = (...answers: object[]) =>
    fetch(`${running.stack.simulatorsUrl}/transcription/answers`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(answers),
    });

  it('can be transcribed, is not until someone switches it on, and then becomes text', async () => {
    const { body: config } = await speaker.api.get('/api/config');
    expect(config.features.transcription).toBe(true);
    expect((await speaker.api.get('/api/auth/user')).body.transcribeVoiceNotes).toBe(false);
    expect(await transcribe(speaker)).toMatchObject({ status: 403, body: { code: 'transcription_off' } });

    const socket = await speaker.connectSocket();
    requireSuccess(await speaker.api.put('/api/profile/privacy', { transcribeVoiceNotes: true }), 'The switch');
    await socket.next('self_changed');
    await prepare({ text: 'See you at five.' });
    expect(await transcribe(speaker, voiceNote(3))).toMatchObject({
      status: 200,
      body: { transcription: 'See you at five.' },
    });
    const { body: usage } = await speaker.api.get('/api/transcription');
    expect(usage).toMatchObject({ usedSeconds: 3, limitSeconds: 30 * 60 });
    const { data: exported } = await exportOf(speaker);
    expect(exported['account']!.profile.transcribeVoiceNotes).toBe(true);
    expect(exported['transcription']).toEqual([{ month: expect.stringMatching(/^\d{4}-\d\d$/), usedSeconds: 3 }]);
  });

  it('distinguishes failures of the engine, of the voice note and of the plan', async () => {
    const ben = await signUp();
    requireSuccess(await ben.api.put('/api/profile/privacy', { transcribeVoiceNotes: true }), 'The switch');
    await prepare({ error: 'insufficient_quota' });
    expect(await transcribe(ben)).toMatchObject({ status: 503, body: { code: 'transcription_failed' } });
    const text = new FormData();
    text.set('audio', new Blob(['These are words and no sound.']), 'voice.webm');
    expect(await transcribe(ben, text)).toMatchObject({ status: 400, body: { code: 'audio_not_recognised' } });
    expect(await transcribe(ben, voiceNote(610))).toMatchObject({ status: 413, body: { code: 'audio_too_long' } });
    for (let n = 0; n < 3; n += 1) requireSuccess(await transcribe(ben, voiceNote(600)), 'A long voice note');
    expect(await transcribe(ben)).toMatchObject({
      status: 402,
      body: {
        code: 'transcription_limit',
        details: {
          feature: 'transcriptionSeconds',
          limit: 1_800,
          used: 1_800,
          liftedBy: ['plus', 'business'],
          addOn: 'transcription',
        },
      },
    });
  });

  it('is monitored like every service, and not missed by people who only chat', async () => {
    const unit = running.stack.service('transcriber');
    const text = await (await fetch(running.stack.metricsUrls['transcriber']!)).text();
    for (const name of ['nolo_build_info', 'nolo_transcriptions_total', 'nolo_rpc_server_seconds_count']) {
      expect(text).toContain(name);
    }
    await unit.stop();
    await eventually(async () => {
      const { status, body } = await speaker.api.get('/healthz');
      return status === 200 && body.parts.transcriber.ok === false;
    });
    expect(await transcribe(speaker)).toMatchObject({ status: 503 });
    await unit.start();
    await eventually(async () => (await transcribe(speaker)).status === 200);
  });

  it('counts no minutes for a deleted account', async () => {
    const leaving = await signUp();
    requireSuccess(await leaving.api.put('/api/profile/privacy', { transcribeVoiceNotes: true }), 'The switch');
    requireSuccess(await transcribe(leaving), 'A voice note');
    requireSuccess(await leaving.api.delete('/api/account'), 'The end');
    expect((await transcribe(leaving)).status).toBe(401);
  });
});

// Runs last, because billing is down afterwards.
test('a plan and an add-on apply everywhere as soon as they are paid, also while billing is down', async () => {
  const [ann, ben] = [await signUp(), await signUp()];
  expect([await createdCapacityOf(ann), await roomOf(ann), await minutesOf(ann)]).toEqual([4, storageBytes.free, 30]);
  const { body } = await ann.api.get('/api/storage');
  expect(body).toEqual({ used: 0, limit: storageBytes.free });

  await buy(ann, 'plus');
  await eventually(async () => (await createdCapacityOf(ann)) === 10);
  await eventually(async () => (await roomOf(ann)) === storageBytes.plus);
  await eventually(async () => (await minutesOf(ann)) === 300);
  await buy(ann, 'storage');
  await eventually(async () => (await roomOf(ann)) === storageBytes.plus + 20 * 2 ** 30);
  expect(await createdCapacityOf(ben)).toBe(4);

  await running.stack.service('billing').stop();
  expect(await createdCapacityOf(ann)).toBe(10);
  expect(await createdCapacityOf(await signUp())).toBe(4);
});
