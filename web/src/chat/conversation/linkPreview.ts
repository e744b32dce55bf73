import { cutText, splitTextAtLinks, limits } from '@nolo/rules';

/** Preview of a linked page, created by the sender's client. It travels with the text and is opaque to the server. */
export interface LinkPreviewData {
  readonly url: string;
  readonly title: string;
  readonly description?: string;
  readonly siteName?: string;
  /** `data:` URL of a small WebP, JPEG, or PNG picture. */
  readonly image?: string;
}

const lengths = { title: 200, description: 300, siteName: 80 } as const;
const picture = /^data:image\/(?:webp|jpeg|png);base64,[A-Za-z0-9+/=]+$/u;

/** Removes breaks and invisible characters, and cuts the text to `maxLength`. */
export function shortenToOneLine(text: unknown, maxLength: number): string {
  if (typeof text !== 'string') return '';
  const line = text.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
  return line.length > maxLength ? `${cutText(line, maxLength - 1).trimEnd()}…` : line;
}

/** Returns the first URL in a text that leads to a web page. */
export function firstLink(text: string): string | null {
  return splitTextAtLinks(text).find(({ href }) => href !== null && !href.startsWith('mailto:'))?.href ?? null;
}

/**
 * Reads the preview that came with a message. Returns null if it is invalid. Another client created it, so it may only
 * refer to a URL in the text, and it never loads a picture from elsewhere.
 */
export function readLinkPreview(json: string | null, text: string): LinkPreviewData | null {
  if (json === null || json.length > limits.linkPreviewBytes) return null;
  let read: Partial<Record<keyof LinkPreviewData, unknown>> | null;
  try {
    read = JSON.parse(json) as typeof read;
  } catch {
    return null;
  }
  if (typeof read !== 'object' || read === null || typeof read.url !== 'string') return null;
  const { url, image } = read;
  if (!splitTextAtLinks(text).some(({ href }) => href === url)) return null;
  const title = shortenToOneLine(read.title, lengths.title);
  if (title === '') return null;
  const description = shortenToOneLine(read.description, lengths.description);
  const siteName = shortenToOneLine(read.siteName, lengths.siteName);
  return {
    url,
    title,
    ...(description !== '' && { description }),
    ...(siteName !== '' && { siteName }),
    ...(typeof image === 'string' && picture.test(image) && { image }),
  };
}

/** Serializes the preview. If it is too large, omits the picture. If it is still too large, returns null. */
export function writeLinkPreview(preview: LinkPreviewData): string | null {
  const { image: _, ...plain } = preview;
  return (
    [preview, plain]
      .map((one) => JSON.stringify(one))
      .find((json) => new TextEncoder().encode(json).length <= limits.linkPreviewBytes) ?? null
  );
}
