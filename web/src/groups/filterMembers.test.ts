import type { GroupMember } from '@nolo/api';
import { filterMembers } from './filterMembers.ts';

const member = (userId: string, displayName: string | null) =>
  ({ userId, user: displayName === null ? null : { displayName } }) as GroupMember;
const members = [member('a', 'Amara Dlamini'), member('me', 'Thandi'), member('gone', null), member('i', 'İpek Gaël')];
const found = (query: string) => filterMembers(members, query, 'me', 'You').map(({ userId }) => userId);

test('members are found by name regardless of case, and the person also by “You”', () => {
  expect(found('  AMARA ')).toEqual(['a']);
  expect(found('you')).toEqual(['me']);
  expect(found('thandi')).toEqual(['me']);
  expect(found('ipek gael')).toEqual(['i']);
  expect(found('İPEK')).toEqual(['i']);
  expect(found('nobody')).toEqual([]);
});

test('a blank query filters nothing', () => {
  expect(filterMembers(members, ' ', 'me', 'You')).toBe(members);
});
