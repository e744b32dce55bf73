import { createHash, randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';

/** In place of an account: whoever asks at a command line beside the services. */
export const commandLineId = '00000000-0000-7000-8000-000000000001';

const passSeconds = 60;
const keyOf = (pass: string) => `command-line:${createHash('sha256').update(pass).digest('hex')}`;

/**
 * For a command that asks services for what operators may do: good for a minute. Whoever can write to the installation's
 * Redis, and knows the secret of its calls besides, holds the installation.
 */
export async function openPass(redis: Redis): Promise<{ actorId: string; sessionId: string }> {
  const pass = randomUUID();
  await redis.set(keyOf(pass), '1', 'EX', passSeconds);
  return { actorId: commandLineId, sessionId: pass };
}

/** Whether it is such a command that asks. */
export async function holdsPass(
  redis: Redis,
  { userId, sessionId }: { userId: string; sessionId: string },
): Promise<boolean> {
  return userId === commandLineId && (await redis.exists(keyOf(sessionId))) === 1;
}
