import { defineCursor, namePart, pageSize } from '@nolo/kit/pages';
import type { RpcHandler, RpcHandlers } from '@nolo/kit/rpc';
import type { BarredHostServiceService } from '@nolo/proto/barredHosts';
import { barredHostLimits, cutText, readHost } from '@nolo/rules';
import type { BarredHosts } from '../domain/barredHosts.ts';
import { isPublicEnding, whyPublic } from '../domain/publicEndings.ts';
import { failIdentity } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';
import { actingOf, admitOperator, admitted, readReason } from './operators.ts';

const usualPage = 50;
/** Text that no host name contains. */
const nobody = ' ';
const place = defineCursor<{ host: string }>({
  host: namePart((text): text is string => readHost(text) === text),
});

interface Needs extends Pick<Dependencies, 'clock' | 'holdsPass' | 'metrics' | 'operators'> {
  readonly barredHosts: BarredHosts;
}
type Handler<Name extends keyof typeof BarredHostServiceService> = RpcHandler<(typeof BarredHostServiceService)[Name]>;

export function barredHostHandlers(dependencies: Needs): RpcHandlers<typeof BarredHostServiceService> {
  return {
    listCurrentBarredHosts: listCurrentBarredHosts(dependencies),
    listBarredHosts: listBarredHosts(dependencies),
    barHosts: barHosts(dependencies),
    unbarHost: unbarHost(dependencies),
  };
}

export function listCurrentBarredHosts({ barredHosts }: Needs): Handler<'listCurrentBarredHosts'> {
  return ({ knownVersion }) => barredHosts.current(knownVersion);
}

export function listBarredHosts({ barredHosts, clock }: Needs): Handler<'listBarredHosts'> {
  return async (request) => {
    const limit = pageSize(request.limit, usualPage, barredHostLimits.perPage);
    const typed = request.query?.trim() ?? '';
    // Normalizes a complete host name. Otherwise searches for a fragment; text that no name can contain matches
    // nothing.
    const part = typed.toLowerCase();
    const query = readHost(typed) ?? (/^[a-z0-9._:[\]-]*$/.test(part) ? part : nobody);
    const page = { query, after: place.read(request.cursor)?.host, limit: limit + 1 };
    const { hosts } = admitted(await barredHosts.list(actingOf(request), page, clock.now()));
    const last = hosts.length > limit ? hosts[limit - 1] : undefined;
    return { hosts: hosts.slice(0, limit), nextCursor: last && place.write({ host: last.host }) };
  };
}

export function barHosts(dependencies: Needs): Handler<'barHosts'> {
  const { barredHosts, clock, metrics } = dependencies;
  return async (request) => {
    const acting = actingOf(request);
    const { withSubdomains = true } = request;
    const hosts = request.hosts.map((text) => [text, readHost(text)] as const);
    const ending = hosts.map(([text, host]) => host ?? text.trim().toLowerCase()).find(isPublicEnding);
    if (ending !== undefined) {
      await admitOperator(dependencies)(request);
      const host = cutText(ending, barredHostLimits.nameLength);
      throw failIdentity('invalid', 'barred_host_public', whyPublic(host), { host });
    }
    const wrong = hosts.find(([, host]) => host === undefined)?.[0];
    if (wrong !== undefined || hosts.length === 0 || hosts.length > barredHostLimits.atOnce) {
      // Checked first, so people who are not operators learn nothing about validation.
      await admitOperator(dependencies)(request);
      const what = `Send 1 to ${barredHostLimits.atOnce} host names at a time, each with a top-level domain.`;
      const host = wrong?.slice(0, barredHostLimits.nameLength);
      throw failIdentity('invalid', 'barred_host_invalid', what, host === undefined ? undefined : { host });
    }
    const reason = readReason(request.reason);
    const wanted = hosts.flatMap(([, host]) => host ?? []);
    const done = admitted(await barredHosts.bar(acting, { hosts: wanted, withSubdomains, reason }, clock.now()));
    if (done.outcome === 'too_many') {
      const most = `At most ${barredHostLimits.hosts} hosts can be barred. Remove some first.`;
      throw failIdentity('conflict', 'too_many_barred_hosts', most);
    }
    metrics.operatorActs.inc({ action: 'host_barred' });
    return { hosts: done.hosts };
  };
}

export function unbarHost({ barredHosts, clock, metrics }: Needs): Handler<'unbarHost'> {
  return async (request) => {
    const acting = actingOf(request);
    const deed = { host: request.host ?? '', reason: readReason(request.reason) };
    const { outcome } = admitted(await barredHosts.unbar(acting, deed, clock.now()));
    if (outcome === 'none') throw failIdentity('not_found', 'barred_host_not_found', 'This host is not blocked.');
    metrics.operatorActs.inc({ action: 'host_unbarred' });
    return {};
  };
}
