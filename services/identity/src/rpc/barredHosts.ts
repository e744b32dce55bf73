import { defineCursor, nameCursorField, clampPageSize } from '@nolo/kit/pages';
import type { RpcHandler, RpcHandlers } from '@nolo/kit/rpc';
import type { BarredHostServiceDefinition } from '@nolo/proto/barredHosts';
import { barredHostLimits, cutText, parseBarrableHost } from '@nolo/rules';
import type { BarredHostStore } from '../domain/barredHosts.ts';
import { isPublicSuffix, describePublicSuffix } from '../domain/publicEndings.ts';
import { createIdentityError } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';
import { readOperatorSession, createOperatorAdmission, requireAdmitted, readReason } from './operators.ts';

const defaultPageSize = 50;
/** Text that no host name contains. */
const nobody = ' ';
const place = defineCursor<{ host: string }>({
  host: nameCursorField((text): text is string => parseBarrableHost(text) === text),
});

interface Needs extends Pick<Dependencies, 'clock' | 'isCommandLinePass' | 'metrics' | 'operators'> {
  readonly barredHosts: BarredHostStore;
}
type Handler<Name extends keyof (typeof BarredHostServiceDefinition)['methods']> = RpcHandler<
  (typeof BarredHostServiceDefinition)['methods'][Name]
>;

export function createBarredHostHandlers(dependencies: Needs): RpcHandlers<typeof BarredHostServiceDefinition> {
  return {
    listCurrentBarredHosts: listCurrentBarredHosts(dependencies),
    listBarredHosts: listBarredHosts(dependencies),
    barHosts: barHosts(dependencies),
    unbarHost: unbarHost(dependencies),
  };
}

function listCurrentBarredHosts({ barredHosts }: Needs): Handler<'listCurrentBarredHosts'> {
  return ({ knownVersion }) => barredHosts.current(knownVersion);
}

function listBarredHosts({ barredHosts, clock }: Needs): Handler<'listBarredHosts'> {
  return async (request) => {
    const limit = clampPageSize(request.limit, defaultPageSize, barredHostLimits.perPage);
    const typed = request.query?.trim() ?? '';
    // Normalizes a complete host name. Otherwise searches for a fragment; text that no name can contain matches
    // nothing.
    const lowerCased = typed.toLowerCase();
    const query = parseBarrableHost(typed) ?? (/^[a-z0-9._:[\]-]*$/.test(lowerCased) ? lowerCased : nobody);
    const page = { query, after: place.read(request.cursor)?.host, limit: limit + 1 };
    const { hosts } = requireAdmitted(await barredHosts.list(readOperatorSession(request), page, clock.now()));
    const last = hosts.length > limit ? hosts[limit - 1] : undefined;
    return { hosts: hosts.slice(0, limit), nextCursor: last && place.write({ host: last.host }) };
  };
}

function barHosts(dependencies: Needs): Handler<'barHosts'> {
  const { barredHosts, clock, metrics } = dependencies;
  return async (request) => {
    const acting = readOperatorSession(request);
    const { withSubdomains = true } = request;
    const hosts = request.hosts.map((text) => [text, parseBarrableHost(text)] as const);
    const ending = hosts.map(([text, host]) => host ?? text.trim().toLowerCase()).find(isPublicSuffix);
    if (ending !== undefined) {
      await createOperatorAdmission(dependencies)(request);
      const host = cutText(ending, barredHostLimits.nameLength);
      throw createIdentityError('invalid', 'barred_host_public', describePublicSuffix(host), { host });
    }
    const wrong = hosts.find(([, host]) => host === undefined)?.[0];
    if (wrong !== undefined || hosts.length === 0 || hosts.length > barredHostLimits.atOnce) {
      // Checked first, so people who are not operators learn nothing about validation.
      await createOperatorAdmission(dependencies)(request);
      const what = `Send 1 to ${barredHostLimits.atOnce} host names at a time, each with a top-level domain.`;
      const host = wrong?.slice(0, barredHostLimits.nameLength);
      throw createIdentityError('invalid', 'barred_host_invalid', what, host === undefined ? undefined : { host });
    }
    const reason = readReason(request.reason);
    const wanted = hosts.flatMap(([, host]) => host ?? []);
    const done = requireAdmitted(await barredHosts.bar(acting, { hosts: wanted, withSubdomains, reason }, clock.now()));
    if (done.outcome === 'too_many') {
      const explanation = `At most ${barredHostLimits.hosts} hosts can be barred. Remove some first.`;
      throw createIdentityError('conflict', 'too_many_barred_hosts', explanation);
    }
    metrics.operatorActs.inc({ action: 'host_barred' });
    return { hosts: done.hosts };
  };
}

function unbarHost({ barredHosts, clock, metrics }: Needs): Handler<'unbarHost'> {
  return async (request) => {
    const acting = readOperatorSession(request);
    const change = { host: request.host ?? '', reason: readReason(request.reason) };
    const { outcome } = requireAdmitted(await barredHosts.unbar(acting, change, clock.now()));
    if (outcome === 'none')
      throw createIdentityError('not_found', 'barred_host_not_found', 'This host is not blocked.');
    metrics.operatorActs.inc({ action: 'host_unbarred' });
    return {};
  };
}
