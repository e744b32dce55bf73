import * as z from 'zod/mini';

const time = z.iso.datetime();

/** A member's own settings for a conversation, visible to nobody else. */
export const conversationSettings = z.object({
  archivedAt: z.nullable(time),
  pinnedAt: z.nullable(time),
  /** End of the mute; a time in the far future mutes forever. */
  mutedUntil: z.nullable(time),
  /** True if mentions and replies still notify while the conversation is muted. */
  mutedExceptMentions: z.boolean(),
  markedUnread: z.boolean(),
  /** Messages up to this `seq` are invisible to the member: sent before they joined, or cleared by them. */
  clearedSeq: z.int(),
  /** Time at which the member removed it from the list. It reappears with the first message after `clearedSeq`. */
  hiddenAt: z.nullable(time),
  /**
   * Time since which the other person, a stranger, waits for acceptance. Until then, what they wrote is a message
   * request: none of its content is loaded, and they receive no information. Null if there is nothing to accept, or
   * after acceptance.
   */
  requestedAt: z.nullable(time),
});
export type ConversationSettings = z.infer<typeof conversationSettings>;
