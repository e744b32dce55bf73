import type { GroupMember } from '@nolo/api';
import { foldText } from '@nolo/rules';

/** Returns the members whose name contains the query. The user is found by the label shown there. */
export function filterMembers(
  members: readonly GroupMember[],
  query: string,
  selfId: string,
  ownName: string,
): readonly GroupMember[] {
  const wanted = foldText(query.trim());
  if (wanted === '') return members;
  return members.filter(({ userId, user }) => {
    const names = [user?.displayName ?? '', ...(userId === selfId ? [ownName] : [])];
    return names.some((name) => foldText(name).includes(wanted));
  });
}
