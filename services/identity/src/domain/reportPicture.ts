import { reportPictureLimits, type ReportPictureType } from '@nolo/rules';

/** Unverified copy of a picture. */
export interface ReportPicture {
  type: ReportPictureType;
  content: Buffer;
}

const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const jpeg = Buffer.from([0xff, 0xd8, 0xff]);
const ascii = (bytes: Buffer, from: number, to: number) => bytes.toString('latin1', from, to);

/** Detects the format from the bytes. Undefined for other formats and for pictures that are too large. */
export function readReportPicture(content: Buffer): ReportPicture | undefined {
  if (content.length > reportPictureLimits.bytes) return undefined;
  if (content.subarray(0, png.length).equals(png)) return { type: 'image/png', content };
  if (content.subarray(0, jpeg.length).equals(jpeg)) return { type: 'image/jpeg', content };
  if (ascii(content, 0, 4) === 'RIFF' && ascii(content, 8, 12) === 'WEBP') return { type: 'image/webp', content };
  return undefined;
}
