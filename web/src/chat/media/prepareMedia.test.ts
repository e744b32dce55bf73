import { bytesOf, fileOf, findLocationTraces } from '../../testing/filesWithLocation/bytes.ts';
import { avi, movie, webm } from '../../testing/filesWithLocation/films.ts';
import { gif, heif, jpeg, png, tiff, webp } from '../../testing/filesWithLocation/pictures.ts';
import { flac, mp3, ogg, song, wav } from '../../testing/filesWithLocation/sounds.ts';
import { prepareMedia } from './prepareMedia.ts';

const placed: readonly (readonly [string, () => File])[] = [
  ['a JPEG of 54 megapixels', () => fileOf(jpeg(), 'Hill.jpg', 'image/jpeg')],
  ['a JPEG with stray bytes between its segments', () => fileOf(jpeg([0, 1, 2]), 'Hill.jpg', 'image/jpeg')],
  ['a JPEG with a wrong name', () => fileOf(jpeg(), 'Hill.bin')],
  ['a PNG', () => fileOf(png(), 'Hill.png', 'image/png')],
  ['a WebP', () => fileOf(webp(), 'Hill.webp', 'image/webp')],
  ['a GIF', () => fileOf(gif(), 'Hill.gif', 'image/gif')],
  ['a HEIC whose kind the browser does not know', () => fileOf(heif('heic', 'hvc1', movie()), 'Hill.heic')],
  ['an AVIF', () => fileOf(heif('avif', 'av01'), 'Hill.avif', 'image/avif')],
  ['a TIFF', () => fileOf(tiff(), 'Hill.tiff', 'image/tiff')],
  ['a little-endian TIFF', () => fileOf(tiff({ isLittle: true }), 'Hill.tif')],
  ['a DNG', () => fileOf(tiff({ isRaw: true, isLittle: true }), 'Hill.dng')],
  ['an MP4', () => fileOf(movie(), 'Hill.mp4', 'video/mp4')],
  ['a QuickTime film', () => fileOf(movie({ brand: 'qt  ', hasKeys: true }), 'Hill.mov', 'video/quicktime')],
  ['an M4A', () => fileOf(song(), 'Uphill.m4a', 'audio/mp4')],
  ['a WebM', () => fileOf(webm(), 'Hill.webm', 'video/webm')],
  ['a WebM that a browser recorded', () => fileOf(webm(true), 'Hill.webm', 'video/webm')],
  ['an MP3', () => fileOf(mp3(), 'Uphill.mp3', 'audio/mpeg')],
  ['an Ogg', () => fileOf(ogg(), 'Uphill.ogg', 'audio/ogg')],
  ['a FLAC', () => fileOf(flac(), 'Uphill.flac', 'audio/flac')],
  ['a WAV', () => fileOf(wav(), 'Uphill.wav', 'audio/wav')],
  ['an AVI', () => fileOf(avi(), 'Hill.avi', 'video/x-msvideo')],
];

describe.each([
  ['as a file', true],
  ['as what it is', false],
])('a file sent %s', (_, whole) => {
  // Node decodes and plays nothing, like a browser that does not know the format.
  test.each(placed)('%s does not reveal where it was taken', async (_name, make) => {
    const file = make();
    expect(findLocationTraces(await bytesOf(file))).not.toEqual([]);
    const { files } = await prepareMedia(file, whole);
    expect(findLocationTraces(await bytesOf(files.file))).toEqual([]);
  });
});
