/** Replaces the lines between the two comments that mark a region. The lines get the indentation of the comments. */
export function replaceRegion(text: string, region: string, lines: readonly string[]): string {
  const [first, last] = [`# Generated from services.json: ${region}`, `# End: ${region}`];
  const [, indentation] = new RegExp(`^( *)${RegExp.escape(first)}\n`, 'm').exec(text) ?? [];
  const [begin, end] = [text.indexOf(`${first}\n`), text.indexOf(`${last}\n`)];
  if (indentation === undefined || end < begin) throw new Error(`The comments around “${region}” are missing.`);
  const rows = [first, ...lines, last].map((line) => (line === '' ? '' : `${indentation}${line}`));
  return text.slice(0, begin - indentation.length) + rows.join('\n') + text.slice(end + last.length);
}

/** Replaces the first run of consecutive lines that match. */
export function replaceRun(text: string, line: RegExp, lines: readonly string[]): string {
  const present = text.split('\n');
  const begin = present.findIndex((one) => line.test(one));
  if (begin === -1) throw new Error(`No line matches ${String(line)}.`);
  const length = [...present.slice(begin), ''].findIndex((one) => !line.test(one));
  return present.toSpliced(begin, length, ...lines).join('\n');
}

/** Inserts a section before another, which begins with comments or with `line`. */
export function insertSection(text: string, line: string, section: readonly string[]): string {
  const present = text.split('\n');
  let at = present.indexOf(line);
  if (at === -1) throw new Error(`The line “${line}” is missing.`);
  while (present[at - 1]?.trimStart().startsWith('#')) at -= 1;
  return present.toSpliced(at, 0, ...section, '').join('\n');
}

/** Replaces each match of a pattern, of which there must be one. */
export function replaceMatches(text: string, pattern: RegExp, replacement: string): string {
  if (text.search(pattern) === -1) throw new Error(`Nothing matches ${String(pattern)}.`);
  return text.replace(pattern, () => replacement);
}
