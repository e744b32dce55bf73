import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { projectRoot } from './paths.ts';

/** Failed test or stage. */
interface FailedTest {
  /** Absolute path. Absent if it was not a test. */
  file?: string;
  /** Name, including the groups around it. */
  name: string;
  /** First lines of its message, without colors. */
  reason: string;
}

/** Placeholder for a test name if a file failed before or after its tests. */
export const fileLevelFailure = 'the file itself';

/** Result of one run of jest. */
export interface JestOutcome {
  passed: number;
  failed: number;
  skipped: number;
  failedFiles: string[];
  failedTests: FailedTest[];
}

export interface TestCounts {
  passed: number;
  failed: number;
  skipped: number;
  /** Tests that failed, on the second try too if there was one. */
  broken: FailedTest[];
  /** Tests that passed only on the second try; not counted as passed. */
  flaky: FailedTest[];
}

export function createEmptyCounts(): TestCounts {
  return { passed: 0, failed: 0, skipped: 0, broken: [], flaky: [] };
}

/**
 * Merges the results of a second try.
 *
 * @param retryOutcome results of the files that failed first, and of no others.
 */
export function countAfterRetry(first: JestOutcome, retryOutcome: JestOutcome): TestCounts {
  const failsOnRetry = (test: FailedTest) =>
    retryOutcome.failedTests.some(
      ({ file, name }) => file === test.file && (name === test.name || name === fileLevelFailure),
    );
  return {
    passed: first.passed,
    failed: retryOutcome.failed,
    skipped: first.skipped,
    broken: retryOutcome.failedTests,
    flaky: first.failedTests.filter((test) => !failsOnRetry(test)),
  };
}

/** Maximum number of named failures; the rest is only counted. If everything fails, there is one reason. */
const maxListedTests = 20;

/**
 * Returns the summary of a run: the names and reasons of all failures, because often only the end of a long output is
 * preserved. The last line has the same format for every run, so that programs can parse it.
 */
export function renderTestSummary({ passed, failed, skipped, broken, flaky }: TestCounts): string {
  const paragraphs = [
    ...(skipped > 0 ? [`${String(skipped)} skipped\n`] : []),
    ...(flaky.length > 0
      ? [`${String(flaky.length)} flaky, which passed only on the second try:\n`, named(flaky)]
      : []),
    ...(broken.length > 0 ? ['Failed:\n', named(broken)] : []),
  ];
  return `\n${paragraphs.join('')}${String(passed)} passed, ${String(failed)} failed\n`;
}

function named(tests: readonly FailedTest[]): string {
  const lines = tests.slice(0, maxListedTests).map(({ file, name, reason }) => {
    const why = reason.split('\n').map((line) => `      ${line}\n`);
    return `  ${file === undefined ? '' : `${relative(projectRoot, file)}: `}${name}\n${why.join('')}`;
  });
  const more = tests.length - maxListedTests;
  return lines.join('') + (more > 0 ? `  and ${String(more)} more\n` : '');
}

const maxReasonLines = 4;
const maxReasonLineLength = 200;

/** Returns the first few lines of a test's failure message, without colors and empty lines. */
export function shortenFailureMessage(message: string): string {
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .map((line) => line.trim().slice(0, maxReasonLineLength))
    .filter((line) => line !== '');
  return lines.slice(0, maxReasonLines).join('\n');
}
