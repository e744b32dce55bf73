/** Piece of a message: plain text, or a URL that can be followed. */
export interface TextSegment {
  readonly text: string;
  readonly href: string | null;
}

/**
 * Letter or digit of a script that separates words by spaces. Formatting marks and URLs begin and end beside other
 * characters only. Chinese, Japanese, Korean, Thai, Lao, Khmer and Burmese have no spaces there, so their letters do
 * not count.
 */
export const wordCharacterPattern = String.raw`(?:(?![\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}])[\p{L}\p{N}])`;

/**
 * Characters that always end a URL: spaces, quotation marks, isolates, and the brackets and full-width punctuation of
 * East Asia.
 */
const end = String.raw`[\s<>"\u0060\u2066-\u2069\p{Pi}\p{Pf}\u3001-\u3003\u3030\u303d\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65]|(?!\p{ASCII})[\p{Ps}\p{Pe}]`;
const addressStart = String.raw`(?<!${wordCharacterPattern}|@)(?:https?:\/\/|www\.|mailto:)`;
/** Maximum UTF-16 units after the start of a URL, as long as any that people exchange. */
const maxLength = 2_048;
/** Sentence punctuation. The ASCII ones are listed, because others belong to URLs. */
const sentencePunctuation = /[.,:;!?'*_~]|(?!\p{ASCII})\p{Po}/u;
/** Characters that change the reading direction or are invisible, and could disguise a URL as another. */
const deceptive = /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/u;

const openings: Record<string, string> = { ')': '(', ']': '[', '}': '{' };

/** Removes the sentence's own punctuation from the end: a full stop, or a bracket that was opened before the URL. */
function withoutTail(text: string): string {
  const surplus: Record<string, number> = {};
  for (const [closing, opening] of Object.entries(openings)) {
    surplus[closing] = text.split(closing).length - text.split(opening).length;
  }
  let end = text.length;
  for (; end > 0; end -= 1) {
    const last = text[end - 1] ?? '';
    if ((surplus[last] ?? 0) > 0) surplus[last] = (surplus[last] ?? 0) - 1;
    else if (!sentencePunctuation.test(last)) break;
  }
  return text.slice(0, end);
}

/** Returns the URL to follow, or null if it would lead elsewhere than it appears to. */
export function toSafeHref(text: string): string | null {
  if (deceptive.test(text)) return null;
  const address = /^www\./iu.test(text) ? `https://${text}` : text;
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  if (url.protocol === 'mailto:') return /^[^@?]+@[^@?]+/u.test(url.pathname) ? url.href : null;
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null;
  // "https://bank.example@evil.example" reads as the first and leads to the second.
  if (url.username !== '' || url.password !== '') return null;
  if (!url.hostname.includes('.') && url.hostname !== 'localhost' && !url.hostname.startsWith('[')) return null;
  return url.href;
}

/**
 * Separators of words that may contain a bare host: the same as the ends of URLs, plus ASCII brackets and punctuation.
 */
export const hostSeparatorPattern = new RegExp(String.raw`(?:${end}|[()[\]{}|,;])+`, 'u');

/**
 * Finds candidates for URLs, up to the characters that end them, and skips those that are too long. The search
 * continues after each candidate, so that texts full of starts take no longer.
 */
function* candidatesIn(text: string): Iterable<{ readonly index: number; readonly address: string }> {
  const starts = new RegExp(addressStart, 'giu');
  const ends = new RegExp(end, 'gu');
  for (let start = starts.exec(text); start !== null; start = starts.exec(text)) {
    ends.lastIndex = starts.lastIndex;
    const stop = ends.exec(text)?.index ?? text.length;
    const length = stop - starts.lastIndex;
    if (length > 0 && length <= maxLength) yield { index: start.index, address: text.slice(start.index, stop) };
    starts.lastIndex = stop;
  }
}

/** Splits a message into text and links. The concatenated parts equal the message. */
export function splitTextAtLinks(text: string): TextSegment[] {
  const segments: TextSegment[] = [];
  let from = 0;
  for (const { index, address } of candidatesIn(text)) {
    const found = withoutTail(address);
    const href = toSafeHref(found);
    if (href === null) continue;
    if (index > from) segments.push({ text: text.slice(from, index), href: null });
    segments.push({ text: found, href });
    from = index + found.length;
  }
  if (from < text.length || segments.length === 0) segments.push({ text: text.slice(from), href: null });
  return segments;
}

/** Returns true if a text contains a link that can be followed. */
export const hasLink = (text: string): boolean => splitTextAtLinks(text).some(({ href }) => href !== null);
