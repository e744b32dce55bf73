import { mayAdd, rightsOver } from './groupRights.ts';

const named = (rights: object) => Object.entries(rights).flatMap(([name, may]) => (may === true ? [name] : []));

test('the owner may do anything about the others', () => {
  expect(named(rightsOver('owner', 'member', false))).toEqual(['makeAdmin', 'handOver', 'remove']);
  expect(named(rightsOver('owner', 'admin', false))).toEqual(['unmakeAdmin', 'handOver', 'remove']);
});

test('admins remove members, and nobody above', () => {
  expect(named(rightsOver('admin', 'member', false))).toEqual(['remove']);
  expect(named(rightsOver('admin', 'admin', false))).toEqual([]);
  expect(named(rightsOver('admin', 'owner', false))).toEqual([]);
});

test('members decide nothing, and nobody about themselves', () => {
  expect(named(rightsOver('member', 'member', false))).toEqual([]);
  expect(named(rightsOver('owner', 'owner', true))).toEqual([]);
});

test('in a public group everybody may add people', () => {
  expect(mayAdd('member', true)).toBe(true);
  expect(mayAdd('member', false)).toBe(false);
  expect(mayAdd('admin', false)).toBe(true);
});
