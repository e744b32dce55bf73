import type { SessionId } from '@nolo/kit/ids';
import type { FilterLiveSessionsReply, FilterLiveSessionsRequest } from '@nolo/proto/identity';
import type { RpcDeps } from './deps.ts';
import { readIds } from './requests.ts';

const mostIds = 1000;

/** Asks Postgres itself, for it is asked where notices may have been lost. */
export function filterLiveSessions({ sessions, clock }: Pick<RpcDeps, 'sessions' | 'clock'>) {
  return async (request: FilterLiveSessionsRequest): Promise<FilterLiveSessionsReply> => {
    const ids = readIds<SessionId>(request.sessionIds, mostIds);
    return { sessionIds: ids.length === 0 ? [] : await sessions.filterLive(ids, clock.now()) };
  };
}
