import { randomUUID } from 'node:crypto';
import type { RouteName } from '@nolo/api';
import { must, type AuthorizationCast } from './authorizationCast.ts';
import { all, nothing, ownerOnly, type RouteAttempt, type RouteExpectation } from './routeExpectation.ts';

/** Unpaid order of the owner, one per cast, because pending orders are limited. */
const orders = new WeakMap<AuthorizationCast, Promise<string>>();
function ordered(cast: AuthorizationCast): Promise<string> {
  const order = async () => {
    const wanted = { id: randomUUID(), item: 'storage', currency: 'ZAR' };
    return must(await cast.owner.api.post('/api/billing/orders', wanted), 'An order').body.order.id as string;
  };
  const made = orders.get(cast) ?? order();
  orders.set(cast, made);
  return made;
}
const atOrder = async (cast: AuthorizationCast): Promise<RouteAttempt> => ({ id: await ordered(cast) });

/** The cast contains no operator; an operator's status is next to theirs. */
const operatorsOnly = { operator: 200, expected: all(403) };
const reason = 'A test.';

/**
 * Expectations of billing routes: plans and orders belong to their owner alone. Notifications of gateways are accepted
 * from anyone, but trusted only after verification.
 */
export const billingExpectations = {
  getBilling: { attempt: nothing, expected: all(200) },
  createOrder: {
    attempt: () => ({ body: { id: randomUUID(), item: 'plus', currency: 'ZAR', amountMinor: 12_900 } }),
    expected: all(201),
    byNewcomer: true,
  },
  listOrders: { attempt: nothing, expected: all(200) },
  getOrder: { attempt: atOrder, expected: ownerOnly(200) },
  cancelOrder: { attempt: atOrder, expected: ownerOnly(200) },
  // Unpaid orders have no receipt.
  getReceipt: { attempt: atOrder, expected: all(404) },
  // The owner has no plan that could end.
  cancelPlan: { attempt: nothing, expected: all(404) },
  resumePlan: { attempt: nothing, expected: all(404) },
  downgradePlan: { attempt: () => ({ body: { plan: 'free' } }), expected: all(404) },
  payPalOrder: {
    attempt: () => ({ body: { intent: 'CAPTURE', amount: '7.00', currency: 'USD', custom_id: 'plus' } }),
    expected: all(200),
    byNewcomer: true,
  },
  validatePayFast: {
    attempt: async (cast) => ({ body: { paymentId: await ordered(cast) } }),
    expected: ownerOnly(200),
  },
  notifyPayFast: {
    attempt: () => ({
      body: `m_payment_id=${randomUUID()}&payment_status=COMPLETE`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    }),
    expected: all(200),
  },
  notifyPayPal: {
    attempt: () => ({ body: { id: randomUUID(), event_type: 'PAYMENT.CAPTURE.COMPLETED' } }),
    expected: all(200),
  },
  sendEmail: {
    attempt: () => ({ body: { purpose: 'invitation', to: `${randomUUID()}@example.org` } }),
    expected: all(204),
    byNewcomer: true,
  },
  // The owner has no seats.
  getTeam: { attempt: nothing, expected: all(404) },
  inviteToSeat: { attempt: ({ owner }) => ({ body: { userId: owner.id } }), expected: all(404) },
  freeSeat: { attempt: ({ owner }) => ({ id: owner.id }), expected: { ...all(403), owner: 404 } },
  acceptSeat: { attempt: ({ owner }) => ({ id: owner.id }), expected: all(404) },
  moveSeat: { attempt: ({ owner }) => ({ id: owner.id, body: { userId: owner.id } }), expected: all(404) },
  findOrders: { attempt: nothing, ...operatorsOnly },
  findSubscriptions: { attempt: nothing, ...operatorsOnly },
  findNotifications: { attempt: nothing, ...operatorsOnly },
  findAudit: { attempt: nothing, ...operatorsOnly },
  // The id is unknown, because no notification arrived: the service's own tests have some.
  retryNotification: { attempt: () => ({ id: randomUUID() }), ...operatorsOnly, operator: 404 },
  refundOrder: {
    attempt: async (cast) => ({ ...(await atOrder(cast)), body: { id: randomUUID(), reason } }),
    ...operatorsOnly,
    // Unpaid orders cannot be refunded.
    operator: 409,
  },
  reconcileMeters: { attempt: nothing, ...operatorsOnly },
  grantPlan: {
    attempt: ({ owner }) => ({ id: owner.id, body: { id: randomUUID(), plan: 'plus', reason } }),
    ...operatorsOnly,
  },
} as const satisfies Partial<Record<RouteName, RouteExpectation>>;
