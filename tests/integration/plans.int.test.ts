import { randomUUID } from 'node:crypto';
import { planLimited } from '@nolo/api';
import { storageBytes } from '@nolo/rules';
import { eventually, signUpByPhone, type TestUser } from '@nolo/testing';
import { must } from '../support/must.ts';
import { simulatedPassword } from '../support/socialPlatforms.ts';
import { startTestStack, type TestStack } from '../support/testStack.ts';

/** What a plan allows, through all of Nolo: bought at a simulated gateway, told by billing, held where it is used. */

let running: TestStack;

beforeAll(async () => {
  running = await startTestStack({ billing: true, social: true, transcription: true });
}, 120_000);
afterAll(() => running?.stop());

const signUp = () => signUpByPhone(running.urls[0]!);
const seatsOf = async ({ api }: TestUser) =>
  must(await api.post('/api/meetings/create', { name: 'Weekly', maxParticipants: 10 }), 'A meeting').body
    .maxParticipants as number;
const roomOf = async ({ api }: TestUser) => (await api.get('/api/storage')).body.limit as number;
const minutesOf = async ({ api }: TestUser) => (await api.get('/api/transcription')).body.limitSeconds / 60;

/** Orders, and pays at PayPal with a click. */
async function buy({ api }: TestUser, item: string): Promise<void> {
  const wanted = { id: randomUUID(), item, currency: 'USD' };
  const { order, payment } = must(await api.post('/api/billing/orders', wanted), 'An order').body;
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

test('each limit that is met says what lifts it, and is met no more once that is paid', async () => {
  const ann = await signUp();
  const { api } = ann;
  const bluesky = { handle: 'example.bsky.social', appPassword: simulatedPassword };
  must(await api.post('/api/social/connect/bluesky', bluesky), 'The first platform');
  // All in one month, whatever day it is.
  const time = new Date();
  const scheduledAt = new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + 2, 15)).toISOString().slice(0, 16);
  const schedule = (content: string) =>
    api.post('/api/social/schedule', { content, platforms: ['bluesky'], scheduledAt, timeZone: 'UTC' });
  for (const content of ['One', 'Two', 'Three']) must(await schedule(content), 'A scheduled post');
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
    const { details } = planLimited.parse(body);
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
}, 120_000);

test('a plan and an add-on hold everywhere as soon as they are paid, and go on while billing is away', async () => {
  const [ann, ben] = [await signUp(), await signUp()];
  expect([await seatsOf(ann), await roomOf(ann), await minutesOf(ann)]).toEqual([4, storageBytes.free, 30]);
  const { body } = await ann.api.get('/api/storage');
  expect(body).toEqual({ used: 0, limit: storageBytes.free });

  await buy(ann, 'plus');
  await eventually(async () => (await seatsOf(ann)) === 10);
  await eventually(async () => (await roomOf(ann)) === storageBytes.plus);
  await eventually(async () => (await minutesOf(ann)) === 300);
  await buy(ann, 'storage');
  await eventually(async () => (await roomOf(ann)) === storageBytes.plus + 20 * 2 ** 30);
  expect(await seatsOf(ben)).toBe(4);

  await running.stack.service('billing').stop();
  expect(await seatsOf(ann)).toBe(10);
  expect(await seatsOf(await signUp())).toBe(4);
}, 120_000);
