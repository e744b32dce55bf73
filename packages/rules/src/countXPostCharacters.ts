import { xLinkedTopLevelDomains } from './xLinkedTopLevelDomains.ts';

/* Grammar of links in twitter-text 3, which X documents at https://docs.x.com/fundamentals/counting-characters. */

const directions = String.raw`\u202a-\u202e\u061c\u200e\u200f\u2066-\u2069`;
const invalid = String.raw`\ufffe\ufeff\uffff`;
const spaces = String.raw`\t-\r\x20\x85\xa0\u1680\u180e\u2000-\u200a\u2028\u2029\u202f\u205f\u3000`;
const latin = String.raw`\xc0-\xd6\xd8-\xf6\xf8-\xff\u0100-\u024f\u0253\u0254\u0256\u0257\u0259\u025b\u0263\u0268\u026f\u0272\u0289\u028b\u02bb\u0300-\u036f\u1e00-\u1eff`;
const host = String.raw`[^!'#%&()*+,\\\-./:;<=>?@[\]^_{|}~$${spaces}${invalid}${directions}]`;
const hostOrUnderscoreOrDash = host.replace('_', '').replace(String.raw`\-`, '');
const hostOrDash = host.replace(String.raw`\-`, '');
/** DNS limits labels to 63 characters, which also bounds the search in long texts without spaces. */
const subdomain = `(?:${host}(?:${hostOrUnderscoreOrDash}{0,61}${host})?\\.)`;
const domainName = `(?:${host}(?:${hostOrDash}{0,61}${host})?\\.)`;
const path = String.raw`[a-z\u0400-\u04ff0-9!*';:=+,.$/%#[\]\-\u2013_~@|&${latin}]`;
const brackets = String.raw`\((?:${path}+|${path}*\(${path}+\)${path}*)\)`;
const pathEnd = String.raw`(?:[+\-a-z\u0400-\u04ff0-9=_#/${latin}]|${brackets})`;
const query = String.raw`\?[a-z0-9!?*'@();:&=+$/%#[\]\-_.,~|]*[a-z0-9\-_&=#/]`;

interface Grammar {
  readonly link: RegExp;
  readonly asciiHost: RegExp;
  readonly short: RegExp;
}

let grammar: Grammar | undefined;

function grammarOf(): Grammar {
  const ending = `(?:(?:${xLinkedTopLevelDomains.trim().replace(/\s+/g, '|')})(?=[^0-9a-zA-Z@+-]|$)|xn--[-0-9a-z]+)`;
  return (grammar ??= {
    link: new RegExp(
      `([^A-Za-z0-9@＠$#＃${invalid}]|[${directions}]|^)((https?://)?(${subdomain}{0,10}${domainName}${ending})(?::[0-9]+)?` +
        `(/(?:${path}*(?:${brackets}${path}*)*${pathEnd}|@${path}+/)*)?(?:${query})?)`,
      'gi',
    ),
    asciiHost: new RegExp(`(?:[-a-z0-9${latin}]+\\.)+${ending}`, 'gi'),
    short: new RegExp(`^https?://t\\.co/[a-z0-9]+(?:${query})?`, 'i'),
  });
}

/** Returns the links that X shortens: start and length in UTF-16 units. */
function linksOf(text: string): Map<number, number> {
  const links = new Map<number, number>();
  if (!text.includes('.')) return links;
  const { link, asciiHost, short } = grammarOf();
  for (const { index, 0: whole, 1: before = '', 2: address = '', 3: scheme, 4: domain = '', 5: rest } of text.matchAll(
    link,
  )) {
    const start = index + whole.length - address.length;
    if (scheme !== undefined) {
      links.set(start, (short.exec(address)?.[0] ?? address).length);
      continue;
    }
    if (/[-_./]$/.test(before)) continue;
    // If there is no scheme, only ASCII hosts become links; the last one includes the path.
    let last: { at: number; length: number } | undefined;
    for (const found of domain.matchAll(asciiHost)) {
      last = { at: start + found.index, length: found[0].length };
      links.set(last.at, last.length);
    }
    if (last && rest) links.set(last.at, address.length - domain.length + last.length);
  }
  return links;
}

/** Emoji that Unicode recommends. X counts other sequences, such as flags of no country, by their parts. */
const emojiPattern = String.raw`\p{RGI_Emoji}|[\d#*]\u20e3`;

/** Ranges that X counts once; everything else counts twice. */
const countedOnce = [
  [0x0000, 0x10ff],
  [0x2000, 0x200d],
  [0x2010, 0x201f],
  [0x2032, 0x2037],
] as const;
const linkLength = 23;

/** Counts as X does: a link is 23, a known emoji 2, and characters outside of the ranges above 2. */
export function countXPostCharacters(given: string): number {
  const text = given.normalize('NFC');
  const links = linksOf(text);
  const emojiHere = new RegExp(emojiPattern, 'vy');
  let count = 0;
  for (let at = 0; at < text.length;) {
    const link = links.get(at);
    emojiHere.lastIndex = at;
    const code = text.codePointAt(at) ?? 0;
    if (link !== undefined) {
      count += linkLength;
      at += link;
    } else if (emojiHere.test(text)) {
      count += 2;
      at = emojiHere.lastIndex;
    } else {
      count += countedOnce.some(([from, to]) => code >= from && code <= to) ? 1 : 2;
      at += code > 0xffff ? 2 : 1;
    }
  }
  return count;
}
