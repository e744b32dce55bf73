import { ConfigError, loadConfig } from '@nolo/kit/config';
import { configSchema, getDemoCode } from './config.ts';

const common = {
  DATABASE_URL: 'postgres://nolo_identity:password@127.0.0.1/nolo',
  REDIS_URL: 'redis://127.0.0.1',
  NATS_URL: 'nats://127.0.0.1',
  RPC_LISTEN: '127.0.0.1:0',
  RPC_SECRET: 'a secret of its own length',
  CODE_PEPPER: 'a pepper of its own length',
  CHAT_ADDR: '127.0.0.1:7000',
  FACTOR_KEYS: `first:${Buffer.alloc(32).toString('base64')}`,
};
const twilio = {
  SMS_PROVIDER: 'twilio',
  TWILIO_ACCOUNT_SID: 'AC00000000000000000000000000000000',
  TWILIO_AUTH_TOKEN: '00000000000000000000000000000000',
  TWILIO_FROM: '+15005550006',
};

function sentences(env: Record<string, string>): readonly string[] {
  try {
    loadConfig(configSchema, env);
  } catch (error) {
    if (error instanceof ConfigError) return error.sentences;
    throw error;
  }
  return [];
}

test('rejects a publicly reachable demo', () => {
  const demo = { ...common, NOLO_MODE: 'demo', SMS_PROVIDER: 'outbox', OUTBOX_URL: 'http://127.0.0.1:8090' };
  expect(sentences({ ...demo, PUBLIC_URL: 'https://nolo.example' })).toEqual([
    expect.stringContaining('PUBLIC_URL must be a local or private address in demo mode'),
  ]);
  expect(sentences({ ...demo, PUBLIC_URL: 'http://localhost:8080' })).toEqual([]);
});

describe('production', () => {
  test('starts with a real SMS provider', () => {
    expect(sentences({ ...common, ...twilio })).toEqual([]);
    expect(getDemoCode(loadConfig(configSchema, { ...common, ...twilio }))).toBeUndefined();
  });

  test.each([
    [{}, 'SMS_PROVIDER is missing; set it in the environment.'],
    [{ SMS_PROVIDER: 'outbox', OUTBOX_URL: 'http://127.0.0.1:8090' }, 'SMS_PROVIDER must be twilio in production.'],
    [{ ...twilio, NOLO_DEMO_CODE: '424242' }, 'NOLO_DEMO_CODE must not be set in production.'],
    [{ ...twilio, CODE_PEPPER: 'short' }, 'CODE_PEPPER must have at least 16 characters.'],
    [{ ...twilio, CODE_PEPPER: 'change-me-change-me' }, 'CODE_PEPPER still has the example value; choose your own.'],
    [{ ...twilio, TWILIO_FROM: '' }, 'TWILIO_FROM is missing; set it in the environment.'],
    [{ ...twilio, TWILIO_API_URL: 'nowhere' }, 'TWILIO_API_URL must be an address beginning with http:// or https://.'],
  ])('is rejected with %j', (env, sentence) => {
    expect(sentences({ ...common, ...env })).toContain(sentence);
  });
});

test('demo mode has a code, and requires the outbox URL', () => {
  const demo = { ...common, NOLO_MODE: 'demo' };
  expect(sentences(demo)).toEqual(['OUTBOX_URL is missing; set it in the environment.']);
  const env = { ...demo, OUTBOX_URL: 'http://127.0.0.1:8090' };
  expect(getDemoCode(loadConfig(configSchema, env))).toBe('424242');
  expect(getDemoCode(loadConfig(configSchema, { ...env, NOLO_DEMO_CODE: '123456' }))).toBe('123456');
  expect(sentences({ ...env, NOLO_DEMO_CODE: 'abc' })).toEqual(['NOLO_DEMO_CODE must be six digits.']);
});
