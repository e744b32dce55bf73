import { limits } from '@nolo/rules';
import { bytesLeftNearLimit, isSendableText, prefersPastedFiles } from './composerRules.ts';

test('the counter appears only near the limit, and counts bytes', () => {
  expect(bytesLeftNearLimit('hello')).toBeNull();
  expect(bytesLeftNearLimit('a'.repeat(limits.messageContentBytes - 10))).toBe(10);
  expect(bytesLeftNearLimit('é'.repeat(limits.messageContentBytes / 2 + 1))).toBe(-2);
});

test('blank texts and texts that are too long are not sent', () => {
  expect(isSendableText(' \n\u200b')).toBe(false);
  expect(isSendableText('a')).toBe(true);
  expect(isSendableText('a'.repeat(limits.messageContentBytes))).toBe(true);
  expect(isSendableText('a'.repeat(limits.messageContentBytes + 1))).toBe(false);
});

const file = (name: string) => ({ name });

test.each([
  ['a file alone', [file('photo.png')], ''],
  ['a file with its name', [file('photo.png')], 'photo.png'],
  ['a file with its name in other code points', [file('Käse.png')], 'Ka\u0308se.png\n'],
  ['a file with its path', [file('photo.png')], '/media/disk/photo.png'],
  ['a file with a Windows path', [file('photo.png')], 'C:\\Users\\Ada\\photo.png'],
  ['a file with its URL', [file('my photo.png')], 'file:///tmp/my%20photo.png'],
  ['several files with their names', [file('a.png'), file('b.pdf')], 'a.png\r\nb.pdf'],
  ['several files from GNOME', [file('a.png')], 'x-special/nautilus-clipboard\ncopy\nfile:///tmp/a.png\n'],
])('%s is pasted as files', (_, files, text) => {
  expect(prefersPastedFiles(files, text)).toBe(true);
});

test.each([
  ['a table with a picture of itself', [file('image.png')], 'a\tb\n1\t2'],
  ['text with a picture', [file('image.png')], 'See photo.png'],
  ['a single name that is not among the files', [file('a.png')], 'a.png\nb.png'],
  ['text alone', [], 'photo.png'],
])('%s is pasted as text', (_, files, text) => {
  expect(prefersPastedFiles(files, text)).toBe(false);
});
