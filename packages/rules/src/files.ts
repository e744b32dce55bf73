import { cutText, toWellFormedText } from './cutText.ts';
import { cleanName, removeHiddenCharacters } from './names.ts';

/**
 * Kind of a file, from its bytes and its uploader together. Determines how the file is shown, never whether it is safe.
 */
export const fileKinds = ['image', 'video', 'audio', 'voice', 'file'] as const;
export type FileKind = (typeof fileKinds)[number];

/** Widths in pixels of smaller versions of a picture (never wider than the picture itself). */
export const thumbnailWidths = [320, 960] as const;
export type ThumbnailWidth = (typeof thumbnailWidths)[number];

/** WebP has fourteen bits for each side. */
const maxThumbnailEdge = 16_383;

/**
 * Returns the widths of the smaller versions of a picture of this size in pixels: the narrower ones, plus a still
 * version of an animated picture, however small it is.
 */
export function thumbnailWidthsOf(picture: { width: number; height: number; moves: boolean }): ThumbnailWidth[] {
  const { width, height, moves } = picture;
  const fits = (step: number) => Math.round((height * Math.min(step, width)) / width) <= maxThumbnailEdge;
  return thumbnailWidths.filter((step, index) => (step < width || (moves && index === 0)) && fits(step));
}

/** Maximum bytes of a smaller picture that accompanies an upload; a larger one is created again. */
export const maxThumbnailBytesFor = (width: ThumbnailWidth): number => width * 512;

/** Kinds of files that a message of each type may carry. Types not named here carry none. */
export const fileKindsByMessageType: Readonly<Record<'image' | 'video' | 'file' | 'voice', readonly FileKind[]>> = {
  image: ['image'],
  video: ['video'],
  voice: ['voice', 'audio'],
  // A sender who chooses to send a file as such wants it delivered as a file.
  file: fileKinds,
};

/** Shortens a file name in the middle, because the extension identifies the type. */
function cutFileName(name: string, maxBytes: number): string {
  const dot = name.lastIndexOf('.');
  const ending = dot > 0 && name.length - dot <= 20 ? toWellFormedText(name.slice(dot)) : '';
  return cutText(name.slice(0, name.length - ending.length), maxBytes - byteLength(ending), 'bytes') + ending;
}

const byteLength = (text: string): number => new TextEncoder().encode(text).length;

/**
 * Returns a file name that is safe to store and show: without the path that some clients send, without control or
 * hidden characters (a right-to-left override disguises a program as `exe.gpj`), and within the length that file
 * systems accept.
 */
export function sanitizeFileName(given: string, maxBytes = 255): string {
  const last = given.slice(Math.max(given.lastIndexOf('/'), given.lastIndexOf('\\')) + 1);
  const name = removeHiddenCharacters(last.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ''))
    .replace(/\s+/g, ' ')
    .trim();
  return /^\.*$/.test(name) ? 'file' : cutFileName(name, maxBytes);
}

/** Maximum characters of a file name from a client. Less is stored, because some clients include the path. */
export const maxReceivedFileNameLength = 1_024;

/** Returns a file name that every operating system accepts; empty if nothing of it is usable. */
export function toPortableFileName(given: string, maxBytes = 120): string {
  const name = cleanName(given.replace(/[\p{Cc}\\/:*?"<>|]/gu, '_')).replace(/^\.+/, '');
  return cutFileName(name, maxBytes).replace(/[. ]+$/, '');
}
