import { routes, type Route } from '@nolo/api';
import type { PaymentGatewayId } from '@nolo/rules';
import type { RpcCallOptions } from '@nolo/kit/rpc';
import type { Request, Response } from 'express';
import type { GatewayContext } from '../gatewayContext.ts';
import { createGatewayError } from '../errors.ts';
import type { BindRoute } from '../http/routeBinder.ts';
import { readRawBody } from '../http/readBody.ts';
import { requireBilling } from './billing.ts';

/**
 * Timeout for storing a notification. Payment gateways retry if a response takes too long, and billing stores before
 * doing anything else.
 */
const storingMs = 5_000;

/** Headers with secrets between browser and server, never stored with a notification. */
const withheld: ReadonlySet<string> = new Set(['cookie', 'authorization']);

function headersOf({ headers }: Request): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || withheld.has(name) ? [] : [[name, [value].flat().join(', ')]],
    ),
  );
}

/**
 * Routes for notifications of payment gateways. Senders are not trusted: billing stores the exact bytes and verifies
 * signature and source later, so the response only confirms storage.
 */
export function bindBillingNotifications(
  bind: BindRoute,
  context: Pick<GatewayContext, 'billing' | 'team' | 'billingAdmin' | 'peerOf'>,
): void {
  const store = async (
    gateway: PaymentGatewayId,
    route: Route,
    { request, response, rpc }: { request: Request; response: Response; rpc: RpcCallOptions },
  ) => {
    const { plans } = requireBilling(context);
    const body = await readRawBody(request, response, route);
    if (body.length === 0) throw createGatewayError('invalid', 'notification_empty', 'The notification is empty.');
    const kept = { gateway, body, headers: headersOf(request), sourceAddress: context.peerOf(request) };
    await plans.storeNotification(kept, { ...rpc, timeoutMs: storingMs });
    response.status(200).end();
  };

  bind(routes.notifyPayFast, (call) => store('payfast', routes.notifyPayFast, call));
  bind(routes.notifyPayPal, (call) => store('paypal', routes.notifyPayPal, call));
}
