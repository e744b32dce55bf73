import { nextCursorHeader, routes, type AdminAccount, type OperatorAct } from '@nolo/api';
import type { AccountFacts, OperatorAct as OperatorActRow } from '@nolo/proto/operators';
import type { GatewayContext } from '../gatewayContext.ts';
import type { BindRoute } from '../http/bind.ts';
import { callerOf } from './callerOf.ts';
import { isoTime, orNull } from './mapPeople.ts';

/** Timeout for verifying the hashes of a long audit log. */
const verifyingMs = 25_000;

function toAccount(row: AccountFacts): AdminAccount {
  const { suspension } = row;
  return {
    id: row.id ?? '',
    name: orNull(row.name),
    phoneNumber: orNull(row.phoneNumber),
    email: orNull(row.email),
    username: orNull(row.username),
    createdAt: isoTime(row.createdAt),
    devices: row.devices ?? 0,
    lastUsedAt: row.lastUsedAt ? isoTime(row.lastUsedAt) : null,
    operator: row.operator ?? false,
    deletesAt: row.deletesAt ? isoTime(row.deletesAt) : null,
    suspension: suspension
      ? {
          reason: suspension.reason ?? '',
          since: isoTime(suspension.since),
          until: suspension.until ? isoTime(suspension.until) : null,
        }
      : null,
  };
}

const toAct = (row: OperatorActRow): OperatorAct => ({
  position: row.position ?? 0,
  at: isoTime(row.at),
  operatorId: orNull(row.operatorId),
  action: row.action ?? '',
  userId: orNull(row.userId),
  reason: orNull(row.reason),
  details: row.details ?? '{}',
  hash: row.hash ?? '',
});

/** Routes for operators. Identity alone knows who is an operator and is asked on every request. */
export function bindAdmin(bind: BindRoute, { operators, sessions }: GatewayContext): void {
  bind(routes.openAdmin, async ({ actor, rpc }) => {
    const { provenUntil } = await operators.checkOperator(callerOf(actor), rpc);
    return { provenUntil: isoTime(provenUntil) };
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
    return { entries, head: orNull(head), brokenAt: brokenAt ?? null };
  });
}
