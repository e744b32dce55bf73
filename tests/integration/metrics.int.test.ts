import { randomUUID } from 'node:crypto';
import { createLog } from '@nolo/kit/log';
import { closeRedis, connectRedis } from '@nolo/kit/redis';
import {
  converse,
  eventually,
  randomPhone,
  signInByPhone,
  readTestServerAddresses,
  type TestUser,
} from '@nolo/testing';
import { startTestStack, type TestStack } from '../support/stacks/testStack.ts';
import { startCuttableProxy, type CuttableProxy } from '../../packages/kit/tests/cuttableProxy.ts';

interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

const proxies = {} as Record<'postgres' | 'redis' | 'nats', CuttableProxy>;
let stack: TestStack;
let ann: TestUser;
let ben: TestUser;

/** Returns what Prometheus would see of a service. */
async function scrape(service: string): Promise<Sample[]> {
  const answer = await fetch(stack.stack.metricsUrls[service] ?? '');
  expect(answer.status).toBe(200);
  const samples: Sample[] = [];
  for (const line of (await answer.text()).split('\n')) {
    const match = /^([a-zA-Z_:]\w*)(?:\{(.*)\})? (\S+)$/.exec(line);
    if (!match) continue;
    const labels = [...(match[2] ?? '').matchAll(/(\w+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, value]);
    samples.push({
      name: match[1] ?? '',
      labels: Object.fromEntries(labels) as Sample['labels'],
      value: Number(match[3]),
    });
  }
  return samples;
}

const matching = (samples: readonly Sample[], name: string, labels: Record<string, string> = {}) =>
  samples.filter(
    (sample) => sample.name === name && Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
  );

/** Returns the value of the only sample with this name and these labels. */
function valueOf(samples: readonly Sample[], name: string, labels: Record<string, string> = {}): number {
  const [found, ...more] = matching(samples, name, labels);
  if (!found || more.length > 0)
    throw new Error(`${name} ${JSON.stringify(labels)} is there ${more.length + 1} times.`);
  return found.value;
}

beforeAll(async () => {
  const { databaseUrl, redisUrl, natsUrl } = readTestServerAddresses();
  proxies.postgres = await startCuttableProxy(databaseUrl);
  proxies.redis = await startCuttableProxy(redisUrl);
  proxies.nats = await startCuttableProxy(natsUrl);
  const backing = { databaseUrl: proxies.postgres.url, redisUrl: proxies.redis.url, natsUrl: proxies.nats.url };
  stack = await startTestStack({ gateways: 2, backing });
  const [first = '', second = ''] = stack.urls;
  ann = await signInByPhone(first, randomPhone());
  ben = await signInByPhone(second, randomPhone());
});
afterAll(async () => {
  await Promise.all([ann, ben].map((user) => user?.disconnect()));
  await stack?.stop();
  await Promise.all(Object.values(proxies).map((proxy) => proxy.close()));
});

/** Metrics that every service that has them must report, with their minimum after some use. */
const everyone = {
  nolo_build_info: 1,
  nolo_redis_connected: 1,
  nolo_bus_connected: 1,
  nolo_redis_command_seconds_count: 1,
};
const withDatabase = { nolo_db_query_seconds_count: 1, nolo_rpc_server_seconds_count: 1 };
const expected: Record<string, Record<string, number>> = {
  gateway: {
    ...everyone,
    nolo_http_requests_total: 2,
    nolo_http_request_seconds_count: 2,
    nolo_rpc_client_seconds_count: 2,
    nolo_sockets_open: 1,
    nolo_sockets_closed_total: 1,
    nolo_frames_received_total: 1,
    nolo_frames_sent_total: 2,
    nolo_rate_limited_total: 1,
  },
  gateway2: { ...everyone, nolo_deliveries_total: 1, nolo_frames_sent_total: 1 },
  identity: { ...everyone, ...withDatabase, nolo_codes_sent_total: 2, nolo_sign_ins_total: 2 },
  chat: { ...everyone, ...withDatabase, nolo_messages_total: 1, nolo_outbox_dispatched_total: 1 },
  files: { ...everyone, nolo_rpc_server_seconds_count: 1 },
};

/** Metrics that may be zero, or have no sample before something happens, but are described. */
const optionalMetrics: Record<string, string[]> = {
  gateway: ['nolo_socket_resyncs_total', 'nolo_bus_reconnects_total', 'nolo_redis_errors_total'],
  identity: [
    'nolo_outbox_rows',
    'nolo_outbox_oldest_seconds',
    'nolo_db_errors_total',
    'nolo_event_log_waiting_seconds',
  ],
  chat: [
    'nolo_outbox_rows',
    'nolo_outbox_oldest_seconds',
    'nolo_send_queue_waiting',
    'nolo_events_handled_total',
    'nolo_event_lag_seconds',
    'nolo_events_parked_oldest_seconds',
    'nolo_event_log_waiting_seconds',
    'nolo_db_errors_total',
  ],
  files: ['nolo_events_parked', 'nolo_db_pool_connections'],
};

it('reports every promised metric of every service after some use', async () => {
  const [annSocket, benSocket] = [await ann.connectSocket(), await ben.connectSocket()];
  const conversation = await converse(ann, ben);
  const conversationId = conversation.id as string;
  await annSocket.request('join_conversation', { conversationId });
  await ann.api.post('/api/messages', { conversationId, content: 'hello', clientMessageId: randomUUID() });
  await benSocket.next('new_message');
  await ann.api.get(`/objects/${randomUUID()}`);
  await ann.api.get(`/made-up/${randomUUID()}`);
  for (let frame = 0; frame < 60; frame += 1) annSocket.send('ping');
  await annSocket.next('error', (data) => data['code'] === 'rate_limited');
  const brief = await ann.connectSocket();
  await brief.close();

  for (const [service, names] of Object.entries(expected)) {
    await eventually(async () => {
      const samples = await scrape(service);
      for (const [name, least] of Object.entries(names)) {
        const sum = matching(samples, name).reduce((total, { value }) => total + value, 0);
        if (sum < least) throw new Error(`${name} of ${service} is ${String(sum)}.`);
      }
      return true;
    });
  }
  for (const [service, names] of Object.entries(optionalMetrics)) {
    const text = await (await fetch(stack.stack.metricsUrls[service] ?? '')).text();
    for (const name of names) expect(text).toContain(`# TYPE ${name} `);
  }

  const gateway = await scrape('gateway');
  expect(valueOf(gateway, 'nolo_http_requests_total', { route: '/api/messages', method: 'POST', status: '201' })).toBe(
    1,
  );
  expect(valueOf(gateway, 'nolo_frames_received_total', { type: 'join_conversation' })).toBe(1);
  expect(valueOf(gateway, 'nolo_rate_limited_total', { limit: 'socketFrames' })).toBeGreaterThan(0);
  // User input never becomes a label.
  expect(gateway.flatMap(({ labels }) => Object.values(labels)).join(' ')).not.toContain('made-up');
  for (const dependency of ['postgres', 'redis', 'nats', 'identity', 'chat', 'files']) {
    expect(valueOf(gateway, 'nolo_dependency_up', { dependency })).toBe(1);
  }

  const chat = await scrape('chat');
  expect(valueOf(chat, 'nolo_messages_total', { type: 'text' })).toBe(1);
  expect(valueOf(chat, 'nolo_outbox_rows')).toBeLessThan(10);
  expect(valueOf(chat, 'nolo_outbox_oldest_seconds')).toBeLessThan(30);
  expect(valueOf(chat, 'nolo_outbox_parked')).toBe(0);
  expect(valueOf(chat, 'nolo_event_lag_positions', { source: 'identity' })).toBeLessThan(10);
  expect(valueOf(chat, 'nolo_events_parked', { source: 'meetings', state: 'failed' })).toBe(0);
  expect(valueOf(chat, 'nolo_db_pool_connections', { state: 'pending' })).toBe(0);
  expect(valueOf(chat, 'nolo_db_pool_connections', { state: 'free' })).toBeGreaterThan(0);
  for (const dependency of ['postgres', 'redis', 'nats']) {
    expect(valueOf(chat, 'nolo_dependency_up', { dependency })).toBe(1);
  }
});

it('counts events by outcome', async () => {
  const [first = ''] = stack.urls;
  const [one, other] = [await signInByPhone(first, randomPhone()), await signInByPhone(first, randomPhone())];
  expect((await one.api.put(`/api/blocks/${other.id}`)).status).toBe(204);
  await eventually(async () => {
    const samples = await scrape('chat');
    const handled = { source: 'identity', subject: 'event.identity.block_changed', result: 'done' };
    return valueOf(samples, 'nolo_events_handled_total', handled) >= 1;
  });
});

it.each([
  ['redis', 'nolo_redis_connected'],
  ['nats', 'nolo_bus_connected'],
  ['postgres', undefined],
] as const)('sees %s go down and come back', async (dependency, connected) => {
  const demand = async (service: string, value: number) => {
    const samples = await scrape(service);
    expect(valueOf(samples, 'nolo_dependency_up', { dependency })).toBe(value);
    if (connected !== undefined) expect(valueOf(samples, connected)).toBe(value);
  };
  await proxies[dependency].cut();
  for (const service of ['chat', 'identity', 'files']) {
    await eventually(() => demand(service, 0).then(() => true), { intervalMs: 250 });
  }
  if (dependency === 'postgres') {
    // Probes have their own connection, which is not counted.
    await eventually(async () => {
      await ann.api.get('/api/conversations');
      const samples = [...(await scrape('chat')), ...(await scrape('identity'))];
      return matching(samples, 'nolo_db_errors_total').some(({ labels }) => labels['code'] === 'ECONNREFUSED');
    });
  }
  await proxies[dependency].mend();
  for (const service of ['chat', 'identity', 'files']) {
    await eventually(() => demand(service, 1).then(() => true), { intervalMs: 250 });
  }
  if (dependency === 'nats') expect(valueOf(await scrape('chat'), 'nolo_bus_reconnects_total')).toBe(1);
});

it('counts the sockets asked to catch up because Redis lost their leases', async () => {
  const redis = await connectRedis({
    url: readTestServerAddresses().redisUrl,
    log: createLog({ service: 'test', level: 'silent' }),
  });
  const [lease = ''] = await redis.keys(`*lease:${ann.id}`);
  expect(await redis.del(lease)).toBe(1);
  await closeRedis(redis);
  await eventually(
    async () => valueOf(await scrape('gateway'), 'nolo_socket_resyncs_total', { reason: 'missed' }) > 0,
    { intervalMs: 250 },
  );
});
