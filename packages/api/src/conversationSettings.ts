import * as z from 'zod/mini';

const time = z.iso.datetime();

/** What a member chose for a conversation; nobody else sees it. */
export const conversationSettings = z.object({
  archivedAt: z.nullable(time),
  pinnedAt: z.nullable(time),
  /** Until when it makes no noise; a time far away stands for ever. */
  mutedUntil: z.nullable(time),
  /** Whether what names or answers one is told although it is muted. */
  mutedExceptMentions: z.boolean(),
  markedUnread: z.boolean(),
  /** What was said up to this `seq` is not one's to see: it was said before one came, or one cleared it. */
  clearedSeq: z.int(),
  /** When one took it out of the list, where it is again with the first message after `clearedSeq`. */
  hiddenAt: z.nullable(time),
  /**
   * Since when the other person, a stranger, waits to be accepted: then what they wrote is a request, nothing of it is
   * loaded, and they are told nothing. Null where there is nothing to accept, and where one has.
   */
  requestedAt: z.nullable(time),
});
export type ConversationSettings = z.infer<typeof conversationSettings>;
