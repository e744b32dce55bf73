import type { Conversation } from '@nolo/api';

/**
 * Returns the chat that is `step` places after the open one in the list, or the next unread one in that direction; from
 * outside the list, its first or last. Undefined if there is no such chat.
 */
export function findNeighbourChat(
  listed: readonly Conversation[],
  openId: string | undefined,
  { step, unread }: { step: 1 | -1; unread: boolean },
): Conversation | undefined {
  const at = listed.findIndex(({ id }) => id === openId);
  const from = at < 0 && step < 0 ? listed.length : at;
  const rest = step > 0 ? listed.slice(from + 1) : listed.slice(0, from).toReversed();
  return unread ? rest.find(({ unreadCount, markedUnread }) => unreadCount > 0 || markedUnread) : rest[0];
}
