import { createStoreKey } from '@nolo/e2ee/storeKey';
import { openFile, sealFile, toShareText } from './received.ts';

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

test('a file is stored sealed, and opens as it was', async () => {
  const key = await createStoreKey();
  const file = new Blob(['Amber lanterns. '.repeat(200_000)]);
  const sealed = await new Response(sealFile(key, file)).blob();
  expect(sealed.size).toBe(file.size + 4 * 28);
  expect(await sealed.text()).not.toContain('Amber');
  expect(await new Blob(await openFile(key, sealed)).text()).toBe(await file.text());
  await expect(openFile(await createStoreKey(), sealed)).rejects.toMatchObject({ code: 'unopened' });
});
