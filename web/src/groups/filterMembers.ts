import type { GroupMember } from '@nolo/api';
import { foldText } from '@nolo/rules';

/** The members whose name has the words; one finds oneself by what one is called there. */
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
