import { startBacking, type BackingOptions } from './backing.ts';
import { silentProgress } from './progress.ts';
import { Refusal } from './refusal.ts';
import type { SharedBacking } from './sharedBacking.ts';
import { makeDatabaseTemplate } from './testTemplate.ts';

/** Whether TEST_BACKENDS asks for containers; throws a Refusal where it asks for something else. */
export function wantsContainers(env: NodeJS.ProcessEnv): boolean {
  const wanted = env['TEST_BACKENDS'] ?? '';
  if (wanted === '' || wanted === 'private') return false;
  if (wanted === 'containers') return true;
  throw new Refusal(
    `TEST_BACKENDS is "${wanted}"; it takes "containers", or "private" for servers that this run starts by itself.`,
  );
}

export interface RunBacking extends SharedBacking {
  /** A database with the schemas of all services, for tests to copy. */
  databaseTemplate: string;
}

/** The stores of a test run: private servers, or containers where TEST_BACKENDS asks for them. */
export async function startTestBacking(options: BackingOptions, env: NodeJS.ProcessEnv): Promise<RunBacking> {
  const stores = await startStores(options, env);
  try {
    const databaseTemplate = await (options.progress ?? silentProgress).step(
      'Schemas',
      async () => await makeDatabaseTemplate(stores.databaseUrl),
      () => 'made once, for every test to copy',
    );
    return { ...stores, databaseTemplate };
  } catch (error) {
    await stores.stop();
    throw error;
  }
}

async function startStores(options: BackingOptions, env: NodeJS.ProcessEnv): Promise<SharedBacking> {
  // Nobody waits for a disk that is thrown away; tests of what survives bring up stores of their own.
  if (!wantsContainers(env)) return await startBacking({ ...options, fsync: false });
  // Loaded only now: without it the run has no use for the library, nor for what it brings.
  const { startContainerBacking } = await import('../tests/support/containerBacking.ts');
  return await startContainerBacking(options.progress ?? silentProgress);
}
