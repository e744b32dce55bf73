import type { Reaction } from '@nolo/api';
import { fullEmoji } from '@nolo/rules';
import type { Wish } from '../engine/marks.ts';

/** One emoji under a message, with everybody who chose it. */
export interface ReactionGroup {
  readonly emoji: string;
  readonly userIds: readonly string[];
  readonly own: boolean;
}

/** The reactions as they stand, one's own as one wished it last. */
export function wishedReactions(
  reactions: readonly Reaction[],
  wish: Wish | undefined,
  selfId: string,
): readonly Reaction[] {
  if (wish?.reaction === undefined) return reactions;
  const others = reactions.filter(({ userId }) => userId !== selfId);
  if (wish.reaction === null) return others;
  const emoji = wish.reaction;
  // Changing one's mind leaves it where it stood.
  const known = reactions.some(({ userId }) => userId === selfId);
  if (!known) return [...others, { userId: selfId, emoji }];
  return reactions.map((reaction) => (reaction.userId === selfId ? { userId: selfId, emoji } : reaction));
}

/** The most frequent first, and among equals the one that came first. */
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
