import { createHash, randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';

/** Pseudo-account id for commands run on the command line of a service host. */
export const commandLineAccountId = '00000000-0000-7000-8000-000000000001';

const passSeconds = 60;
const keyOf = (pass: string) => `command-line:${createHash('sha256').update(pass).digest('hex')}`;

/**
 * Opens a pass, valid for a minute, with which a command may call services as an operator. Write access to the
 * installation's Redis together with the RPC secret is full control of the installation anyway.
 */
export async function issueCommandLinePass(redis: Redis): Promise<{ actorId: string; sessionId: string }> {
  const pass = randomUUID();
  await redis.set(keyOf(pass), '1', 'EX', passSeconds);
  return { actorId: commandLineAccountId, sessionId: pass };
}

/** Returns true if the caller is such a command. */
export async function isCommandLinePass(
  redis: Redis,
  { userId, sessionId }: { userId: string; sessionId: string },
): Promise<boolean> {
  return userId === commandLineAccountId && (await redis.exists(keyOf(sessionId))) === 1;
}
