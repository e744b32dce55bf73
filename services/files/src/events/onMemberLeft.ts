import { z } from 'zod';
import type { CachedFileReferences } from '../chatFileReferences.ts';

/** Published when a person is no longer in a conversation, for any reason. */
export const transientMemberLeftSubject = 'chat.member_left';

const event = z.object({ userId: z.uuid() });

/**
 * Clears a person's cached permissions. Each replica has its own cache, so each subscribes to this as an ordinary
 * message; a missed one matters only until the cache expires.
 */
export function onMemberLeft({ messages }: { messages: Pick<CachedFileReferences, 'forget'> }) {
  return (data: unknown): void => {
    const { data: left } = event.safeParse(data);
    if (left) messages.forget(left.userId);
  };
}
