import type { ServerEventData, User } from '@nolo/api';

/** Live presence by person. */
export type LivePresence = Readonly<
  Record<string, Pick<User, 'presenceStatus' | 'statusMessage' | 'lastSeenAt'> & { readonly version: number }>
>;

/** Applies a presence frame, unless a newer one arrived first. */
export function withPresence(
  { presence }: { readonly presence: LivePresence },
  { userId, ...shown }: ServerEventData<'presence'>,
): { presence: LivePresence } {
  const known = presence[userId];
  if (known && shown.version < known.version) return { presence };
  return { presence: { ...presence, [userId]: shown } };
}

/** Returns the presence received since `before`. Rows requested at that time are newer than all else. */
export function diffPresence(before: LivePresence, now: LivePresence): LivePresence {
  return Object.fromEntries(Object.entries(now).filter(([userId, shown]) => before[userId] !== shown));
}
