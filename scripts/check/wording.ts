import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../paths.ts';
import { runTool } from './runTool.ts';
import type { TextFile } from './trackedFiles.ts';

export interface CommentStart {
  line: number;
  text: string;
}

/** Maximum characters of a line that holds a comment, which Prettier does not wrap. */
const maxLineLength = 120;
/** Maximum characters of a commit subject. */
const maxSubjectLength = 72;

/**
 * Words that cannot be the subject of a sentence, or that name none. A comment that begins with one of them makes the
 * reader look for its subject.
 */
const withoutSubject = new Set(
  `of so by what who whoever whom whose which whichever that those it its another others as for from with without in
   into on onto at to after before between among beside besides beyond until since while where wherever whether how why
   unless because although though but and or nor not no none nobody nothing neither also too even again then there here
   now this these they he she we i some somebody anybody such else otherwise thus therefore hence still yet`
    .trim()
    .split(/\s+/),
);

/** Comments that programs read, or that other rules ask for. */
const directive =
  /^(?:@|eslint|oxlint|prettier|\/|#|global |istanbul|c8 |Skipped: |Sleeps: |Cuts: |Clock: |https?:|[A-Z]{2,})/;

/** Words that a native speaker would not write on a screen. */
const bannedOnScreens = /\b(?:whoever|one['’]s|is none|any more|somebody)\b/i;

/** Names of the time before the vocabulary of docs/glossary.md: `max…` and `default…` are the words. */
const bannedNames = /\b(?:most|usual)[A-Z]\w*/;

const isCode = (path: string) =>
  /\.(?:ts|tsx|mjs|css|proto)$/.test(path) && !path.startsWith('proto/gen/') && !path.startsWith('web/public/');
const isMigration = (path: string) => /^services\/[^/]+\/migrations\//.test(path);
const isCatalogue = (path: string) => /^(?:web\/locales\/en\/\w+\.json|services\/.*\/en[A-Z]\w*\.ts)$/.test(path);

/** Returns the first line of each comment that has lines of its own. */
export function findCommentStarts(text: string): CommentStart[] {
  const found: CommentStart[] = [];
  let before = '';
  for (const [index, line] of text.split('\n').entries()) {
    const opening = /^\s*\{?\/\*\*?\s*([^\s*].*)$/.exec(line);
    const inside = /^\s*\/\*\*?\s*$/.test(before) ? /^\s*(?:\* ?)?(\S.*)$/.exec(line) : null;
    const single =
      /^\s*\/\/\s*(?:\/\/)?\s*$/.test(before) || !/^\s*\/\//.test(before) ? /^\s*\/\/ ?(\S.*)$/.exec(line) : null;
    const match = opening ?? inside ?? single;
    if (match) found.push({ line: index + 1, text: (match[1] ?? '').replace(/\s*\*\/\}?$/, '') });
    before = line;
  }
  return found.filter((comment) => !directive.test(comment.text));
}

/** Returns true if the first words of a comment name neither a subject nor what the code does. */
export function lacksSubject(comment: string): boolean {
  const words = comment.split(/\s+/);
  const first = /^[`*("“]*([A-Za-z]+)/.exec(comment)?.[1]?.toLowerCase();
  if (words.length < 3 || first === undefined) return false;
  return withoutSubject.has(first) || /^the same\b/i.test(comment);
}

/** Counts the comments of all code, and those that lack a subject. */
export function countComments(files: readonly TextFile[]): { comments: number; lacking: number } {
  const comments = files.filter(({ path }) => isCode(path)).flatMap(({ text }) => findCommentStarts(text));
  return { comments: comments.length, lacking: comments.filter(({ text }) => lacksSubject(text)).length };
}

/** Finds comments, catalogue texts and names that do not read as plain English. */
export function findWordingProblems(files: readonly TextFile[]): string[] {
  const problems: string[] = [];
  for (const { path, text } of files) {
    if (isCatalogue(path)) {
      for (const [index, line] of text.split('\n').entries()) {
        const words = bannedOnScreens.exec(line.replace(/^\s*(?:\/\/|\/?\*).*$|^\s*"?\w+"?: /, ''))?.[0];
        if (words) problems.push(`${path}:${index + 1}: write “${words}” in plain English.`);
      }
    }
    if (!isCode(path) || isMigration(path)) continue;
    for (const comment of findCommentStarts(text)) {
      if (!lacksSubject(comment.text)) continue;
      problems.push(`${path}:${comment.line}: begin with the subject or a verb.\n    ${comment.text.slice(0, 100)}`);
    }
    for (const [index, line] of text.split('\n').entries()) {
      const name = path.endsWith('.proto') ? undefined : bannedNames.exec(line)?.[0];
      if (name) problems.push(`${path}:${index + 1}: name “${name}” with max… or default….`);
      if (
        line.length <= maxLineLength ||
        /https?:|oxlint-/.test(line) ||
        !/^\s*(?:\/\/|\/?\*)/.test(line) ||
        /\S{100}/.test(line)
      )
        continue;
      problems.push(`${path}:${index + 1}: wrap the comment at column ${maxLineLength}; it has ${line.length}.`);
    }
  }
  return problems;
}

/** Finds commits since the last release whose subject is too long; none where the checkout has no history. */
export async function findCommitProblems(): Promise<string[]> {
  const release = readFileSync(join(projectRoot, 'deploy/lastRelease'), 'utf8').trim();
  const { code, stdout } = await runTool('git', ['log', '--no-merges', '--format=%h %s', `${release}..HEAD`]);
  if (code !== 0) return [];
  return stdout
    .split('\n')
    .map((line) => ({ hash: line.split(' ', 1)[0] ?? '', subject: line.slice(line.indexOf(' ') + 1) }))
    .filter(({ subject }) => subject.length > maxSubjectLength)
    .map(({ hash, subject }) => `${hash}: the subject has ${subject.length} characters, at most ${maxSubjectLength}.`);
}
