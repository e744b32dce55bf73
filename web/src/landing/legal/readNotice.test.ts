import { readNotice } from './readNotice.ts';

test('reads headings, lists and paragraphs from plain text', () => {
  expect(
    readNotice('# Title\n\nOne line\nand the next.\n\n## Part\n\n- first\n- second\n\n\n<b>no markup</b>\n'),
  ).toEqual([
    { kind: 'title', text: 'Title' },
    { kind: 'text', text: 'One line and the next.' },
    { kind: 'heading', text: 'Part' },
    { kind: 'list', items: ['first', 'second'] },
    { kind: 'text', text: '<b>no markup</b>' },
  ]);
});
