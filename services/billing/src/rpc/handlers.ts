import type { RpcHandlers } from '@nolo/kit/rpc';
import type { BillingServiceDefinition } from '@nolo/proto/billing';
import type { BillingAdminServiceDefinition } from '@nolo/proto/billingAdmin';
import type { EntitlementsServiceDefinition } from '@nolo/proto/entitlements';
import type { TeamServiceDefinition } from '@nolo/proto/team';
import * as admin from './admin.ts';
import type { Dependencies } from './dependencies.ts';
import * as entitlements from './entitlements.ts';
import { sendMail } from './mail.ts';
import { storeNotification } from './notifications.ts';
import * as orders from './orders.ts';
import * as subscriptions from './subscriptions.ts';
import * as team from './team.ts';

/** Handlers of the BillingService. */
export function createBillingHandlers(dependencies: Dependencies): RpcHandlers<typeof BillingServiceDefinition> {
  return {
    getSubscription: subscriptions.getSubscription(dependencies),
    createOrder: orders.createOrder(dependencies),
    getOrder: orders.getOrder(dependencies),
    listOrders: orders.listOrders(dependencies),
    cancelOrder: orders.cancelOrder(dependencies),
    validateOrder: orders.validateOrder(dependencies),
    getReceipt: orders.getReceipt(dependencies),
    cancelSubscription: subscriptions.cancelSubscription(dependencies),
    resumeSubscription: subscriptions.resumeSubscription(dependencies),
    planDowngrade: subscriptions.planDowngrade(dependencies),
    storeNotification: storeNotification(dependencies),
    sendMail: sendMail(dependencies),
    exportBilling: subscriptions.exportBilling(dependencies),
  };
}

/** Handlers of the EntitlementsService. */
export function createEntitlementsHandlers(
  dependencies: Dependencies,
): RpcHandlers<typeof EntitlementsServiceDefinition> {
  return {
    getEntitlements: entitlements.getEntitlements(dependencies),
    reserveUsage: entitlements.reserveUsage(dependencies),
    commitUsage: entitlements.commitUsage(dependencies),
    releaseUsage: entitlements.releaseUsage(dependencies),
    reportLevel: entitlements.reportLevel(dependencies),
  };
}

/** Handlers of the TeamService. */
export function createTeamHandlers(dependencies: Dependencies): RpcHandlers<typeof TeamServiceDefinition> {
  return {
    getTeam: team.getTeam(dependencies),
    inviteToSeat: team.inviteToSeat(dependencies),
    acceptSeat: team.acceptSeat(dependencies),
    freeSeat: team.freeSeat(dependencies),
    moveSeat: team.moveSeat(dependencies),
  };
}

/** Handlers of the BillingAdminService. */
export function createBillingAdminHandlers(
  dependencies: Dependencies,
): RpcHandlers<typeof BillingAdminServiceDefinition> {
  return {
    findOrders: admin.findOrders(dependencies),
    findSubscriptions: admin.findSubscriptions(dependencies),
    findNotifications: admin.findNotifications(dependencies),
    findAudit: admin.findAudit(dependencies),
    refundOrder: admin.refundOrder(dependencies),
    grantPlan: admin.grantPlan(dependencies),
    retryNotification: admin.retryNotification(dependencies),
    reconcileMeters: admin.reconcileMeters(dependencies),
  };
}
