import { isBlank, limits } from '@nolo/rules';

const encoder = new TextEncoder();
/** Remaining bytes below which the counter shows. */
const warnBelowBytes = 2_048;

/** Returns the bytes that remain in a message, or null if there are more than `warnBelowBytes`. */
export function bytesLeftNearLimit(text: string): number | null {
  // A code unit takes at most three bytes, so short texts need no encoding at each keystroke.
  if (text.length * 3 < limits.messageContentBytes - warnBelowBytes) return null;
  const left = limits.messageContentBytes - encoder.encode(text.trim()).length;
  return left < warnBelowBytes ? left : null;
}

export const isSendableText = (text: string): boolean => !isBlank(text) && (bytesLeftNearLimit(text) ?? 0) >= 0;

/** Returns the file name in a line of the clipboard, which may hold a name, a path, or a URL. */
function fileNameIn(line: string): string {
  const path = /^file:\/\//i.test(line) && URL.canParse(line) ? new URL(line).pathname : undefined;
  const last =
    (path ?? line)
      .replace(/[\\/]+$/, '')
      .split(/[\\/]/)
      .at(-1) ?? '';
  try {
    return (path === undefined ? last : decodeURIComponent(last)).normalize('NFC');
  } catch {
    return last;
  }
}

/**
 * Returns true if a paste means the files rather than the accompanying text. File managers add the names, paths, or
 * URLs of files as text. Spreadsheets and word processors add a picture of their text.
 */
export function prefersPastedFiles(files: readonly { readonly name: string }[], text: string): boolean {
  const names = new Set(files.map(({ name }) => name.normalize('NFC')));
  const lines = text.split(/[\r\n]+/).map((line) => line.trim());
  // GNOME's file manager writes the action before the URLs.
  const words = lines[0] === 'x-special/nautilus-clipboard' ? lines.slice(2) : lines;
  return files.length > 0 && words.every((line) => line === '' || names.has(fileNameIn(line)));
}
