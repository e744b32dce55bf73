import { currentPreference, isValidPreference, preferenceLimits, preferenceNames } from './preferences.ts';

test.each([
  ['theme', 'dark'],
  ['density', 'compact'],
  ['textSize', 'largest'],
  ['textSize', 'default'],
  ['textSize', 'usual'],
  ['linkPreviews', 'off'],
  ['currency', 'EUR'],
  ['emojiTone', 5],
  ['recentEmoji', ['👍🏽', '👩‍👩‍👧']],
  ['recentEmoji', []],
])('%s may be %j', (name, value) => expect(isValidPreference(name, value)).toBe(true));

test.each([
  ['theme', 'blue'],
  ['theme', null],
  ['textSize', 20],
  ['linkPreviews', 'ask'],
  ['emojiTone', 6],
  ['emojiTone', 1.5],
  ['emojiTone', '1'],
  ['recentEmoji', ['']],
  ['recentEmoji', ['x'.repeat(preferenceLimits.emojiLength + 1)]],
  ['recentEmoji', Array(preferenceLimits.recentEmoji + 1).fill('👍')],
  ['recentEmoji', '👍'],
  ['toString', 'dark'],
  ['unknown', 'dark'],
])('%s may not be %j', (name, value) => expect(isValidPreference(name, value)).toBe(false));

test('each preference is named once', () => expect(new Set(preferenceNames).size).toBe(preferenceNames.length));

test('both forms of the default text size are read', () => {
  expect(['usual', 'default', 'large'].map((value) => currentPreference('textSize', value))).toEqual([
    'default',
    'default',
    'large',
  ]);
  expect(currentPreference('theme', 'usual')).toBe('usual');
});
