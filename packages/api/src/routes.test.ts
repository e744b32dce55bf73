import { routes, type RouteName } from './routes.ts';
import type { Route } from './route.ts';

const shown = Object.entries<Route>(routes).filter(([, { example }]) => example !== undefined) as [RouteName, Route][];

test.each(shown)('%s accepts its documented example, and no field of it is ignored', (_, route) => {
  const { success, data } = route.body?.safeParse(route.example) ?? { success: false };
  expect(success).toBe(true);
  expect(data).toMatchObject(route.example as object);
});

const id = '0190a5f4-7d3e-7000-8000-000000000001';
const order = { id, item: 'plus', currency: 'ZAR', amountMinor: 12_900 };

/** Constraints beyond limits, which `limits.test.ts` covers. */
test.each<[RouteName, unknown]>([
  ['setReaction', { emoji: '' }],
  ['updateConversation', { disappearingSeconds: 'soon' }],
  ['updateConversationSettings', { mutedUntil: 'tomorrow' }],
  ['updateProfile', { language: 'fr' }],
  ['createGroup', { name: 'x', memberIds: [] }],
  ['createGroup', { name: ' ', memberIds: [id] }],
  ['createGroup', { name: 'x', memberIds: ['nobody'] }],
  ['createGroup', { name: 'x', memberIds: Array.from({ length: 500 }, () => id) }],
  ['createGroupChat', { name: 'x', maxMembers: 'many' }],
  ['rotateRoomCode', { expiresAt: 'soon' }],
  ['moderate', { action: 'shout' }],
  ['createOrder', { ...order, item: 'gold' }],
  ['createOrder', { ...order, currency: 'XAU' }],
  ['createOrder', { ...order, seats: 0 }],
  ['createOrder', { ...order, seats: 501 }],
  ['createOrder', { ...order, amountMinor: -1 }],
  ['createOrder', { ...order, amountMinor: 1.5 }],
  ['createOrder', { ...order, id: 'mine' }],
  ['sendEmail', { purpose: 'greeting', to: 'thandi@example.org' }],
  ['refundOrder', { id, amountMinor: 100, reason: '  ' }],
  ['makeAnnouncement', { texts: { de: 'Hallo.' }, severity: 'info', until: '2100-01-01T00:00:00.000Z' }],
  ['barHosts', { hosts: [], withSubdomains: true, reason: 'A test.' }],
])('%s rejects %j', (name, body) => {
  const route: Route = routes[name];
  expect(route.body?.safeParse(body).success).toBe(false);
});

const fieldsOf = (schema: Route['body']): object => (schema && 'shape' in schema ? (schema.shape as object) : {});

describe('a fresh proof', () => {
  const table = Object.entries<Route>(routes);

  it('is required by every operator route and by no other', () => {
    const misplaced = table.filter(([, { path, proof }]) => path.startsWith('/api/admin') !== (proof === 'operator'));
    expect(misplaced.map(([name]) => name)).toEqual([]);
  });

  it('is required by every change to what protects an account, with these exceptions', () => {
    const protects = ({ path, tag }: Route) =>
      path.startsWith('/api/account') || tag === 'session' || tag === 'tokens' || tag === 'webhooks';
    const without = table.filter(([, route]) => protects(route) && route.method !== 'GET' && !route.proof);
    expect(new Set(without.map(([name]) => name))).toEqual(
      new Set([
        // Makes the account safer, so nothing may delay it.
        'endSession',
        'endOtherSessions',
        'refuseAccountWait',
        'revokeAccessToken',
        'deleteWebhook',
        // Belongs to a sign-in, or is itself a proof.
        'sendCode',
        'beginPasskeySignIn',
        'signInWithPasskey',
        'proveBySecondFactor',
        'passSecondFactor',
        'askForAccount',
        // Changes neither who can sign in nor where messages go.
        'renamePasskey',
        'markNoticesSeen',
        'cancelExport',
        'keepAccount',
        'testWebhook',
        'resendWebhookDelivery',
      ]),
    );
  });

  it('is required only on session routes, and depends only on fields that the route has', () => {
    for (const [name, { access, proof, proofWith, query, body }] of table) {
      if (proofWith === undefined) expect([name, proof === undefined || access === 'session']).toEqual([name, true]);
      else expect([name, proof, proofWith in fieldsOf(query ?? body)]).toEqual([name, 'account', true]);
    }
  });
});
