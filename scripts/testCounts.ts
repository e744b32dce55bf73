import { relative } from 'node:path';
import { projectRoot } from './paths.ts';

/** One test that failed. */
export interface FailedTest {
  /** Absolute path. */
  file: string;
  /** With the names of the groups around it. */
  name: string;
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
  /** What passed only on the second try, and so is not among those that passed. */
  flaky: FailedTest[];
}

export function noCounts(): Counts {
  return { passed: 0, failed: 0, skipped: 0, flaky: [] };
}

/** @param again of the files that failed first, and of no others. */
export function afterSecondTry(first: Outcome, again: Outcome): Counts {
  const failsAgain = (test: FailedTest) =>
    again.failedTests.some(({ file, name }) => file === test.file && (name === test.name || name === theFileItself));
  return {
    passed: first.passed,
    failed: again.failed,
    skipped: first.skipped,
    flaky: first.failedTests.filter((test) => !failsAgain(test)),
  };
}

/** What a run says at its end. The last line is the same for every run, so that programs can read it. */
export function closingLines({ passed, failed, skipped, flaky }: Counts): string {
  const named = flaky.map(({ file, name }) => `  ${relative(projectRoot, file)}: ${name}\n`);
  const notes = [
    ...(skipped > 0 ? [`${String(skipped)} skipped\n`] : []),
    ...(flaky.length > 0 ? [`${String(flaky.length)} flaky, which passed only on the second try:\n`, ...named] : []),
  ];
  return `\n${notes.join('')}${String(passed)} passed, ${String(failed)} failed\n`;
}
