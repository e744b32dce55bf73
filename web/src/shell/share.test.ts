import { copyText, shareOrCopy } from './share.ts';

const clipboard = (works: boolean) =>
  ({ writeText: async () => (works ? undefined : Promise.reject(new Error('refused'))) }) as unknown as Clipboard;
const failing = (name: string) => async () => {
  throw Object.assign(new Error('no'), { name });
};

test('the share sheet comes first, and the clipboard if there is no sheet', async () => {
  const share = async () => {};
  expect(await shareOrCopy({ text: 'x' }, { clipboard: clipboard(true), share, canShare: () => true })).toBe('shared');
  expect(await shareOrCopy({ text: 'x' }, { clipboard: clipboard(true) })).toBe('copied');
  expect(await shareOrCopy({ text: 'x' }, { clipboard: clipboard(false) })).toBe('failed');
});

test('closing the share sheet is not a failure, and a broken one falls back', async () => {
  const browser = { clipboard: clipboard(true), canShare: () => true };
  expect(await shareOrCopy({ text: 'x' }, { ...browser, share: failing('AbortError') })).toBe('cancelled');
  expect(await shareOrCopy({ text: 'x' }, { ...browser, share: failing('DataError') })).toBe('copied');
});

test('the clipboard gets only the link of something that has one', async () => {
  const written: string[] = [];
  const noting = { writeText: async (text: string) => void written.push(text) } as unknown as Clipboard;
  await shareOrCopy({ title: 'Choir', text: 'Join Choir', url: 'https://nolo.example/g' }, { clipboard: noting });
  expect(written).toEqual(['https://nolo.example/g']);
});

test('copying reports failure without clipboard access, as on a page without TLS', async () => {
  expect(await copyText('x', {} as Navigator)).toBe(false);
  expect(await copyText('x', { clipboard: clipboard(true) })).toBe(true);
});
