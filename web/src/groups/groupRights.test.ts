import { mayAddMembers, computeRightsOverMember } from './groupRights.ts';

const named = (rights: object) => Object.entries(rights).flatMap(([name, may]) => (may === true ? [name] : []));

test('the owner may do anything to the others', () => {
  expect(named(computeRightsOverMember('owner', 'member', false))).toEqual(['makeAdmin', 'handOver', 'remove']);
  expect(named(computeRightsOverMember('owner', 'admin', false))).toEqual(['unmakeAdmin', 'handOver', 'remove']);
});

test('admins remove members, and nobody above them', () => {
  expect(named(computeRightsOverMember('admin', 'member', false))).toEqual(['remove']);
  expect(named(computeRightsOverMember('admin', 'admin', false))).toEqual([]);
  expect(named(computeRightsOverMember('admin', 'owner', false))).toEqual([]);
});

test('members have no rights over others, and nobody over themselves', () => {
  expect(named(computeRightsOverMember('member', 'member', false))).toEqual([]);
  expect(named(computeRightsOverMember('owner', 'owner', true))).toEqual([]);
});

test('everyone in a public group may add people', () => {
  expect(mayAddMembers('member', true)).toBe(true);
  expect(mayAddMembers('member', false)).toBe(false);
  expect(mayAddMembers('admin', false)).toBe(true);
});
