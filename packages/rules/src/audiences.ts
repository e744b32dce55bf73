/** Audiences for something of a user's: everyone, their contacts, or nobody. */
export const audiences = ['everyone', 'contacts', 'nobody'] as const;
export type Audience = (typeof audiences)[number];

/**
 * Returns true if a person is in the audience. "Contacts" means people in the user's own list: adding the user as a
 * contact is not enough.
 */
export function isInAudience(audience: Audience, isContact: boolean): boolean {
  return audience === 'everyone' || (audience === 'contacts' && isContact);
}
