import type { MemberRole } from '@nolo/rules';

/** Returns true for the owner and admins, who decide on admission and rights (decision 16). */
export const isAdminOrOwner = (role: MemberRole): boolean => role !== 'member';

export interface RightsOverMember {
  makeAdmin: boolean;
  unmakeAdmin: boolean;
  handOver: boolean;
  remove: boolean;
}

const nothing: RightsOverMember = { makeAdmin: false, unmakeAdmin: false, handOver: false, remove: false };

/** Returns the user's rights over another member: the owner has all, and admins may only remove ordinary members. */
export function computeRightsOverMember(own: MemberRole, other: MemberRole, isSelf: boolean): RightsOverMember {
  if (isSelf || other === 'owner' || own === 'member') return nothing;
  if (own === 'admin') return { ...nothing, remove: other === 'member' };
  return { makeAdmin: other === 'member', unmakeAdmin: other === 'admin', handOver: true, remove: true };
}

/** Returns true if the user may add people. In a public group, everyone may. */
export const mayAddMembers = (own: MemberRole, isPublic: boolean): boolean => isPublic || isAdminOrOwner(own);
