import { ConfigError } from '@nolo/kit/config';
import { readConfig } from './config.ts';

const whole = {
  DATABASE_URL: 'postgres://a:b@127.0.0.1/c',
  REDIS_URL: 'redis://127.0.0.1',
  NATS_URL: 'nats://127.0.0.1',
  RPC_LISTEN: '127.0.0.1:0',
  RPC_SECRET: 'a-secret-of-the-tests',
  IDENTITY_ADDR: '127.0.0.1:1',
  TRANSCRIBE_URL: 'http://127.0.0.1:8000/v1/audio/transcriptions',
};

test('programs receive paths and the locale, but no secrets', () => {
  const config = readConfig({ ...whole, PATH: '/usr/bin', LANG: 'C.UTF-8', TRANSCRIBE_API_KEY: 'sk-secret' });
  expect(config.programEnvironment).toEqual({ PATH: '/usr/bin', LANG: 'C.UTF-8' });
  expect(config).toMatchObject({
    TRANSCRIBE_MODEL: 'whisper-1',
    TRANSCRIBE_CONCURRENCY: 2,
  });
  expect(JSON.stringify(config)).not.toContain('sk-secret');
});

test.each<[Record<string, string>, RegExp]>([
  [{ TRANSCRIBE_URL: '' }, /must name an engine: set one of TRANSCRIBE_URL, TRANSCRIBE_MODEL_DIR, TRANSCRIBE_COMMAND/],
  [{ TRANSCRIBE_MODEL_DIR: '/models' }, /TRANSCRIBE_MODEL_DIR must not be set together with TRANSCRIBE_URL/],
  [{ TRANSCRIBE_URL: '', TRANSCRIBE_COMMAND: 'say "what' }, /TRANSCRIBE_COMMAND must be a program/],
  [{ TRANSCRIBE_URL: '', TRANSCRIBE_MODEL_DIR: 'models' }, /TRANSCRIBE_MODEL_DIR must be an absolute path/],
  [
    { TRANSCRIBE_URL: '', TRANSCRIBE_COMMAND: 'say', TRANSCRIBE_API_KEY: 'x' },
    /TRANSCRIBE_API_KEY must not be set without TRANSCRIBE_URL/,
  ],
  [{ TRANSCRIBE_URL: 'ftp://x' }, /TRANSCRIBE_URL must be an address/],
  [{ TRANSCRIBE_PLAN: 'gold' }, /TRANSCRIBE_PLAN/],
])('%p is refused', (wrong, sentence) => {
  expect(() => readConfig({ ...whole, ...wrong })).toThrow(ConfigError);
  expect(() => readConfig({ ...whole, ...wrong })).toThrow(sentence);
});
