import { findPaletteEntries } from './paletteEntries.ts';

const entries = [
  { id: '1', label: 'Create group', words: ['new'] },
  { id: '2', label: 'Zoë Groß', detail: 'In the garden' },
  { id: '3', label: 'Walkers (group of Ben)' },
  { id: '4', label: 'Theme', detail: 'Appearance', words: ['dark', 'light'] },
];
const idsFor = (typed: string) => findPaletteEntries(entries, typed).map(({ id }) => id);

test('an empty query finds everything, in its order', () => {
  expect(idsFor('  ')).toEqual(['1', '2', '3', '4']);
});

test.each([
  ['zoe', ['2']],
  ['GROSS', ['2']],
  ['GROUP', ['1', '3']],
  ['ben wal', ['3']],
  ['new group', ['1']],
  ['dark', ['4']],
  ['appear', ['4']],
  ['(gro', ['3']],
  ['ben dark', []],
])('%j finds %j', (typed, ids) => {
  expect(idsFor(typed)).toEqual(ids);
});

test('prefix matches come before inner ones, and names before other words', () => {
  const found = findPaletteEntries(
    [
      { id: 'other', label: 'Profile', words: ['light'] },
      { id: 'inside', label: 'Twilight' },
      { id: 'word', label: 'Theme: light' },
      { id: 'begins', label: 'Light' },
    ],
    'light',
  );
  expect(found.map(({ id }) => id)).toEqual(['begins', 'word', 'inside', 'other']);
});
