import { ConfigError, loadConfig } from '@nolo/kit/config';
import { configSchema, drainMsOf, workerCountOf } from './config.ts';

const given = {
  NATS_URL: 'nats://127.0.0.1:4222',
  RPC_LISTEN: '127.0.0.1:0',
  RPC_SECRET: 'a-secret-of-this-test-alone',
};
const load = (more: Record<string, string> = {}) => loadConfig(configSchema, { ...given, ...more });

function complaintsOf(more: Record<string, string>): string {
  try {
    load(more);
  } catch (error) {
    if (error instanceof ConfigError) return error.sentences.join(' ');
    throw error;
  }
  return '';
}

test('few settings are required', () => {
  const config = load();
  expect(config).toMatchObject({ MEDIA_LISTEN_IP: ['127.0.0.1'], MEDIA_PORT: 44_400, MEDIA_WORKER_BUILT: false });
  expect(config.MEDIA_PIPE_PORTS).toEqual({ min: 42_000, max: 43_999 });
  expect(workerCountOf(config)).toBeGreaterThan(0);
  expect(workerCountOf(load({ MEDIA_WORKERS: '3' }))).toBe(3);
});

test('production rejects a locally built worker unless it is allowed', () => {
  const built = { NOLO_MODE: 'production', MEDIA_WORKER_BUILT: '1' };
  expect(complaintsOf(built)).toContain('MEDIA_WORKER_BUILT is not allowed in production');
  expect(complaintsOf({ ...built, MEDIA_ALLOW_BUILT_WORKER: 'true' })).toBe('');
  expect(complaintsOf({ ...built, NOLO_MODE: 'demo' })).toBe('');
});

test('the announced address cannot be a wildcard', () => {
  expect(complaintsOf({ MEDIA_LISTEN_IP: '0.0.0.0' })).toContain('MEDIA_LISTEN_IP cannot be a wildcard address');
  expect(complaintsOf({ MEDIA_LISTEN_IP: '::', MEDIA_ANNOUNCED_ADDRESS: 'media.example.org' })).toBe('');
});

test('several listen addresses announce themselves', () => {
  const several = { MEDIA_LISTEN_IP: '127.0.0.1, fd00::2' };
  expect(load(several).MEDIA_LISTEN_IP).toEqual(['127.0.0.1', 'fd00::2']);
  expect(complaintsOf({ ...several, MEDIA_ANNOUNCED_ADDRESS: 'media.example.org' })).toContain(
    'MEDIA_ANNOUNCED_ADDRESS cannot be set if MEDIA_LISTEN_IP contains several addresses',
  );
});

test.each([
  ['MEDIA_LISTEN_IP', 'localhost'],
  ['MEDIA_LISTEN_IP', '127.0.0.1,'],
  ['MEDIA_LISTEN_IP', '127.0.0.1,127.0.0.1'],
  ['MEDIA_PIPE_PORTS', '5000-4000'],
  ['MEDIA_PIPE_PORTS', '5000'],
  ['MEDIASOUP_WORKER_BIN', 'worker'],
  ['RPC_ADDRESS', 'sfu-1'],
  ['MEDIA_PORT', '70000'],
])('%s is not %s', (name, value) => {
  expect(complaintsOf({ [name]: value })).toContain(name);
});

test('a demo stops quickly, and production gives participants time to move', () => {
  expect(drainMsOf(load({ NOLO_MODE: 'demo' }))).toBe(1000);
  expect(drainMsOf(load({ NOLO_MODE: 'production' }))).toBe(60_000);
  expect(drainMsOf(load({ MEDIA_DRAIN_SECONDS: '0' }))).toBe(0);
});
