import { splitIntoPieces } from './pieces.ts';

async function cut(chunks: string[], size: number): Promise<string[]> {
  const pieces: string[] = [];
  for await (const piece of splitIntoPieces(
    chunks.map((chunk) => Buffer.from(chunk)),
    size,
  )) {
    pieces.push(Buffer.from(piece).toString());
  }
  return pieces;
}

test.each([
  [[], []],
  [['', ''], []],
  [['ab'], ['ab']],
  [['abcd'], ['abcd']],
  [
    ['a', 'b', 'c', 'd', 'e'],
    ['abcd', 'e'],
  ],
  [['abcdefghij'], ['abcd', 'efgh', 'ij']],
  [
    ['abcdef', 'gh'],
    ['abcd', 'efgh'],
  ],
])('splits the chunks %p', async (chunks, pieces) => {
  await expect(cut(chunks, 4)).resolves.toEqual(pieces);
});
