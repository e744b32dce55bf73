import { shareInvitation } from './invite.ts';

const clipboard = (works: boolean) =>
  ({ writeText: async () => (works ? undefined : Promise.reject(new Error('refused'))) }) as unknown as Clipboard;
const failing = (name: string) => async () => {
  throw Object.assign(new Error('no'), { name });
};

test('the share sheet comes first, the clipboard where there is none', async () => {
  const share = async () => {};
  expect(await shareInvitation('x', { clipboard: clipboard(true), share, canShare: () => true })).toBe('shared');
  expect(await shareInvitation('x', { clipboard: clipboard(true) })).toBe('copied');
  expect(await shareInvitation('x', { clipboard: clipboard(false) })).toBe('failed');
});

test('closing the share sheet is no failure, a broken one falls back', async () => {
  const browser = { clipboard: clipboard(true), canShare: () => true };
  expect(await shareInvitation('x', { ...browser, share: failing('AbortError') })).toBe('cancelled');
  expect(await shareInvitation('x', { ...browser, share: failing('DataError') })).toBe('copied');
});
