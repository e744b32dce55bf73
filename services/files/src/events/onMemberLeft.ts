import { z } from 'zod';
import type { RememberedMessages } from '../chatMessages.ts';

/** Tells that somebody is in a conversation no longer, however that came. */
export const memberLeft = 'chat.member_left';

const event = z.object({ userId: z.uuid() });

/**
 * What was remembered of them is forgotten. Every replica remembers for itself, so each listens, as to any message; what
 * one misses is over after the moment for which permissions are remembered.
 */
export function onMemberLeft({ messages }: { messages: Pick<RememberedMessages, 'forget'> }) {
  return (data: unknown): void => {
    const { data: left } = event.safeParse(data);
    if (left) messages.forget(left.userId);
  };
}
