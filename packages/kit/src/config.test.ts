import { inspect } from 'node:util';
import { z } from 'zod';
import { formatHostPort, commonConfig, ConfigError, createFlagSchema, loadConfig, Secret } from './config.ts';

const complete = {
  DATABASE_URL: 'postgres://nolo_chat:pw@127.0.0.1:5432/nolo',
  REDIS_URL: 'redis://127.0.0.1:6379',
  NATS_URL: 'nats://127.0.0.1:4222',
  RPC_LISTEN: '127.0.0.1:9001',
  RPC_SECRET: 'a-secret-of-decent-length',
};

function sentencesFor(env: Record<string, string | undefined>, schema: z.ZodType = z.object(commonConfig)) {
  try {
    loadConfig(schema, env);
  } catch (error) {
    if (error instanceof ConfigError) return error.sentences;
    throw error;
  }
  return [];
}

describe('loadConfig', () => {
  it('reads the environment, fills in defaults and freezes the result', () => {
    const config = loadConfig(z.object({ ...commonConfig, PORT: z.coerce.number().default(8080) }), complete);
    expect(config.NOLO_MODE).toBe('production');
    expect(config.LOG_LEVEL).toBe('info');
    expect(config.RPC_LISTEN).toEqual({ host: '127.0.0.1', port: 9001 });
    expect(config.METRICS_LISTEN).toEqual({ host: '127.0.0.1', port: 0 });
    expect(config.PORT).toBe(8080);
    expect(config.DATABASE_URL.reveal()).toBe(complete.DATABASE_URL);
    expect(Object.isFrozen(config)).toBe(true);
  });

  it('names every missing or invalid variable', () => {
    const sentences = sentencesFor({ ...complete, NATS_URL: undefined, RPC_LISTEN: 'nowhere', LOG_LEVEL: 'loud' });
    expect(sentences).toHaveLength(3);
    expect(sentences).toContain('NATS_URL is missing; set it in the environment.');
    expect(sentences).toContain('RPC_LISTEN must be host:port, for example 127.0.0.1:9000.');
    expect(sentences.find((sentence) => sentence.startsWith('LOG_LEVEL must be "fatal" or '))).toBeDefined();
  });

  it('treats an empty value as unset', () => {
    expect(sentencesFor({ ...complete, REDIS_URL: '' })).toEqual(['REDIS_URL is missing; set it in the environment.']);
    expect(sentencesFor({ ...complete, LOG_LEVEL: '' })).toEqual([]);
  });

  it('never repeats a value, which may be secret', () => {
    const [sentence] = sentencesFor({ ...complete, RPC_SECRET: 'tooshort' });
    expect(sentence).toBe('RPC_SECRET must have at least 16 characters.');
    expect(sentencesFor({ ...complete, DATABASE_URL: 'mysql://u:hunter2@h/db' }).join()).not.toContain('hunter2');
  });

  it('rejects a secret left at its example value', () => {
    expect(sentencesFor({ ...complete, RPC_SECRET: 'change-me-change-me' })).toEqual([
      'RPC_SECRET still has the example value; choose your own.',
    ]);
  });

  it('describes every common variable, for .env.example', () => {
    for (const [name, field] of Object.entries(commonConfig))
      expect([name, field.description]).not.toContain(undefined);
  });

  it.each([
    ['true', true],
    ['ON', true],
    ['0', false],
    ['no', false],
  ])('reads the flag %s', (text, value) => {
    expect(loadConfig(z.object({ X: createFlagSchema() }), { X: text }).X).toBe(value);
  });

  it('rejects an ambiguous flag', () => {
    expect(sentencesFor({ X: 'perhaps' }, z.object({ X: createFlagSchema() }))).toEqual(['X must be true or false.']);
  });
});

describe('listen addresses', () => {
  it.each(['127.0.0.1:80', '[::1]:9000', 'localhost:0'])('%s survives a round trip', (text) => {
    const { RPC_LISTEN } = loadConfig(z.object(commonConfig), { ...complete, RPC_LISTEN: text });
    expect(formatHostPort(RPC_LISTEN)).toBe(text);
  });

  it.each(['80', ':80', 'host:', 'host:65536', '::1:80', 'host:8o'])('%s is refused', (text) => {
    expect(sentencesFor({ ...complete, RPC_LISTEN: text })).toHaveLength(1);
  });
});

describe('Secret', () => {
  it('never appears in anything that may be logged', () => {
    const secret = new Secret('hunter2');
    const shown = [
      String(secret),
      JSON.stringify({ secret }),
      inspect({ secret }, { depth: 9, showHidden: true }),
      secret + '',
    ];
    for (const text of shown) expect(text).not.toContain('hunter2');
    expect(secret.reveal()).toBe('hunter2');
  });
});
