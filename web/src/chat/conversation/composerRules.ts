import { isBlank, limits } from '@nolo/rules';

const encoder = new TextEncoder();
/** From here on the counter shows. */
const warnBelowBytes = 2_048;

/** Bytes left of what one message may hold, or null while there is no need to know. */
export function bytesLeft(text: string): number | null {
  // A code unit is at most three bytes, so short texts need not be encoded at every key.
  if (text.length * 3 < limits.messageContentBytes - warnBelowBytes) return null;
  const left = limits.messageContentBytes - encoder.encode(text.trim()).length;
  return left < warnBelowBytes ? left : null;
}

export function maySend(text: string): boolean {
  return !isBlank(text) && (bytesLeft(text) ?? 0) >= 0;
}

/** What a line of the clipboard calls a file: its name, its path, or its address. */
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
 * Whether pasted files are meant rather than the text that came with them. File managers put the names, paths or addresses
 * of files beside them; spreadsheets and word processors put a picture of themselves beside their words.
 */
export function meansFiles(files: readonly { readonly name: string }[], text: string): boolean {
  const names = new Set(files.map(({ name }) => name.normalize('NFC')));
  const lines = text.split(/[\r\n]+/).map((line) => line.trim());
  // GNOME's file manager writes what is to be done before the addresses.
  const words = lines[0] === 'x-special/nautilus-clipboard' ? lines.slice(2) : lines;
  return files.length > 0 && words.every((line) => line === '' || names.has(fileNameIn(line)));
}
