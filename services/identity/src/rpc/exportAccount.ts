import type { ExportAccountReply, ExportAccountRequest } from '@nolo/proto/identity';
import type { RpcDeps } from './deps.ts';
import { proofRequired, readAsking } from './proofErrors.ts';
import { userNotFound } from './requests.ts';

export function exportAccount({ accounts, clock, proofs }: Pick<RpcDeps, 'accounts' | 'clock' | 'proofs'>) {
  return async (request: ExportAccountRequest): Promise<ExportAccountReply> => {
    const asking = readAsking(request);
    if (!(await proofs.isProven(asking, clock.now()))) throw proofRequired();
    const data = await accounts.export(asking.userId);
    if (!data) throw userNotFound();
    return { json: JSON.stringify({ exportedAt: clock.now(), ...data }) };
  };
}
