import { sanitizeFileName } from '@nolo/rules';

/** Percent-encodes all characters except those of RFC 8187's attr-char. */
const percent = (text: string) =>
  encodeURIComponent(text).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

/**
 * Returns a `Content-Disposition` with the name in both notations (RFC 6266): one for all clients, without characters
 * that end the quotes, and the exact one.
 */
export function formatContentDisposition(type: 'inline' | 'attachment', name: string): string {
  if (name === '') return type;
  const safe = sanitizeFileName(name);
  const plain = safe.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  return plain === safe
    ? `${type}; filename="${plain}"`
    : `${type}; filename="${plain}"; filename*=UTF-8''${percent(safe)}`;
}
