import { routes, type Route } from '@nolo/api';
import type { GatewayId } from '@nolo/rules';
import type { RpcCallOptions } from '@nolo/kit/rpc';
import type { Request, Response } from 'express';
import type { Edge } from '../edge.ts';
import { failGateway } from '../errors.ts';
import type { Bind } from '../http/bind.ts';
import { readRawBody } from '../http/readBody.ts';
import { billingOf } from './billing.ts';

/** Gateways give up on whoever keeps them waiting, and come again; billing stores before anything else. */
const storingMs = 5_000;

/** What is secret between a browser and this server is nothing to be kept with a notification. */
const withheld: ReadonlySet<string> = new Set(['cookie', 'authorization']);

function headersOf({ headers }: Request): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || withheld.has(name) ? [] : [[name, [value].flat().join(', ')]],
    ),
  );
}

/**
 * Where payment gateways tell what happened. Whoever sends is not believed: billing keeps it byte for byte and checks
 * signature, source and the rest afterwards, so the answer says only that it is kept.
 */
export function bindBillingNotifications(bind: Bind, edge: Edge): void {
  const store = async (
    gateway: GatewayId,
    route: Route,
    { request, response, rpc }: { request: Request; response: Response; rpc: RpcCallOptions },
  ) => {
    const { plans } = billingOf(edge);
    const body = await readRawBody(request, response, route);
    if (body.length === 0) throw failGateway('invalid', 'notification_empty', 'There is nothing in it.');
    const kept = { gateway, body, headers: headersOf(request), sourceAddress: edge.peerOf(request) };
    await plans.storeNotification(kept, { ...rpc, timeoutMs: storingMs });
    response.status(200).end();
  };

  bind(routes.notifyPayFast, (call) => store('payfast', routes.notifyPayFast, call));
  bind(routes.notifyPayPal, (call) => store('paypal', routes.notifyPayPal, call));
}
