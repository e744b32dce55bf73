import type { ConnectionStore, StoredConnection } from '../domain/ports.ts';
import { PlatformError } from '../domain/PlatformError.ts';
import type { Platforms } from '../platforms/createPlatforms.ts';
import type { Platform } from '../domain/platform.ts';

/** Stays below the lock timeout of the surrounding transaction. */
const renewingMs = 8_000;

/**
 * Renews tokens once for all callers. Stopping the worker does not abort the request, because a refresh token works
 * only once.
 *
 * @throws PlatformError if renewal is unsupported or refused
 */
export async function renewTokens(
  connections: ConnectionStore,
  { refresh }: Platform,
  connection: StoredConnection,
): Promise<StoredConnection> {
  if (!refresh) throw new PlatformError('authentication_expired');
  const renewed = await connections.renew(connection, (now) => refresh(now, AbortSignal.timeout(renewingMs)));
  if (!renewed) throw new PlatformError('authentication_expired');
  return renewed;
}

/**
 * Renewal lead time for tokens that can be renewed only while valid, as on Instagram and Threads, where they last 60
 * days.
 */
const aheadMs = 7 * 86_400_000;

/** Renews tokens that would otherwise expire because nothing was posted for a while. Returns their number. */
export async function renewExpiringTokens(
  { connections, platforms }: { connections: ConnectionStore; platforms: Platforms },
  now: Date,
): Promise<number> {
  let renewed = 0;
  for (const connection of await connections.ending(new Date(now.getTime() + aheadMs))) {
    const platform = platforms.get(connection.platform);
    if (!platform?.refresh || connection.tokens.refresh) continue;
    try {
      await renewTokens(connections, platform, connection);
      renewed += 1;
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error;
      if (error.next === 'reconnect') await connections.expire(connection.id);
    }
  }
  return renewed;
}
