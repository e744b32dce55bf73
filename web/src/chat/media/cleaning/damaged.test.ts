import {
  bigEndian,
  movieBox,
  bytesOf,
  fileOf,
  handlerBox,
  joinBytes,
  riffList,
  littleEndian,
  riffChunk,
  text,
  versioned,
  zeroBytes,
} from '../../../testing/filesWithLocation/bytes.ts';
import type { Bytes } from '../../../testing/filesWithLocation/bytes.ts';
import { flac, mp3, ogg } from '../../../testing/filesWithLocation/sounds.ts';
import { removeFileMetadata } from './removeFileMetadata.ts';

/* Truncated, damaged, and malicious files. */

const many = (length: number, value: number): Bytes => Array.from({ length }, () => value);

/** Returns true if the app asks about a file. Its bytes must be unchanged. */
async function asksBeforeSending(bytes: Bytes): Promise<boolean> {
  const { file, canRevealLocation } = await removeFileMetadata(fileOf(bytes, 'Hill'));
  expect(Buffer.compare(Buffer.from(await bytesOf(file)), Buffer.from(bytes))).toBe(0);
  return canRevealLocation;
}

describe('WAV and AVI keep their media', () => {
  const format = riffChunk('fmt ', joinBytes(littleEndian(1, 2), littleEndian(1, 2), zeroBytes(12)));
  const sound = Array.from({ length: 4_000 }, (_, at) => (at * 37) & 255);
  const wav = (riffSize: number, dataSize: number, after: Bytes = []): Bytes =>
    joinBytes(
      text('RIFF'),
      littleEndian(riffSize),
      text('WAVE'),
      format,
      text('data'),
      littleEndian(dataSize),
      sound,
      after,
    );
  const frames = riffChunk('00dc', many(1_000, 9));
  const heads = riffList('hdrl', riffChunk('avih', zeroBytes(8)));
  const avi = (riffSize: number, moviSize: number): Bytes =>
    joinBytes(
      text('RIFF'),
      littleEndian(riffSize),
      text('AVI '),
      heads,
      text('LIST'),
      littleEndian(moviSize),
      text('movi'),
      frames,
    );
  const whole = avi(0, 0).length - 8;

  test.each([
    ['a finished WAV', wav(4_036, 4_000)],
    ['a WAV from a pipe', wav(0, 0)],
    ['a WAV from a pipe, with the maximum sizes', wav(0xffff_ffff, 0xffff_ffff)],
    ['a truncated WAV', wav(36, 0)],
    ['a WAV without a file size', wav(0, 4_000)],
    ['a WAV whose data exceeds the file', wav(4_036, 9_000)],
    ['an RF64 without sizes', joinBytes(text('RF64'), wav(0xffff_ffff, 0xffff_ffff).slice(4))],
    ['an AVI without sizes', avi(0, 0)],
    ['an AVI whose movie list has no size', avi(whole, 0)],
    ['an AVI whose movie list has only its name', avi(whole, 4)],
  ])('%s is sent unchanged', async (_, bytes) => expect(await asksBeforeSending(bytes)).toBe(false));

  test.each([
    ['an AVI that is longer than it says', avi(whole - 500, frames.length + 4)],
    ['a WAV with something unknown after its data', wav(4_036, 2_000)],
    [
      'a WAV with a note in place of its data',
      wav(0, 0)
        .slice(0, 44)
        .concat(riffChunk('bext', text('Hill'))),
    ],
    ['a WAV without data', joinBytes(text('RIFF'), littleEndian(100), text('WAVE'), riffChunk('ABCD', sound))],
  ])('the sender is asked about %s', async (_, bytes) => expect(await asksBeforeSending(bytes)).toBe(true));

  test('an RF64 ends according to its sizes, and loses the notes after that', async () => {
    const sizes = riffChunk('ds64', joinBytes(littleEndian(0, 8), littleEndian(8, 8), zeroBytes(12)));
    const data = joinBytes(text('data'), littleEndian(0xffff_ffff), many(8, 5));
    const head = joinBytes(text('RF64'), littleEndian(0xffff_ffff), text('WAVE'), sizes, format, data);
    const { file, canRevealLocation } = await removeFileMetadata(
      fileOf(joinBytes(head, riffChunk('bext', text('Signal Hill '))), 'x'),
    );
    const clean = Buffer.from(await bytesOf(file));
    expect([
      canRevealLocation,
      clean.includes('Signal'),
      clean.subarray(0, head.length).equals(Buffer.from(head)),
    ]).toEqual([false, false, true]);
  });
});

/** Creates a HEIC picture of 40 bytes with an Exif item at an arbitrary offset. */
function heic(exif: { at?: number; bytes: number }): number[] {
  const entry = (id: number, type: string): Bytes =>
    movieBox('infe', [2, 0, 0, 0], bigEndian(id, 2), zeroBytes(2), text(type), [0]);
  const start = movieBox('ftyp', text('heic'), bigEndian(0), text('mif1heic'));
  const place = (id: number, at: number, bytes: number): Bytes =>
    joinBytes(bigEndian(id, 2), zeroBytes(2), bigEndian(1, 2), bigEndian(at), bigEndian(bytes));
  const describe = (from: number): Bytes =>
    versioned(
      'meta',
      handlerBox('pict'),
      versioned('pitm', bigEndian(1, 2)),
      versioned('iinf', bigEndian(2, 2), entry(1, 'hvc1'), entry(2, 'Exif')),
      versioned('iloc', [0x44, 0], bigEndian(2, 2), place(1, from, 40), place(2, exif.at ?? from + 40, exif.bytes)),
    );
  const from = start.length + describe(0).length + 8;
  return joinBytes(start, describe(from), movieBox('mdat', many(40, 0x55), many(20, 0x66)));
}

describe('a HEIC file', () => {
  test('is sent unchanged if its Exif is empty', async () => {
    expect(await asksBeforeSending(heic({ at: 0, bytes: 0 }))).toBe(false);
    expect(await asksBeforeSending(heic({ bytes: 0 }))).toBe(false);
  });

  test('loses its Exif and keeps its picture', async () => {
    const bytes = heic({ bytes: 20 });
    const { file } = await removeFileMetadata(fileOf(bytes, 'Hill'));
    expect([...(await bytesOf(file))]).toEqual(joinBytes(bytes.slice(0, -20), zeroBytes(20)));
  });

  test.each([
    ['its Exif overlaps the picture', heic({ at: heic({ bytes: 0 }).length - 30, bytes: 20 })],
    ['its Exif overlaps the index', heic({ at: 30, bytes: 20 })],
    ['its Exif lies beyond the end', heic({ bytes: 21 })],
  ])('is confirmed by the sender if %s', async (_, bytes) => expect(await asksBeforeSending(bytes)).toBe(true));
});

const sampled = (type: string, ...tables: readonly Bytes[]): Bytes =>
  movieBox(
    'trak',
    versioned('tkhd', zeroBytes(80)),
    movieBox(
      'mdia',
      versioned('mdhd', zeroBytes(20)),
      handlerBox(type),
      movieBox('minf', movieBox('stbl', versioned('stsd', bigEndian(0)), ...tables)),
    ),
  );
const tables = (offset: number, size: number): Bytes[] => [
  versioned('stsc', bigEndian(1), bigEndian(1), bigEndian(1), bigEndian(1)),
  versioned('stsz', bigEndian(size), bigEndian(1)),
  versioned('stco', bigEndian(1), bigEndian(offset)),
];
const ftyp = movieBox('ftyp', text('isom'), bigEndian(0), text('isom'));
const index = (...children: readonly Bytes[]): Bytes => movieBox('moov', versioned('mvhd', zeroBytes(96)), ...children);
const indexBytes = index(sampled('vide', ...tables(0, 0))).length;

/** Creates a film whose index comes first and refers to 1,000 bytes, `skipped` bytes after it. */
const indexFirst = (skipped: number, ...rest: readonly Bytes[]): Bytes =>
  joinBytes(ftyp, index(sampled('vide', ...tables(ftyp.length + indexBytes + skipped, 1_000))), ...rest);

describe('videos keep what is visible', () => {
  const frames = many(1_000, 1);

  test('a film whose index comes first is sent unchanged', async () => {
    expect(await asksBeforeSending(indexFirst(8, movieBox('mdat', frames)))).toBe(false);
  });

  test('notes outside a box after the video are removed', async () => {
    const film = indexFirst(8, movieBox('mdat', frames));
    const { file, canRevealLocation } = await removeFileMetadata(
      fileOf(joinBytes(film, many(8, 255), text('SEFT')), 'Hill'),
    );
    expect([canRevealLocation, [...(await bytesOf(file))]]).toEqual([false, film]);
  });

  test.each([
    ['stray bytes before the data', indexFirst(16, many(8, 255), movieBox('mdat', frames))],
    ['data without a size', indexFirst(8, bigEndian(8), text('mdat'), frames)],
    ['data in a box for free space', indexFirst(8, movieBox('free', frames))],
    ['data in a box of an unknown kind', indexFirst(8, movieBox('what', frames))],
    [
      'stray bytes in a fragmented video',
      joinBytes(ftyp, index(movieBox('mvex')), movieBox('moof'), movieBox('mdat', frames), many(8, 255)),
    ],
    [
      'telemetry that overlaps the video',
      joinBytes(
        ftyp,
        movieBox('mdat', frames),
        index(sampled('vide', ...tables(ftyp.length + 8, 900)), sampled('meta', ...tables(800, 90))),
      ),
    ],
    [
      'telemetry that overlaps the index',
      joinBytes(ftyp, index(sampled('meta', ...tables(40, 90))), movieBox('mdat', frames)),
    ],
  ])('the sender is asked about %s', async (_, bytes) => expect(await asksBeforeSending(bytes)).toBe(true));

  test('a spherical video stays spherical, and picture subtitles stay', async () => {
    const id = [0xff, 0xcc, 0x82, 0x63, 0xf8, 0x55, 0x4a, 0x93, 0x88, 0x14, 0x58, 0x7a, 0x02, 0x52, 0x1f, 0xdd];
    const spherical = movieBox(
      'trak',
      versioned('tkhd', zeroBytes(80)),
      movieBox('uuid', id, text('<rdf:SphericalVideo>')),
    );
    const subtitles = sampled('subp', ...tables(ftyp.length + 8, 12));
    expect(await asksBeforeSending(joinBytes(ftyp, movieBox('mdat', text('dvd subtitle')), index(subtitles)))).toBe(
      false,
    );
    const video = [...sampled('vide', ...tables(ftyp.length + 8, 12)), ...spherical.slice(8 + 92)];
    const track = joinBytes(bigEndian(video.length), video.slice(4));
    expect(await asksBeforeSending(joinBytes(ftyp, movieBox('mdat', text('the pictures')), index(track)))).toBe(false);
  });
});

describe('Matroska keeps what is visible', () => {
  const element = (id: Bytes, ...bodies: readonly Bytes[]): Bytes => {
    const body = bodies.flat();
    return joinBytes(id, [0x10 | (body.length >> 24)], bigEndian(body.length, 3), body);
  };
  const cluster = (value: number): Bytes =>
    element([0x1f, 0x43, 0xb6, 0x75], [0xe7, 0x81, 0], element([0xa3], many(1_000, value)));
  const endless = joinBytes([0x1f, 0x43, 0xb6, 0x75, 0xff, 0xe7, 0x81, 0], element([0xa3], many(1_000, 1)));
  const block = element([0xa3], many(1_000, 2));
  const film = (...children: readonly Bytes[]): Bytes =>
    joinBytes(
      element([0x1a, 0x45, 0xdf, 0xa3], [0x42, 0x82, 0x84], text('webm')),
      element(
        [0x18, 0x53, 0x80, 0x67],
        element([0x15, 0x49, 0xa9, 0x66], [0x2a, 0xd7, 0xb1, 0x83, 0x0f, 0x42, 0x40]),
        element([0x16, 0x54, 0xae, 0x6b], element([0xae], [0xd7, 0x81, 1, 0x83, 0x81, 1])),
        ...children,
      ),
    );

  test.each([
    ['a complete video', film(cluster(1), cluster(2))],
    ['a truncated video', film(cluster(1), cluster(2)).slice(0, -400)],
    ['a video truncated at the start of an element', film(cluster(1), [0x1f, 0x43])],
  ])('%s is sent unchanged', async (_, bytes) => expect(await asksBeforeSending(bytes)).toBe(false));

  test.each([
    ['stray bytes between elements', film(cluster(1), zeroBytes(4), cluster(2), cluster(3))],
    ['stray bytes in an element without an end', film(endless, zeroBytes(4), block)],
    ['an element after something unknown', film(cluster(1), [0x99, 0x40, 0x10], cluster(2))],
    ['an element in a gap', film(cluster(1), element([0xec], cluster(2)))],
  ])('the sender is asked about %s', async (_, bytes) => expect(await asksBeforeSending(bytes)).toBe(true));
});

describe('audio that cannot be cleaned', () => {
  const page = ogg().slice(0, 47);

  test.each([
    ['several streams in sequence', joinBytes(ogg(), ogg())],
    ['an Ogg with an unknown codec', joinBytes(page.slice(0, 28), text('Speex   of an unknown'))],
    ['a FLAC truncated in its header', flac().slice(0, 20)],
    ['a tag followed by something else', joinBytes(mp3().slice(0, 60), text('#!AMR'), many(300, 1))],
    ['a tag that is longer than its file', joinBytes(text('ID3'), [3, 0, 0, 0x7f, 0x7f, 0x7f, 0x7f], many(4_000, 255))],
  ])('the sender is asked about %s', async (_, bytes) => expect(await asksBeforeSending(bytes)).toBe(true));

  test('the sender is not asked about bytes that only look like audio', async () => {
    expect(await asksBeforeSending(joinBytes([0xff, 0xfe], text('H\0e\0l\0l\0o\0,\0 \0H\0i\0l\0l\0')))).toBe(false);
  });

  test('a tag that claims all of a song removes none of it', async () => {
    const song = mp3();
    const at = song.length - 128 - 32 + 12;
    const claimed = joinBytes(song.slice(0, at), littleEndian(5_000), song.slice(at + 4));
    expect(await asksBeforeSending(claimed)).toBe(true);
  });
});

test('the sender is asked about a file that cannot be read', async () => {
  const gone = fileOf(text('a file that was taken away'), 'Hill');
  gone.slice = () => {
    throw new DOMException('It is gone.', 'NotReadableError');
  };
  expect(await removeFileMetadata(gone)).toEqual({ file: gone, canRevealLocation: true });
});

describe('crafted files are processed quickly', () => {
  const soon = async (bytes: Bytes): Promise<boolean> => {
    const file = fileOf(bytes, 'Hill');
    // Processor time, which other tests do not affect.
    const before = process.cpuUsage();
    const { canRevealLocation } = await removeFileMetadata(file);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000_000).toBeLessThan(5);
    return canRevealLocation;
  };
  const film = (...children: readonly Bytes[]): Bytes =>
    joinBytes(ftyp, index(sampled('meta', ...children)), movieBox('mdat', zeroBytes(99)));

  test('samples without bits, and more samples than exist', async () => {
    const runs = versioned('stsc', bigEndian(1), bigEndian(1), bigEndian(100_000_000), bigEndian(1));
    expect(
      await soon(
        film(
          runs,
          versioned('stz2', bigEndian(0), bigEndian(0), zeroBytes(4)),
          versioned('stco', bigEndian(1), bigEndian(8)),
        ),
      ),
    ).toBe(true);
    expect(
      await soon(
        film(runs, versioned('stsz', bigEndian(0), bigEndian(0)), versioned('stco', bigEndian(1), bigEndian(8))),
      ),
    ).toBe(true);
    expect(
      await soon(
        film(runs, versioned('stsz', bigEndian(1), bigEndian(9)), versioned('stco', bigEndian(1), bigEndian(8))),
      ),
    ).toBe(true);
  });

  test('TIFF directories that refer to themselves, to one another, and many times over', async () => {
    const pointer = (at: number): Bytes =>
      joinBytes(littleEndian(0x8769, 2), littleEndian(4, 2), littleEndian(1), littleEndian(at));
    const directory = (length: number, to: number): Bytes =>
      joinBytes(littleEndian(length, 2), ...Array.from({ length }, () => pointer(to)), littleEndian(0));
    const size = directory(200, 0).length;
    const start = joinBytes(text('II*\0'), littleEndian(8), directory(1, 26));
    for (const to of [26, 26 + size]) {
      await soon(joinBytes(start, directory(200, to), directory(200, 26), directory(200, to)));
    }
  });

  test('a file full of possible locations', async () => {
    const lead = joinBytes(text('II*\0'), littleEndian(8));
    expect(
      await soon(joinBytes(text('a file of an unknown kind'), ...Array.from({ length: 30_000 }, () => lead))),
    ).toBe(true);
  });

  test('a telemetry track in very many pieces', async () => {
    const length = 150_000;
    const offsets = Array.from({ length }, (_, at) => bigEndian(at + 28)).flat();
    const telemetry = sampled(
      'meta',
      versioned('stsc', bigEndian(1), bigEndian(1), bigEndian(1), bigEndian(1)),
      versioned('stsz', bigEndian(1), bigEndian(length)),
      versioned('stco', bigEndian(length), offsets),
    );
    expect(await soon(joinBytes(ftyp, movieBox('mdat', many(length, 1)), index(telemetry)))).toBe(false);
  });

  test('HEIC items in very many empty pieces', async () => {
    const places = versioned(
      'iloc',
      [0, 0],
      bigEndian(60_000, 2),
      Array.from({ length: 60_000 }, () => [0, 1, 0, 0, 255, 255]).flat(),
    );
    const names = versioned('iinf', zeroBytes(2));
    expect(await soon(joinBytes(ftyp, versioned('meta', handlerBox('pict'), names, places)))).toBe(true);
  });
});
