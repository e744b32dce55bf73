import { findMember, type Change, type CheckedEpoch } from '@nolo/e2ee';
import type { UserId } from '@nolo/kit/ids';
import { limits } from '@nolo/rules';
import {
  accountOf,
  appointedIn,
  assertMembers,
  assertSettings,
  roleNames,
  type RoleChange,
  type WantedEpoch,
} from './epochMembers.ts';
import { EpochRefusal } from './epochs.ts';

/** Epochs that the server lost, and what it takes back with them (docs/encryption.md, section 9). */

/** Members and settings that a restored database lacks. */
export interface TakenBack {
  readonly roles: readonly RoleChange[];
  /** Members who signed their leave, or whose removal a member signed. */
  readonly gone: readonly { readonly userId: UserId; readonly reason: 'left' | 'removed' }[];
  readonly admission?: 0 | 1;
  /** Seconds, or 0. */
  readonly timer?: number;
}

const isRemoval = ({ type }: Change): boolean => type === 1 || type === 2;

/** Returns the roles that a header gives, as far as the server itself could have: signed by an owner, or by rule. */
function rolesIn(checked: CheckedEpoch, before: CheckedEpoch): RoleChange[] {
  const given = checked.header.changes.flatMap((change): RoleChange[] => {
    if (change.type === 6) return [{ userId: accountOf(change), role: 'member' }];
    if (change.type !== 4) return [];
    const { evidence } = change;
    const signer = evidence?.by === 'member' ? findMember(before.members, evidence.account) : undefined;
    if (signer?.role !== 2) throw new EpochRefusal('members');
    return [{ userId: accountOf(change), role: roleNames[change.role] }];
  });
  const appointed = appointedIn(checked, before);
  return appointed ? [...given, { userId: accountOf(appointed), role: 'owner' }] : given;
}

function settingsIn({ header: { changes } }: CheckedEpoch): Pick<TakenBack, 'admission' | 'timer'> {
  const set: { admission?: 0 | 1; timer?: number } = {};
  for (const change of changes) {
    if (change.type !== 5) continue;
    const { setting } = change;
    if (setting.field === 0) set.admission = setting.value;
    else if (setting.field === 1) set.timer = setting.value;
    else if (setting.field === 2) throw new EpochRefusal('settings');
  }
  const { timer = 0 } = set;
  const isPossible = timer === 0 || (timer >= limits.disappearingSecondsMin && timer <= limits.disappearingSecondsMax);
  if (!isPossible) throw new EpochRefusal('settings');
  return set;
}

/**
 * Checks an epoch that a client says was lost, and returns what the server takes over from it. Members may have changed
 * since, so it is compared with the present only in what nobody signed: a member could otherwise start a group as its
 * owner, or remove others in the server's name. What members signed holds again, because later epochs build on it.
 *
 * @throws EpochRefusal `members`, `settings`
 */
export function checkLost(checked: CheckedEpoch, before: CheckedEpoch | undefined, target: WantedEpoch): TakenBack {
  if (!before) {
    assertMembers(checked, before, target);
    assertSettings(checked.header, target);
    return { roles: [], gone: [] };
  }
  const present = new Map(target.members.map(({ userId, role }) => [userId, role]));
  const removals = checked.header.changes.filter((one) => isRemoval(one) && present.has(accountOf(one)));
  if (removals.some(({ evidence }) => evidence === null)) throw new EpochRefusal('members');
  const gone = removals.map(
    (one) => ({ userId: accountOf(one), reason: one.type === 2 ? 'left' : 'removed' }) as const,
  );
  const roles = rolesIn(checked, before).filter(({ userId, role }) => {
    const own = present.get(userId);
    return own !== undefined && own !== role && checked.members.some((one) => accountOf(one) === userId);
  });
  return { roles, gone, ...settingsIn(checked) };
}
