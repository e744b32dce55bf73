import { crc32 } from 'node:zlib';

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

const numbers = (...values: number[]): Buffer =>
  Buffer.concat(
    values.map((value) => {
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32BE(value);
      return bytes;
    }),
  );

/** Returns the header of a PNG, and its image data in one piece. */
function read(png: Buffer): { header: Buffer; picture: Buffer } {
  const chunks: Buffer[] = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    const length = png.readUInt32BE(at);
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') chunks.push(png.subarray(at + 8, at + 8 + length));
  }
  return { header: png.subarray(16, 29), picture: Buffer.concat(chunks) };
}

/** Creates an animated PNG with metadata from pictures of equal size. */
export function createAnimatedPng(pictures: readonly Buffer[], comment: string): Buffer {
  const all = pictures.map(read);
  const header = all[0]?.header ?? Buffer.alloc(13);
  const control = (sequence: number) =>
    chunk(
      'fcTL',
      Buffer.concat([
        numbers(sequence, header.readUInt32BE(0), header.readUInt32BE(4), 0, 0),
        Buffer.from([0, 1, 0, 10, 0, 0]),
      ]),
    );
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('tEXt', Buffer.from(`Comment\0${comment}`, 'latin1')),
    chunk('acTL', numbers(all.length, 0)),
    ...all.flatMap(({ picture }, index) =>
      index === 0
        ? [control(0), chunk('IDAT', picture)]
        : [control(index * 2 - 1), chunk('fdAT', Buffer.concat([numbers(index * 2), picture]))],
    ),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
