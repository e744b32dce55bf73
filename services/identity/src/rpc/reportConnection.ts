import type { ReportConnectionReply, ReportConnectionRequest } from '@nolo/proto/identity';
import type { RpcDeps } from './deps.ts';
import { readUserId } from './requests.ts';

export function reportConnection({ announcements }: Pick<RpcDeps, 'announcements'>) {
  return async (request: ReportConnectionRequest): Promise<ReportConnectionReply> => {
    const userId = readUserId(request.userId);
    await (request.connected ? announcements.arrived(userId) : announcements.left(userId));
    return {};
  };
}
