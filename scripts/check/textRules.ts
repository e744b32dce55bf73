import { dirname } from 'node:path';
import { projectRoot } from '../paths.ts';
import type { TextFile } from './trackedFiles.ts';

interface LineRule {
  files: (path: string) => boolean;
  pattern: RegExp;
  /** Pattern of a comment, on the same line or alone on the line above, that permits the finding. */
  reason?: RegExp;
  message: string;
}

const isTest = (path: string) => /\.test\.tsx?$/.test(path);
const isCode = (path: string) => /\.(ts|tsx|mjs|css|proto)$/.test(path) && !path.startsWith('proto/gen/');
const isProduct = (path: string) =>
  isCode(path) &&
  !isTest(path) &&
  !/(^|\/)tests?\//.test(path) &&
  !path.startsWith('scripts/check/') &&
  !path.startsWith('packages/testing/');
const isServiceCode = (path: string) => /^services\/[^/]+\/src\//.test(path) && isCode(path) && !isTest(path);

/**
 * Endings of identifiers that hold text written by people: `altText`, `displayName`. Lists have plural names, so they
 * do not match.
 */
const writtenText =
  '(?:[tT]ext|[nN]ame|[tT]itle|[cC]ontent|[cC]aption|[dD]escription|alt|[mM]essage|[rR]eason|[nN]ote|[wW]ord|line|[sS]entence|[lL]abel|[qQ]uery|[sS]earch|typed|said|[dD]raft|[sS]ubject|[cC]omment|[dD]etail|[eE]xcerpt|[sS]ummary|plain|stem|letters|input|told)';
/** Expressions allowed between the name and the cut: the call that returns the text, and changes to it. */
const steps = String.raw`\]?(?:\([^()]*\))?\)?(?:\??\.(?:trim|trimEnd|normalize|replace|replaceAll)\((?!\/\\D)[^()]*\))*`;
const someLength = String.raw`(?:\d[\d_]+\b|[\w.]*(?:[lL]imit|[mM]ost|[mM]ax|[lL]ongest|(?<!\.)[lL]ength\b|Length\b|[cC]haracters|[qQ]uoted))`;

/** Calls that cut a text at a length. A cut at a position found in the text, such as `at`, is not one. */
const cutAtLength = new RegExp(
  String.raw`(?:\b|_|(?<=[a-z]))${writtenText}${steps}\??\.(?:slice|substring|substr)\((?:0, *|-)${someLength}`,
);

/** Returns the folder of this checkout as it would appear in a file that should not contain it. */
function hostFolder(checkout: string): string | undefined {
  const folder = dirname(checkout);
  return ['/', '/tmp', '/home', '/opt', '/srv', '/usr/src'].includes(folder) ? undefined : `${folder}/`;
}

function lineRules(checkout: string): LineRule[] {
  const host = hostFolder(checkout);
  return [
    {
      files: (path) => /(^|\/)package-lock\.json$|(^|\/)npm-shrinkwrap\.json$/.test(path),
      pattern: /"resolved": *"(?:https?|git)[^"]*"/,
      message: 'The lock file names a registry address. Run npm install with the .npmrc of this repository.',
    },
    {
      files: (path) => path !== 'package-lock.json',
      pattern: /(?:\/home|\/Users)\/[a-z][\w.-]*\/|[A-Z]:\\Users\\/,
      message: 'A path from a personal machine does not belong in the repository.',
    },
    ...(host === undefined
      ? []
      : [
          {
            files: () => true,
            pattern: new RegExp(`(?<![\\w.])${RegExp.escape(host)}`),
            message: 'A path from this machine does not belong in the repository.',
          },
        ]),
    {
      files: () => true,
      pattern: /^(?:<{7}|>{7})(?: |$)/,
      message: 'A merge conflict marker was left in.',
    },
    {
      // The excluded file lists endings of hosts, one of which is .xxx.
      files: (path) => isProduct(path) && path !== 'packages/rules/src/xLinkedTopLevelDomains.ts',
      pattern: /\b(?:todo|fixme|xxx|hack|not implemented|coming soon|lorem ipsum|stub(?:bed)?|dummy|sample data)\b/i,
      message: 'This marks unfinished work. Finish it, or open an issue and remove the words.',
    },
    {
      files: (path) => isCode(path) && !path.startsWith('scripts/check/'),
      pattern: /@ts-(?:ignore|nocheck)|@ts-expect-error\s*(?:\*\/)?\s*$|(?:eslint|oxlint)-disable(?![^\n]*--)/,
      message: 'A check is disabled without a reason. Add `-- reason` (or the reason after @ts-expect-error).',
    },
    {
      files: isTest,
      pattern: /\b(?:it|test|describe)\.only\b|\b(?:fit|fdescribe)\(/,
      message: 'A focused test hides all others.',
    },
    {
      files: isTest,
      pattern: /\b(?:it|test|describe)\.(?:skip|todo)\b|\b(?:xit|xtest|xdescribe)\(/,
      reason: /\/\/ Skipped: .+/,
      message: 'A skipped test needs a comment that starts with “// Skipped:” and gives the reason.',
    },
    {
      files: (path) => isTest(path) && !path.startsWith('scripts/check/'),
      pattern: /\bwaitForTimeout\(|\bsleep\(|await setTimeout\(|new Promise\([^)]*\)? *=> *\{? *setTimeout\(/,
      reason: /\/\/ Sleeps: .+/,
      message:
        'Wait for the expected event, or advance the injected clock. If neither works, say why in a comment “// Sleeps: …”.',
    },
    {
      files: (path) => isProduct(path) && /^(?:packages|services|web|simulators)\//.test(path),
      pattern: cutAtLength,
      reason: /\/\/ Cuts: .+/,
      message:
        'Cut text written by users with cutText of @nolo/rules, which keeps characters whole. If this is not such text, say why in a comment “// Cuts: …”.',
    },
    {
      files: isServiceCode,
      pattern: /\bDate\.now\(\)|\bnew Date\(\)/,
      message: 'Get the time from the injected Clock of @nolo/kit/clock.',
    },
    {
      files: (path) => /^(?:web|packages\/client)\/src\//.test(path) && isCode(path) && !isTest(path),
      pattern: /\bDate\.now\b|\bnew Date\(\)/,
      reason: /\/\/ Clock: .+/,
      message:
        'The clock of a device may be wrong. Use serverNow of api/serverClock.ts or the timers of @nolo/client, or say in a comment “// Clock: …” why the device clock is right here.',
    },
  ];
}

/** Finds problems that no compiler sees, in all tracked files. `checkout` is the folder of the files. */
export function findTextProblems(files: readonly TextFile[], checkout: string = projectRoot): string[] {
  const rules = lineRules(checkout);
  const problems: string[] = [];
  for (const { path, text } of files) {
    const applicable = rules.filter((rule) => rule.files(path));
    if (applicable.length === 0) continue;
    const lines = text.split('\n');
    lines.forEach((line, index) => {
      for (const { pattern, reason, message } of applicable) {
        if (!pattern.test(line)) continue;
        if (reason && (reason.test(line) || reason.test(lines[index - 1] ?? ''))) continue;
        problems.push(`${path}:${index + 1}: ${message}\n    ${line.trim().slice(0, 120)}`);
      }
    });
  }
  return problems;
}
