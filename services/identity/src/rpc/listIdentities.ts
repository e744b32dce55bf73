import type { ListIdentitiesReply, ListIdentitiesRequest } from '@nolo/proto/security';
import type { RpcDeps } from './deps.ts';
import { readUserId } from './requests.ts';

export function listIdentities({ identities }: Pick<RpcDeps, 'identities'>) {
  return async (request: ListIdentitiesRequest): Promise<ListIdentitiesReply> => ({
    identities: await identities.list(readUserId(request.actorId)),
  });
}
