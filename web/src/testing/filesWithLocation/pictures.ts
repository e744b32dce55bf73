import { strToU8, zlibSync } from 'fflate';
import type { Bytes } from './bytes.ts';
import {
  bigEndian,
  movieBox,
  denominator,
  handlerBox,
  joinBytes,
  littleEndian,
  numerator,
  riff,
  riffChunk,
  text,
  town,
  versioned,
  xmpPacket,
  zeroBytes,
} from './bytes.ts';

interface TiffOptions {
  readonly isLittle?: boolean;
  readonly orientation?: number;
  /** Puts the GPS directory into that of a smaller picture, and marks the file as raw camera data. */
  readonly isRaw?: boolean;
}

/** Creates a TIFF structure with the camera, the orientation, an Exif directory, the location, and a pixel. */
export function tiff({ isLittle = false, orientation = 6, isRaw = false }: TiffOptions = {}): Bytes {
  const number = isLittle ? littleEndian : bigEndian;
  const behind: number[] = [];
  const from = 8 + 2 + 10 * 12 + 4;
  const next = (): number => from + behind.length;
  /** Appends bytes after the first directory, and returns their offset. */
  const put = (bytes: Bytes): Bytes => {
    const at = next();
    behind.push(...bytes, ...zeroBytes(bytes.length % 2));
    return number(at);
  };
  const entry = (tag: number, type: number, count: number, value: Bytes): Bytes =>
    joinBytes(number(tag, 2), number(type, 2), number(count), value, zeroBytes(4 - value.length));
  const wordsEntry = (tag: number, words: string): Bytes => entry(tag, 2, words.length + 1, put(text(`${words}\0`)));
  const directory = (...entries: readonly Bytes[]): Bytes =>
    joinBytes(number(entries.length, 2), ...entries, number(0));
  const place = (): Bytes => {
    const values = next() + 2 + 4 * 12 + 4;
    const degrees = joinBytes(number(33), number(1), number(57), number(1), number(numerator), number(denominator));
    const where = directory(
      entry(1, 2, 2, text('S\0')),
      entry(2, 5, 3, number(values)),
      entry(3, 2, 2, text('E\0')),
      entry(4, 5, 3, number(values + degrees.length)),
    );
    return entry(0x8825, 4, 1, put(joinBytes(where, degrees, degrees)));
  };
  const kindOfFile = isRaw
    ? () => [
        entry(0x014a, 4, 1, put(directory(place()))),
        // Programs need this metadata to develop raw data.
        entry(0x8769, 4, 1, put(directory(wordsEntry(0xa434, 'A lens')))),
        entry(0xc612, 1, 4, [1, 4, 0, 0]),
      ]
    : () => [wordsEntry(0x010e, town), entry(0x8769, 4, 1, put(directory(wordsEntry(0x9286, town)))), place()];
  const entries = [
    entry(0x0100, 3, 1, number(1, 2)),
    entry(0x0101, 3, 1, number(1, 2)),
    wordsEntry(0x010f, 'Pinhole'),
    entry(0x0111, 4, 1, put([200])),
    entry(0x0112, 3, 1, number(orientation, 2)),
    entry(0x0117, 4, 1, number(1)),
    entry(0x02bc, 1, xmpPacket.length, put(text(xmpPacket))),
    ...kindOfFile(),
  ];
  return joinBytes(text(isLittle ? 'II' : 'MM'), number(42, 2), number(8), directory(...entries), behind);
}

const segment = (marker: number, body: Bytes): Bytes => joinBytes([0xff, marker], bigEndian(body.length + 2, 2), body);
const tables = segment(0xdb, [0, ...Array.from({ length: 64 }, () => 1)]);
const scan = (data: Bytes): Bytes => joinBytes(segment(0xda, [1, 1, 0, 0, 63, 0]), data, [0xff, 0xd9]);
const frame = (width: number, height: number): Bytes =>
  segment(0xc0, joinBytes([8], bigEndian(height, 2), bigEndian(width, 2), [1, 1, 0x11, 0]));

export const jpegMetadata = (orientation = 6): Bytes =>
  joinBytes(
    segment(0xe1, joinBytes(text('Exif\0\0'), tiff({ orientation }))),
    segment(0xe1, text(`http://ns.adobe.com/xap/1.0/\0${xmpPacket}`)),
    segment(0xed, text(`Photoshop 3.0\0 8BIM ${town}`)),
    segment(0xfe, text(town)),
  );

/** Creates a JPEG of 54 million pixels, according to its frame. */
export const jpeg = (between: Bytes = []): Bytes =>
  joinBytes([0xff, 0xd8], between, jpegMetadata(), tables, frame(9_000, 6_000), scan([9, 9, 0xff, 0, 9]), text(town));

/** Creates a JPEG that is truncated inside its camera metadata. */
export const brokenJpeg = (): Bytes => jpeg().slice(0, 260);

const crc = (bytes: Bytes): number => {
  let value = 0xffff_ffff;
  for (const byte of bytes) {
    value ^= byte;
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb8_8320 : value >>> 1;
  }
  return (value ^ 0xffff_ffff) >>> 0;
};
const chunk = (type: string, body: Bytes): Bytes => {
  const named = joinBytes(text(type), body);
  return joinBytes(bigEndian(body.length), named, bigEndian(crc(named)));
};
const pngStart = joinBytes([0x89], text('PNG\r\n'), [0x1a, 0x0a]);
const [pngHeader, pngData, pngEnd] = [
  chunk('IHDR', joinBytes(bigEndian(1), bigEndian(1), [8, 0, 0, 0, 0])),
  chunk('IDAT', [...zlibSync(Uint8Array.of(0, 200))]),
  chunk('IEND', []),
];

/** Creates a PNG with the location in Exif, in XMP, in compressed text, and in a chunk invented by a camera. */
export const png = (): Bytes =>
  joinBytes(
    pngStart,
    pngHeader,
    chunk('eXIf', tiff()),
    chunk('iTXt', text(`XML:com.adobe.xmp\0\0\0\0\0${xmpPacket}`)),
    chunk('zTXt', joinBytes(text('Comment\0\0'), [...zlibSync(strToU8(town))])),
    chunk('plAC', text(town)),
    pngData,
    pngEnd,
    text(town),
  );
export const plainPng = (): Bytes => joinBytes(pngStart, pngHeader, pngData, pngEnd);

export const webp = (): Bytes =>
  riff(
    'WEBP',
    riffChunk('VP8X', [0x0c, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
    // Single gray pixel.
    riffChunk('VP8L', [0x2f, 0, 0, 0, 0, 0x88, 0x88, 0x08]),
    riffChunk('EXIF', tiff({ isLittle: true })),
    riffChunk('XMP ', text(xmpPacket)),
    riffChunk('PLAC', text(town)),
  );

export const gif = (): Bytes =>
  joinBytes(
    text('GIF89a'),
    [1, 0, 1, 0, 0, 0, 0],
    joinBytes([0x21, 0xfe, town.length], text(town), [0]),
    joinBytes(
      [0x21, 0xff, 11],
      text('XMP DataXMP'),
      [xmpPacket.length & 255],
      text(xmpPacket).slice(0, xmpPacket.length & 255),
      [0],
    ),
    [0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3b],
  );

/**
 * Creates a HEIC or AVIF picture with camera metadata in `mdat` and XMP in `idat`. `film`: what phones append to it.
 */
export function heif(brand: string, codec: string, film: Bytes = []): Bytes {
  const [pixels, exif, words] = [text('the picture itself'), joinBytes(bigEndian(0), tiff()), text(xmpPacket)];
  const named = (id: number, type: string): Bytes =>
    movieBox('infe', [2, 0, 0, 0], bigEndian(id, 2), [0, 0], text(type), [0]);
  const names = versioned('iinf', bigEndian(3, 2), named(1, codec), named(2, 'Exif'), named(3, 'mime'));
  const places = (start: number): Bytes => {
    const place = (id: number, method: number, offset: number, length: number): Bytes =>
      joinBytes(
        bigEndian(id, 2),
        bigEndian(method, 2),
        bigEndian(0, 2),
        bigEndian(1, 2),
        bigEndian(offset),
        bigEndian(length),
      );
    return movieBox(
      'iloc',
      [1, 0, 0, 0, 0x44, 0x00],
      bigEndian(3, 2),
      place(1, 0, start, pixels.length),
      place(2, 0, start + pixels.length, exif.length),
      place(3, 1, 0, words.length),
    );
  };
  const start = movieBox('ftyp', text(brand), bigEndian(0), text('mif1'));
  const meta = (from: number): Bytes =>
    versioned(
      'meta',
      handlerBox('pict'),
      versioned('pitm', bigEndian(1, 2)),
      names,
      places(from),
      movieBox('idat', words),
    );
  const from = start.length + meta(0).length + 8;
  return joinBytes(start, meta(from), movieBox('mdat', pixels, exif), movieBox('mpvd', film));
}
