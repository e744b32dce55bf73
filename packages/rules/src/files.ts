import { cutText, wellFormed } from './cutText.ts';
import { cleanName, withoutHidden } from './names.ts';

/** What a file is, as its bytes and its uploader say together: it decides how the file is shown, never whether it is safe. */
export const fileKinds = ['image', 'video', 'audio', 'voice', 'file'] as const;
export type FileKind = (typeof fileKinds)[number];

/** Widths in pixels in which a picture can be had besides its own (never wider than that). */
export const thumbnailWidths = [320, 960] as const;
export type ThumbnailWidth = (typeof thumbnailWidths)[number];

/** WebP has fourteen bits for each side. */
const mostThumbnailEdge = 16_383;

/**
 * The widths in which there are smaller pictures of one that is so large, in pixels: narrower ones, and of one that moves
 * a still one however small it is.
 */
export function thumbnailWidthsOf(picture: { width: number; height: number; moves: boolean }): ThumbnailWidth[] {
  const { width, height, moves } = picture;
  const fits = (step: number) => Math.round((height * Math.min(step, width)) / width) <= mostThumbnailEdge;
  return thumbnailWidths.filter((step, index) => (step < width || (moves && index === 0)) && fits(step));
}

/** Bytes that a smaller picture may have which comes with an upload; one that has more is made anew. */
export const thumbnailBytes = (width: ThumbnailWidth): number => width * 512;

/** The kinds of files that a message of a type may carry; what is not named here carries none. */
export const fileKindsOf: Readonly<Record<'image' | 'video' | 'file' | 'voice', readonly FileKind[]>> = {
  image: ['image'],
  video: ['video'],
  voice: ['voice', 'audio'],
  // Whoever sends something as a file wants it handed on as a file.
  file: fileKinds,
};

/** Cuts a file name in its middle, because the ending says what the file is. */
function cutFileName(name: string, mostBytes: number): string {
  const dot = name.lastIndexOf('.');
  const ending = dot > 0 && name.length - dot <= 20 ? wellFormed(name.slice(dot)) : '';
  return cutText(name.slice(0, name.length - ending.length), mostBytes - byteLength(ending), 'bytes') + ending;
}

const byteLength = (text: string): number => new TextEncoder().encode(text).length;

/**
 * The name of a file as it may be kept and shown: without the path that some clients send, without characters that steer
 * or hide (a right-to-left override makes `exe.gpj` of a program), and no longer than file systems take.
 */
export function safeFileName(given: string, mostBytes = 255): string {
  const last = given.slice(Math.max(given.lastIndexOf('/'), given.lastIndexOf('\\')) + 1);
  const name = withoutHidden(last.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ''))
    .replace(/\s+/g, ' ')
    .trim();
  return /^\.*$/.test(name) ? 'file' : cutFileName(name, mostBytes);
}

/** Characters of a file name that a client may send. Less is kept of it, because some clients send its path too. */
export const givenFileNameLength = 1_024;

/** A file name that every operating system accepts; empty if nothing of it can be used. */
export function portableFileName(given: string, mostBytes = 120): string {
  const name = cleanName(given.replace(/[\p{Cc}\\/:*?"<>|]/gu, '_')).replace(/^\.+/, '');
  return cutFileName(name, mostBytes).replace(/[. ]+$/, '');
}
