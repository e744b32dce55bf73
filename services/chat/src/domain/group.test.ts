import { limits } from '@nolo/rules';
import { checkGroupName } from './group.ts';

const refusal = (message: string) => expect.objectContaining({ code: 'group_invalid', message });

test.each(['', '  ', '\u200b', '\u2800', '\u202e\u2069'])(
  'rejects %j as a group name, because nothing of it is visible',
  (name) => {
    expect(() => checkGroupName(name)).toThrow(refusal('Please enter a group name'));
  },
);

test('a group name is cleaned and measured in characters', () => {
  expect(checkGroupName(' Walk\u202eers\n')).toBe('Walkers');
  expect(checkGroupName('😀'.repeat(limits.groupNameLength))).toBe('😀'.repeat(limits.groupNameLength));
  expect(() => checkGroupName('x'.repeat(limits.groupNameLength + 1))).toThrow();
});
