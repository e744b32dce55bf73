/** Returns a user's displayed name: first and last name, as far as present. */
export function formatFullName(firstName: string, lastName: string): string {
  return `${firstName} ${lastName}`.trim();
}

/**
 * Invisible characters in places where they modify the character before them: emoji, Chinese, Mongolian and Korean
 * characters.
 */
const modifying = [
  String.raw`(?<=\p{Extended_Pictographic})[\ufe0e\ufe0f]`,
  String.raw`(?<=[\d#*])\ufe0f(?=\u20e3)`,
  String.raw`(?<=\p{sc=Han})[\ufe00-\ufe02\u{e0100}-\u{e01ef}]`,
  String.raw`(?<=(?!\p{DI})\p{sc=Mong})[\u180b-\u180d\u180f]`,
  String.raw`(?<=[\u1100-\u115e\ua960-\ua97c])\u1160`,
  String.raw`(?<=(?!\p{DI})\p{sc=Hang})[\u3164\uffa0]`,
].join('|');
/**
 * All other invisible characters, including all bidi controls (Unicode Annex 9): they make one name look like another,
 * or reverse the text around it. `\p{DI}` excludes visible format characters, such as the Arabic number sign.
 */
const hidden = new RegExp(
  String.raw`(?![\u200c\u200d\u{e0020}-\u{e007f}]|${modifying})\p{DI}|[\ufff9-\ufffb\p{Cs}]`,
  'gu',
);
const emoji = String.raw`\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f`;
/**
 * Joiners without a function. They matter in emoji and in scripts with joined letters: Persian, Sinhala. The lookahead
 * comes first, so that long runs of marks are searched at joiners only.
 */
const idleJoiner = new RegExp(
  String.raw`(?=[\u200c\u200d])(?<!(?![\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{DI}])\p{L}\p{M}*|[${emoji}])[\u200c\u200d]+`,
  'gu',
);
/** Tag characters without a function. They matter only after an emoji: the flag of England. */
const idleTags = new RegExp(String.raw`(?<![${emoji}\u{e0020}-\u{e007f}])[\u{e0020}-\u{e007f}]+`, 'gu');

/** Letters and spaces with a width but no ink. */
const blank = String.raw`\s\u2800\u3164\u115f\u1160\uffa0`;
/** The lookbehind makes a search try each run once; trying from every character, a long name would take minutes. */
const blankEdges = new RegExp(String.raw`^[${blank}]+|(?<![${blank}])[${blank}]+$`, 'gu');

/**
 * Stacked marks: more than 30 on one letter are not valid writing (Unicode Annex 15, stream-safe text), and ordering
 * them takes quadratic time.
 */
const piled = /(?=\p{M})(?<=\p{M}{30})\p{M}+/gu;

/** Returns the text with at most 30 marks per letter, which keeps `String.normalize` fast for every text. */
export const removePiledMarks = (text: string): string => text.replace(piled, '');

/** Returns the text without invisible control characters. Joiners and tags with a function stay. */
export function removeHiddenCharacters(text: string): string {
  return text.replace(hidden, '').replace(idleJoiner, '').replace(idleTags, '');
}

/**
 * Returns a name on one line and in NFC, without hidden characters and blank edges; empty if nothing of it is visible.
 */
export function cleanName(given: string): string {
  return (
    // Removing hidden characters can make others compose and stack, so this comes last.
    removePiledMarks(
      removeHiddenCharacters(
        removePiledMarks(given)
          .normalize('NFC')
          .replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' '),
      ),
    )
      .normalize('NFC')
      .replace(/\s+/gu, ' ')
      .replace(blankEdges, '')
  );
}

export interface NameRule {
  readonly min: number;
  /** Maximum length in code points. */
  readonly max: number;
}

/** Returns a name in its stored form; undefined if it is too short or too long after cleaning. */
export function cleanNameWithin(given: string, { min, max }: NameRule): string | undefined {
  // Longer than a name with all its marks and a page of blanks: not worth processing.
  if (given.length > 64 * max + 4_096) return undefined;
  const name = cleanName(given);
  const { length } = [...name];
  return length >= min && length <= max ? name : undefined;
}

/** Letters written from right to left, and direction controls. */
const turning =
  /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

const directions = /[\u202a-\u202e\u2066-\u2069]/u;

/**
 * Returns the number of open isolates after each character; undefined if one ends that did not begin, or if other
 * controls are present.
 */
function depthsOf(text: string): number[] | undefined {
  const depths: number[] = [];
  let open = 0;
  for (const character of text) {
    if (/[\u2066-\u2068]/u.test(character)) open += 1;
    else if (character === '\u2069') open -= 1;
    else if (directions.test(character)) return undefined;
    if (open < 0) return undefined;
    depths.push(open);
  }
  return open === 0 ? depths : undefined;
}

/**
 * Isolates a user's text for use within a plain text sentence, so that it cannot change the direction of the words
 * around it (FSI and PDI of Unicode Annex 9). In HTML, `<bdi>` does the same. Texts that could not change it are
 * returned unchanged.
 *
 * @param direction of the sentence
 */
export function isolateDirection(text: string, direction: 'ltr' | 'rtl' = 'ltr'): string {
  if (direction === 'ltr' ? !turning.test(text) : !/\p{L}/u.test(text)) return text;
  if (!directions.test(text)) return `\u2068${text}\u2069`;
  const depths = depthsOf(text);
  if (depths === undefined) return `\u2068${text.replace(new RegExp(directions, 'gu'), '')}\u2069`;
  return depths.indexOf(0) === depths.length - 1 ? text : `\u2068${text}\u2069`;
}

/** Returns the direction of a sentence, by its letters. */
export const directionOfText = (text: string): 'ltr' | 'rtl' => (/[\u0590-\u08ff]/u.test(text) ? 'rtl' : 'ltr');
