/** Stands where billing stands: says of everybody that they have the free plan, without a database. Answers with its port. */
import { createLog } from '@nolo/kit/log';
import { rpcService, serveRpc } from '@nolo/kit/rpc';
import { EntitlementsServiceService } from '@nolo/proto/entitlements';
import { allowanceOf } from '@nolo/rules';
import type { EntitlementsQuestion } from './forks.ts';

const free = Object.entries(allowanceOf('free')).map(([feature, limit]) => ({ feature, limit: limit ?? undefined }));
const nothing = () => Promise.resolve({ used: 0 });

async function listen(secret: string): Promise<number> {
  const service = rpcService(EntitlementsServiceService, {
    getEntitlements: async () => ({
      plan: 'free',
      limits: free,
      validUntil: undefined,
      month: new Date().toISOString().slice(0, 7),
      monthEndsAt: undefined,
    }),
    reserveUsage: nothing,
    commitUsage: nothing,
    releaseUsage: nothing,
    reportLevel: nothing,
  });
  const log = createLog({ service: 'load', level: 'warn' });
  return (await serveRpc({ listen: { host: '127.0.0.1', port: 0 }, secret, log, services: [service] })).port;
}

process.on('message', ({ secret }: EntitlementsQuestion) => {
  listen(secret).then(
    (value) => process.send?.({ value }),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
process.on('disconnect', () => process.exit());
