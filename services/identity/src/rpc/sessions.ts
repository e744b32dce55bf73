import { parseActorId, parseId, type SessionId, type UserId } from '@nolo/kit/ids';
import type { RpcHandler } from '@nolo/kit/rpc';
import type { IdentityServiceDefinition } from '@nolo/proto/identity';
import { limits } from '@nolo/rules';
import { createIdentityError } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';
import { readIds } from './requests.ts';

export function authenticateSession({
  checkSession,
}: Dependencies): RpcHandler<typeof IdentityServiceDefinition.methods.authenticateSession> {
  return async (request) => checkSession(request.token);
}

const maxIdsPerCall = 1000;

/**
 * Returns which sessions are live. Queries Postgres directly, because callers use it when notifications may have been
 * lost.
 */
export function filterLiveSessions({
  sessions,
  clock,
}: Dependencies): RpcHandler<typeof IdentityServiceDefinition.methods.filterLiveSessions> {
  return async (request) => {
    const ids = readIds<SessionId>(request.sessionIds, maxIdsPerCall);
    return { sessionIds: ids.length === 0 ? [] : await sessions.filterLive(ids, clock.now()) };
  };
}

export function listSessions({
  sessions,
  clock,
}: Dependencies): RpcHandler<typeof IdentityServiceDefinition.methods.listSessions> {
  return async (request) => ({
    sessions: (await sessions.list(parseActorId(request.actorId), clock.now(), limits.sessionsPerUser)).map(
      (session) => ({
        ...session,
        network: session.network ?? undefined,
        country: session.country ?? undefined,
        city: session.city ?? undefined,
      }),
    ),
  });
}

export function summarizeSessions({
  sessions,
  clock,
}: Dependencies): RpcHandler<typeof IdentityServiceDefinition.methods.summarizeSessions> {
  return async (request) => {
    const ids = readIds<UserId>(request.userIds, maxIdsPerCall);
    const rows = ids.length === 0 ? [] : await sessions.summarize(ids, clock.now());
    // The time leaves this service with day precision only.
    const day = (time: Date) => time.toISOString().slice(0, 10);
    return {
      summaries: rows.map(({ userId, devices, lastUsedAt }) => ({ userId, devices, lastUsedOn: day(lastUsedAt) })),
    };
  };
}

export function endSession({
  sessions,
  sessionCache,
}: Dependencies): RpcHandler<typeof IdentityServiceDefinition.methods.endSession> {
  return async (request) => {
    const actor = parseActorId(request.actorId);
    const sessionId = parseId<SessionId>(request.sessionId);
    // Sessions of other people are treated as unknown.
    const ended = sessionId && (await sessions.end(actor, sessionId));
    if (!ended) throw createIdentityError('not_found', 'session_not_found', 'This session has already ended.');
    await sessionCache.forget([ended.tokenHash]);
    return { idTokenHint: ended.idTokenHint };
  };
}

export function endOtherSessions({
  sessions,
  sessionCache,
}: Dependencies): RpcHandler<typeof IdentityServiceDefinition.methods.endOtherSessions> {
  return async (request) => {
    const actor = parseActorId(request.actorId);
    const ended = await sessions.endOthers(actor, parseId<SessionId>(request.keepSessionId));
    if (ended.length > 0) await sessionCache.forget(ended);
    return { ended: ended.length };
  };
}
