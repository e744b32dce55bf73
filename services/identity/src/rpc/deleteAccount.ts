import type { DeleteAccountReply, DeleteAccountRequest } from '@nolo/proto/identity';
import type { RpcDeps } from './deps.ts';
import { proofRequired, readAsking } from './proofErrors.ts';
import { userNotFound } from './requests.ts';

export function deleteAccount({ accounts, clock, sessionCache }: Pick<RpcDeps, 'accounts' | 'clock' | 'sessionCache'>) {
  return async (request: DeleteAccountRequest): Promise<DeleteAccountReply> => {
    const deleted = await accounts.delete(readAsking(request), clock.now());
    if (deleted.outcome !== 'deleted') throw deleted.outcome === 'missing' ? userNotFound() : proofRequired();
    if (deleted.tokenHashes.length > 0) await sessionCache.forget(deleted.tokenHashes);
    return { idTokenHint: deleted.idTokenHint };
  };
}
