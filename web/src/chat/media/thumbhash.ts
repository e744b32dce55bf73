import { thumbHashToDataURL } from 'thumbhash';

function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}

const known = new Map<string, string>();
const mostKnown = 300;

/** The address of the blurred picture that a miniature stands for. */
export function thumbhashUrl(hash: string): string | undefined {
  const made = known.get(hash);
  if (made !== undefined) return made;
  try {
    const url = thumbHashToDataURL(fromBase64(hash));
    if (known.size >= mostKnown) known.clear();
    known.set(hash, url);
    return url;
  } catch {
    // Somebody else's client made something else of it.
    return undefined;
  }
}
