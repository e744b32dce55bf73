import type { ServiceEvent } from '@nolo/kit/events';
import { parseId, type UserId } from '@nolo/kit/ids';
import type { Log } from '@nolo/kit/log';
import { z } from 'zod';
import type { ConnectionStore } from '../domain/ports.ts';
import type { Platforms } from '../platforms/createPlatforms.ts';
import { revokeConnections } from '../rpc/connections.ts';

/** Event for a deleted account. */
export const userDeletedSubject = 'event.identity.user_deleted';

const event = z.object({ userId: z.string() });

/** Deletes the person's posts and connections and ends our access on the platforms. Idempotent. */
export function onUserDeleted({
  connections,
  platforms,
  log,
}: {
  connections: ConnectionStore;
  platforms: Platforms;
  log: Log;
}) {
  return async ({ data }: ServiceEvent): Promise<void> => {
    const userId = parseId<UserId>(event.parse(data).userId);
    if (!userId) throw new Error('The event has no user id.');
    const left = await revokeConnections(platforms, await connections.forget(userId));
    if (left > 0) log.warn({ left }, 'revoking connections of a deleted account failed');
  };
}
