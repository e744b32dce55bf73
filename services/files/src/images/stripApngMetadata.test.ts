import { crc32 } from 'node:zlib';
import { stripApngMetadata } from './stripApngMetadata.ts';

type Chunk = readonly [type: string, data?: Uint8Array];

function png(chunks: readonly Chunk[]): Buffer {
  const encodedChunks = chunks.map(([type, data = new Uint8Array()]) => {
    const encodedChunk = Buffer.alloc(12 + data.length);
    encodedChunk.writeUInt32BE(data.length);
    encodedChunk.write(type, 4, 'latin1');
    encodedChunk.set(data, 8);
    encodedChunk.writeUInt32BE(crc32(encodedChunk.subarray(4, 8 + data.length)), 8 + data.length);
    return encodedChunk;
  });
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...encodedChunks]);
}

/** Returns four-byte numbers followed by `zeros` zero bytes. */
function numbers(values: readonly number[], zeros: number): Buffer {
  const bytes = Buffer.alloc(values.length * 4 + zeros);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, index * 4);
  return bytes;
}

const header: Chunk = ['IHDR', numbers([40, 30], 5)];
const frame = (width: number, height: number, x = 0, y = 0): Chunk => ['fcTL', numbers([0, width, height, x, y], 6)];
const end: Chunk = ['IEND'];

test('frames are kept, and invisible chunks are removed', () => {
  const shown = [
    header,
    ['acTL', numbers([2, 0], 0)],
    frame(40, 30),
    ['IDAT'],
    frame(10, 10, 30, 20),
    ['fdAT'],
  ] as const;
  const metadataChunks: Chunk[] = [
    ['iCCP', Buffer.from('by my phone')],
    ['tEXt', Buffer.from('Table Mountain')],
  ];
  const cleaned = stripApngMetadata(
    Buffer.concat([png([header, ...metadataChunks, ...shown.slice(1), end]), Buffer.from('more')]),
  );
  expect(cleaned?.bytes).toEqual(png([...shown, end]));
  expect(cleaned?.frames).toBe(2);
});

test.each<[string, readonly Chunk[]]>([
  ['a frame wider than the image', [header, frame(41, 30), end]],
  ['a frame extending below the image', [header, frame(40, 30, 0, 1), end]],
  ['a frame far to the right', [header, frame(1, 1, 0xffff_ffff, 0), end]],
  ['an empty frame', [header, frame(0, 30), end]],
  ['a frame without a size', [header, ['fcTL'], end]],
  ['no header', [frame(40, 30), end]],
  ['a truncated header', [['IHDR', numbers([40], 0)], frame(40, 30), end]],
  ['no end', [header, frame(40, 30)]],
])('a file with %s is damaged', (_, chunks) => {
  expect(stripApngMetadata(png(chunks))).toBeUndefined();
});

test.each<[string, Chunk, number]>([
  ['frames', frame(40, 30), 20_000],
  ['chunks', ['fdAT'], 100_000],
  ['notes', ['tEXt'], 100_000],
])('a file with too many %s is rejected before all are read', (_, chunk, count) => {
  const file = Buffer.concat([png([header]), Buffer.concat(Array<Buffer>(count).fill(png([chunk]).subarray(8)))]);
  expect(() => stripApngMetadata(file)).toThrow(expect.objectContaining({ code: 'image_too_large' }));
});
