import { isId, parseId, type UserId } from '@nolo/kit/ids';
import { defineCursor, numberCursorField, clampPageSize } from '@nolo/kit/pages';
import type { RpcHandler } from '@nolo/kit/rpc';
import type { AccountFacts as AccountReply, OperatorServiceDefinition } from '@nolo/proto/operators';
import { formatFullName, limits, cleanNameWithin } from '@nolo/rules';
import type { AuditEntry, OperatorAction } from '../domain/auditChain.ts';
import { readAccountQuery } from '../domain/accountQuery.ts';
import type { AccountFacts, OperatorRefusal } from '../domain/operatorPorts.ts';
import { createIdentityError } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';
import { readRequestingSession } from './proofErrors.ts';
import { readUserId, userNotFound } from './requests.ts';

type Handler<Name extends keyof (typeof OperatorServiceDefinition)['methods']> = RpcHandler<
  (typeof OperatorServiceDefinition)['methods'][Name]
>;

interface FromOperator {
  readonly actorId?: string | undefined;
  readonly sessionId?: string | undefined;
}

const defaultPageSize = 50;
const { read: readCursor, write: writeCursor } = defineCursor<{ before: number }>({ before: numberCursorField });

/** Returns the actor. A caller without a session gets the general error, because no operator lacks one. */
export function readOperatorSession({ actorId = '', sessionId = '' }: FromOperator) {
  return readRequestingSession({ actorId, sessionId });
}

/** Throws the error for a refusal; otherwise returns the result. */
export function requireAdmitted<T extends { outcome: string }>(
  done: T | OperatorRefusal | { outcome: 'missing' },
): Exclude<T, { outcome: 'refused' | 'missing' }> {
  if (done.outcome === 'missing') throw userNotFound();
  if (done.outcome === 'refused') {
    const { why } = done as OperatorRefusal;
    if (why === 'none') throw createIdentityError('forbidden', 'not_operator', 'Only operators can do this.');
    const details = why === 'passkey' ? { way: 'passkey' } : undefined;
    throw createIdentityError('forbidden', 'proof_required', "Please confirm it's you.", details);
  }
  return done as Exclude<T, { outcome: 'refused' | 'missing' }>;
}

export function readReason(text: string | undefined): string {
  const reason = cleanNameWithin(text ?? '', { min: 1, max: limits.operatorReasonLength });
  if (reason !== undefined) return reason;
  throw createIdentityError('invalid', 'reason_invalid', 'Please give a reason.', { field: 'reason' });
}

function readUntil(until: Date | undefined, now: Date): Date | null {
  if (until === undefined) return null;
  if (until > now) return until;
  throw createIdentityError('invalid', 'suspension_invalid', 'A suspension must end in the future.', {
    field: 'until',
  });
}

const toAccount = ({ firstName, lastName, suspension, ...row }: AccountFacts): AccountReply => ({
  id: row.id,
  name: formatFullName(firstName, lastName) || undefined,
  phoneNumber: row.phoneNumber ?? undefined,
  email: row.email ?? undefined,
  username: row.username ?? undefined,
  createdAt: row.createdAt,
  devices: row.devices,
  lastUsedAt: row.lastUsedAt ?? undefined,
  operator: row.operator,
  deletesAt: row.deletesAt ?? undefined,
  suspension: suspension
    ? { reason: suspension.reason, since: suspension.since, until: suspension.until ?? undefined }
    : undefined,
});

const isOperator = () =>
  createIdentityError(
    'conflict',
    'account_is_operator',
    'This account is an operator. You can only change that on the command line.',
  );

/** Authorizes operators for identity's other operator routes. */
export const createOperatorAdmission =
  ({ clock, isCommandLinePass, operators }: Pick<Dependencies, 'clock' | 'isCommandLinePass' | 'operators'>) =>
  async (request: FromOperator) => {
    const acting = readOperatorSession(request);
    const now = clock.now();
    if (await isCommandLinePass(acting)) return { outcome: 'proven' as const, until: now };
    return requireAdmitted(await operators.check(acting, now));
  };

export function checkOperator(dependencies: Dependencies): Handler<'checkOperator'> {
  const admit = createOperatorAdmission(dependencies);
  return async (request) => {
    const { until } = await admit(request);
    return { provenUntil: until };
  };
}

export function findAccounts({ clock, metrics, operators }: Dependencies): Handler<'findAccounts'> {
  return async (request) => {
    const acting = readOperatorSession(request);
    const query = readAccountQuery(request.query ?? '');
    if (!query) {
      // The query matches no account, but the caller must still be authorized.
      requireAdmitted(await operators.check(acting, clock.now()));
      return { accounts: [] };
    }
    const { accounts } = requireAdmitted(await operators.find(acting, query, clock.now()));
    metrics.operatorActs.inc({ action: 'looked_up' });
    return { accounts: accounts.map(toAccount) };
  };
}

export function suspendAccount({ clock, metrics, operators, sessionCache }: Dependencies): Handler<'suspendAccount'> {
  return async (request) => {
    const acting = readOperatorSession(request);
    const userId = readUserId(request.userId ?? '');
    const since = clock.now();
    const suspension = { reason: readReason(request.reason), since, until: readUntil(request.until, since) };
    const done = requireAdmitted(await operators.suspend(acting, userId, suspension));
    if (done.outcome === 'is_operator') throw isOperator();
    await sessionCache.forget(done.endedTokenHashes);
    metrics.operatorActs.inc({ action: 'suspended' });
    return toAccount(done.account);
  };
}

export function liftSuspension({ clock, metrics, operators }: Dependencies): Handler<'liftSuspension'> {
  return async (request) => {
    const acting = readOperatorSession(request);
    const userId = readUserId(request.userId ?? '');
    const done = requireAdmitted(await operators.lift(acting, userId, readReason(request.reason), clock.now()));
    if (done.outcome === 'not_suspended') {
      throw createIdentityError('conflict', 'not_suspended', 'This account is no longer suspended.');
    }
    metrics.operatorActs.inc({ action: 'lifted' });
    return toAccount(done.account);
  };
}

export function signOutAccount({ clock, metrics, operators, sessionCache }: Dependencies): Handler<'signOutAccount'> {
  return async (request) => {
    const acting = readOperatorSession(request);
    const userId = readUserId(request.userId ?? '');
    const done = requireAdmitted(await operators.signOut(acting, userId, readReason(request.reason), clock.now()));
    await sessionCache.forget(done.endedTokenHashes);
    metrics.operatorActs.inc({ action: 'signed_out' });
    return toAccount(done.account);
  };
}

export function eraseAccount({ clock, metrics, operators, sessionCache }: Dependencies): Handler<'eraseAccount'> {
  return async (request) => {
    const acting = readOperatorSession(request);
    const userId = readUserId(request.userId ?? '');
    const done = requireAdmitted(
      await operators.erase(acting, userId, { reason: readReason(request.reason), atOnce: false, now: clock.now() }),
    );
    if (done.outcome === 'is_operator') throw isOperator();
    await sessionCache.forget(done.endedTokenHashes);
    metrics.operatorActs.inc({ action: 'deleted' });
    return {};
  };
}

export function reopenAccount({ clock, metrics, operators }: Dependencies): Handler<'reopenAccount'> {
  return async (request) => {
    const acting = readOperatorSession(request);
    const userId = readUserId(request.userId ?? '');
    const done = requireAdmitted(await operators.reopen(acting, userId, readReason(request.reason), clock.now()));
    if (done.outcome === 'open') throw createIdentityError('conflict', 'account_open', 'This account is not closed.');
    metrics.operatorActs.inc({ action: 'reopened' });
    return toAccount(done.account);
  };
}

const toAct = ({ operatorId, userId, reason, hash, ...act }: AuditEntry) => ({
  ...act,
  operatorId: operatorId ?? undefined,
  userId: userId ?? undefined,
  reason: reason ?? undefined,
  hash: hash.toString('hex'),
});

export function listActs({ clock, operators }: Dependencies): Handler<'listActs'> {
  return async (request) => {
    const acting = readOperatorSession(request);
    const limit = clampPageSize(request.limit, defaultPageSize, limits.operatorActsPerPage);
    const userId = parseId<UserId>(request.userId);
    const before = readCursor(request.cursor)?.before;
    const isNobody = request.userId !== undefined && !isId(request.userId);
    const page = { userId, before, limit: isNobody ? 0 : limit + 1 };
    const { acts } = requireAdmitted(await operators.acts(acting, page, clock.now()));
    const last = acts.length > limit ? acts[limit - 1] : undefined;
    return { acts: acts.slice(0, limit).map(toAct), nextCursor: last && writeCursor({ before: last.position }) };
  };
}

export function verifyActs({ clock, operators }: Dependencies): Handler<'verifyActs'> {
  return async (request) => {
    const { verified } = requireAdmitted(await operators.verify(readOperatorSession(request), clock.now()));
    return { entries: verified.entries, head: verified.head?.toString('hex'), brokenAt: verified.brokenAt };
  };
}

/** Actions performed by other services and recorded here, limited to this list. */
const doneElsewhere: ReadonlySet<string> = new Set<OperatorAction>([
  'work_retried',
  'work_discarded',
  'room_ended',
  'group_looked_up',
]);

export function recordAct({ clock, isCommandLinePass, metrics, operators }: Dependencies): Handler<'recordAct'> {
  return async (request) => {
    const requester = readOperatorSession(request);
    const { action = '', details } = request;
    const reason = request.reason === undefined ? null : readReason(request.reason);
    const isSmall = Object.keys(details).length <= 10 && Object.entries(details).flat().every(isShort);
    const userId = request.userId === undefined ? null : readUserId(request.userId);
    if (!doneElsewhere.has(action) || !isSmall) {
      throw createIdentityError('invalid', 'act_invalid', 'The audit log does not record this action.');
    }
    const act = { action: action as OperatorAction, userId, reason, details };
    const acting = (await isCommandLinePass(requester)) ? 'command line' : requester;
    requireAdmitted(await operators.record(acting, act, clock.now()));
    metrics.operatorActs.inc({ action });
    return {};
  };
}

const isShort = (text: string): boolean => text.length <= 100;
