import { loadConfig } from '@nolo/kit/config';
import { configSchema, listPlatformsOutOfReach } from './config.ts';

const outOfReach = (more: Record<string, string>) =>
  listPlatformsOutOfReach(
    loadConfig(configSchema, {
      DATABASE_URL: 'postgres://a:b@127.0.0.1/c',
      REDIS_URL: 'redis://127.0.0.1',
      NATS_URL: 'nats://127.0.0.1',
      RPC_LISTEN: '127.0.0.1:0',
      RPC_SECRET: 'a-secret-of-the-tests',
      IDENTITY_ADDR: '127.0.0.1:1',
      FILES_ADDR: '127.0.0.1:1',
      SOCIAL_TOKEN_KEYS: `first:${Buffer.alloc(32).toString('base64')}`,
      X_CLIENT_ID: 'nolo',
      X_CLIENT_SECRET: 'a-secret-of-x',
      INSTAGRAM_CLIENT_ID: 'nolo',
      INSTAGRAM_CLIENT_SECRET: 'a-secret-of-instagram',
      ...more,
    }),
  );

test('offered platforms that fetch media cannot reach a private address, unless they are private too', () => {
  expect([...outOfReach({ PUBLIC_URL: 'http://localhost:8080' })]).toEqual(['instagram']);
  expect([...outOfReach({ PUBLIC_URL: 'https://nolo.example.org' })]).toEqual([]);
  const simulated = { INSTAGRAM_URL: 'http://localhost:8090/platforms/instagram' };
  expect([...outOfReach({ PUBLIC_URL: 'http://localhost:8080', ...simulated })]).toEqual([]);
});
