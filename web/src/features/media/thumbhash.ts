import { rgbaToThumbHash, thumbHashToDataURL } from 'thumbhash';

/** Larger ones do not make a better miniature. */
const mostPixels = 100;

function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}

/** A miniature of a picture that is drawn, in some 25 bytes; undefined where the browser does not let it be read. */
export function thumbhashOf(picture: CanvasImageSource, width: number, height: number): string | undefined {
  const scale = Math.min(1, mostPixels / Math.max(width, height));
  const [w, h] = [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))];
  const canvas = document.createElement('canvas');
  canvas.width = w;
  canvas.height = h;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) return undefined;
  context.drawImage(picture, 0, 0, w, h);
  return toBase64(rgbaToThumbHash(w, h, context.getImageData(0, 0, w, h).data));
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
