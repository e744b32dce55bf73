import type { BackingServices } from './backingServices.ts';
import { CommandError } from './commandError.ts';

/** Parts of the stores that the tests of a run share. */
export type SharedBackingServices = Pick<BackingServices, 'databaseUrl' | 'redisUrl' | 'natsUrl' | 'stop'>;

export interface StoreImages {
  postgres: string;
  redis: string;
  nats: string;
}

/** Returns the images of deploy/compose.yaml, with its variables for overriding them. */
export function getStoreImages(env: NodeJS.ProcessEnv): StoreImages {
  return {
    postgres: env['POSTGRES_IMAGE'] || 'postgres:18',
    redis: env['REDIS_IMAGE'] || 'redis:7',
    nats: env['NATS_IMAGE'] || 'nats:2-alpine',
  };
}

/** Checks that the container engine is available; throws a CommandError if not. */
export async function requireContainerEngine(callEngine: () => Promise<unknown>): Promise<void> {
  try {
    await callEngine();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandError(
      `TEST_BACKENDS=containers needs a container engine, but none answers here (${reason.replace(/\.$/, '')}). Start Docker or Podman, or unset TEST_BACKENDS.`,
    );
  }
}
