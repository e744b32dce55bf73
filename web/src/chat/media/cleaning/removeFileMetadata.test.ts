import ExifReader from 'exifreader';
import { ALL_FORMATS, BlobSource, Input } from 'mediabunny';
import { bytesOf, fileOf, findLocationTraces, text, xmpPacket } from '../../../testing/filesWithLocation/bytes.ts';
import { movie, moviePicture, webm, webmFrame } from '../../../testing/filesWithLocation/films.ts';
import { brokenJpeg, heif, jpeg, plainPng, png, tiff, webp } from '../../../testing/filesWithLocation/pictures.ts';
import { flac, mp3, ogg, song } from '../../../testing/filesWithLocation/sounds.ts';
import { removeFileMetadata } from './removeFileMetadata.ts';

async function cleanOf(bytes: readonly number[], name = 'Hill'): Promise<{ before: File; after: Uint8Array }> {
  const before = fileOf(bytes, name);
  const { file, canRevealLocation } = await removeFileMetadata(before);
  expect(canRevealLocation).toBe(false);
  return { before, after: await bytesOf(file) };
}

const has = (bytes: Uint8Array, wanted: readonly number[]): boolean => Buffer.from(bytes).includes(Buffer.from(wanted));

describe('an Exif reader', () => {
  test.each([
    ['JPEG', jpeg()],
    ['PNG', png()],
    ['WebP', webp()],
    ['TIFF', tiff()],
    ['little-endian TIFF', tiff({ isLittle: true })],
    ['HEIC', heif('heic', 'hvc1')],
    ['AVIF', heif('avif', 'av01')],
  ])('finds the location of a %s before cleaning, and not afterwards', async (_, bytes) => {
    const { before, after } = await cleanOf(bytes);
    const placeIn = (file: Uint8Array): boolean => {
      try {
        return 'GPSLatitude' in ExifReader.load(file.slice().buffer);
      } catch (error) {
        // Error of the parser for a picture without metadata.
        if (error instanceof Error && error.message === 'No Exif data') return false;
        throw error;
      }
    };
    expect([placeIn(await bytesOf(before)), placeIn(after)]).toEqual([true, false]);
  });
});

test('the orientation is preserved', async () => {
  for (const bytes of [jpeg(), tiff(), tiff({ isLittle: true, isRaw: true })]) {
    const { after } = await cleanOf(bytes);
    expect(ExifReader.load(after.slice().buffer)['Orientation']?.value).toBe(6);
  }
});

test('raw files keep what programs need to develop them, and TIFF pictures their pixels', async () => {
  const { after } = await cleanOf(tiff({ isRaw: true }));
  for (const words of ['A lens', 'Pinhole']) expect(has(after, text(words))).toBe(true);
  const { after: picture } = await cleanOf(tiff());
  const tags = ExifReader.load(picture.slice().buffer) as Record<string, { value: unknown } | undefined>;
  expect(tags['Make']).toBeUndefined();
  expect(picture[Number(tags['StripOffsets']?.value)]).toBe(200);
});

test('media in HEIF pictures and films stays at its position', async () => {
  for (const [bytes, content] of [
    [heif('heic', 'hvc1'), text('the picture itself')],
    [movie(), moviePicture],
    [movie({ brand: 'qt  ', hasKeys: true }), moviePicture],
    [webm(), webmFrame],
  ] as const) {
    const { before, after } = await cleanOf(bytes);
    const given = Buffer.from(await bytesOf(before));
    expect(after.length).toBe(given.length);
    expect(Buffer.from(after).indexOf(Buffer.from(content))).toBe(given.indexOf(Buffer.from(content)));
  }
});

test('a video keeps its subtitles, except those that reveal the location', async () => {
  const words = 'Sto lat! Turn on the GPS, and up the hill.';
  const kept = await cleanOf(movie({ words }));
  expect(has(kept.after, text(words))).toBe(true);
  const drone = await cleanOf(movie({ words: 'F/2.8 GPS (18.41, -33.96, 20) H 30m' }));
  expect(has(drone.after, text('18.41'))).toBe(false);
});

test('songs keep their tags, and play', async () => {
  for (const [name, bytes] of [
    ['mp3', mp3()],
    ['ogg', ogg()],
    ['flac', flac()],
    ['m4a', song()],
  ] as const) {
    const { after } = await cleanOf(bytes, name);
    expect([name, has(after, text('Uphill')), has(after, text('Ada'))]).toEqual([name, true, true]);
    const input = new Input({ source: new BlobSource(new Blob([after.slice()])), formats: ALL_FORMATS });
    expect([name, await input.canRead()]).toEqual([name, true]);
  }
});

test('a picture without metadata is left unchanged', async () => {
  const { after } = await cleanOf(plainPng());
  expect([...after]).toEqual([...plainPng()]);
});

describe('the sender', () => {
  const asks = async (bytes: readonly number[]): Promise<boolean> =>
    (await removeFileMetadata(fileOf(bytes, 'Hill'))).canRevealLocation;

  test.each([
    ['a broken JPEG', brokenJpeg()],
    ['a broken video', movie().slice(0, 200)],
    ['a broken HEIC', heif('heic', 'hvc1').slice(0, 60)],
    ['a raw file of a kind that cannot be cleaned', movie({ brand: 'crx ' })],
    ['a file of an unknown kind that contains a photo', [...text('8BPS of an unknown kind'), ...jpeg()]],
    ['a file of an unknown kind with XMP', text(`of an unknown kind ${xmpPacket}`)],
    ['a video of an unknown kind', text('of an unknown kind \xa9xyz\0\x12\x15\xc7-33.9628+018.4098/')],
    ['a camcorder recording', [...text('of an unknown kind MDPM'), 1, 0xb2, 0x33, 0, 0, 1]],
    ['text from a drone', text('of an unknown kind GPS (18.4233, -33.9612, 20) H 30m')],
    ['text from another drone', text('of an unknown kind [latitude : 42.123456] [longtitude : -71.1]')],
    ['XMP with other quotes', text(`of an unknown kind exif:GPSLatitude='33,57.7S'`)],
    ['XMP from a drone', text('of an unknown kind drone-dji:GpsLatitude="+33.9612"')],
    ['a dashcam recording', text('an unknown kind of film freeGPS  and more')],
  ])('is asked about %s', async (_, bytes) => expect(await asks(bytes)).toBe(true));

  test('is not asked about files that cannot contain a location', async () => {
    for (const words of ['Up the hill, and down again.', '', 'x', 'location=12 and II*\0 and MM\0* and so on and on']) {
      expect(await asks(text(words))).toBe(false);
    }
  });

  test('is not asked about files that were cleaned', async () => {
    for (const bytes of [jpeg(), png(), movie(), webm(true), tiff({ isRaw: true })]) {
      const { file } = await removeFileMetadata(fileOf(bytes, 'Hill'));
      expect([(await removeFileMetadata(file)).canRevealLocation, findLocationTraces(await bytesOf(file))]).toEqual([
        false,
        [],
      ]);
    }
  });
});
