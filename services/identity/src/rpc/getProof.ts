import type { GetProofRequest, Proof } from '@nolo/proto/security';
import type { RpcDeps } from './deps.ts';
import { readAsking, sessionInvalid } from './proofErrors.ts';
import { userNotFound } from './requests.ts';

export function getProof({ accounts, clock, proofs }: Pick<RpcDeps, 'accounts' | 'clock' | 'proofs'>) {
  return async (request: GetProofRequest): Promise<Proof> => {
    const asking = readAsking(request);
    const proof = await proofs.find(asking, clock.now());
    if (!proof) throw sessionInvalid();
    const account = await accounts.find(asking.userId);
    if (!account) throw userNotFound();
    return { ...proof, providerIssuers: account.providerIssuers };
  };
}
