import type { Reaction } from '@nolo/api';
import { fullEmoji } from '@nolo/rules';
import type { OptimisticUpdate } from '@nolo/client/chat/state';

/** Emoji under a message, with all people who chose it. */
export interface ReactionGroup {
  readonly emoji: string;
  readonly userIds: readonly string[];
  readonly own: boolean;
}

/** Returns the reactions with the user's latest choice as an optimistic update. */
export function applyOptimisticReaction(
  reactions: readonly Reaction[],
  update: OptimisticUpdate | undefined,
  selfId: string,
): readonly Reaction[] {
  if (update?.reaction === undefined) return reactions;
  const others = reactions.filter(({ userId }) => userId !== selfId);
  if (update.reaction === null) return others;
  const emoji = update.reaction;
  // A changed reaction keeps its position.
  const known = reactions.some(({ userId }) => userId === selfId);
  if (!known) return [...others, { userId: selfId, emoji }];
  return reactions.map((reaction) => (reaction.userId === selfId ? { userId: selfId, emoji } : reaction));
}

/** Groups reactions by emoji, most frequent first. Ties keep the order of arrival. */
export function groupReactions(reactions: readonly Reaction[], selfId: string): readonly ReactionGroup[] {
  const groups = new Map<string, string[]>();
  for (const { emoji: kept, userId } of reactions) {
    const emoji = fullEmoji(kept);
    const known = groups.get(emoji);
    if (known) known.push(userId);
    else groups.set(emoji, [userId]);
  }
  return [...groups]
    .map(([emoji, userIds]) => ({ emoji, userIds, own: userIds.includes(selfId) }))
    .toSorted((a, b) => b.userIds.length - a.userIds.length);
}
