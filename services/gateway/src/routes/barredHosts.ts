import { nextCursorHeader, routes, type BarredHost } from '@nolo/api';
import { requireKnownSettings } from '@nolo/installation/settings';
import type { BarredHost as Row } from '@nolo/proto/barredHosts';
import type { GatewayContext } from '../gatewayContext.ts';
import type { BindRoute } from '../http/routeBinder.ts';
import { callerOf } from './callerOf.ts';
import { toIsoTime } from '../mapping/people.ts';

const toHost = ({ host = '', withSubdomains = false, since }: Row): BarredHost => ({
  host,
  withSubdomains,
  since: toIsoTime(since),
});

/** Routes for barred link hosts: for everyone from this replica's copy, and for operators from identity. */
export function bindBarredHosts(
  bind: BindRoute,
  { barredHosts, barredHostService }: Pick<GatewayContext, 'barredHosts' | 'barredHostService'>,
): void {
  bind(routes.getBarredHosts, async ({ query, response }) => {
    const version = barredHosts.version();
    // An unknown list is not an empty one: clients with an older list keep it.
    if (version === undefined) requireKnownSettings(barredHosts);
    // A version identifies exactly one list, so a client that requests the current version may cache it forever.
    const isLasting = version !== undefined && query.version === version;
    response.setHeader('Cache-Control', isLasting ? 'public, max-age=31536000, immutable' : 'no-cache');
    return { version: version ?? null, hosts: [...barredHosts.current()] };
  });
  bind(routes.listBarredHosts, async ({ actor, query: { q, ...query }, rpc, response }) => {
    const page = await barredHostService.listBarredHosts({ ...callerOf(actor), query: q, ...query }, rpc);
    if (page.nextCursor !== undefined) response.setHeader(nextCursorHeader, page.nextCursor);
    return page.hosts.map(toHost);
  });
  bind(routes.barHosts, async ({ actor, body, rpc }) => {
    const { hosts } = await barredHostService.barHosts({ ...callerOf(actor), ...body }, rpc);
    return hosts.map(toHost);
  });
  bind(routes.unbarHost, async ({ actor, body, rpc }) => {
    await barredHostService.unbarHost({ ...callerOf(actor), ...body }, rpc);
  });
}
