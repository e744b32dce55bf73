import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDb, migrate, provisionDatabase, type Knex } from '@nolo/kit/db';
import { createClient, type RpcClient } from '@nolo/kit/rpc';
import { BillingServiceDefinition } from '@nolo/proto/billing';
import { EntitlementsServiceDefinition } from '@nolo/proto/entitlements';
import { deleteBackingData } from '../../../scripts/backingServices.ts';
import { projectRoot } from '../../../scripts/paths.ts';
import { findFreePort } from '../../../scripts/ports.ts';
import { startBackingServices, type BackingServices } from '../../../scripts/stack.ts';
import { startGateways } from '../../../services/billing/tests/startGateways.ts';
import { forkService, type ForkedService } from './forkedService.ts';

const service = 'billing';

/** Environment for payments: its own stores, the simulated gateways, and billing as separate processes. */
export interface BillingTestbed {
  readonly backing: BackingServices;
  readonly db: Knex;
  readonly outside: Awaited<ReturnType<typeof startGateways>>;
  /** Client of the process that currently takes calls. */
  readonly billing: RpcClient<typeof BillingServiceDefinition>;
  readonly entitlements: RpcClient<typeof EntitlementsServiceDefinition>;
  /** Starts the process that takes calls, or a worker, and resolves when it is ready. */
  start(kind: 'calls' | 'worker'): Promise<ForkedService>;
  stop(): Promise<void>;
}

export async function startBillingTestbed(environment: NodeJS.ProcessEnv = {}): Promise<BillingTestbed> {
  const home = await mkdtemp(join(tmpdir(), 'nolo-billing-'));
  // When started by root, Postgres runs as another user, which needs access to its data.
  await chmod(home, 0o711);
  const backing = await startBackingServices({ home, environment });
  const urls = await provisionDatabase(backing.databaseUrl, 'nolo', [service], 'payments');
  await migrate(urls[service], service, join(projectRoot, 'services/billing/migrations'));
  const db = createDb({ url: urls[service], schema: service });
  const outside = await startGateways();
  const secret = randomBytes(32).toString('hex');
  const port = await findFreePort();
  const options = { secret, timeoutMs: 5_000 };
  const billing = createClient(BillingServiceDefinition, `127.0.0.1:${port}`, options);
  const entitlements = createClient(EntitlementsServiceDefinition, `127.0.0.1:${port}`, options);
  const processes = new Set<ForkedService>();

  return {
    backing,
    db,
    outside,
    billing,
    entitlements,
    async start(kind) {
      const one = await forkService(join(import.meta.dirname, 'billingProcess.ts'), {
        DATABASE_URL: urls[service],
        REDIS_URL: backing.redisUrl,
        NATS_URL: backing.natsUrl,
        RPC_LISTEN: `127.0.0.1:${kind === 'calls' ? port : 0}`,
        RPC_SECRET: secret,
        IDENTITY_ADDR: '127.0.0.1:9',
        PUBLIC_URL: outside.receiver.url,
        BILLING_WORKS: String(kind === 'worker'),
        PAYPAL_URL: `${outside.url}/paypal`,
        PAYPAL_CLIENT_ID: 'simulated-paypal-client',
        PAYPAL_CLIENT_SECRET: 'simulated-paypal-secret',
        PAYPAL_WEBHOOK_ID: 'WH-SIMULATED',
        PAYFAST_URL: `${outside.url}/payfast`,
        PAYFAST_API_URL: `${outside.url}/payfast/api`,
        PAYFAST_MERCHANT_ID: '10000100',
        PAYFAST_MERCHANT_KEY: '46f0cd694581a',
        PAYFAST_PASSPHRASE: 'simulated-passphrase',
        PAYFAST_SOURCES: '127.0.0.1,::1',
      });
      processes.add(one);
      void one.gone.then(() => processes.delete(one));
      return one;
    },
    async stop() {
      const ends = [...processes].map(({ gone }) => gone);
      // Remaining processes shut down cleanly.
      for (const { child } of processes) child.disconnect();
      await Promise.all(ends);
      billing.close();
      entitlements.close();
      await outside.stop();
      await db.destroy();
      await backing.stop();
      deleteBackingData(home);
      rmSync(home, { recursive: true, force: true });
    },
  };
}
