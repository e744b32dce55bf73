import { randomUUID } from 'node:crypto';
import type { AppError } from '@nolo/kit/errors';
import { rpcService } from '@nolo/kit/rpc';
import {
  BillingServiceService,
  type CreateOrderReply,
  type Order,
  type StoreNotificationRequest,
  type Subscription,
} from '@nolo/proto/billing';
import { BillingAdminServiceService, type AuditRecord, type NotificationRecord } from '@nolo/proto/billingAdmin';
import { TeamServiceService, type Team } from '@nolo/proto/team';

const at = new Date('2026-03-02T08:30:00.000Z');

export function aSubscription(given: Partial<Subscription> = {}): Subscription {
  return {
    plan: 'plus',
    state: 'active',
    source: 'own',
    periodEndsAt: at,
    graceEndsAt: undefined,
    seats: 0,
    seatsTaken: 0,
    addOns: [],
    entitlements: undefined,
    operator: false,
    seatOffered: false,
    creditMinor: 0,
    ...given,
  };
}

export function anOrder(given: Partial<Order> = {}): Order {
  return {
    id: randomUUID(),
    item: 'plus',
    seats: 1,
    state: 'created',
    gateway: 'payfast',
    amountMinor: 12_900,
    currency: 'ZAR',
    creditMinor: 0,
    shownCurrency: 'ZAR',
    refundedMinor: 0,
    createdAt: at,
    paidAt: undefined,
    userId: randomUUID(),
    ...given,
  };
}

export function aTeam(given: Partial<Team> = {}): Team {
  return { ownerId: randomUUID(), seats: 3, members: [], periodEndsAt: at, ...given };
}

export function aNotification(given: Partial<NotificationRecord> = {}): NotificationRecord {
  return {
    id: randomUUID(),
    gateway: 'paypal',
    state: 'done',
    body: '{}',
    receivedAt: at,
    attempts: 1,
    ...given,
  };
}

export function anAuditRecord(given: Partial<AuditRecord> = {}): AuditRecord {
  return {
    id: randomUUID(),
    operatorId: randomUUID(),
    action: 'GrantPlan',
    details: '',
    at,
    allowed: true,
    ...given,
  };
}

/** Billing as far as the gateway can tell: it notes what it was asked, and answers what a test gave it. */
export function memoryBilling() {
  const asked: { name: string; request: unknown }[] = [];
  const stored: StoreNotificationRequest[] = [];
  const answers = {
    error: undefined as AppError | undefined,
    subscription: aSubscription(),
    begun: { order: anOrder(), payment: undefined, links: [] } as CreateOrderReply,
    order: anOrder(),
    team: aTeam(),
    notification: aNotification(),
    auditRecord: anAuditRecord(),
    nextCursor: undefined as string | undefined,
  };

  const answering =
    <Request, Reply>(name: string, answer: (request: Request) => Reply) =>
    async (request: Request): Promise<Reply> => {
      asked.push({ name, request });
      if (answers.error) throw answers.error;
      return answer(request);
    };
  const subscription = (name: string) => answering(name, () => answers.subscription);
  const order = (name: string) => answering(name, () => answers.order);
  const team = (name: string) => answering(name, () => answers.team);

  const plans = rpcService(BillingServiceService, {
    getSubscription: subscription('getSubscription'),
    createOrder: answering('createOrder', () => answers.begun),
    getOrder: order('getOrder'),
    listOrders: answering('listOrders', () => ({
      orders: [answers.order],
      nextCursor: answers.nextCursor,
      leftovers: [],
    })),
    cancelOrder: order('cancelOrder'),
    validateOrder: order('validateOrder'),
    getReceipt: answering('getReceipt', () => ({ number: '2026-000001', pdf: Buffer.from('%PDF-1.7 bytes') })),
    cancelSubscription: subscription('cancelSubscription'),
    resumeSubscription: subscription('resumeSubscription'),
    planDowngrade: subscription('planDowngrade'),
    storeNotification: answering('storeNotification', (request: StoreNotificationRequest) => {
      stored.push(request);
      return { id: randomUUID() };
    }),
    sendMail: answering('sendMail', () => ({})),
    async *exportBilling() {
      yield { kind: 'order', json: JSON.stringify({ item: 'plus' }) };
    },
  });
  const seats = rpcService(TeamServiceService, {
    getTeam: team('getTeam'),
    inviteToSeat: team('inviteToSeat'),
    acceptSeat: team('acceptSeat'),
    freeSeat: team('freeSeat'),
    moveSeat: team('moveSeat'),
  });
  const operators = rpcService(BillingAdminServiceService, {
    findOrders: answering('findOrders', () => ({
      orders: [answers.order],
      nextCursor: answers.nextCursor,
      leftovers: [],
    })),
    findSubscriptions: answering('findSubscriptions', () => ({
      subscriptions: [{ userId: answers.order.userId, subscription: answers.subscription }],
      nextCursor: answers.nextCursor,
    })),
    findNotifications: answering('findNotifications', () => ({
      notifications: [answers.notification],
      nextCursor: answers.nextCursor,
    })),
    findAudit: answering('findAudit', () => ({ records: [answers.auditRecord], nextCursor: answers.nextCursor })),
    reconcileMeters: answering('reconcileMeters', () => ({ features: ['storageBytes'] })),
    refundOrder: order('refundOrder'),
    grantPlan: subscription('grantPlan'),
    retryNotification: answering('retryNotification', () => answers.notification),
  });

  return { services: [plans, seats, operators], asked, stored, answers };
}
