import { join } from 'node:path';
import { projectRoot } from './paths.ts';
import {
  countAfterRetry,
  renderTestSummary,
  createEmptyCounts,
  shortenFailureMessage,
  fileLevelFailure,
  type JestOutcome,
} from './testCounts.ts';

const chat = join(projectRoot, 'tests/chat.test.ts');
const calls = join(projectRoot, 'tests/calls.test.ts');
const reason = 'Expected: 1\nReceived: 2';

function outcome(passed: number, ...failed: { file: string; name: string }[]): JestOutcome {
  const failedFiles = [...new Set(failed.map(({ file }) => file))];
  const failedTests = failed.map((test) => ({ ...test, reason }));
  return { passed, failed: failedTests.length, skipped: 2, failedFiles, failedTests };
}

it('counts and names tests that passed only on the second try', () => {
  const first = outcome(
    10,
    { file: chat, name: 'sends' },
    { file: chat, name: 'edits' },
    { file: calls, name: 'sends' },
  );
  const counts = countAfterRetry(first, outcome(4, { file: chat, name: 'edits' }));
  expect(counts).toEqual({
    passed: 10,
    failed: 1,
    skipped: 2,
    broken: [{ file: chat, name: 'edits', reason }],
    flaky: [
      { file: chat, name: 'sends', reason },
      { file: calls, name: 'sends', reason },
    ],
  });
  const why = '      Expected: 1\n      Received: 2\n';
  expect(renderTestSummary(counts)).toBe(
    `\n2 skipped\n2 flaky, which passed only on the second try:\n  tests/chat.test.ts: sends\n${why}` +
      `  tests/calls.test.ts: sends\n${why}Failed:\n  tests/chat.test.ts: edits\n${why}10 passed, 1 failed\n`,
  );
});

it('does not count as passed what a file never reached', () => {
  const retryOutcome = outcome(0, { file: chat, name: fileLevelFailure });
  expect(countAfterRetry(outcome(3, { file: chat, name: 'sends' }), retryOutcome)).toMatchObject({
    failed: 1,
    flaky: [],
  });
});

it('prints only the counts if everything passed', () => {
  expect(renderTestSummary({ ...createEmptyCounts(), passed: 3 })).toBe('\n3 passed, 0 failed\n');
});

it('names a stage that failed as a whole, and only the first of many failures', () => {
  const broken = Array.from({ length: 25 }, (_, index) => ({ name: `the stage ${String(index)}`, reason: 'It is.' }));
  const lines = renderTestSummary({ ...createEmptyCounts(), failed: 25, broken }).split('\n');
  expect(lines.filter((line) => line.startsWith('  the stage'))).toHaveLength(20);
  expect(lines.slice(-4)).toEqual(['      It is.', '  and 5 more', '0 passed, 25 failed', '']);
});

it('shortens a reason to what can be read at a glance', () => {
  const errorText = `\u001B[31mexpect(received).toBe(expected)\u001B[39m\n\n  Expected: 1\n  Received: ${'2'.repeat(900)}\n at one\n at two`;
  expect(shortenFailureMessage(errorText)).toBe(
    `expect(received).toBe(expected)\nExpected: 1\nReceived: ${'2'.repeat(190)}\nat one`,
  );
});
