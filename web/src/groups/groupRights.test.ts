import { mayAddMembers, memberRightsOver } from './groupRights.ts';

const named = (rights: object) => Object.entries(rights).flatMap(([name, may]) => (may === true ? [name] : []));

test('the owner may do anything to the others', () => {
  expect(named(memberRightsOver('owner', 'member', false))).toEqual(['makeAdmin', 'handOver', 'remove']);
  expect(named(memberRightsOver('owner', 'admin', false))).toEqual(['unmakeAdmin', 'handOver', 'remove']);
});

test('admins remove members, and nobody above them', () => {
  expect(named(memberRightsOver('admin', 'member', false))).toEqual(['remove']);
  expect(named(memberRightsOver('admin', 'admin', false))).toEqual([]);
  expect(named(memberRightsOver('admin', 'owner', false))).toEqual([]);
});

test('members have no rights over others, and nobody over themselves', () => {
  expect(named(memberRightsOver('member', 'member', false))).toEqual([]);
  expect(named(memberRightsOver('owner', 'owner', true))).toEqual([]);
});

test('everyone in a public group may add people', () => {
  expect(mayAddMembers('member', true)).toBe(true);
  expect(mayAddMembers('member', false)).toBe(false);
  expect(mayAddMembers('admin', false)).toBe(true);
});
