/** Sections of the changelog, in the order in which a release lists them. */
const changeKinds = ['Upgrade', 'Added', 'Changed', 'Removed', 'Fixed', 'Security'] as const;

type ChangeKind = (typeof changeKinds)[number];

export interface ReleaseChange {
  kind: ChangeKind;
  text: string;
}

export interface ChangeFile {
  path: string;
  text: string;
}

/** Maximum lines of one release in the changelog, headings included: readers skip longer ones. */
export const maxSectionLines = 40;

const changeLine = new RegExp(`^- (${changeKinds.join('|')}): (\\S.*)$`);

/**
 * Reads the files of `changes/`. Every line that is not blank is one change, `- Kind: sentence`.
 * Throws an error that names the file and the line that has another form.
 */
export function readChanges(files: readonly ChangeFile[]): ReleaseChange[] {
  return files.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, index) => {
      if (line.trim() === '') return [];
      const match = changeLine.exec(line.trim());
      if (!match)
        throw new Error(`${path}:${index + 1}: write "- Kind: sentence", with one of ${changeKinds.join(', ')}.`);
      return [{ kind: match[1] as ChangeKind, text: match[2] ?? '' }];
    }),
  );
}

/**
 * Returns the section of one release, without a blank line at its end.
 * Throws if there is no change, or if the section would be longer than `maxSectionLines`.
 */
export function renderChangelogSection(version: string, date: string, changes: readonly ReleaseChange[]): string {
  if (changes.length === 0) throw new Error('There are no changes to release: add a file to changes/.');
  const lines = [`## [${version}] - ${date}`];
  for (const kind of changeKinds) {
    const texts = changes.filter((change) => change.kind === kind).map(({ text }) => text);
    if (texts.length > 0) lines.push('', `### ${kind}`, '', ...texts.map((text) => `- ${text}`));
  }
  if (lines.length > maxSectionLines) {
    throw new Error(`The section has ${lines.length} lines; shorten it to ${maxSectionLines}, and merge changes.`);
  }
  return lines.join('\n');
}

/** Returns the changelog with `section` above the releases that it already has. */
export function insertChangelogSection(changelog: string, section: string): string {
  const first = changelog.search(/^## \[/m);
  if (first === -1) return `${changelog.trimEnd()}\n\n${section}\n`;
  return `${changelog.slice(0, first)}${section}\n\n${changelog.slice(first)}`;
}
