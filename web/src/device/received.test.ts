import { toShareText } from './received.ts';

function form(values: Record<string, string>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(values)) data.set(name, value);
  return data;
}

test('text that an app shares twice appears once', () => {
  expect(toShareText(form({ title: 'News', text: 'Look', url: 'https://a.example/' }))).toBe(
    'News\nLook\nhttps://a.example/',
  );
  expect(toShareText(form({ title: 'Look', text: ' Look ', url: '' }))).toBe('Look');
  expect(toShareText(form({ title: 'Look', text: 'Look: https://a.example/', url: 'https://a.example/' }))).toBe(
    'Look: https://a.example/',
  );
  expect(toShareText(form({}))).toBe('');
});
