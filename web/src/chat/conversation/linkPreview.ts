import { cutText, findLinks, limits } from '@nolo/rules';

/** What the sender's client made of the page behind a link; it travels beside the words, opaque to the server. */
export interface LinkPreviewData {
  readonly url: string;
  readonly title: string;
  readonly description?: string;
  readonly siteName?: string;
  /** A data: address of a small WebP, JPEG or PNG picture. */
  readonly image?: string;
}

const lengths = { title: 200, description: 300, siteName: 80 } as const;
const picture = /^data:image\/(?:webp|jpeg|png);base64,[A-Za-z0-9+/=]+$/u;

/** Without breaks and invisible characters, and no longer than is shown. */
export function shortText(text: unknown, most: number): string {
  if (typeof text !== 'string') return '';
  const line = text.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
  return line.length > most ? `${cutText(line, most - 1).trimEnd()}…` : line;
}

/** The first address in a text that has a page behind it. */
export function firstLink(text: string): string | null {
  return findLinks(text).find(({ href }) => href !== null && !href.startsWith('mailto:'))?.href ?? null;
}

/**
 * Reads what came with a message; null for what is none. It comes from somebody's client: it may speak of no other
 * address than one that stands in the text, and shows no picture from elsewhere.
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
  if (!findLinks(text).some(({ href }) => href === url)) return null;
  const title = shortText(read.title, lengths.title);
  if (title === '') return null;
  const description = shortText(read.description, lengths.description);
  const siteName = shortText(read.siteName, lengths.siteName);
  return {
    url,
    title,
    ...(description !== '' && { description }),
    ...(siteName !== '' && { siteName }),
    ...(typeof image === 'string' && picture.test(image) && { image }),
  };
}

/** As it travels; without its picture, and at last not at all, where it is larger than may be. */
export function writeLinkPreview(preview: LinkPreviewData): string | null {
  const { image: _, ...plain } = preview;
  return (
    [preview, plain]
      .map((one) => JSON.stringify(one))
      .find((json) => new TextEncoder().encode(json).length <= limits.linkPreviewBytes) ?? null
  );
}
