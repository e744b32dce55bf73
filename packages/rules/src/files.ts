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

const control = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/**
 * The name of a file as it may be kept and shown: without the path that some clients send, without characters that steer
 * or hide (a right-to-left override makes `exe.gpj` of a program), and no longer than file systems take.
 */
export function safeFileName(given: string, mostBytes = 255): string {
  const last = given.slice(Math.max(given.lastIndexOf('/'), given.lastIndexOf('\\')) + 1);
  const name = last.replace(control, '').replace(/\s+/g, ' ').trim();
  if (/^\.*$/.test(name)) return 'file';
  const bytes = new TextEncoder();
  const fits = (text: string) => bytes.encode(text).length <= mostBytes;
  if (fits(name)) return name;
  // The ending says what it is, so the middle goes.
  const dot = name.lastIndexOf('.');
  const ending = dot > 0 && name.length - dot <= 20 ? name.slice(dot) : '';
  const stem = Array.from(name.slice(0, name.length - ending.length));
  while (stem.length > 0 && !fits(stem.join('') + ending)) stem.pop();
  return stem.join('') + ending;
}
