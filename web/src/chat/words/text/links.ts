/** A piece of a message: plain text, or an address that may be followed. */
export interface TextPart {
  readonly text: string;
  readonly href: string | null;
}

/** No address that people exchange is longer; without an end a hostile one could keep the page busy. */
const candidate = /(?:https?:\/\/|www\.|mailto:)[^\s<>"“”«»]{1,2048}(?=[\s<>"“”«»]|$)/giu;
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
    else if (!/[.,:;!?'’…*_~]/u.test(last)) break;
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

/** Splits a message into text and links. The parts put together are the message, unchanged. */
export function findLinks(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let from = 0;
  for (const match of text.matchAll(candidate)) {
    // In the middle of a word it is part of that word, not an address: "foowww.example.org".
    if (/[\p{L}\p{N}@]$/u.test(text.slice(Math.max(0, match.index - 2), match.index))) continue;
    const found = withoutTail(match[0]);
    const href = hrefOf(found);
    if (href === null) continue;
    if (match.index > from) parts.push({ text: text.slice(from, match.index), href: null });
    parts.push({ text: found, href });
    from = match.index + found.length;
  }
  if (from < text.length || parts.length === 0) parts.push({ text: text.slice(from), href: null });
  return parts;
}
