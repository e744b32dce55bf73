import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { projectRoot } from './paths.ts';

/** One test that failed, or a whole stage. */
export interface FailedTest {
  /** Absolute path; none where it was no test. */
  file?: string;
  /** With the names of the groups around it. */
  name: string;
  /** The first lines of what it said, without colours. */
  reason: string;
}

/** In place of a test's name where a file failed before, or after, its tests. */
export const theFileItself = 'the file itself';

/** What one run of jest came to. */
export interface Outcome {
  passed: number;
  failed: number;
  skipped: number;
  failedFiles: string[];
  failedTests: FailedTest[];
}

export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
  /** What failed, on the second try too where there was one. */
  broken: FailedTest[];
  /** What passed only on the second try, and so is not among those that passed. */
  flaky: FailedTest[];
}

export function noCounts(): Counts {
  return { passed: 0, failed: 0, skipped: 0, broken: [], flaky: [] };
}

/** @param again of the files that failed first, and of no others. */
export function afterSecondTry(first: Outcome, again: Outcome): Counts {
  const failsAgain = (test: FailedTest) =>
    again.failedTests.some(({ file, name }) => file === test.file && (name === test.name || name === theFileItself));
  return {
    passed: first.passed,
    failed: again.failed,
    skipped: first.skipped,
    broken: again.failedTests,
    flaky: first.failedTests.filter((test) => !failsAgain(test)),
  };
}

/** Of a longer list the rest is a number: where everything fails there is one reason. */
const mostNamed = 20;

/**
 * What a run says at its end: the names of what failed with the reasons, for of a long output often nothing but the end is
 * kept. The last line is the same for every run, so that programs can read it.
 */
export function closingLines({ passed, failed, skipped, broken, flaky }: Counts): string {
  const notes = [
    ...(skipped > 0 ? [`${String(skipped)} skipped\n`] : []),
    ...(flaky.length > 0
      ? [`${String(flaky.length)} flaky, which passed only on the second try:\n`, named(flaky)]
      : []),
    ...(broken.length > 0 ? ['Failed:\n', named(broken)] : []),
  ];
  return `\n${notes.join('')}${String(passed)} passed, ${String(failed)} failed\n`;
}

function named(tests: readonly FailedTest[]): string {
  const lines = tests.slice(0, mostNamed).map(({ file, name, reason }) => {
    const why = reason.split('\n').map((line) => `      ${line}\n`);
    return `  ${file === undefined ? '' : `${relative(projectRoot, file)}: `}${name}\n${why.join('')}`;
  });
  const more = tests.length - mostNamed;
  return lines.join('') + (more > 0 ? `  and ${String(more)} more\n` : '');
}

const mostLines = 4;
const mostCharacters = 200;

/** What a test said when it failed, without colours and empty lines, as far as a few lines go. */
export function reasonOf(message: string): string {
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .map((line) => line.trim().slice(0, mostCharacters))
    .filter((line) => line !== '');
  return lines.slice(0, mostLines).join('\n');
}
