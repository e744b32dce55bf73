import { randomUUID } from 'node:crypto';
import { fail } from '@nolo/kit/errors';
import type { TestUser } from '@nolo/testing';
import { aTeam } from '@nolo/testing/protos';
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

it('a plan is taken down to another, with so many seats', async () => {
  const wish = { plan: 'business', seats: 2 };
  expect((await user.api.post('/api/billing/downgrade', wish)).status).toBe(200);
  expect(lastAsked()).toEqual({ name: 'planDowngrade', request: { actorId: user.id, ...wish } });
});

describe('an order', () => {
  const wanted = () => ({ id: randomUUID(), item: 'plus', currency: 'ZAR', amountMinor: 12_900 });

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

it('mails of ours go from our own address, for few purposes', async () => {
  const mail = { purpose: 'invitation', to: ' thandi@example.org ' };
  expect((await user.api.post('/api/email/send', mail)).status).toBe(204);
  expect(lastAsked()?.request).toMatchObject({ to: 'thandi@example.org', origin: gateway.origin });
  expect((await user.api.post('/api/email/send', { ...mail, purpose: 'greeting' })).status).toBe(400);
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
});

it('operators page through orders with filters, and give a reason for what they do', async () => {
  answers.nextCursor = 'more';
  const { userId } = answers.order;
  const orders = await user.api.get(`/api/admin/billing/orders?userId=${userId}&state=refunded&limit=7&cursor=c`);
  expect(orders.headers.get('nolo-next-cursor')).toBe('more');
  expect(lastAsked()?.request).toEqual({ actorId: user.id, userId, state: 'refunded', cursor: 'c', limit: 7 });
  expect((await user.api.get('/api/admin/billing/orders?state=lost')).status).toBe(400);
  const noReason = { id: randomUUID(), amountMinor: 100, reason: '  ' };
  expect((await user.api.post(`/api/admin/billing/orders/${randomUUID()}/refund`, noReason)).status).toBe(400);
});
