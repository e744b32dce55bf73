import { findCommentStarts, countComments, findWordingProblems, lacksSubject } from './wording.ts';

const problemsIn = (path: string, text: string) => findWordingProblems([{ path, text }]);

test.each([
  ['Of the request, where its trace is kept.', true],
  ['Whoever asks gets the list.', true],
  ['The same for groups.', true],
  ['So that nothing is lost.', true],
  ['Trace parent of the request, if sampled.', false],
  ['Returns the members of a group.', false],
  ['If Redis is down, the gateway sends every frame.', false],
  ['Not found', false],
])('%s: lacks a subject: %s', (comment, lacking) => {
  expect(lacksSubject(comment)).toBe(lacking);
});

test('reads the first line of each comment, and no directive', () => {
  const text = [
    '/** One line. */',
    '/**',
    ' * Several',
    ' * lines.',
    ' */',
    '// First,',
    '// continued.',
    '// oxlint-disable-next-line no-console -- a program',
    'const a = 1; // beside code',
  ].join('\n');
  expect(findCommentStarts(text)).toEqual([
    { line: 1, text: 'One line.' },
    { line: 3, text: 'Several' },
    { line: 6, text: 'First,' },
  ]);
});

test('a comment without a subject, a long line and a banned name are problems', () => {
  expect(problemsIn('web/src/a.ts', '// Whoever asks gets the list.\n')).toHaveLength(1);
  expect(problemsIn('web/src/a.ts', `// The list ${'word '.repeat(30)}\n`)).toHaveLength(1);
  expect(problemsIn('web/src/a.ts', `const ${['most', 'Files'].join('')} = 3;\n`)).toHaveLength(1);
  expect(problemsIn('web/src/a.ts', '// The list of members.\nconst maxFiles = 3;\n')).toEqual([]);
});

test('rejects unidiomatic wording in catalogues', () => {
  const chat = 'web/locales/en/chat.json';
  expect(problemsIn(chat, '  "hint": "Whoever knows it finds you.",\n')).toHaveLength(1);
  expect(problemsIn(chat, '  "whoever": "People can find you by @username.",\n')).toEqual([]);
  const mail = 'services/billing/src/domain/enWords.ts';
  expect(problemsIn(mail, "  hint: 'Whoever knows it finds you.',\n")).toHaveLength(1);
});

test('migrations that have shipped keep their comments', () => {
  expect(problemsIn('services/chat/migrations/001_a.ts', '// Of messages that are there already.\n')).toEqual([]);
});

test('counts comments and those without a subject', () => {
  const files = [{ path: 'web/src/a.ts', text: '// The list of members.\nlet a;\n// Whoever asks gets it.\n' }];
  expect(countComments(files)).toEqual({ comments: 2, lacking: 1 });
});
