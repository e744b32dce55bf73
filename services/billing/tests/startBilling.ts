import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { loadConfig } from '@nolo/kit/config';
import { migrate, type Knex } from '@nolo/kit/db';
import { createAppError } from '@nolo/kit/errors';
import type { UserId } from '@nolo/kit/ids';
import { createStopStack } from '@nolo/kit/lifecycle';
import { createLog } from '@nolo/kit/log';
import { createClient, bindRpcService, serveRpc, type RpcClient, type RpcHandlers } from '@nolo/kit/rpc';
import { BillingServiceDefinition, type Order } from '@nolo/proto/billing';
import { BillingAdminServiceDefinition } from '@nolo/proto/billingAdmin';
import { EntitlementsServiceDefinition } from '@nolo/proto/entitlements';
import { IdentityServiceDefinition } from '@nolo/proto/identity';
import { TeamServiceDefinition } from '@nolo/proto/team';
import {
  createTestDatabase,
  createTestProofs,
  eventually,
  createFakeClock,
  openDatabase,
  startTestEvents,
  readTestServerAddresses,
  type FakeClock,
  type TestEvents,
  type TestProofs,
} from '@nolo/testing';
import { aSelf, aUser } from '@nolo/testing/protos';
import { createBillingApp, createBillingWorker } from '../src/app.ts';
import { configSchema } from '../src/config.ts';
import type { GatewayFact } from '../src/domain/gateway.ts';
import type { PaymentGateways } from '../src/domain/ports.ts';
import { checkLedger } from '../src/store/ledgerCheck.ts';
import { MemoryGateway } from './memoryGateway.ts';

const secret = 'a-secret-of-this-test-alone';
export const operatorId = randomUUID() as UserId;
/** Operators according to identity. */
export const operatorIds = new Set<string>([operatorId]);
/** Request fields of an operator who was just proven. */
export const operatorCaller = { actorId: operatorId, sessionId: randomUUID() };

/** Readers of German according to identity. */
export const germanReaderIds = new Set<string>();

/** Blocks according to identity: both IDs, separated by a space. */
const blocks = new Set<string>();

/** Fake identity: every ID is a person except this one. */
export const nobodyId = '00000000-0000-4000-8000-000000000000';
function identity() {
  const known: Pick<RpcHandlers<typeof IdentityServiceDefinition>, 'getSelf' | 'getUsers' | 'summarizeSessions'> = {
    async summarizeSessions({ userIds }) {
      return { summaries: userIds.map((userId) => ({ userId, devices: 2, lastUsedOn: '2026-11-19' })) };
    },
    async getUsers({ actorId, userIds }) {
      return { users: userIds.map((id) => aUser({ id, isBlocked: blocks.has(`${actorId} ${id}`) })) };
    },
    async getSelf({ actorId }) {
      if (actorId === nobodyId) throw createAppError('not_found', 'user_not_found', 'This account does not exist.');
      return aSelf({
        id: actorId,
        email: `${actorId}@example.org`,
        firstName: 'Jo',
        lastName: 'Doe',
        operator: operatorIds.has(actorId),
        writtenLanguage: germanReaderIds.has(actorId) ? 'de' : 'en',
      });
    },
  };
  const none = new Proxy(known, {
    get: (target, name) =>
      Reflect.get(target, name) ??
      (() => {
        throw new Error(`billing must not call ${String(name)} of the identity service.`);
      }),
  }) as RpcHandlers<typeof IdentityServiceDefinition>;
  return bindRpcService(IdentityServiceDefinition, none);
}

export interface TestBilling {
  billing: RpcClient<typeof BillingServiceDefinition>;
  entitlements: RpcClient<typeof EntitlementsServiceDefinition>;
  team: RpcClient<typeof TeamServiceDefinition>;
  admin: RpcClient<typeof BillingAdminServiceDefinition>;
  gateways: { payfast: MemoryGateway; paypal: MemoryGateway };
  clock: FakeClock;
  db: Knex;
  publishEvent: TestEvents['publishEvent'];
  proofs: Pick<TestProofs, 'outdated' | 'unknown'>;
  /** Creates an order and starts its payment. */
  order(actorId: string, item: string, more?: object): Promise<Order>;
  /** Delivers a notification of facts, as received through the gateway. */
  notify(gateway: 'payfast' | 'paypal', body: Buffer): Promise<string>;
  /** Returns a fact about the order from its gateway. */
  factOf(kind: GatewayFact['kind'], order: Order, more?: object): GatewayFact;
  /** Orders and pays. */
  buy(actorId: string, item: string, more?: object): Promise<Order>;
  planOf(userId: string): Promise<string>;
  block(blockerId: string, blockedId: string): void;
  stop(): Promise<void>;
}

/**
 * Starts billing.
 *
 * @param outside gateways to use instead of in-memory ones, at the real clock
 */
export async function startBilling(
  variables: Record<string, string> = {},
  outside?: PaymentGateways,
): Promise<TestBilling> {
  const stack = createStopStack();
  const { redisUrl, natsUrl } = readTestServerAddresses();
  const database = await createTestDatabase(['billing']);
  stack.push('database', () => database.drop());
  await migrate(database.urls.billing, 'billing', fileURLToPath(new URL('../migrations', import.meta.url)));
  const prefixes = { natsUrl, natsPrefix: database.name };
  const events = await startTestEvents(prefixes, secret);
  stack.push('events', () => events.stop());
  const log = createLog({ service: 'test', level: 'fatal' });
  const proofs = createTestProofs(operatorIds);
  const people = await serveRpc({
    listen: { host: '127.0.0.1', port: 0 },
    secret,
    log,
    services: [identity(), events.service, ...proofs.services],
  });
  stack.push('identity', () => people.stop());
  const config = loadConfig(configSchema, {
    NOLO_MODE: 'demo',
    LOG_LEVEL: 'warn',
    DATABASE_URL: database.urls.billing,
    REDIS_URL: redisUrl,
    REDIS_PREFIX: database.name,
    NATS_URL: natsUrl,
    NATS_PREFIX: database.name,
    RPC_LISTEN: '127.0.0.1:0',
    RPC_SECRET: secret,
    METRICS_LISTEN: '127.0.0.1:0',
    IDENTITY_ADDR: `127.0.0.1:${people.port}`,
    PUBLIC_URL: 'http://localhost:8080',
    RECEIPT_TAX: 'VAT 15',
    BILLING_WORKS: outside ? 'false' : 'true',
    ...variables,
  });
  const clock = createFakeClock();
  const gateways = { payfast: new MemoryGateway('payfast'), paypal: new MemoryGateway('paypal') };
  const given = outside ? { gateways: outside } : { gateways, clock };
  if (outside) {
    // Split as in production: one process serves RPCs, another one works.
    const worker = createBillingWorker({ config, log, gateways: outside, longestPauseMs: 200 });
    stack.push('worker', () => worker.stop());
    await worker.start();
  }
  const app = createBillingApp({ config, log, ...given, longestPauseMs: 200 });
  stack.push('app', () => app.stop());
  const { rpc } = await app.start();
  const address = `127.0.0.1:${rpc}`;
  const options = { secret, timeoutMs: 20_000 };
  const db = openDatabase(database.urls.billing, 'billing');
  stack.push('db', () => db.destroy());
  const clients = {
    billing: createClient(BillingServiceDefinition, address, options),
    entitlements: createClient(EntitlementsServiceDefinition, address, options),
    team: createClient(TeamServiceDefinition, address, options),
    admin: createClient(BillingAdminServiceDefinition, address, options),
  };
  for (const client of Object.values(clients)) stack.push('client', () => client.close());
  const { billing, entitlements } = clients;

  const order: TestBilling['order'] = async (actorId, item, more = {}) => {
    const person = { origin: '', firstName: 'Jo', lastName: 'Doe', email: 'jo@example.org' };
    const orderRequest = { actorId, orderId: randomUUID(), item, seats: 1, currency: 'ZAR', ...person, ...more };
    const { order: made } = await billing.createOrder(orderRequest);
    if (!made) throw new Error('billing returned no order');
    return made;
  };
  const factOf: TestBilling['factOf'] = (kind, made, more = {}) => {
    const gateway = made.gateway === 'paypal' ? gateways.paypal : gateways.payfast;
    const known = { id: made.id, amountMinor: made.amountMinor, currency: made.currency as 'ZAR' };
    return gateway.factOf(kind, known, { at: clock.now(), ...more });
  };
  const notify: TestBilling['notify'] = async (gateway, body) =>
    (await billing.storeNotification({ gateway, body, headers: {}, sourceAddress: '127.0.0.1' })).id;

  return {
    ...clients,
    gateways,
    clock,
    db,
    publishEvent: events.publishEvent,
    proofs,
    order,
    notify,
    factOf,
    async buy(actorId, item, more) {
      const made = await order(actorId, item, more);
      await notify(made.gateway as 'payfast', MemoryGateway.body([factOf('paid', made)]));
      return await eventually(async () => {
        const found = await billing.getOrder({ actorId, orderId: made.id });
        return found.state === 'paid' ? found : undefined;
      });
    },
    planOf: async (userId) => (await entitlements.getEntitlements({ userId })).plan,
    block: (blockerId, blockedId) => void blocks.add(`${blockerId} ${blockedId}`),
    async stop() {
      // The books must balance after every test.
      const faults = await checkLedger(db);
      await stack.stop();
      if (faults.length > 0) throw new Error(`The ledger is wrong: ${JSON.stringify(faults.slice(0, 5))}`);
    },
  };
}
