import { titleWithCount } from './unread.ts';

test('the title shows the count, and no more than fits', () => {
  expect([titleWithCount('Chats', 0), titleWithCount('Chats', 3), titleWithCount('Chats', 100)]).toEqual([
    'Chats',
    '(3) Chats',
    '(99+) Chats',
  ]);
});
