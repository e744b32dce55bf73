import { randomUUID } from 'node:crypto';
import type { AppError } from '@nolo/kit/errors';
import { rpcService } from '@nolo/kit/rpc';
import { BillingServiceService, type CreateOrderReply, type StoreNotificationRequest } from '@nolo/proto/billing';
import { BillingAdminServiceService } from '@nolo/proto/billingAdmin';
import { TeamServiceService } from '@nolo/proto/team';
import { aNotification, aSubscription, aTeam, anAuditRecord, anOrder } from '@nolo/testing/protos';

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
