import type { ListSessionsReply, ListSessionsRequest } from '@nolo/proto/identity';
import { limits } from '@nolo/rules';
import type { RpcDeps } from './deps.ts';
import { readUserId } from './requests.ts';

export function listSessions({ sessions, clock }: Pick<RpcDeps, 'sessions' | 'clock'>) {
  return async (request: ListSessionsRequest): Promise<ListSessionsReply> => ({
    sessions: await sessions.list(readUserId(request.actorId), clock.now(), limits.sessionsPerUser),
  });
}
