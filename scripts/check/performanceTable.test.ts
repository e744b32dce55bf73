import { findTableProblems, renderTable, replaceTable } from './performanceTable.ts';

const entry = { what: 'Sending', target: 'at most 5 ms', figure: '4 ms', condition: 'quiet machine', reached: 'yes' };

test('renders one row per entry', () => {
  expect(
    renderTable([{ command: 'npm run load -- send', entries: [entry] }])
      .split('\n')
      .at(-1),
  ).toBe('| Sending | at most 5 ms | 4 ms | quiet machine | yes | `npm run load -- send` |');
});

test('replaces only the table', async () => {
  const text = await replaceTable('# A\n\n<!-- table -->\n\nold\n\n<!-- end of the table -->\n\nB\n', 'new');
  expect(text).toBe('# A\n\n<!-- table -->\n\nnew\n\n<!-- end of the table -->\n\nB\n');
});

test('the table in docs/performance.md matches docs/measurements', async () => {
  expect(await findTableProblems()).toEqual([]);
});
