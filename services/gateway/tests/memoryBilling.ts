import { randomUUID } from 'node:crypto';
import type { AppError } from '@nolo/kit/errors';
import { BillingServiceDefinition, type StoreNotificationRequest } from '@nolo/proto/billing';
import { BillingAdminServiceDefinition } from '@nolo/proto/billingAdmin';
import { TeamServiceDefinition } from '@nolo/proto/team';
import { aSubscription, aTeam, anOrder } from '@nolo/testing/protos';
import { fakeService } from './fakeService.ts';

/** Fakes billing for the gateway: records requests and returns what the test set. */
export function memoryBilling() {
  const requests: { name: string; request: unknown }[] = [];
  const stored: StoreNotificationRequest[] = [];
  const answers = {
    error: undefined as AppError | undefined,
    subscription: aSubscription(),
    order: anOrder(),
    team: aTeam(),
    nextCursor: undefined as string | undefined,
  };

  const answering =
    <Request, Reply>(name: string, answer: (request: Request) => Reply) =>
    async (request: Request): Promise<Reply> => {
      requests.push({ name, request });
      if (answers.error) throw answers.error;
      return answer(request);
    };
  const subscription = (name: string) => answering(name, () => answers.subscription);

  const plans = fakeService(BillingServiceDefinition, {
    getSubscription: subscription('getSubscription'),
    getReceipt: answering('getReceipt', () => ({ number: '2026-000001', pdf: Buffer.from('%PDF-1.7 bytes') })),
    planDowngrade: subscription('planDowngrade'),
    storeNotification: answering('storeNotification', (request: StoreNotificationRequest) => {
      stored.push(request);
      return { id: randomUUID() };
    }),
    sendMail: answering('sendMail', () => ({})),
  });
  const seats = fakeService(TeamServiceDefinition, { getTeam: answering('getTeam', () => answers.team) });
  const operators = fakeService(BillingAdminServiceDefinition, {
    findOrders: answering('findOrders', () => ({
      orders: [answers.order],
      nextCursor: answers.nextCursor,
      leftovers: [],
    })),
  });

  return { services: [plans, seats, operators], asked: requests, stored, answers };
}
