import { safeFileName } from '@nolo/rules';

/** Characters of RFC 8187's attr-char; everything else is written in hexadecimal. */
const percent = (text: string) =>
  encodeURIComponent(text).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

/**
 * `Content-Disposition` with a name in both notations (RFC 6266): the one that every client reads, without what would end
 * the quotes, and the true one.
 */
export function contentDisposition(type: 'inline' | 'attachment', name: string): string {
  if (name === '') return type;
  const safe = safeFileName(name);
  const plain = safe.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  return plain === safe
    ? `${type}; filename="${plain}"`
    : `${type}; filename="${plain}"; filename*=UTF-8''${percent(safe)}`;
}
