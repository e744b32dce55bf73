import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import sharp from 'sharp';

/* Real files, as cameras and people create them. */

/** File as passed to the browser. */
export interface BrowserInputFile {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

/** Location of the camera, which must not be in what others get. */
export const photoLocation = 'Lions Head Trail';

/** Builds a photograph of a gradient that contains its location and camera. */
export async function aPhotograph(
  name: string,
  colour: string,
  width = 1_600,
  height = 1_200,
): Promise<BrowserInputFile> {
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <defs><linearGradient id="g" x2="1" y2="1"><stop stop-color="${colour}"/><stop offset="1" stop-color="#fff"/></linearGradient></defs>
    <rect width="100%" height="100%" fill="url(#g)"/><circle cx="30%" cy="35%" r="12%" fill="#0005"/></svg>`;
  const buffer = await sharp(Buffer.from(drawing))
    .jpeg({ quality: 88 })
    .withExif({
      IFD0: { Make: 'Pinhole', Model: 'Camera of Ada', ImageDescription: photoLocation },
      IFD3: { GPSLatitudeRef: 'S', GPSLatitude: '33/1 55/1 0/1', GPSLongitudeRef: 'E', GPSLongitude: '18/1 23/1 0/1' },
    })
    .toBuffer();
  if (!buffer.includes(photoLocation)) throw new Error('The photo contains no location.');
  return { name, mimeType: 'image/jpeg', buffer };
}

export function aDocument(name = 'Route.txt', words = 'Up the hill, and down again.'): BrowserInputFile {
  return { name, mimeType: 'text/plain', buffer: Buffer.from(words) };
}

/** Builds a file of the given size whose bytes do not repeat. */
export function aLargeFile(name: string, bytes: number): BrowserInputFile {
  const buffer = Buffer.alloc(bytes);
  for (let at = 0; at + 4 <= bytes; at += 4) buffer.writeUInt32LE((at * 2_654_435_761) >>> 0, at);
  return { name, mimeType: 'application/octet-stream', buffer };
}

/** Location of a phone, as it writes it into its videos (ISO 6709). */
export const videoLocation = '-33.9628+018.4098/';

/** Builds seconds of a test card with a tone, as a phone writes them: with the location and the phone's make. */
export async function aPhoneVideo(name = 'VID_0001.mp4', seconds = 2, framesPerSecond = 15): Promise<BrowserInputFile> {
  const folder = await mkdtemp(join(tmpdir(), 'nolo-video-'));
  const path = join(folder, name);
  try {
    // Codecs that every Chromium plays.
    const inputs = [
      `testsrc=size=320x240:rate=${framesPerSecond}:duration=${seconds}`,
      `sine=duration=${seconds}`,
    ].flatMap((one) => ['-f', 'lavfi', '-i', one]);
    const codecs = ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8', '-c:a', 'libopus'];
    const metadataArgs = [
      '-metadata',
      `location=${videoLocation}`,
      '-metadata',
      'make=Pinhole',
      '-movflags',
      'use_metadata_tags',
    ];
    const ffmpegArguments = ['-v', 'error', ...inputs, ...codecs, ...metadataArgs, path];
    await promisify(execFile)(process.env['NOLO_TEST_FFMPEG'] ?? 'ffmpeg', ffmpegArguments);
    const buffer = await readFile(path);
    if (!buffer.includes(videoLocation)) throw new Error('The video contains no location.');
    return { name, mimeType: 'video/mp4', buffer };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Passes a file to the page as a drop or a paste. */
export async function dropOrPasteFile(
  page: Page,
  how: 'drop' | 'paste',
  target: string,
  file: BrowserInputFile,
): Promise<void> {
  await page.evaluate(
    `(async ({ how, target, name, type, base64 }) => {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      const data = new DataTransfer();
      data.items.add(new File([bytes], name, { type }));
      const element = document.querySelector(target);
      const told = { bubbles: true, cancelable: true };
      if (how === 'paste') {
        element.dispatchEvent(new ClipboardEvent('paste', { ...told, clipboardData: data }));
        return;
      }
      for (const event of ['dragenter', 'dragover', 'drop']) {
        element.dispatchEvent(new DragEvent(event, { ...told, dataTransfer: data }));
      }
    })(${JSON.stringify({ how, target, name: file.name, type: file.mimeType, base64: file.buffer.toString('base64') })})`,
  );
}
