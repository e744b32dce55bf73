import { isId } from '@nolo/kit/ids';
import type { MarkNoticesSeenReply, MarkNoticesSeenRequest } from '@nolo/proto/security';
import { failIdentity } from '../errors.ts';
import type { RpcDeps } from './deps.ts';
import { readAsking } from './proofErrors.ts';

export function noticeNotFound() {
  return failIdentity('not_found', 'notice_not_found', 'This notice was not found.');
}

export function markNoticesSeen({ notices }: Pick<RpcDeps, 'notices'>) {
  return async (request: MarkNoticesSeenRequest): Promise<MarkNoticesSeenReply> => {
    const asking = readAsking(request);
    if (!isId(request.noticeId) || !(await notices.markSeen(asking, request.noticeId))) throw noticeNotFound();
    return {};
  };
}
