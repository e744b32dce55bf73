import type { Bytes } from './bytes.ts';
import {
  bigEndian,
  movieBox,
  coordinates,
  handlerBox,
  joinBytes,
  riffList,
  riff,
  riffChunk,
  text,
  town,
  versioned,
  xmpPacket,
  zeroBytes,
} from './bytes.ts';
import { jpegMetadata, tiff } from './pictures.ts';

interface MovieOptions {
  readonly brand?: string;
  /** Adds the location in QuickTime's own format. */
  readonly hasKeys?: boolean;
  /** Adds a text track that mentions the location, or harmless text. */
  readonly words?: string;
}

export const moviePicture = text('a frame of the film');

/**
 * Creates a film with the location in `udta`, in QuickTime's keys, in free space, in a telemetry track, and in a
 * preview.
 */
export function movie({ brand = 'isom', hasKeys = false, words }: MovieOptions = {}): Bytes {
  const telemetry = joinBytes(text('DEVCGPS5l\x14'), text(coordinates));
  const samples = [moviePicture, telemetry, ...(words === undefined ? [] : [text(words)])];
  const track = (id: number, type: string, offset: number, size: number): Bytes =>
    movieBox(
      'trak',
      versioned('tkhd', bigEndian(1_234_567), bigEndian(1_234_567), bigEndian(id), zeroBytes(68)),
      movieBox(
        'mdia',
        versioned('mdhd', bigEndian(1_234_567), bigEndian(1_234_567), bigEndian(1_000), bigEndian(1_000), zeroBytes(4)),
        handlerBox(type),
        movieBox(
          'minf',
          movieBox(
            'stbl',
            versioned('stsd', bigEndian(0)),
            versioned('stts', bigEndian(1), bigEndian(1), bigEndian(1_000)),
            versioned('stsc', bigEndian(1), bigEndian(1), bigEndian(1), bigEndian(1)),
            versioned('stsz', bigEndian(0), bigEndian(1), bigEndian(size)),
            versioned('stco', bigEndian(1), bigEndian(offset)),
          ),
        ),
      ),
      movieBox('udta', text(`name${town}`)),
    );
  const keys = versioned(
    'meta',
    handlerBox('mdta'),
    versioned('keys', bigEndian(1), movieBox('mdta', text('com.apple.quicktime.location.ISO6709'))),
    movieBox('ilst', movieBox('\0\0\0\x01', movieBox('data', bigEndian(1), bigEndian(0), text(`${coordinates}/`)))),
  );
  const place = movieBox(
    'udta',
    movieBox('\xa9xyz', bigEndian(coordinates.length + 1, 2), [0x15, 0xc7], text(`${coordinates}/`)),
    versioned('loci', [0x15, 0xc7], text(`${town}\0`), [0], zeroBytes(12), text('earth\0\0')),
  );
  const start = movieBox('ftyp', text(brand), bigEndian(0), text('isom'));
  const dataFrom = start.length + 8;
  const offsets = samples.map((_, at) => dataFrom + samples.slice(0, at).flat().length);
  const types = ['vide', 'meta', 'text'];
  const tracks = samples.map((sample, at) => track(at + 1, types[at] ?? '', offsets[at] ?? 0, sample.length));
  return joinBytes(
    start,
    movieBox('mdat', ...samples),
    movieBox(
      'moov',
      versioned('mvhd', bigEndian(1_234_567), bigEndian(1_234_567), zeroBytes(88)),
      ...tracks,
      place,
      hasKeys ? keys : [],
    ),
    movieBox('uuid', zeroBytes(16), text(xmpPacket)),
    movieBox('free', text(`GPS ${town}`)),
  );
}

const element = (id: Bytes, ...bodies: readonly Bytes[]): Bytes => {
  const body = bodies.flat();
  return joinBytes(id, [0x01], bigEndian(body.length, 7), body);
};
const endless = (id: Bytes, ...bodies: readonly Bytes[]): Bytes =>
  joinBytes(id, [0x01, ...Array.from({ length: 7 }, () => 0xff)], ...bodies);

export const webmFrame = text('a frame of the film');

/**
 * Creates a film with the location in its title, its tags, and an attached picture. `isLive`: as browsers record it.
 */
export function webm(isLive = false): Bytes {
  const wrap = isLive ? endless : element;
  const simpleTag = element(
    [0x67, 0xc8],
    element([0x45, 0xa3], text('LOCATION')),
    element([0x44, 0x87], text(coordinates)),
  );
  const cluster = wrap(
    [0x1f, 0x43, 0xb6, 0x75],
    element([0xe7], [0]),
    element([0xa3], joinBytes([0x81, 0, 0, 0x80], webmFrame)),
  );
  return joinBytes(
    element([0x1a, 0x45, 0xdf, 0xa3], element([0x42, 0x82], text('webm'))),
    wrap(
      [0x18, 0x53, 0x80, 0x67],
      element(
        [0x15, 0x49, 0xa9, 0x66],
        element([0xbf], [1, 2, 3, 4]),
        element([0x2a, 0xd7, 0xb1], [0x0f, 0x42, 0x40]),
        element([0x7b, 0xa9], text(town)),
        element([0x44, 0x61], zeroBytes(8)),
        element([0x4d, 0x80], text('Lavf')),
        element([0x57, 0x41], text('Lavf')),
      ),
      element([0x16, 0x54, 0xae, 0x6b], element([0xae], element([0xd7], [1]), element([0x83], [1]))),
      element(
        [0x19, 0x41, 0xa4, 0x69],
        element([0x61, 0xa7], element([0x46, 0x60], text('image/jpeg')), element([0x46, 0x5c], jpegMetadata())),
      ),
      cluster,
      element([0x12, 0x54, 0xc3, 0x67], element([0x73, 0x73], simpleTag)),
    ),
  );
}

export const avi = (): Bytes =>
  riff(
    'AVI ',
    riffList(
      'hdrl',
      riffChunk('avih', zeroBytes(56)),
      riffList('strl', riffChunk('strh', zeroBytes(56)), riffChunk('strd', tiff())),
    ),
    riffList('INFO', riffChunk('ICMT', text(`${town} `))),
    riffList('movi', riffChunk('00dc', [1, 2, 3, 4])),
    riffChunk('idx1', zeroBytes(16)),
  );
