import { ConfigError } from '@nolo/kit/config';
import { adminConfigSchema, readConfig } from './config.ts';

/** Addresses of the services that the gateway calls. */
const addresses = Object.fromEntries(
  Object.keys(adminConfigSchema.shape).flatMap((name) => (name.endsWith('_ADDR') ? [[name, '127.0.0.1:1']] : [])),
);

const production = {
  REDIS_URL: 'redis://127.0.0.1:6379',
  NATS_URL: 'nats://127.0.0.1:4222',
  RPC_SECRET: 'a secret between the services',
  COOKIE_SECRET: 'a secret for what browsers carry about',
  ...addresses,
  PUBLIC_URL: 'https://nolo.example/',
};

const complaints = (env: Record<string, string>): readonly string[] => {
  try {
    readConfig({ ...production, ...env });
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.sentences;
    throw error;
  }
};

it('defaults to production, without a demo code', () => {
  expect(readConfig(production)).toMatchObject({
    demo: false,
    demoCode: undefined,
    PUBLIC_URL: 'https://nolo.example',
    PORT: 8080,
  });
});

it('has a demo code in demo mode', () => {
  const demo = { ...production, NOLO_MODE: 'demo', PUBLIC_URL: 'http://localhost:8080' };
  expect(readConfig(demo).demoCode).toBe('424242');
  expect(readConfig({ ...demo, NOLO_DEMO_CODE: '111111' }).demoCode).toBe('111111');
});

it.each([
  ['NOLO_DEMO_CODE', { NOLO_DEMO_CODE: '424242' }],
  ['OUTBOX_PAGE_URL', { OUTBOX_PAGE_URL: 'http://localhost:1/outbox' }],
  ['OIDC_ISSUER', { OIDC_ISSUER: 'http://localhost:1/oidc', OIDC_CLIENT_ID: 'nolo' }],
  ['OIDC_CLIENT_ID', { OIDC_ISSUER: 'https://accounts.example' }],
  ['PUBLIC_URL', { PUBLIC_URL: '' }],
  ['PUBLIC_URL', { PUBLIC_URL: 'https://nolo.example/path' }],
  ['COOKIE_SECRET', { COOKIE_SECRET: 'short' }],
  ['PORT', { PORT: '70000' }],
  ['TRUST_PROXY', { TRUST_PROXY: 'yes' }],
])('production rejects a wrong %s in one sentence', (name, env) => {
  const sentences = complaints(env as unknown as Record<string, string>);
  expect(sentences).toHaveLength(1);
  expect(sentences[0]).toContain(name);
});

it.each(['https://nolo.example', 'http://203.0.113.7', 'https://[2001:db8::1]'])(
  'rejects a demo at %s, which is publicly reachable',
  (PUBLIC_URL) => {
    expect(complaints({ NOLO_MODE: 'demo', PUBLIC_URL })).toEqual([
      expect.stringMatching(/^PUBLIC_URL must be a local or private address in demo mode.*NOLO_MODE=production\.$/),
    ]);
  },
);

it.each(['http://localhost:8080', 'https://192.168.1.4:8443', 'https://nolo.local', 'http://[fd00::1]'])(
  'allows a demo at %s',
  (PUBLIC_URL) => expect(complaints({ NOLO_MODE: 'demo', PUBLIC_URL })).toEqual([]),
);

it('demo mode allows http for a provider on the same machine only', () => {
  const env = { NOLO_MODE: 'demo', PUBLIC_URL: 'http://localhost:8080', OIDC_CLIENT_ID: 'nolo' };
  expect(complaints({ ...env, OIDC_ISSUER: 'http://localhost:1/oidc' })).toEqual([]);
  expect(complaints({ ...env, OIDC_ISSUER: 'http://accounts.example' })).toHaveLength(1);
});
