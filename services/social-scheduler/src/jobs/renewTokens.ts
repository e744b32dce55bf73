import type { ConnectionStore, StoredConnection } from '../domain/ports.ts';
import { PlatformError } from '../domain/PlatformError.ts';
import type { Platforms } from '../platforms/createPlatforms.ts';
import type { Platform } from '../domain/platform.ts';

/** Less than a transaction may wait, in which it is done. */
const renewingMs = 8_000;

/**
 * New tokens, asked for once whoever needs them. What a platform answers is not given up because a worker stops, for a refresh
 * token is good for one use.
 *
 * @throws PlatformError where there is no way to renew, or the platform refuses
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

/** Of those that can be renewed only while they hold, as at Instagram and Threads, where they last 60 days. */
const aheadMs = 7 * 86_400_000;

/** Renews what would otherwise end although nothing was posted for a while; answers how many. */
export async function renewEnding(
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
