import type { GetSelfRequest, Self } from '@nolo/proto/identity';
import type { RpcDeps } from './deps.ts';
import { toSelf } from './replies.ts';
import { readUserId, userNotFound } from './requests.ts';

export function getSelf({ accounts }: Pick<RpcDeps, 'accounts'>) {
  return async (request: GetSelfRequest): Promise<Self> => {
    const account = await accounts.find(readUserId(request.actorId));
    if (!account) throw userNotFound();
    return toSelf(account);
  };
}
