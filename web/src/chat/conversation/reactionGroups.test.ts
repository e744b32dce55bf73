import { groupReactions, applyOptimisticReaction } from './reactionGroups.ts';

const given = [
  { userId: 'a', emoji: '👍' },
  { userId: 'me', emoji: '❤️' },
  { userId: 'b', emoji: '👍' },
];

test('reactions are counted, the most frequent first, and the person’s own is known', () => {
  expect(groupReactions(given, 'me')).toEqual([
    { emoji: '👍', userIds: ['a', 'b'], own: false },
    { emoji: '❤️', userIds: ['me'], own: true },
  ]);
});

test('an emoji with and without its variation selector is one reaction', () => {
  const kept = [
    { userId: 'a', emoji: '❤' },
    { userId: 'b', emoji: '❤️' },
  ];
  expect(groupReactions(kept, 'b')).toEqual([{ emoji: '❤️', userIds: ['a', 'b'], own: true }]);
});

test('a pending reaction shows before the server confirms it, in place of the earlier one', () => {
  expect(applyOptimisticReaction(given, { reaction: '👍' }, 'me')).toEqual([
    given[0],
    { userId: 'me', emoji: '👍' },
    given[2],
  ]);
  expect(applyOptimisticReaction(given, { reaction: null }, 'me')).toEqual([given[0], given[2]]);
  expect(applyOptimisticReaction([], { reaction: '😮' }, 'me')).toEqual([{ userId: 'me', emoji: '😮' }]);
  expect(applyOptimisticReaction(given, { pinned: true }, 'me')).toBe(given);
});
