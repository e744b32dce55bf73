import { parseId, type SessionId } from '@nolo/kit/ids';
import type { EndSessionReply, EndSessionRequest } from '@nolo/proto/identity';
import { failIdentity } from '../errors.ts';
import type { RpcDeps } from './deps.ts';
import { readUserId } from './requests.ts';

export function endSession({ sessions, sessionCache }: Pick<RpcDeps, 'sessions' | 'sessionCache'>) {
  return async (request: EndSessionRequest): Promise<EndSessionReply> => {
    const actor = readUserId(request.actorId);
    const sessionId = parseId<SessionId>(request.sessionId);
    // Another person's session is as unknown as one that never was.
    const ended = sessionId && (await sessions.end(actor, sessionId));
    if (!ended) throw failIdentity('not_found', 'session_not_found', 'This session has already ended.');
    await sessionCache.forget([ended.tokenHash]);
    return { idTokenHint: ended.idTokenHint };
  };
}
