import type { GetUsageReply, GetUsageRequest } from '@nolo/proto/sharedFiles';
import type { RpcDependencies } from '../dependencies.ts';
import { parseActor } from '../parse.ts';

export function getUsage({ shared, allowedBytes }: RpcDependencies) {
  return async (request: GetUsageRequest): Promise<GetUsageReply> => {
    const actorId = parseActor(request.actorId);
    const [used, limit] = await Promise.all([shared.usage(actorId), allowedBytes(actorId)]);
    return { used, limit };
  };
}
