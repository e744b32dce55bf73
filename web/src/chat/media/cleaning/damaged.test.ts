import {
  big,
  box,
  bytesOf,
  fileOf,
  handler,
  join,
  list,
  little,
  riffChunk,
  text,
  versioned,
  zeros,
} from '../../../testing/placed/bytes.ts';
import type { Bytes } from '../../../testing/placed/bytes.ts';
import { flac, mp3, ogg } from '../../../testing/placed/sounds.ts';
import { cleanFile } from './cleanFile.ts';

/* Truncated, damaged, and malicious files. */

const many = (length: number, value: number): Bytes => Array.from({ length }, () => value);

/** Returns true if the app asks about a file. Its bytes must be unchanged. */
async function isAskedAbout(bytes: Bytes): Promise<boolean> {
  const { file, mayTellPlace } = await cleanFile(fileOf(bytes, 'Hill'));
  expect(Buffer.compare(Buffer.from(await bytesOf(file)), Buffer.from(bytes))).toBe(0);
  return mayTellPlace;
}

describe('WAV and AVI keep their media', () => {
  const format = riffChunk('fmt ', join(little(1, 2), little(1, 2), zeros(12)));
  const sound = Array.from({ length: 4_000 }, (_, at) => (at * 37) & 255);
  const wav = (riffSize: number, dataSize: number, after: Bytes = []): Bytes =>
    join(text('RIFF'), little(riffSize), text('WAVE'), format, text('data'), little(dataSize), sound, after);
  const frames = riffChunk('00dc', many(1_000, 9));
  const heads = list('hdrl', riffChunk('avih', zeros(8)));
  const avi = (riffSize: number, moviSize: number): Bytes =>
    join(text('RIFF'), little(riffSize), text('AVI '), heads, text('LIST'), little(moviSize), text('movi'), frames);
  const whole = avi(0, 0).length - 8;

  test.each([
    ['a finished WAV', wav(4_036, 4_000)],
    ['a WAV from a pipe', wav(0, 0)],
    ['a WAV from a pipe, with the largest sizes', wav(0xffff_ffff, 0xffff_ffff)],
    ['a WAV that broke off', wav(36, 0)],
    ['a WAV whose file has no size', wav(0, 4_000)],
    ['a WAV whose data are longer than it', wav(4_036, 9_000)],
    ['an RF64 without its sizes', join(text('RF64'), wav(0xffff_ffff, 0xffff_ffff).slice(4))],
    ['an AVI without sizes', avi(0, 0)],
    ['an AVI whose film has no size', avi(whole, 0)],
    ['an AVI whose film has only its name', avi(whole, 4)],
  ])('%s is sent as it is', async (_, bytes) => expect(await isAskedAbout(bytes)).toBe(false));

  test.each([
    ['an AVI that is longer than it says', avi(whole - 500, frames.length + 4)],
    ['a WAV with something unknown behind its data', wav(4_036, 2_000)],
    [
      'a WAV with a note where its data would be',
      wav(0, 0)
        .slice(0, 44)
        .concat(riffChunk('bext', text('Hill'))),
    ],
    ['a WAV without data', join(text('RIFF'), little(100), text('WAVE'), riffChunk('ABCD', sound))],
  ])('people are asked about %s', async (_, bytes) => expect(await isAskedAbout(bytes)).toBe(true));

  test('an RF64 ends where its sizes say, and loses the notes behind', async () => {
    const sizes = riffChunk('ds64', join(little(0, 8), little(8, 8), zeros(12)));
    const data = join(text('data'), little(0xffff_ffff), many(8, 5));
    const head = join(text('RF64'), little(0xffff_ffff), text('WAVE'), sizes, format, data);
    const { file, mayTellPlace } = await cleanFile(fileOf(join(head, riffChunk('bext', text('Signal Hill '))), 'x'));
    const clean = Buffer.from(await bytesOf(file));
    expect([mayTellPlace, clean.includes('Signal'), clean.subarray(0, head.length).equals(Buffer.from(head))]).toEqual([
      false,
      false,
      true,
    ]);
  });
});

/** Creates a HEIC picture of 40 bytes with an Exif item at an arbitrary offset. */
function heic(exif: { at?: number; bytes: number }): number[] {
  const entry = (id: number, type: string): Bytes => box('infe', [2, 0, 0, 0], big(id, 2), zeros(2), text(type), [0]);
  const start = box('ftyp', text('heic'), big(0), text('mif1heic'));
  const place = (id: number, at: number, bytes: number): Bytes =>
    join(big(id, 2), zeros(2), big(1, 2), big(at), big(bytes));
  const describe = (from: number): Bytes =>
    versioned(
      'meta',
      handler('pict'),
      versioned('pitm', big(1, 2)),
      versioned('iinf', big(2, 2), entry(1, 'hvc1'), entry(2, 'Exif')),
      versioned('iloc', [0x44, 0], big(2, 2), place(1, from, 40), place(2, exif.at ?? from + 40, exif.bytes)),
    );
  const from = start.length + describe(0).length + 8;
  return join(start, describe(from), box('mdat', many(40, 0x55), many(20, 0x66)));
}

describe('HEIC keeps its picture', () => {
  test('where its Exif is empty', async () => {
    expect(await isAskedAbout(heic({ at: 0, bytes: 0 }))).toBe(false);
    expect(await isAskedAbout(heic({ bytes: 0 }))).toBe(false);
  });

  test('and loses its Exif', async () => {
    const bytes = heic({ bytes: 20 });
    const { file } = await cleanFile(fileOf(bytes, 'Hill'));
    expect([...(await bytesOf(file))]).toEqual(join(bytes.slice(0, -20), zeros(20)));
  });

  test.each([
    ['where its Exif lies over the picture', heic({ at: heic({ bytes: 0 }).length - 30, bytes: 20 })],
    ['where its Exif lies over the index', heic({ at: 30, bytes: 20 })],
    ['where its Exif lies behind the end', heic({ bytes: 21 })],
  ])('%s, and people are asked', async (_, bytes) => expect(await isAskedAbout(bytes)).toBe(true));
});

const sampled = (type: string, ...tables: readonly Bytes[]): Bytes =>
  box(
    'trak',
    versioned('tkhd', zeros(80)),
    box(
      'mdia',
      versioned('mdhd', zeros(20)),
      handler(type),
      box('minf', box('stbl', versioned('stsd', big(0)), ...tables)),
    ),
  );
const tables = (offset: number, size: number): Bytes[] => [
  versioned('stsc', big(1), big(1), big(1), big(1)),
  versioned('stsz', big(size), big(1)),
  versioned('stco', big(1), big(offset)),
];
const ftyp = box('ftyp', text('isom'), big(0), text('isom'));
const index = (...parts: readonly Bytes[]): Bytes => box('moov', versioned('mvhd', zeros(96)), ...parts);
const indexBytes = index(sampled('vide', ...tables(0, 0))).length;

/** Creates a film whose index comes first and refers to 1,000 bytes, `skipped` bytes after it. */
const indexFirst = (skipped: number, ...rest: readonly Bytes[]): Bytes =>
  join(ftyp, index(sampled('vide', ...tables(ftyp.length + indexBytes + skipped, 1_000))), ...rest);

describe('films keep what is seen', () => {
  const frames = many(1_000, 1);

  test('in a film whose index comes first', async () => {
    expect(await isAskedAbout(indexFirst(8, box('mdat', frames)))).toBe(false);
  });

  test('where notes that are no box follow, which go', async () => {
    const film = indexFirst(8, box('mdat', frames));
    const { file, mayTellPlace } = await cleanFile(fileOf(join(film, many(8, 255), text('SEFT')), 'Hill'));
    expect([mayTellPlace, [...(await bytesOf(file))]]).toEqual([false, film]);
  });

  test.each([
    ['stray bytes before the data', indexFirst(16, many(8, 255), box('mdat', frames))],
    ['data whose size was never written', indexFirst(8, big(8), text('mdat'), frames)],
    ['data in a box of free space', indexFirst(8, box('free', frames))],
    ['data in a box of an unknown kind', indexFirst(8, box('what', frames))],
    [
      'stray bytes in a film of fragments',
      join(ftyp, index(box('mvex')), box('moof'), box('mdat', frames), many(8, 255)),
    ],
    [
      'telemetry that lies over the film',
      join(
        ftyp,
        box('mdat', frames),
        index(sampled('vide', ...tables(ftyp.length + 8, 900)), sampled('meta', ...tables(800, 90))),
      ),
    ],
    ['telemetry that lies over the index', join(ftyp, index(sampled('meta', ...tables(40, 90))), box('mdat', frames))],
  ])('people are asked about %s', async (_, bytes) => expect(await isAskedAbout(bytes)).toBe(true));

  test('a film in all directions stays one, and subtitles that are pictures stay', async () => {
    const id = [0xff, 0xcc, 0x82, 0x63, 0xf8, 0x55, 0x4a, 0x93, 0x88, 0x14, 0x58, 0x7a, 0x02, 0x52, 0x1f, 0xdd];
    const spherical = box('trak', versioned('tkhd', zeros(80)), box('uuid', id, text('<rdf:SphericalVideo>')));
    const subtitles = sampled('subp', ...tables(ftyp.length + 8, 12));
    expect(await isAskedAbout(join(ftyp, box('mdat', text('dvd subtitle')), index(subtitles)))).toBe(false);
    const video = [...sampled('vide', ...tables(ftyp.length + 8, 12)), ...spherical.slice(8 + 92)];
    const track = join(big(video.length), video.slice(4));
    expect(await isAskedAbout(join(ftyp, box('mdat', text('the pictures')), index(track)))).toBe(false);
  });
});

describe('Matroska keeps what is seen', () => {
  const element = (id: Bytes, ...bodies: readonly Bytes[]): Bytes => {
    const body = bodies.flat();
    return join(id, [0x10 | (body.length >> 24)], big(body.length, 3), body);
  };
  const cluster = (value: number): Bytes =>
    element([0x1f, 0x43, 0xb6, 0x75], [0xe7, 0x81, 0], element([0xa3], many(1_000, value)));
  const endless = join([0x1f, 0x43, 0xb6, 0x75, 0xff, 0xe7, 0x81, 0], element([0xa3], many(1_000, 1)));
  const block = element([0xa3], many(1_000, 2));
  const film = (...parts: readonly Bytes[]): Bytes =>
    join(
      element([0x1a, 0x45, 0xdf, 0xa3], [0x42, 0x82, 0x84], text('webm')),
      element(
        [0x18, 0x53, 0x80, 0x67],
        element([0x15, 0x49, 0xa9, 0x66], [0x2a, 0xd7, 0xb1, 0x83, 0x0f, 0x42, 0x40]),
        element([0x16, 0x54, 0xae, 0x6b], element([0xae], [0xd7, 0x81, 1, 0x83, 0x81, 1])),
        ...parts,
      ),
    );

  test.each([
    ['a whole film', film(cluster(1), cluster(2))],
    ['a film that broke off', film(cluster(1), cluster(2)).slice(0, -400)],
    ['a film that broke off where something began', film(cluster(1), [0x1f, 0x43])],
  ])('%s is sent as it is', async (_, bytes) => expect(await isAskedAbout(bytes)).toBe(false));

  test.each([
    ['stray bytes between parts', film(cluster(1), zeros(4), cluster(2), cluster(3))],
    ['stray bytes in a part without an end', film(endless, zeros(4), block)],
    ['a part behind something unknown', film(cluster(1), [0x99, 0x40, 0x10], cluster(2))],
    ['a part in a gap', film(cluster(1), element([0xec], cluster(2)))],
  ])('people are asked about %s', async (_, bytes) => expect(await isAskedAbout(bytes)).toBe(true));
});

describe('people are asked about sounds that cannot be cleaned', () => {
  const page = ogg().slice(0, 47);

  test.each([
    ['several streams, one after the other', join(ogg(), ogg())],
    ['an Ogg of an unknown codec', join(page.slice(0, 28), text('Speex   of an unknown'))],
    ['a FLAC that broke off in its head', flac().slice(0, 20)],
    ['a tag with something else behind it', join(mp3().slice(0, 60), text('#!AMR'), many(300, 1))],
    ['a tag that is longer than its file', join(text('ID3'), [3, 0, 0, 0x7f, 0x7f, 0x7f, 0x7f], many(4_000, 255))],
  ])('%s', async (_, bytes) => expect(await isAskedAbout(bytes)).toBe(true));

  test('but not about bytes that only look like one', async () => {
    expect(await isAskedAbout(join([0xff, 0xfe], text('H\0e\0l\0l\0o\0,\0 \0H\0i\0l\0l\0')))).toBe(false);
  });

  test('a tag that claims all of a song takes nothing of it', async () => {
    const song = mp3();
    const at = song.length - 128 - 32 + 12;
    const claimed = join(song.slice(0, at), little(5_000), song.slice(at + 4));
    expect(await isAskedAbout(claimed)).toBe(true);
  });
});

test('people are asked about a file that cannot be read', async () => {
  const gone = fileOf(text('a file that was taken away'), 'Hill');
  gone.slice = () => {
    throw new DOMException('It is gone.', 'NotReadableError');
  };
  expect(await cleanFile(gone)).toEqual({ file: gone, mayTellPlace: true });
});

describe('files that were built to take long are answered soon', () => {
  const soon = async (bytes: Bytes): Promise<boolean> => {
    const file = fileOf(bytes, 'Hill');
    // Processor time, which other tests do not affect.
    const before = process.cpuUsage();
    const { mayTellPlace } = await cleanFile(file);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000_000).toBeLessThan(5);
    return mayTellPlace;
  };
  const film = (...parts: readonly Bytes[]): Bytes =>
    join(ftyp, index(sampled('meta', ...parts)), box('mdat', zeros(99)));

  test('samples of no bits, and more than there are', async () => {
    const runs = versioned('stsc', big(1), big(1), big(100_000_000), big(1));
    expect(await soon(film(runs, versioned('stz2', big(0), big(0), zeros(4)), versioned('stco', big(1), big(8))))).toBe(
      true,
    );
    expect(await soon(film(runs, versioned('stsz', big(0), big(0)), versioned('stco', big(1), big(8))))).toBe(true);
    expect(await soon(film(runs, versioned('stsz', big(1), big(9)), versioned('stco', big(1), big(8))))).toBe(true);
  });

  test('directories of TIFF that name themselves, one another, and each other many times', async () => {
    const pointer = (at: number): Bytes => join(little(0x8769, 2), little(4, 2), little(1), little(at));
    const directory = (length: number, to: number): Bytes =>
      join(little(length, 2), ...Array.from({ length }, () => pointer(to)), little(0));
    const size = directory(200, 0).length;
    const start = join(text('II*\0'), little(8), directory(1, 26));
    for (const to of [26, 26 + size]) {
      await soon(join(start, directory(200, to), directory(200, 26), directory(200, to)));
    }
  });

  test('a file full of leads to places', async () => {
    const lead = join(text('II*\0'), little(8));
    expect(await soon(join(text('a file of an unknown kind'), ...Array.from({ length: 30_000 }, () => lead)))).toBe(
      true,
    );
  });

  test('a track of telemetry in very many pieces', async () => {
    const length = 150_000;
    const offsets = Array.from({ length }, (_, at) => big(at + 28)).flat();
    const telemetry = sampled(
      'meta',
      versioned('stsc', big(1), big(1), big(1), big(1)),
      versioned('stsz', big(1), big(length)),
      versioned('stco', big(length), offsets),
    );
    expect(await soon(join(ftyp, box('mdat', many(length, 1)), index(telemetry)))).toBe(false);
  });

  test('items of HEIC in very many pieces that take no room', async () => {
    const places = versioned(
      'iloc',
      [0, 0],
      big(60_000, 2),
      Array.from({ length: 60_000 }, () => [0, 1, 0, 0, 255, 255]).flat(),
    );
    const names = versioned('iinf', zeros(2));
    expect(await soon(join(ftyp, versioned('meta', handler('pict'), names, places)))).toBe(true);
  });
});
