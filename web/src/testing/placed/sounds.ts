import type { Bytes } from './bytes.ts';
import {
  big,
  box,
  coordinates,
  handler,
  join,
  list,
  little,
  riff,
  riffChunk,
  text,
  town,
  versioned,
  zeros,
} from './bytes.ts';

export const wav = (): Bytes =>
  riff(
    'WAVE',
    riffChunk('fmt ', join(little(1, 2), little(1, 2), little(8_000), little(8_000), little(1, 2), little(8, 2))),
    riffChunk('bext', text(town)),
    riffChunk('data', [128, 129, 127, 128]),
    list('INFO', riffChunk('ICMT', text(`${town} `))),
    riffChunk('id3 ', text(coordinates)),
  );

/** Creates a sound with a song's names, and the location in a comment. */
export function song(): Bytes {
  const item = (type: string, value: string): Bytes => box(type, box('data', big(1), big(0), text(value)));
  const items = [
    item('\xa9nam', 'Uphill'),
    item('\xa9ART', 'Ada'),
    item('\xa9cmt', town),
    item('\xa9xyz', `${coordinates}/`),
  ];
  const sound = box('mdia', versioned('mdhd', zeros(20)), handler('soun'), box('minf', box('stbl')));
  return join(
    box('ftyp', text('M4A '), big(0)),
    box('mdat', text('a sound')),
    box(
      'moov',
      versioned('mvhd', zeros(96)),
      box('trak', versioned('tkhd', zeros(80)), sound),
      box('udta', versioned('meta', handler('mdir'), box('ilst', ...items))),
    ),
  );
}

const mp3Frame = join([0xff, 0xfb, 0x90, 0x00], zeros(413));

/** Creates a song with the location in tags as text, as a comment, and as a file. */
export function mp3(): Bytes {
  const named = (id: string, body: Bytes): Bytes => join(text(id), big(body.length), [0, 0], body);
  const tags = join(
    named('TIT2', text('\0Uphill')),
    named('TPE1', text('\0Ada')),
    named('TXXX', text(`\0LOCATION\0${coordinates}/`)),
    named('COMM', text(`\0eng\0${town}`)),
    named('GEOB', text(`\0text/plain\0${town}\0\0${coordinates}`)),
  );
  const head = join(
    text('ID3'),
    [3, 0, 0],
    big(tags.length, 4).map((byte, at) => (at < 2 ? 0 : at === 2 ? tags.length >> 7 : byte & 127)),
  );
  const comment = join(little(town.length), little(0), text(`Comment\0${town}`));
  const ape = join(comment, text('APETAGEX'), little(2_000), little(comment.length + 32), little(1), zeros(12));
  const old = join(text('TAG'), text(town), zeros(125 - town.length));
  return join(head, tags, ...Array.from({ length: 12 }, () => mp3Frame), ape, old);
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
  join(little(4), text('Lavf'), little(all.length), ...all.map((one) => join(little(one.length), text(one))));

/** Creates another app's voice note with the location in its comments. */
export function ogg(): Bytes {
  const page = (number: number, flags: number, samples: number, body: Bytes): Bytes => {
    const head = (sum: number): Bytes =>
      join(text('OggS'), [0, flags], little(samples, 8), little(7), little(number), little(sum), [1, body.length]);
    return join(head(oggCrc(join(head(0), body))), body);
  };
  const opus = join(text('OpusHead'), [1, 1], little(0, 2), little(48_000), little(0, 2), [0]);
  const tags = join(
    text('OpusTags'),
    comments('TITLE=Uphill', 'ARTIST=Ada', `LOCATION=${coordinates}`, `COMMENT=${town}`),
  );
  return join(page(0, 2, 0, opus), page(1, 0, 0, tags), page(2, 4, 960, [0xfc, 1, 2, 3]));
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
    join([type | (isLast ? 0x80 : 0)], big(body.length, 3), body);
  // 16 bits, one channel, 44.1 kHz, 192 samples in each of two frames.
  const info = join(big(192, 2), big(192, 2), zeros(6), [0x0a, 0xc4, 0x40, 0xf0], big(384), zeros(16));
  const frameOf = (number: number): Bytes => {
    const head = [0xff, 0xf8, 0x19, 0x08, number];
    const silence = join(head, [crcOf(8, 0x07, head)], [0x00, 0, 0]);
    return join(silence, big(crcOf(16, 0x8005, silence), 2));
  };
  const picture = join(big(3), big(10), text('image/jpeg'), big(town.length), text(town), zeros(16), big(0));
  return join(
    text('fLaC'),
    block(0, info),
    block(4, comments('TITLE=Uphill', 'ARTIST=Ada', `LOCATION=${coordinates}`, `DESCRIPTION=${town}`)),
    block(2, text(`PLAC${town}`)),
    block(6, picture, true),
    frameOf(0),
    frameOf(1),
  );
}
