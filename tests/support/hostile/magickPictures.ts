import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';

/** Picture as ImageMagick writes it. */
export interface MagickPicture {
  title: string;
  name: string;
  type: string;
  bytes: Buffer;
  /** Displayed size in pixels: red in the upper left quarter, and green in the upper right one. */
  width: number;
  height: number;
  moves: boolean;
}

const run = promisify(execFile);
function magick(): string {
  const program = process.env['NOLO_TEST_IMAGEMAGICK'];
  if (program === undefined)
    throw new Error('ImageMagick is missing; npm test installs it and has reported why it could not.');
  return program;
}

const [width, height] = [600, 400];
const scene = ['-size', `${width}x${height}`, 'gradient:#1db584-#ffffff', '-depth', '8'];
const drawing = [...scene, '-fill', '#c9302c', '-draw', `rectangle 0,0 ${width / 2 - 1},${height / 2 - 1}`];

/**
 * Builds pictures of the kinds that cameras, scanners and programs create, with a location in the metadata if the kind
 * supports it. Only Safari shows the last kind.
 */
export async function createMagickPictures(place: string): Promise<MagickPicture[]> {
  const folder = await mkdtemp(join(tmpdir(), 'nolo-magick-'));
  try {
    const camera = join(folder, 'camera.jpg');
    const upright = join(folder, 'upright.png');
    await run(magick(), [...drawing, upright]);
    // Adds camera metadata: ImageMagick passes on existing metadata but writes none itself.
    const taken = sharp(await readFile(upright))
      .jpeg({ quality: 92 })
      .withExif({
        IFD0: { Make: 'Pinhole', ImageDescription: place },
        IFD3: {
          GPSLatitudeRef: 'S',
          GPSLatitude: '33/1 55/1 0/1',
          GPSLongitudeRef: 'E',
          GPSLongitude: '18/1 23/1 0/1',
        },
      });
    await writeFile(camera, await taken.toBuffer());

    const frames = ['-delay', '20', upright, '(', upright, '-rotate', '180', ')', '-loop', '0'];
    const still = { width, height, moves: false };
    const wanted: (Omit<MagickPicture, 'bytes'> & { made: string[] })[] = [
      {
        title: 'a progressive photo from a camera held upright',
        name: 'Upright.jpg',
        type: 'image/jpeg',
        made: [camera, '-rotate', '-90', '-orient', 'RightTop', '-interlace', 'JPEG'],
        ...still,
      },
      {
        title: 'a CMYK JPEG',
        name: 'Printed.jpg',
        type: 'image/jpeg',
        made: [camera, '-colorspace', 'CMYK'],
        ...still,
      },
      {
        title: 'a 16-bit PNG',
        name: 'Deep.png',
        type: 'image/png',
        made: [upright, '-depth', '16', '-define', 'png:bit-depth=16', '-define', 'png:color-type=2'],
        ...still,
      },
      {
        title: 'a panorama',
        name: 'Panorama.jpg',
        type: 'image/jpeg',
        made: [camera, '-resize', '4000x400!'],
        width: 4_000,
        height: 400,
        moves: false,
      },
      { title: 'an animated GIF', name: 'Turning.gif', type: 'image/gif', made: frames, ...still, moves: true },
      { title: 'an animated WebP', name: 'Turning.webp', type: 'image/webp', made: frames, ...still, moves: true },
      { title: 'an AVIF', name: 'Small.avif', type: 'image/avif', made: [camera], ...still },
      { title: 'a phone photo', name: 'Phone.heic', type: 'image/heic', made: [camera], ...still },
    ];
    const pictures: MagickPicture[] = [];
    for (const { made, ...picture } of wanted) {
      const path = join(folder, picture.name);
      await run(magick(), [...made, '-set', 'comment', place, path]);
      pictures.push({ ...picture, bytes: await readFile(path) });
    }
    // ImageMagick writes no metadata to the other kinds.
    const silent = pictures.filter(({ name, bytes }) => /(jpg|png|gif)$/.test(name) && !bytes.includes(place));
    if (silent.length > 0) throw new Error(`No location in ${silent.map(({ name }) => name).join(', ')}.`);
    return pictures;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns what is wrong with a received picture: its size, its colors, or a lost animation. Null if nothing is. */
export async function findPictureDifference(
  bytes: Uint8Array,
  wanted: MagickPicture,
  wide = wanted.width,
): Promise<string | null> {
  const { width: found, height: high, pageHeight = high, pages = 1 } = await sharp(bytes).metadata();
  const expected = Math.round((wanted.height * wide) / wanted.width);
  if (found !== wide || Math.abs(pageHeight - expected) > 1) return `${found} by ${pageHeight} pixels`;
  if (pages > 1 !== (wanted.moves && wide === wanted.width)) return `${pages} pictures`;
  const first = sharp(bytes, { pages: 1 }).toColourspace('srgb').removeAlpha();
  const { data, info } = await first.raw().toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number) => {
    const place = (Math.round(info.height * y) * info.width + Math.round(info.width * x)) * info.channels;
    return [...data.subarray(place, place + 3)];
  };
  const [red, green] = [at(0.25, 0.25), at(0.75, 0.05)];
  const isRed = (red[0] ?? 0) > 150 && (red[1] ?? 255) < 110 && (red[2] ?? 255) < 110;
  // Print colors differ a little.
  const isGreen = (green[1] ?? 0) > 115 && (green[0] ?? 255) < 130;
  return isRed && isGreen ? null : `colours ${red.join(' ')} and ${green.join(' ')}`;
}
