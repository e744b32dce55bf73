import { nextCursorHeader, routes, type AdminAccount, type OperatorAuditEntry } from '@nolo/api';
import type { AccountFacts, OperatorAct as OperatorActRow } from '@nolo/proto/operators';
import type { GatewayContext } from '../gatewayContext.ts';
import type { BindRoute } from '../http/routeBinder.ts';
import { callerOf } from './callerOf.ts';
import { toIsoTime, emptyToNull } from '../mapping/people.ts';

/** Timeout for verifying the hashes of a long audit log. */
const verifyingMs = 25_000;

function toAccount(row: AccountFacts): AdminAccount {
  const { suspension } = row;
  return {
    id: row.id ?? '',
    name: emptyToNull(row.name),
    phoneNumber: emptyToNull(row.phoneNumber),
    email: emptyToNull(row.email),
    username: emptyToNull(row.username),
    createdAt: toIsoTime(row.createdAt),
    devices: row.devices ?? 0,
    lastUsedAt: row.lastUsedAt ? toIsoTime(row.lastUsedAt) : null,
    operator: row.operator ?? false,
    deletesAt: row.deletesAt ? toIsoTime(row.deletesAt) : null,
    suspension: suspension
      ? {
          reason: suspension.reason ?? '',
          since: toIsoTime(suspension.since),
          until: suspension.until ? toIsoTime(suspension.until) : null,
        }
      : null,
  };
}

const toAct = (row: OperatorActRow): OperatorAuditEntry => ({
  position: row.position ?? 0,
  at: toIsoTime(row.at),
  operatorId: emptyToNull(row.operatorId),
  action: row.action ?? '',
  userId: emptyToNull(row.userId),
  reason: emptyToNull(row.reason),
  details: row.details ?? '{}',
  hash: row.hash ?? '',
});

/** Routes for operators. Identity alone knows who is an operator and is asked on every request. */
export function bindAdmin(
  bind: BindRoute,
  { operators, sessions }: Pick<GatewayContext, 'operators' | 'sessions'>,
): void {
  bind(routes.openAdmin, async ({ actor, rpc }) => {
    const { provenUntil } = await operators.checkOperator(callerOf(actor), rpc);
    return { provenUntil: toIsoTime(provenUntil) };
  });
  bind(routes.findAccounts, async ({ actor, query, rpc }) => {
    const { accounts } = await operators.findAccounts({ ...callerOf(actor), query: query.q }, rpc);
    return accounts.map(toAccount);
  });
  bind(routes.suspendAccount, async ({ actor, params, body, rpc }) => {
    const until = body.until === undefined ? undefined : new Date(body.until);
    const suspended = { ...callerOf(actor), userId: params.id, reason: body.reason, until };
    const account = await operators.suspendAccount(suspended, rpc);
    sessions.recheck(params.id);
    return toAccount(account);
  });
  bind(routes.liftSuspension, async ({ actor, params, body, rpc }) =>
    toAccount(await operators.liftSuspension({ ...callerOf(actor), userId: params.id, ...body }, rpc)),
  );
  bind(routes.signOutAccount, async ({ actor, params, body, rpc }) => {
    const account = await operators.signOutAccount({ ...callerOf(actor), userId: params.id, ...body }, rpc);
    sessions.recheck(params.id);
    return toAccount(account);
  });
  bind(routes.eraseAccount, async ({ actor, params, body, rpc }) => {
    await operators.eraseAccount({ ...callerOf(actor), userId: params.id, ...body }, rpc);
    sessions.recheck(params.id);
  });
  bind(routes.reopenAccount, async ({ actor, params, body, rpc }) => {
    const account = await operators.reopenAccount({ ...callerOf(actor), userId: params.id, ...body }, rpc);
    sessions.recheck(params.id);
    return toAccount(account);
  });
  bind(routes.listOperatorActs, async ({ actor, query, rpc, response }) => {
    const page = await operators.listActs({ ...callerOf(actor), ...query }, rpc);
    if (page.nextCursor !== undefined) response.setHeader(nextCursorHeader, page.nextCursor);
    return page.acts.map(toAct);
  });
  bind(routes.verifyOperatorActs, async ({ actor, rpc }) => {
    const {
      entries = 0,
      head,
      brokenAt,
    } = await operators.verifyActs(callerOf(actor), {
      ...rpc,
      timeoutMs: verifyingMs,
    });
    return { entries, head: emptyToNull(head), brokenAt: brokenAt ?? null };
  });
}
