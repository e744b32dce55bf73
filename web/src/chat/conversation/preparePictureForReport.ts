import { reportPictureLimits } from '@nolo/rules';

const pixels = 1_600;

/**
 * Redraws the picture for a report, so that it carries only visible data, and shrinks it. Returns base64.
 *
 * @throws if the picture is unavailable
 */
export async function preparePictureForReport(url: string): Promise<string> {
  const reply = await fetch(url);
  if (!reply.ok) throw new Error('The picture could not be loaded.');
  const picture = await createImageBitmap(await reply.blob());
  for (let side = pixels; side >= 200; side /= 2) {
    const scale = Math.min(1, side / Math.max(picture.width, picture.height));
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.round(picture.width * scale));
    canvas.height = Math.max(1, Math.round(picture.height * scale));
    canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height);
    const made = canvas.toDataURL('image/jpeg', 0.8);
    const content = made.slice(made.indexOf(',') + 1);
    if ((content.length * 3) / 4 <= reportPictureLimits.bytes) return content;
  }
  throw new Error('The picture could not be made small enough.');
}
