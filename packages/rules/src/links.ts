/** A piece of a message: plain text, or an address that may be followed. */
export interface TextPart {
  readonly text: string;
  readonly href: string | null;
}

/**
 * A letter or digit of a script that separates words by spaces. Marks and addresses begin and end beside other characters
 * only. Chinese, Japanese, Korean, Thai, Lao, Khmer and Burmese have no spaces there, so their letters do not count.
 */
export const wordCharacter = String.raw`(?:(?![\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}])[\p{L}\p{N}])`;

/** What ends an address wherever it stands: spaces, quotation marks, isolates, and the brackets and full-width marks of East Asia. */
const end = String.raw`[\s<>"\u0060\u2066-\u2069\p{Pi}\p{Pf}\u3001-\u3003\u3030\u303d\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65]|(?!\p{ASCII})[\p{Ps}\p{Pe}]`;
const addressStart = String.raw`(?<!${wordCharacter}|@)(?:https?:\/\/|www\.|mailto:)`;
/** UTF-16 units after the start of an address. No address that people exchange is longer. */
const maxLength = 2_048;
/** A mark of the sentence. Those of ASCII are named, because others belong to addresses. */
const sentenceMark = /[.,:;!?'*_~]|(?!\p{ASCII})\p{Po}/u;
/** Characters that turn the reading direction or cannot be seen would make an address look like another. */
const deceptive = /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/u;

const openings: Record<string, string> = { ')': '(', ']': '[', '}': '{' };

/** Takes the sentence's own marks off the end: a full stop, and a bracket that was opened before the address. */
function withoutTail(text: string): string {
  const surplus: Record<string, number> = {};
  for (const [closing, opening] of Object.entries(openings)) {
    surplus[closing] = text.split(closing).length - text.split(opening).length;
  }
  let end = text.length;
  for (; end > 0; end -= 1) {
    const last = text[end - 1] ?? '';
    if ((surplus[last] ?? 0) > 0) surplus[last] = (surplus[last] ?? 0) - 1;
    else if (!sentenceMark.test(last)) break;
  }
  return text.slice(0, end);
}

/** The address to follow, or null where what stands there would lead elsewhere than it seems to. */
export function hrefOf(text: string): string | null {
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

/** Where words of a text stop that may hold a bare host: as addresses end, and at brackets and marks of ASCII. */
export const betweenAddresses = new RegExp(String.raw`(?:${end}|[()[\]{}|,;])+`, 'u');

/**
 * Finds what looks like addresses, up to what ends them, and skips what is too long for one. A search goes on where an
 * address ended, so that it takes no longer for texts that are full of starts.
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

/** Splits a message into text and links. The parts put together are the message, unchanged. */
export function findLinks(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let from = 0;
  for (const { index, address } of candidatesIn(text)) {
    const found = withoutTail(address);
    const href = hrefOf(found);
    if (href === null) continue;
    if (index > from) parts.push({ text: text.slice(from, index), href: null });
    parts.push({ text: found, href });
    from = index + found.length;
  }
  if (from < text.length || parts.length === 0) parts.push({ text: text.slice(from), href: null });
  return parts;
}

/** Whether a text has a link that can be followed. */
export const hasLink = (text: string): boolean => findLinks(text).some(({ href }) => href !== null);
