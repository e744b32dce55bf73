import {
  equalBytes,
  findMember,
  fromUuid,
  toUuid,
  type Change,
  type CheckedEpoch,
  type Header,
  type Member,
  type Role,
} from '@nolo/e2ee';
import type { UserId } from '@nolo/kit/ids';
import type { MemberRole } from '@nolo/rules';
import type { EpochTarget } from './epochPorts.ts';
import { EpochRefusal } from './epochs.ts';

/** Members and settings of epochs, compared with those of their conversation. */

export const roleNumbers = { member: 0, admin: 1, owner: 2 } as const satisfies Record<MemberRole, Role>;
export const roleNames = ['member', 'admin', 'owner'] as const satisfies readonly MemberRole[];

/** Role that the server takes over, because a header gave it without anybody's signature. */
export interface RoleChange {
  readonly userId: UserId;
  readonly role: MemberRole;
}

export const accountOf = ({ account }: Pick<Member | Change, 'account'>): UserId => toUuid(account) as UserId;

/**
 * Returns the owner that a header appoints because none is left after its changes. Undefined if it appoints nobody.
 */
export function appointedIn({ header, members }: CheckedEpoch, before: CheckedEpoch | undefined): Member | undefined {
  const givesOwner = (change: Change) => (change.type === 0 || change.type === 4) && change.role === 2;
  return members.find(
    ({ account, role }) =>
      role === 2 &&
      before !== undefined &&
      findMember(before.members, account)?.role !== 2 &&
      !header.changes.some((change) => givesOwner(change) && equalBytes(change.account, account)),
  );
}

/** Members and settings that an epoch must have, and whom the change that goes with it adds. */
export interface WantedEpoch extends EpochTarget {
  readonly entered: readonly UserId[];
}

/**
 * Returns whether a header may lack a member: one whom the header before lacks too, in a group where additions need a
 * signature. Nobody gave one yet, and removals and messages do not wait for it.
 */
const mayWait = (userId: UserId, before: CheckedEpoch | undefined, { entered }: WantedEpoch): boolean =>
  before?.header.admission === 0 && !findMember(before.members, fromUuid(userId)) && !entered.includes(userId);

/**
 * Checks that a header has the members and roles of the conversation. Returns the roles that the server takes over: an
 * account with another identity becomes a member, and a group without owner gets one by the rule for headers.
 *
 * @throws EpochRefusal `members`
 */
export function assertMembers(
  checked: CheckedEpoch,
  before: CheckedEpoch | undefined,
  target: WantedEpoch,
): RoleChange[] {
  const { header, members } = checked;
  const own = new Map(target.members.map(({ userId, role }) => [userId, role]));
  const appointed = appointedIn(checked, before);
  const named = members.flatMap((member): RoleChange[] => {
    const userId = accountOf(member);
    const stored = own.get(userId);
    if (!stored || !own.delete(userId)) throw new EpochRefusal('members');
    const role = target.type === 'group' ? roleNumbers[stored] : 0;
    if (role === member.role) return [];
    const isDemoted =
      member.role === 0 && header.changes.some((one) => one.type === 6 && equalBytes(one.account, member.account));
    // The server had chosen an owner of its own meanwhile.
    const isSuccession = appointed !== undefined && (member === appointed || role === 2);
    if (!isDemoted && !isSuccession) throw new EpochRefusal('members');
    return [{ userId, role: roleNames[member.role] }];
  });
  const waiting = [...own].flatMap(([userId, role]): RoleChange[] => {
    // The server may have chosen somebody who waits as the next owner.
    const isOvertaken = role !== 'member' && appointed !== undefined;
    if (!mayWait(userId, before, target) || (role !== 'member' && !isOvertaken)) throw new EpochRefusal('members');
    return isOvertaken ? [{ userId, role: 'member' }] : [];
  });
  return [...named, ...waiting];
}

export function assertSettings({ admission, timer, approval }: Header, target: EpochTarget): void {
  if (admission !== target.admission || timer !== target.timer || approval !== 0) throw new EpochRefusal('settings');
}
