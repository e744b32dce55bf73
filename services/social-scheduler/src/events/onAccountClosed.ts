import { isAppError } from '@nolo/kit/errors';
import type { ServiceEvent } from '@nolo/kit/events';
import { parseId, type UserId } from '@nolo/kit/ids';
import { z } from 'zod';
import type { PostStore } from '../domain/posts.ts';

/** Event for an account that was closed or reopened. */
export const accountClosedSubject = 'event.identity.account_closed';

const event = z.object({ userId: z.string(), closed: z.boolean() });

/** Cancels pending posts of a person who is leaving. Reopening the account does not restore them. */
export function onAccountClosed({ posts }: { posts: Pick<PostStore, 'cancel' | 'waitingOf'> }) {
  return async ({ data }: ServiceEvent): Promise<void> => {
    const { userId, closed } = event.parse(data);
    const owner = parseId<UserId>(userId);
    if (!owner) throw new Error('The event has no user id.');
    if (!closed) return;
    for (const id of await posts.waitingOf(owner)) {
      // Posts that have already begun are published.
      await posts.cancel(owner, id).catch((error: unknown) => {
        if (!isAppError(error) || error.code !== 'post_begun') throw error;
      });
    }
  };
}
