import type { ExportAccountReply, ExportAccountRequest } from '@nolo/proto/identity';
import type { RpcDeps } from './deps.ts';
import { readUserId, userNotFound } from './requests.ts';

export function exportAccount({ accounts, clock }: Pick<RpcDeps, 'accounts' | 'clock'>) {
  return async (request: ExportAccountRequest): Promise<ExportAccountReply> => {
    const data = await accounts.export(readUserId(request.actorId));
    if (!data) throw userNotFound();
    return { json: JSON.stringify({ exportedAt: clock.now(), ...data }) };
  };
}
