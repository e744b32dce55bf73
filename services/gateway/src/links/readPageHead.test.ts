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
    'next to a comment with another encoding',
    titled('<!-- <meta charset="koi8-r"> --><meta charset="windows-1251">'),
    undefined,
  ],
  ['next to an unknown encoding', titled('<meta charset="no-such"><meta charset="windows-1251">'), 'no-such'],
  ['nowhere, in UTF-8', Buffer.from(`${long}<title>${hello}</title>`), undefined],
  ['as UTF-16, in single-byte text', Buffer.from(`<meta charset="utf-16"><title>${hello}</title>`), undefined],
  [
    'by a UTF-8 byte order mark, contradicting the server',
    Buffer.from(`\ufeff<title>${hello}</title>`),
    'windows-1251',
  ],
  ['by a UTF-16 byte order mark', Buffer.from(`\ufeff<title>${hello}</title>`, 'utf16le'), undefined],
  [
    'by a big-endian UTF-16 byte order mark',
    Buffer.from(`\ufeff<title>${hello}</title>`, 'utf16le').swap16(),
    undefined,
  ],
])('a page that gets its encoding %s is read', async (_, page, charset) => {
  for (const pieceBytes of [page.length, 1, 7]) {
    expect(await titleOf(page, charset, pieceBytes)).toBe(hello);
  }
});

test('a one-character page has no title', async () => {
  expect(await titleOf(Buffer.from('a'))).toBeUndefined();
});

test('a title is read up to 4,096 characters', async () => {
  for (const text of [`a${'\u2800'.repeat(60_000)}b`, '&amp;'.repeat(60_000)]) {
    expect((await titleOf(Buffer.from(`<title>${text}</title>`)))?.length).toBe(4_096);
  }
});

test('reading ends with the head', async () => {
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
