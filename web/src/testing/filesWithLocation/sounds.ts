import type { Bytes } from './bytes.ts';
import {
  bigEndian,
  movieBox,
  coordinates,
  handlerBox,
  joinBytes,
  riffList,
  littleEndian,
  riff,
  riffChunk,
  text,
  town,
  versioned,
  zeroBytes,
} from './bytes.ts';

export const wav = (): Bytes =>
  riff(
    'WAVE',
    riffChunk(
      'fmt ',
      joinBytes(
        littleEndian(1, 2),
        littleEndian(1, 2),
        littleEndian(8_000),
        littleEndian(8_000),
        littleEndian(1, 2),
        littleEndian(8, 2),
      ),
    ),
    riffChunk('bext', text(town)),
    riffChunk('data', [128, 129, 127, 128]),
    riffList('INFO', riffChunk('ICMT', text(`${town} `))),
    riffChunk('id3 ', text(coordinates)),
  );

/** Creates a sound with a song's names, and the location in a comment. */
export function song(): Bytes {
  const item = (type: string, value: string): Bytes =>
    movieBox(type, movieBox('data', bigEndian(1), bigEndian(0), text(value)));
  const items = [
    item('\xa9nam', 'Uphill'),
    item('\xa9ART', 'Ada'),
    item('\xa9cmt', town),
    item('\xa9xyz', `${coordinates}/`),
  ];
  const sound = movieBox(
    'mdia',
    versioned('mdhd', zeroBytes(20)),
    handlerBox('soun'),
    movieBox('minf', movieBox('stbl')),
  );
  return joinBytes(
    movieBox('ftyp', text('M4A '), bigEndian(0)),
    movieBox('mdat', text('a sound')),
    movieBox(
      'moov',
      versioned('mvhd', zeroBytes(96)),
      movieBox('trak', versioned('tkhd', zeroBytes(80)), sound),
      movieBox('udta', versioned('meta', handlerBox('mdir'), movieBox('ilst', ...items))),
    ),
  );
}

const mp3Frame = joinBytes([0xff, 0xfb, 0x90, 0x00], zeroBytes(413));

/** Creates a song with the location in tags as text, as a comment, and as a file. */
export function mp3(): Bytes {
  const named = (id: string, body: Bytes): Bytes => joinBytes(text(id), bigEndian(body.length), [0, 0], body);
  const tags = joinBytes(
    named('TIT2', text('\0Uphill')),
    named('TPE1', text('\0Ada')),
    named('TXXX', text(`\0LOCATION\0${coordinates}/`)),
    named('COMM', text(`\0eng\0${town}`)),
    named('GEOB', text(`\0text/plain\0${town}\0\0${coordinates}`)),
  );
  const head = joinBytes(
    text('ID3'),
    [3, 0, 0],
    bigEndian(tags.length, 4).map((byte, at) => (at < 2 ? 0 : at === 2 ? tags.length >> 7 : byte & 127)),
  );
  const comment = joinBytes(littleEndian(town.length), littleEndian(0), text(`Comment\0${town}`));
  const ape = joinBytes(
    comment,
    text('APETAGEX'),
    littleEndian(2_000),
    littleEndian(comment.length + 32),
    littleEndian(1),
    zeroBytes(12),
  );
  const old = joinBytes(text('TAG'), text(town), zeroBytes(125 - town.length));
  return joinBytes(head, tags, ...Array.from({ length: 12 }, () => mp3Frame), ape, old);
}

const oggCrc = (bytes: Bytes): number => {
  let value = 0;
  for (const byte of bytes) {
    value = (value ^ (byte << 24)) >>> 0;
    for (let bit = 0; bit < 8; bit++) value = (value & 0x8000_0000 ? (value << 1) ^ 0x04c1_1db7 : value << 1) >>> 0;
  }
  return value;
};
const comments = (...all: readonly string[]): Bytes =>
  joinBytes(
    littleEndian(4),
    text('Lavf'),
    littleEndian(all.length),
    ...all.map((one) => joinBytes(littleEndian(one.length), text(one))),
  );

/** Creates another app's voice note with the location in its comments. */
export function ogg(): Bytes {
  const page = (number: number, flags: number, samples: number, body: Bytes): Bytes => {
    const head = (sum: number): Bytes =>
      joinBytes(
        text('OggS'),
        [0, flags],
        littleEndian(samples, 8),
        littleEndian(7),
        littleEndian(number),
        littleEndian(sum),
        [1, body.length],
      );
    return joinBytes(head(oggCrc(joinBytes(head(0), body))), body);
  };
  const opus = joinBytes(text('OpusHead'), [1, 1], littleEndian(0, 2), littleEndian(48_000), littleEndian(0, 2), [0]);
  const tags = joinBytes(
    text('OpusTags'),
    comments('TITLE=Uphill', 'ARTIST=Ada', `LOCATION=${coordinates}`, `COMMENT=${town}`),
  );
  return joinBytes(page(0, 2, 0, opus), page(1, 0, 0, tags), page(2, 4, 960, [0xfc, 1, 2, 3]));
}

const crcOf = (width: 8 | 16, polynomial: number, bytes: Bytes): number => {
  const top = 2 ** (width - 1);
  let value = 0;
  for (const byte of bytes) {
    value ^= width === 8 ? byte : byte << 8;
    for (let bit = 0; bit < 8; bit++) value = (value & top ? (value << 1) ^ polynomial : value << 1) & (2 ** width - 1);
  }
  return value;
};

/** Creates a silent recording with the location in its comments and in an attached picture. */
export function flac(): Bytes {
  const block = (type: number, body: Bytes, isLast = false): Bytes =>
    joinBytes([type | (isLast ? 0x80 : 0)], bigEndian(body.length, 3), body);
  // 16 bits, one channel, 44.1 kHz, 192 samples in each of two frames.
  const info = joinBytes(
    bigEndian(192, 2),
    bigEndian(192, 2),
    zeroBytes(6),
    [0x0a, 0xc4, 0x40, 0xf0],
    bigEndian(384),
    zeroBytes(16),
  );
  const frameOf = (number: number): Bytes => {
    const head = [0xff, 0xf8, 0x19, 0x08, number];
    const silence = joinBytes(head, [crcOf(8, 0x07, head)], [0x00, 0, 0]);
    return joinBytes(silence, bigEndian(crcOf(16, 0x8005, silence), 2));
  };
  const picture = joinBytes(
    bigEndian(3),
    bigEndian(10),
    text('image/jpeg'),
    bigEndian(town.length),
    text(town),
    zeroBytes(16),
    bigEndian(0),
  );
  return joinBytes(
    text('fLaC'),
    block(0, info),
    block(4, comments('TITLE=Uphill', 'ARTIST=Ada', `LOCATION=${coordinates}`, `DESCRIPTION=${town}`)),
    block(2, text(`PLAC${town}`)),
    block(6, picture, true),
    frameOf(0),
    frameOf(1),
  );
}
