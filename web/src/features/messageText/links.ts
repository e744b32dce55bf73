/** A piece of a message: plain text, or an address that may be followed. */
export interface TextPart {
  readonly text: string;
  readonly href: string | null;
}

const candidate = /(?:https?:\/\/|www\.)[^\s<>"“”«»]+/giu;
/** Characters that turn the reading direction or cannot be seen would make an address look like another. */
const deceptive = /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/u;

/** Takes the sentence's own marks off the end: a full stop, and a bracket that was opened before the address. */
function withoutTail(text: string): string {
  let end = text;
  for (;;) {
    const last = end.at(-1) ?? '';
    const opening = { ')': '(', ']': '[', '}': '{' }[last];
    const count = (mark: string) => end.split(mark).length;
    const unbalanced = opening !== undefined && count(last) > count(opening);
    if (!unbalanced && !/[.,:;!?'’…*_~]/u.test(last)) return end;
    end = end.slice(0, -1);
  }
}

/** The address to follow, or null where what stands there would lead elsewhere than it seems to. */
function hrefOf(text: string): string | null {
  if (deceptive.test(text)) return null;
  const address = /^www\./iu.test(text) ? `https://${text}` : text;
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
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
    if (/[\p{L}\p{N}@]$/u.test(text.slice(0, match.index))) continue;
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
