import type { DeleteAccountReply, DeleteAccountRequest } from '@nolo/proto/identity';
import type { RpcDeps } from './deps.ts';
import { proofRequired, readAsking } from './proofErrors.ts';
import { userNotFound } from './requests.ts';

type Deps = Pick<RpcDeps, 'accounts' | 'clock' | 'sessionCache' | 'verification'>;

export function deleteAccount({ accounts, clock, sessionCache, verification }: Deps) {
  return async (request: DeleteAccountRequest): Promise<DeleteAccountReply> => {
    const asking = readAsking(request);
    const account = await accounts.find(asking.userId);
    const deleted = await accounts.delete(asking, clock.now());
    if (deleted.outcome !== 'deleted') throw deleted.outcome === 'missing' ? userNotFound() : proofRequired();
    if (deleted.tokenHashes.length > 0) await sessionCache.forget(deleted.tokenHashes);
    if (account?.phoneNumber) await verification.forget(account.phoneNumber);
    return { idTokenHint: deleted.idTokenHint };
  };
}
