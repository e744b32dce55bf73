import { readPageHead } from './readPageHead.ts';

const hello = 'Привет';
/** `hello` encoded in windows-1251. */
const helloBytes = Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2]);
const titled = (before: string, after = '') =>
  Buffer.concat([Buffer.from(`${before}<title>`), helloBytes, Buffer.from(`</title>${after}`)]);

/** Reads a page that arrives in pieces of `pieceBytes` bytes. */
function titleOf(page: Buffer, charset?: string, pieceBytes = page.length): Promise<string | undefined> {
  async function* body() {
    for (let at = 0; at < page.length; at += pieceBytes) yield page.subarray(at, at + pieceBytes);
  }
  return readPageHead(body(), charset).then(({ title }) => title);
}

const long = `<script>${'x'.repeat(3_000)}</script>`;

test.each([
  ['from the server', titled(''), 'windows-1251'],
  ['in its first tag', titled('<meta charset="windows-1251">'), undefined],
  ['after 1,024 bytes', titled(`${long}<meta charset=windows-1251>`), undefined],
  [
    'after the title',
    titled(long, '<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">'),
    undefined,
  ],
  [
    'besides a comment that names another',
    titled('<!-- <meta charset="koi8-r"> --><meta charset="windows-1251">'),
    undefined,
  ],
  ['besides a name that nobody knows', titled('<meta charset="no-such"><meta charset="windows-1251">'), 'no-such'],
  ['by nothing, in UTF-8', Buffer.from(`${long}<title>${hello}</title>`), undefined],
  ['as UTF-16, in letters of one byte', Buffer.from(`<meta charset="utf-16"><title>${hello}</title>`), undefined],
  ['by a mark of UTF-8 against the server', Buffer.from(`\ufeff<title>${hello}</title>`), 'windows-1251'],
  ['by a mark of UTF-16', Buffer.from(`\ufeff<title>${hello}</title>`, 'utf16le'), undefined],
  ['by a mark of UTF-16, big-endian', Buffer.from(`\ufeff<title>${hello}</title>`, 'utf16le').swap16(), undefined],
])('a page whose encoding is named %s is read', async (_, page, charset) => {
  for (const pieceBytes of [page.length, 1, 7]) {
    expect(await titleOf(page, charset, pieceBytes)).toBe(hello);
  }
});

test('a page of one letter has no title', async () => {
  expect(await titleOf(Buffer.from('a'))).toBeUndefined();
});

test('a title is read no further than 4,096 characters', async () => {
  for (const text of [`a${'\u2800'.repeat(60_000)}b`, '&amp;'.repeat(60_000)]) {
    expect((await titleOf(Buffer.from(`<title>${text}</title>`)))?.length).toBe(4_096);
  }
});

test('nothing is read behind the head', async () => {
  let pieces = 0;
  async function* body() {
    for (const piece of ['<title>a</title><body>', 'more', 'and more']) {
      pieces += 1;
      yield Buffer.from(piece);
    }
  }
  expect(await readPageHead(body(), undefined)).toEqual({ title: 'a' });
  expect(pieces).toBe(1);
});
