import type { FileKind } from '@nolo/rules';
import type { Declared } from './sharedFiles.ts';

/** Pictures that are decoded and made anew. */
export const pictureTypes: ReadonlySet<string> = new Set([
  'image/png',
  'image/apng',
  'image/jpeg',
  'image/webp',
  'image/gif',
  'image/avif',
]);

/** What browsers play and what cannot run in them, by the names that are found in bytes, as they are called here. */
const played: Readonly<Record<string, { type: string; medium: 'video' | 'audio' }>> = {
  'video/mp4': { type: 'video/mp4', medium: 'video' },
  'video/x-m4v': { type: 'video/mp4', medium: 'video' },
  'video/webm': { type: 'video/webm', medium: 'video' },
  'video/quicktime': { type: 'video/quicktime', medium: 'video' },
  'video/ogg': { type: 'video/ogg', medium: 'video' },
  'audio/mpeg': { type: 'audio/mpeg', medium: 'audio' },
  'audio/mp4': { type: 'audio/mp4', medium: 'audio' },
  'audio/x-m4a': { type: 'audio/mp4', medium: 'audio' },
  'audio/ogg': { type: 'audio/ogg', medium: 'audio' },
  'audio/webm': { type: 'audio/webm', medium: 'audio' },
  'audio/wav': { type: 'audio/wav', medium: 'audio' },
  'audio/vnd.wave': { type: 'audio/wav', medium: 'audio' },
  'audio/flac': { type: 'audio/flac', medium: 'audio' },
  'audio/x-flac': { type: 'audio/flac', medium: 'audio' },
  'audio/aac': { type: 'audio/aac', medium: 'audio' },
};

/** Told for the sake of an icon; it is handed on as bytes all the same. */
const inert: ReadonlySet<string> = new Set([
  'application/pdf',
  'application/zip',
  'application/gzip',
  'application/x-7z-compressed',
  'application/x-rar-compressed',
  'application/x-tar',
  'application/epub+zip',
  'application/rtf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  'application/vnd.oasis.opendocument.text',
  'application/vnd.oasis.opendocument.spreadsheet',
  'application/vnd.oasis.opendocument.presentation',
]);

/** Bytes and nothing more: whatever is not known, and all that a browser could run (SVG, HTML, scripts). */
export const opaqueType = 'application/octet-stream';

const withoutParameters = (type: string) => (type.split(';')[0] ?? '').trim().toLowerCase();

/** Whether the uploader says that it is a picture, so that anything else only pretends to be one. */
export function claimsPicture({ kind, contentType }: Declared): boolean {
  return kind === 'image' || (kind === undefined && pictureTypes.has(withoutParameters(contentType)));
}

/** Whether the type is that of a container of videos, which may hold sound alone. */
export const isVideoContainer = (found: string | undefined): boolean =>
  played[withoutParameters(found ?? '')]?.medium === 'video';

/**
 * What a file that is no picture is, by the type that was found in its bytes.
 *
 * @param tracks what its tracks are, where that is known
 */
export function natureOf(
  found: string | undefined,
  { kind }: Declared,
  tracks?: 'video' | 'audio',
): { kind: FileKind; contentType: string } {
  const type = withoutParameters(found ?? '');
  const known = played[type];
  if (!known) return { kind: 'file', contentType: inert.has(type) ? type : opaqueType };
  const isSound = (tracks ?? known.medium) === 'audio' || kind === 'voice' || kind === 'audio';
  if (!isSound) return { kind: 'video', contentType: known.type };
  // Browsers record sound into the containers of videos, whose bytes do not tell the difference at their beginning.
  const contentType = known.type.replace(/^video\/(mp4|webm|ogg)$/, 'audio/$1').replace('video/quicktime', 'audio/mp4');
  return { kind: kind === 'voice' ? 'voice' : 'audio', contentType };
}

/** What may stand in a page: it has been looked at, and cannot run. */
export function isInline(kind: FileKind): boolean {
  return kind !== 'file';
}
