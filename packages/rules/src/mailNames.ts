import { removePiledMarks } from './names.ts';
import { xLinkedTopLevelDomains } from './xLinkedTopLevelDomains.ts';

/** Full stops of other scripts, which browsers and email programs treat as dots in host names (UTS 46). */
const fullStops = /[\u3002\uff0e\uff61]/gu;

/**
 * Texts that email programs turn into a link regardless of the top-level domain: a URL with a scheme (which may begin
 * after a bracket or a quotation mark), an email address, an IPv4 address. The lookbehind makes a search try each run
 * of letters once.
 */
const address = /(?<![a-z\d+.-])[a-z][a-z\d+.-]*:\S|:\/\/|@|(?<![\p{L}\p{N}])www\.|\d\.\d+\.\d/iu;

/**
 * Characters that some program accepts in a host name: letters, marks and digits of any script, and symbols such as
 * emoji.
 */
const inHost = String.raw`(?:[\w-]|(?!\p{ASCII})[\p{L}\p{M}\p{N}\p{S}\p{Cf}])`;
/** Full stop and the last label after it. */
const ending = new RegExp(String.raw`\.(${inHost}+)(?!\.?${inHost})`, 'gu');
/** Full stop between possible labels; excludes initials and numbers. */
const inside = new RegExp(String.raw`(?<=${inHost})\.(?=${inHost}{2})(?!\d+(?!${inHost}))`, 'gu');

const fold = (text: string) => text.normalize('NFKC').toLowerCase();
let known: ReadonlySet<string> | undefined;

function isEnding(label: string): boolean {
  known ??= new Set(xLinkedTopLevelDomains.trim().split(/\s+/).map(fold));
  return label.startsWith('xn--') || known.has(label);
}

/** Returns a word without the parts that an email program would turn into a link; empty if all of it is one. */
function withoutLinks(word: string): string {
  const read = removePiledMarks(word).normalize('NFKC').replace(fullStops, '.');
  if (address.test(read)) return '';
  for (const [, label = ''] of read.matchAll(ending)) if (isEnding(fold(label))) return '';
  const apart = read.replace(inside, '. ');
  return apart === read ? word : apart;
}

/**
 * Returns a user's name for use in an email, without words that email programs turn into links: otherwise a name could
 * make Nolo's emails advertise a URL. Inserts a missing space after a full stop. Empty if nothing remains.
 */
export function sanitizeNameForMail(name: string): string {
  return name.split(/\s+/u).map(withoutLinks).filter(Boolean).join(' ');
}
