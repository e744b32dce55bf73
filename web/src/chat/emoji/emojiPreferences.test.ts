/** @jest-environment jsdom */
import { createEmojiPreferences, getEmojiPreferences } from './emojiPreferences.ts';
import { emojiStorageKey } from '../../session/ownKeys.ts';

afterEach(() => localStorage.clear());

test('recently used emoji come first, each once, and survive a reload', () => {
  const choice = createEmojiPreferences(localStorage);
  for (const text of ['🙂', '👍', '🙂']) choice.used(text);
  choice.chooseTone(3);
  expect(createEmojiPreferences(localStorage).getState()).toEqual({ recent: ['🙂', '👍'], tone: 3 });
});

test('recent emoji are limited in number, and belong to one person', () => {
  const choice = createEmojiPreferences(localStorage);
  for (let index = 0; index < 50; index++) choice.used(String(index));
  expect(choice.getState().recent).toHaveLength(24);

  getEmojiPreferences('ada').used('🙂');
  expect(getEmojiPreferences('ada').getState().recent[0]).toBe('🙂');
  // Signing out erases it, so the next user on the same page starts fresh.
  localStorage.removeItem(emojiStorageKey);
  expect(getEmojiPreferences('ben').getState().recent).toEqual([]);
});

test('an invalid stored choice is ignored', () => {
  localStorage.setItem(emojiStorageKey, '{"recent":[1,"🙂"],"tone":99}');
  expect(createEmojiPreferences(localStorage).getState()).toEqual({ recent: ['🙂'], tone: 0 });
  localStorage.setItem(emojiStorageKey, 'not json');
  expect(createEmojiPreferences(localStorage).getState().recent).toEqual([]);
});

test('two tabs store what was used in either', () => {
  const [one, other] = [createEmojiPreferences(localStorage), createEmojiPreferences(localStorage)];
  one.used('🙂');
  other.chooseTone(3);
  other.used('👍');
  expect(createEmojiPreferences(localStorage).getState()).toEqual({ recent: ['👍', '🙂'], tone: 3 });
});
