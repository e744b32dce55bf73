import type { ServerEventData, User } from '@nolo/api';

/** By person, as told live. */
export type LivePresence = Readonly<
  Record<string, Pick<User, 'presenceStatus' | 'statusMessage' | 'lastSeenAt'> & { readonly version: number }>
>;

/** What a frame says of somebody's presence, unless a newer one came before it. */
export function withPresence(
  { presence }: { readonly presence: LivePresence },
  { userId, ...shown }: ServerEventData<'presence'>,
): { presence: LivePresence } {
  const known = presence[userId];
  if (known && shown.version < known.version) return { presence };
  return { presence: { ...presence, [userId]: shown } };
}

/** What was told since `before`: rows that were asked for then are newer than everything else. */
export function presenceSince(before: LivePresence, now: LivePresence): LivePresence {
  return Object.fromEntries(Object.entries(now).filter(([userId, shown]) => before[userId] !== shown));
}
