import { audiences, type Audience } from './whoMay.ts';

/** What a person may choose, and what others may see (spec section 3). */
export const presenceStatuses = ['online', 'away', 'busy', 'offline'] as const;
export type PresenceStatus = (typeof presenceStatuses)[number];

export const presenceVisibilities = audiences;
export type PresenceVisibility = Audience;

/**
 * What others see: the choice of a connected person, and offline for everyone else.
 * `offline` chosen while connected is how a person hides.
 */
export function visiblePresence(chosen: PresenceStatus, connected: boolean, mayBeSeen: boolean): PresenceStatus {
  return connected && mayBeSeen ? chosen : 'offline';
}
