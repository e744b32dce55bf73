import { wordsOf } from './received.ts';

function form(values: Record<string, string>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(values)) data.set(name, value);
  return data;
}

test('what apps say twice is said once', () => {
  expect(wordsOf(form({ title: 'News', text: 'Look', url: 'https://a.example/' }))).toBe(
    'News\nLook\nhttps://a.example/',
  );
  expect(wordsOf(form({ title: 'Look', text: ' Look ', url: '' }))).toBe('Look');
  expect(wordsOf(form({ title: 'Look', text: 'Look: https://a.example/', url: 'https://a.example/' }))).toBe(
    'Look: https://a.example/',
  );
  expect(wordsOf(form({}))).toBe('');
});
