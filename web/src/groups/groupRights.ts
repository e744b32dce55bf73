import type { MemberRole } from '@nolo/rules';

/** Owner and admins decide about who comes in and what is allowed (decision 16). */
export function decides(role: MemberRole): boolean {
  return role !== 'member';
}

export interface MemberRights {
  makeAdmin: boolean;
  unmakeAdmin: boolean;
  handOver: boolean;
  remove: boolean;
}

const nothing: MemberRights = { makeAdmin: false, unmakeAdmin: false, handOver: false, remove: false };

/** What one may do about another member: the owner anything, admins only remove those who are neither. */
export function rightsOver(own: MemberRole, other: MemberRole, isSelf: boolean): MemberRights {
  if (isSelf || other === 'owner' || own === 'member') return nothing;
  if (own === 'admin') return { ...nothing, remove: other === 'member' };
  return { makeAdmin: other === 'member', unmakeAdmin: other === 'admin', handOver: true, remove: true };
}

/** Who may add people: in a public group everybody. */
export function mayAdd(own: MemberRole, isPublic: boolean): boolean {
  return isPublic || decides(own);
}
