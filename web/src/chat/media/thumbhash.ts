import { thumbHashToDataURL } from 'thumbhash';

const fromBase64 = (text: string): Uint8Array => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

const known = new Map<string, string>();
const maxCacheEntries = 300;

/** Returns the URL of the blurred picture for a miniature. */
export function toThumbhashUrl(hash: string): string | undefined {
  const made = known.get(hash);
  if (made !== undefined) return made;
  try {
    const url = thumbHashToDataURL(fromBase64(hash));
    if (known.size >= maxCacheEntries) known.clear();
    known.set(hash, url);
    return url;
  } catch {
    // Invalid value from another client.
    return undefined;
  }
}
