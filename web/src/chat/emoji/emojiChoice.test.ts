/** @jest-environment jsdom */
import { createEmojiChoice, getEmojiChoice } from './emojiChoice.ts';
import { emojiStorageKey } from '../../session/ownKeys.ts';

afterEach(() => localStorage.clear());

test('recently used emoji come first, each once, and survive a reload', () => {
  const choice = createEmojiChoice(localStorage);
  for (const text of ['🙂', '👍', '🙂']) choice.used(text);
  choice.chooseTone(3);
  expect(createEmojiChoice(localStorage).getState()).toEqual({ recent: ['🙂', '👍'], tone: 3 });
});

test('recent emoji are limited in number, and belong to one person', () => {
  const choice = createEmojiChoice(localStorage);
  for (let index = 0; index < 50; index++) choice.used(String(index));
  expect(choice.getState().recent).toHaveLength(24);

  getEmojiChoice('ada').used('🙂');
  expect(getEmojiChoice('ada').getState().recent[0]).toBe('🙂');
  // Signing out erases it, so the next user on the same page starts fresh.
  localStorage.removeItem(emojiStorageKey);
  expect(getEmojiChoice('ben').getState().recent).toEqual([]);
});

test('an invalid stored choice is ignored', () => {
  localStorage.setItem(emojiStorageKey, '{"recent":[1,"🙂"],"tone":99}');
  expect(createEmojiChoice(localStorage).getState()).toEqual({ recent: ['🙂'], tone: 0 });
  localStorage.setItem(emojiStorageKey, 'not json');
  expect(createEmojiChoice(localStorage).getState().recent).toEqual([]);
});

test('two tabs store what was used in either', () => {
  const [one, other] = [createEmojiChoice(localStorage), createEmojiChoice(localStorage)];
  one.used('🙂');
  other.chooseTone(3);
  other.used('👍');
  expect(createEmojiChoice(localStorage).getState()).toEqual({ recent: ['👍', '🙂'], tone: 3 });
});
