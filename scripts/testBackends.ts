import { startBackingServices, type BackingServicesOptions } from './backingServices.ts';
import { silentProgress } from './progress.ts';
import { CommandError } from './commandError.ts';
import type { SharedBackingServices } from './sharedBackingServices.ts';
import { makeDatabaseTemplate } from './testTemplate.ts';

/** Returns true if TEST_BACKENDS selects containers. Throws a CommandError for an unknown value. */
export function wantsContainers(env: NodeJS.ProcessEnv): boolean {
  const wanted = env['TEST_BACKENDS'] ?? '';
  if (wanted === '' || wanted === 'private') return false;
  if (wanted === 'containers') return true;
  throw new CommandError(
    `TEST_BACKENDS is "${wanted}", but must be "containers", or "private" for servers that this run starts itself.`,
  );
}

export interface TestRunBackingServices extends SharedBackingServices {
  /** Database with the schemas of all services, for tests to copy. */
  databaseTemplate: string;
}

/** Starts the stores of a test run: private servers, or containers if TEST_BACKENDS selects them. */
export async function startTestBackingServices(
  options: BackingServicesOptions,
  env: NodeJS.ProcessEnv,
): Promise<TestRunBackingServices> {
  const stores = await startStores(options, env);
  try {
    const databaseTemplate = await (options.progress ?? silentProgress).step(
      'Schemas',
      async () => await makeDatabaseTemplate(stores.databaseUrl),
      () => 'created once, for every test to copy',
    );
    return { ...stores, databaseTemplate };
  } catch (error) {
    await stores.stop();
    throw error;
  }
}

async function startStores(options: BackingServicesOptions, env: NodeJS.ProcessEnv): Promise<SharedBackingServices> {
  // Flushing to disk is pointless for data that is thrown away. Tests of durability start their own stores.
  if (!wantsContainers(env)) return await startBackingServices({ ...options, fsync: false });
  // Imported on demand: other runs need neither the library nor its dependencies.
  const { startContainerBackingServices } = await import('../tests/support/stacks/containerBackingServices.ts');
  return await startContainerBackingServices(options.progress ?? silentProgress);
}
