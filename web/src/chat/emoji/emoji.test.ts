import { fullEmoji } from '@nolo/rules';
import dataset from 'emojibase-data/en/data.json' with { type: 'json' };
import { toPickerEmoji, findEmoji, withSkinTone, type DatasetEmoji } from './emoji.ts';

const toned = (tone: number) => `👋${String.fromCodePoint(0x1f3fa + tone)}`;
const all = toPickerEmoji([
  {
    emoji: '👋',
    label: 'waving hand',
    tags: ['bye', 'hello', 'wave'],
    group: 1,
    order: 2,
    version: 0.6,
    skins: [...[1, 2, 3, 4, 5].map((tone) => ({ emoji: toned(tone), tone })), { emoji: 'two tones', tone: [1, 2] }],
  },
  { emoji: '😀', label: 'grinning face', tags: ['smile', 'happy'], group: 0, order: 1, version: 1 },
  { emoji: '🌊', label: 'water wave', tags: ['sea'], group: 5, order: 3, version: 0.6 },
  { emoji: '🏻', label: 'light skin tone', group: 2, order: 4, version: 1 },
]);

test('the data set becomes what the picker shows, in its order and without emoji components', () => {
  expect(all.map(({ text }) => text)).toEqual(['😀', '👋', '🌊']);
  expect(all[1]).toMatchObject({ group: 'people', tones: [1, 2, 3, 4, 5].map(toned) });
});

test('an emoji is found by name and by keywords, names first', () => {
  expect(findEmoji(all, 'wav', 10).map(({ text }) => text)).toEqual(['👋', '🌊']);
  expect(findEmoji(all, 'happy', 10).map(({ text }) => text)).toEqual(['😀']);
  expect(findEmoji(all, 'Hand hello', 10).map(({ text }) => text)).toEqual(['👋']);
  expect(findEmoji(all, '🌊', 10).map(({ text }) => text)).toEqual(['🌊']);
  expect(findEmoji(all, 'nothing', 10)).toEqual([]);
  expect(findEmoji(all, ' ', 10)).toEqual([]);
});

test('the chosen skin tone is used if there is one', () => {
  expect(all.map((emoji) => withSkinTone(emoji, 3))).toEqual(['😀', toned(3), '🌊']);
  expect(withSkinTone(all[1]!, 0)).toBe('👋');
});

test('the picker offers emoji in the form in which reactions store them', () => {
  const offered = toPickerEmoji(dataset as DatasetEmoji[]).flatMap(({ text, tones }) => [text, ...tones]);
  expect(offered.filter((emoji) => fullEmoji(emoji) !== emoji)).toEqual([]);
});
