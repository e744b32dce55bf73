import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './paths.ts';
import { requireContainerEngine, getStoreImages } from './sharedBackingServices.ts';
import { wantsContainers } from './testBackends.ts';

test.each([
  [undefined, false],
  ['', false],
  ['private', false],
  ['containers', true],
])('reads the setting TEST_BACKENDS=%s', (value, wanted) => {
  expect(wantsContainers({ TEST_BACKENDS: value })).toBe(wanted);
});

test('any other value of TEST_BACKENDS is rejected', () => {
  expect(() => wantsContainers({ TEST_BACKENDS: 'podman' })).toThrow(
    'TEST_BACKENDS is "podman", but must be "containers"',
  );
});

test('a missing container engine is explained in one sentence', async () => {
  await expect(requireContainerEngine(() => Promise.reject(new Error('no socket.')))).rejects.toThrow(
    'TEST_BACKENDS=containers needs a container engine, but none answers here (no socket). Start Docker or Podman, or unset TEST_BACKENDS.',
  );
});

test('the images match the compose file and use the same variables', () => {
  const compose = readFileSync(join(projectRoot, 'deploy/compose.yaml'), 'utf8');
  const { postgres, redis, nats } = getStoreImages({});
  expect(compose).toContain(`\${POSTGRES_IMAGE:-${postgres}}`);
  expect(compose).toContain(`\${REDIS_IMAGE:-${redis}}`);
  expect(compose).toContain(`\${NATS_IMAGE:-${nats}}`);
  expect(getStoreImages({ REDIS_IMAGE: 'valkey/valkey:8' }).redis).toBe('valkey/valkey:8');
});
