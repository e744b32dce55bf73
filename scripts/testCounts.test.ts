import { join } from 'node:path';
import { projectRoot } from './paths.ts';
import { afterSecondTry, closingLines, theFileItself, type FailedTest, type Outcome } from './testCounts.ts';

const chat = join(projectRoot, 'tests/chat.test.ts');
const calls = join(projectRoot, 'tests/calls.test.ts');

function outcome(passed: number, ...failedTests: FailedTest[]): Outcome {
  const failedFiles = [...new Set(failedTests.map(({ file }) => file))];
  return { passed, failed: failedTests.length, skipped: 2, failedFiles, failedTests };
}

it('counts apart, and names, what passed only on the second try', () => {
  const first = outcome(
    10,
    { file: chat, name: 'sends' },
    { file: chat, name: 'edits' },
    { file: calls, name: 'sends' },
  );
  const counts = afterSecondTry(first, outcome(4, { file: chat, name: 'edits' }));
  expect(counts).toEqual({
    passed: 10,
    failed: 1,
    skipped: 2,
    flaky: [
      { file: chat, name: 'sends' },
      { file: calls, name: 'sends' },
    ],
  });
  expect(closingLines(counts)).toBe(
    '\n2 skipped\n2 flaky, which passed only on the second try:\n' +
      '  tests/chat.test.ts: sends\n  tests/calls.test.ts: sends\n10 passed, 1 failed\n',
  );
});

it('does not take for passed what a file never came to', () => {
  const again = outcome(0, { file: chat, name: theFileItself });
  expect(afterSecondTry(outcome(3, { file: chat, name: 'sends' }), again)).toMatchObject({ failed: 1, flaky: [] });
});

it('says no more than the counts where all is well', () => {
  expect(closingLines({ passed: 3, failed: 0, skipped: 0, flaky: [] })).toBe('\n3 passed, 0 failed\n');
});
