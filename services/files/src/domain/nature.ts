import type { FileKind } from '@nolo/rules';
import type { DeclaredFile } from './sharedFiles.ts';

/** Picture types that are decoded and re-encoded. */
export const pictureTypes: ReadonlySet<string> = new Set([
  'image/png',
  'image/apng',
  'image/jpeg',
  'image/webp',
  'image/gif',
  'image/avif',
]);

/** Types that browsers play and that cannot run code, keyed by detected type, with the name used here. */
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

/** Types reported for the sake of an icon; they are still served as plain bytes. */
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

/** Type of plain bytes: everything unknown, and everything that a browser could run (SVG, HTML, scripts). */
const opaqueContentType = 'application/octet-stream';

const withoutParameters = (type: string) => (type.split(';')[0] ?? '').trim().toLowerCase();

/** Returns true if the uploader declares a picture, so that any other content is fake. */
export function isDeclaredPicture({ kind, contentType }: DeclaredFile): boolean {
  return kind === 'image' || (kind === undefined && pictureTypes.has(withoutParameters(contentType)));
}

/** Returns true for the type of a video container, which may hold audio only. */
export const isVideoContainer = (found: string | undefined): boolean =>
  played[withoutParameters(found ?? '')]?.medium === 'video';

/**
 * Returns the kind and type of a file that is not a picture, from the type detected in its bytes.
 *
 * @param tracks kinds of its tracks, if known
 */
export function detectFileNature(
  found: string | undefined,
  { kind }: DeclaredFile,
  tracks?: 'video' | 'audio',
): { kind: FileKind; contentType: string } {
  const type = withoutParameters(found ?? '');
  const known = played[type];
  if (!known) return { kind: 'file', contentType: inert.has(type) ? type : opaqueContentType };
  const isSound = (tracks ?? known.medium) === 'audio' || kind === 'voice' || kind === 'audio';
  if (!isSound) return { kind: 'video', contentType: known.type };
  // Browsers record audio into video containers, which look the same at their beginning.
  const contentType = known.type.replace(/^video\/(mp4|webm|ogg)$/, 'audio/$1').replace('video/quicktime', 'audio/mp4');
  return { kind: kind === 'voice' ? 'voice' : 'audio', contentType };
}

/** Returns true for kinds that may be displayed inline: they are verified and cannot run code. */
export function isInline(kind: FileKind): boolean {
  return kind !== 'file';
}
