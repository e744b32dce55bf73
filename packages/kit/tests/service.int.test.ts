import { commonConfig, eventLogConfig, loadConfig } from '@nolo/kit/config';
import { createLog } from '@nolo/kit/log';
import { createClient, bindRpcService } from '@nolo/kit/rpc';
import { createService, type ServiceContext } from '@nolo/kit/service';
import { EventLogServiceDefinition } from '@nolo/proto/events';
import { createTestEnvironment, type TestEnvironment } from '@nolo/testing';
import { z } from 'zod';

const log = createLog({ service: 'test', level: 'silent' });
const secret = 'the-secret-of-these-tests';
let environment: TestEnvironment<'identity'>;

beforeAll(async () => {
  environment = await createTestEnvironment(['identity']);
});
afterAll(() => environment.drop());

const whole = z.object({ ...commonConfig, ...eventLogConfig });
const { DATABASE_URL: _database, DATABASE_POOL_MAX: _pool, REDIS_URL: _redis, ...withoutStores } = commonConfig;

function configOf<Schema extends z.ZodType>(schema: Schema) {
  return loadConfig(schema, {
    ...environment.variablesFor('identity'),
    RPC_LISTEN: '127.0.0.1:0',
    RPC_SECRET: secret,
    METRICS_LISTEN: '127.0.0.1:0',
  });
}

/** Builds a service that answers calls, in a context with an event log. */
const answering = (context: ServiceContext<z.output<typeof whole>>) => ({
  services: [bindRpcService(EventLogServiceDefinition, context.relayOutbox(() => Promise.resolve()).eventHandlers)],
});

test('calls are accepted while stop handlers run, and nothing is open afterwards', async () => {
  const answers: unknown[] = [];
  const app = createService('identity', { config: configOf(whole), log }, (context) => ({
    ...answering(context),
    opened({ rpc }) {
      const client = createClient(EventLogServiceDefinition, `127.0.0.1:${String(rpc)}`, { secret });
      context.onStop('a last word', async () => {
        answers.push(await client.readEvents({ after: 0, subjects: ['event.identity.user_deleted'], limit: 1 }));
        client.close();
      });
    },
  }));
  const { metrics } = await app.start();
  await Promise.all([app.stop(), app.stop()]);
  expect(answers).toEqual([expect.objectContaining({ events: [] })]);
  await expect(fetch(`http://127.0.0.1:${metrics}/livez`)).rejects.toThrow('fetch failed');
});

test('readiness checks every store in the configuration, and what the service adds', async () => {
  const readiness = async (app: ReturnType<typeof createService>) => {
    const { metrics } = await app.start();
    try {
      const response = await fetch(`http://127.0.0.1:${metrics}/readyz`);
      const { checks } = (await response.json()) as { checks: Record<string, { ok: boolean }> };
      return [response.status, Object.fromEntries(Object.entries(checks).map(([name, { ok }]) => [name, ok]))];
    } finally {
      await app.stop();
    }
  };
  expect(await readiness(createService('identity', { config: configOf(whole), log }, answering))).toEqual([
    200,
    { postgres: true, redis: true, nats: true },
  ]);
  const bare = { config: configOf(z.object(withoutStores)), log };
  const checks = { workers: () => ({ ok: false }) };
  expect(await readiness(createService('media-sfu', bare, () => ({ checks })))).toEqual([
    503,
    { nats: true, workers: false },
  ]);
});

test('a failed start releases what it had opened', async () => {
  const stopped: string[] = [];
  const app = createService('identity', { config: configOf(whole), log }, ({ onStop }) => {
    onStop('workers', () => void stopped.push('workers'));
    throw new Error('no worker');
  });
  await expect(app.start()).rejects.toThrow('no worker');
  expect(stopped).toEqual(['workers']);
});

test('using a store that the configuration lacks names its variable', async () => {
  const { EVENTS_KEPT_DAYS } = configOf(whole);
  const bare = { config: { ...configOf(z.object(withoutStores)), EVENTS_KEPT_DAYS }, log };
  const serviceWithoutDatabase = createService('media-sfu', bare, (context) => {
    context.relayOutbox(() => Promise.resolve());
    return {};
  });
  await expect(serviceWithoutDatabase.start()).rejects.toThrow('DATABASE_URL');
});
