import { splitTextAtLinks, foldText, foldWithPlaces } from '@nolo/rules';

/** Person whom a message mentions. The ids travel with the text, which contains the name at the time of writing. */
export interface MentionedPerson {
  readonly userId: string;
  /** Names that the text may use, compared as `foldText` folds them. */
  readonly names: readonly string[];
  /** Display name. */
  readonly label: string;
  readonly self: boolean;
}

export interface MentionSegment {
  readonly text: string;
  readonly mentioned: MentionedPerson | null;
}

/** Returns true if a text begins, or ends, with a word character. */
const beginsInWord = (text: string): boolean => /^[\p{L}\p{N}\p{M}_]/u.test(text);
const endsInWord = (text: string): boolean => /[\p{L}\p{N}\p{M}_]$/u.test(text);

/** Returns a test for whether a position is inside a URL, such as https://h.example/@ada. */
function placesInLinks(text: string): (at: number) => boolean {
  let end = 0;
  const links = splitTextAtLinks(text).flatMap(({ text: segment, href }) => {
    end += segment.length;
    return href === null ? [] : [{ start: end - segment.length, end }];
  });
  return (at) => links.some((link) => at >= link.start && at < link.end);
}

/** Splits a text at the names of mentioned people. People whose name is not found count as mentioned nevertheless. */
export function splitMentions(text: string, people: readonly MentionedPerson[]): MentionSegment[] {
  if (people.length === 0 || !text.includes('@')) return [{ text, mentioned: null }];
  // Longest name first: "@Ada Lovelace" is not "@Ada" followed by another word.
  const named = people
    .flatMap((mentioned) => mentioned.names.map((name) => ({ name: foldText(name), mentioned })))
    .filter(({ name }) => name !== '')
    .toSorted((a, b) => b.name.length - a.name.length);
  const longest = named[0]?.name.length ?? 0;
  const folded = foldWithPlaces(text);
  const segments: MentionSegment[] = [];
  const inLink = placesInLinks(text);
  const used = new Set<string>();
  let from = 0;
  for (let place = folded.text.indexOf('@'); place >= 0; place = folded.text.indexOf('@', place + 1)) {
    const at = folded.starts[place] ?? 0;
    if (at < from || endsInWord(text.slice(0, at)) || inLink(at)) continue;
    const rest = folded.text.slice(place + 1, place + 1 + longest + 2);
    const fitting = named.filter(({ name }) => rest.startsWith(name) && !beginsInWord(rest.slice(name.length)));
    const best = fitting.filter(({ name }) => name.length === fitting[0]?.name.length);
    // People with equal names are matched in the order of their ids.
    const found = best.find(({ mentioned }) => !used.has(mentioned.userId)) ?? best[0];
    if (!found) continue;
    used.add(found.mentioned.userId);
    if (at > from) segments.push({ text: text.slice(from, at), mentioned: null });
    from = folded.ends[place + found.name.length] ?? text.length;
    segments.push({ text: text.slice(at, from), mentioned: found.mentioned });
  }
  if (from < text.length) segments.push({ text: text.slice(from), mentioned: null });
  return segments;
}

/**
 * Returns the text after an @ that may become a mention: from the @ before the caret, without a line break in between.
 */
export function findMentionQuery(text: string, caret: number): { from: number; query: string } | null {
  const before = text.slice(Math.max(0, caret - 52), caret);
  const at = before.lastIndexOf('@');
  if (at < 0 || endsInWord(before.slice(0, at))) return null;
  const query = before.slice(at + 1);
  // The user who types more than two words is writing on and mentions nobody.
  if (/\n|^\s|\s\S+\s|\s\s/u.test(query)) return null;
  return { from: caret - query.length - 1, query };
}

/** Returns the ids of the chosen people whose names are still in the text, without duplicates. */
export function filterStillMentioned(
  text: string,
  chosen: readonly { userId: string; name: string }[],
): readonly { userId: string; name: string }[] {
  const people = chosen.map(({ userId, name }) => ({ userId, names: [name], label: name, self: false }));
  const found = new Set(splitMentions(text, people).map((segment) => segment.mentioned?.userId));
  const seen = new Set<string>();
  return chosen.filter(({ userId }) => found.has(userId) && !seen.has(userId) && seen.add(userId));
}
