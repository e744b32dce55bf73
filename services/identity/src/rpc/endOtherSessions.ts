import { parseId, type SessionId } from '@nolo/kit/ids';
import type { EndOtherSessionsReply, EndOtherSessionsRequest } from '@nolo/proto/identity';
import type { RpcDeps } from './deps.ts';
import { readUserId } from './requests.ts';

export function endOtherSessions({ sessions, sessionCache }: Pick<RpcDeps, 'sessions' | 'sessionCache'>) {
  return async (request: EndOtherSessionsRequest): Promise<EndOtherSessionsReply> => {
    const actor = readUserId(request.actorId);
    const ended = await sessions.endOthers(actor, parseId<SessionId>(request.keepSessionId));
    if (ended.length > 0) await sessionCache.forget(ended);
    return { ended: ended.length };
  };
}
