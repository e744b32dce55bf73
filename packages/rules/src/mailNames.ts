import { withoutPiles } from './names.ts';
import { xEndings } from './xEndings.ts';

/** Full stops of other scripts, which browsers and mail programs take for those of host names (UTS 46). */
const fullStops = /[\u3002\uff0e\uff61]/gu;

/**
 * What mail programs make a link of, whatever its ending: an address with a scheme, wherever a bracket or a quotation mark
 * lets it begin, a mail address, one of four numbers. The lookbehind makes a search try each run of letters once.
 */
const address = /(?<![a-z\d+.-])[a-z][a-z\d+.-]*:\S|:\/\/|@|(?<![\p{L}\p{N}])www\.|\d\.\d+\.\d/iu;

/** What a host name may be of in some program: letters, marks and digits of any script, and symbols such as emoji. */
const inHost = String.raw`(?:[\w-]|(?!\p{ASCII})[\p{L}\p{M}\p{N}\p{S}\p{Cf}])`;
/** A full stop and the last label after it. */
const ending = new RegExp(String.raw`\.(${inHost}+)(?!\.?${inHost})`, 'gu');
/** A full stop between what could be two labels: initials and numbers are none. */
const inside = new RegExp(String.raw`(?<=${inHost})\.(?=${inHost}{2})(?!\d+(?!${inHost}))`, 'gu');

const fold = (text: string) => text.normalize('NFKC').toLowerCase();
let known: ReadonlySet<string> | undefined;

function isEnding(label: string): boolean {
  known ??= new Set(xEndings.trim().split(/\s+/).map(fold));
  return label.startsWith('xn--') || known.has(label);
}

/** A word without what a mail program would make a link of; empty where it is one. */
function withoutLinks(word: string): string {
  const read = withoutPiles(word).normalize('NFKC').replace(fullStops, '.');
  if (address.test(read)) return '';
  for (const [, label = ''] of read.matchAll(ending)) if (isEnding(fold(label))) return '';
  const apart = read.replace(inside, '. ');
  return apart === read ? word : apart;
}

/**
 * Returns a person's name for a mail of ours, without words that mail programs would make a link of: otherwise a name would
 * make our mail advertise an address. Where a full stop only lacks its space, it gets one. Empty if nothing else is left.
 */
export function nameInMail(name: string): string {
  return name.split(/\s+/u).map(withoutLinks).filter(Boolean).join(' ');
}
