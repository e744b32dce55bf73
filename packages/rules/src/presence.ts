/** Statuses that a user can choose and others can see (spec section 3). */
export const presenceStatuses = ['online', 'away', 'busy', 'offline'] as const;
export type PresenceStatus = (typeof presenceStatuses)[number];

/**
 * Returns the presence that others see: the choice of a connected user, and offline for everyone else. A connected user
 * hides by choosing `offline`.
 */
export function computeVisiblePresence(chosen: PresenceStatus, connected: boolean, mayBeSeen: boolean): PresenceStatus {
  return connected && mayBeSeen ? chosen : 'offline';
}
