import { isAppError } from '@nolo/kit/errors';
import type { ServiceEvent } from '@nolo/kit/events';
import { parseId, type UserId } from '@nolo/kit/ids';
import { z } from 'zod';
import type { PostStore } from '../domain/posts.ts';

/** Tells that an account was closed to be deleted, or was opened again. */
export const accountClosed = 'event.identity.account_closed';

const event = z.object({ userId: z.string(), closed: z.boolean() });

/** Takes back what would still be published for somebody who is leaving. Opening the account again brings none of it back. */
export function onAccountClosed({ posts }: { posts: Pick<PostStore, 'cancel' | 'waitingOf'> }) {
  return async ({ data }: ServiceEvent): Promise<void> => {
    const { userId, closed } = event.parse(data);
    const owner = parseId<UserId>(userId);
    if (!owner) throw new Error('The event names no user.');
    if (!closed) return;
    for (const id of await posts.waitingOf(owner)) {
      // What has begun by now goes out.
      await posts.cancel(owner, id).catch((error: unknown) => {
        if (!isAppError(error) || error.code !== 'post_begun') throw error;
      });
    }
  };
}
