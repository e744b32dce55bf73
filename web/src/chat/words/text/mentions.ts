/** Somebody whom a message mentions. The ids travel beside the text, which says the name as it was when it was written. */
export interface Mentioned {
  readonly userId: string;
  /** What the text may call them; compared without regard to case. */
  readonly names: readonly string[];
  /** What they are called here. */
  readonly label: string;
  readonly self: boolean;
}

export interface MentionPart {
  readonly text: string;
  readonly mentioned: Mentioned | null;
}

const isLetter = (character: string | undefined): boolean =>
  character !== undefined && /[\p{L}\p{N}\p{M}_]/u.test(character);

/** Splits a text at the names of those whom it mentions. Who is not found in it is mentioned all the same. */
export function splitMentions(text: string, people: readonly Mentioned[]): MentionPart[] {
  if (people.length === 0 || !text.includes('@')) return [{ text, mentioned: null }];
  // The longest first: "@Ada Lovelace" is not "@Ada" with something behind it.
  const named = people
    .flatMap((mentioned) =>
      mentioned.names.filter((name) => name !== '').map((name) => ({ name: name.toLocaleLowerCase(), mentioned })),
    )
    .toSorted((a, b) => b.name.length - a.name.length);
  const parts: MentionPart[] = [];
  const used = new Set<string>();
  let from = 0;
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    if (at < from || isLetter(text[at - 1])) continue;
    const fitting = named.filter(({ name }) => {
      const end = at + 1 + name.length;
      return text.slice(at + 1, end).toLocaleLowerCase() === name && !isLetter(text[end]);
    });
    const longest = fitting.filter(({ name }) => name.length === fitting[0]?.name.length);
    // Two of the same name are mentioned in the order of their ids.
    const found = longest.find(({ mentioned }) => !used.has(mentioned.userId)) ?? longest[0];
    if (!found) continue;
    used.add(found.mentioned.userId);
    if (at > from) parts.push({ text: text.slice(from, at), mentioned: null });
    from = at + 1 + found.name.length;
    parts.push({ text: text.slice(at, from), mentioned: found.mentioned });
  }
  if (from < text.length) parts.push({ text: text.slice(from), mentioned: null });
  return parts;
}

/** What somebody types after an @ that may become a mention: from the @ before the caret, without a break in between. */
export function mentionQuery(text: string, caret: number): { from: number; query: string } | null {
  const before = text.slice(Math.max(0, caret - 52), caret);
  const at = before.lastIndexOf('@');
  if (at < 0 || isLetter(before[at - 1])) return null;
  const query = before.slice(at + 1);
  // Two words at most: then somebody writes on, and mentions nobody.
  if (/\n|^\s|\s\S+\s|\s\s/u.test(query)) return null;
  return { from: caret - query.length - 1, query };
}

/** The ids of those among the chosen whose names still stand in the text, each once. */
export function stillMentioned(
  text: string,
  chosen: readonly { userId: string; name: string }[],
): readonly { userId: string; name: string }[] {
  const people = chosen.map(({ userId, name }) => ({ userId, names: [name], label: name, self: false }));
  const found = new Set(splitMentions(text, people).map((part) => part.mentioned?.userId));
  const seen = new Set<string>();
  return chosen.filter(({ userId }) => found.has(userId) && !seen.has(userId) && seen.add(userId));
}
