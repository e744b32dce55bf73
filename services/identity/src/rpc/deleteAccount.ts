import type { DeleteAccountReply, DeleteAccountRequest } from '@nolo/proto/identity';
import type { RpcDeps } from './deps.ts';
import { readUserId, userNotFound } from './requests.ts';

export function deleteAccount({ accounts, sessionCache }: Pick<RpcDeps, 'accounts' | 'sessionCache'>) {
  return async (request: DeleteAccountRequest): Promise<DeleteAccountReply> => {
    const deleted = await accounts.delete(readUserId(request.actorId));
    if (!deleted) throw userNotFound();
    if (deleted.tokenHashes.length > 0) await sessionCache.forget(deleted.tokenHashes);
    return { idTokenHint: deleted.idTokenHint };
  };
}
