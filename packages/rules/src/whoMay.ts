/** For whom something of a person's is: what they chose of everybody, their contacts and nobody. */
export const audiences = ['everyone', 'contacts', 'nobody'] as const;
export type Audience = (typeof audiences)[number];

/**
 * Whether somebody is among those. "Contacts" means people in the person's own list: whoever merely added them has chosen
 * for themselves, not for the person.
 */
export function isAmong(audience: Audience, isContact: boolean): boolean {
  return audience === 'everyone' || (audience === 'contacts' && isContact);
}
