import { isMarkupCandidate } from './markup.ts';
import { isPlainParagraph, parseMarkup } from './parseMarkup.ts';

const text = (value: string) => ({ type: 'text', value });
const paragraph = (...children: object[]) => ({ type: 'paragraph', children });

test('bold, italic, strikethrough and code are parsed', () => {
  expect(parseMarkup('**so** _it_ ~~was~~ `x < y`')).toEqual([
    paragraph(
      { type: 'strong', children: [text('so')] },
      text(' '),
      { type: 'emphasis', children: [text('it')] },
      text(' '),
      { type: 'struck', children: [text('was')] },
      text(' '),
      { type: 'code', value: 'x < y' },
    ),
  ]);
});

test('one star is bold and one tilde strikethrough, as in other messengers', () => {
  expect(parseMarkup('*so* _it_ ~was~')).toEqual([
    paragraph(
      { type: 'strong', children: [text('so')] },
      text(' '),
      { type: 'emphasis', children: [text('it')] },
      text(' '),
      { type: 'struck', children: [text('was')] },
    ),
  ]);
  for (const words of ['~5 km, ~10 minutes', '2*3 and 4 * 5', '~/notes and ~/plans']) {
    expect([words, isPlainParagraph(parseMarkup(words))]).toEqual([words, true]);
  }
});

test('lists, quotes, code blocks and named links are parsed', () => {
  expect(parseMarkup('2. two\n3. three')).toMatchObject([{ type: 'list', start: 2, children: [{}, {}] }]);
  expect(parseMarkup('- one')).toMatchObject([{ type: 'list', start: null }]);
  expect(parseMarkup('> said')).toEqual([{ type: 'quote', children: [paragraph(text('said'))] }]);
  expect(parseMarkup('```js\na\n```')).toEqual([{ type: 'codeBlock', value: 'a' }]);
  expect(parseMarkup('[here](https://example.org)')).toEqual([
    paragraph({ type: 'link', url: 'https://example.org', children: [text('here')] }),
  ]);
});

test.each([
  'https://h.example/a~b~c',
  'https://h.example/a*b*c and https://h.example/d*e*f',
  'https://h.example/foo_-_foo_.pdf',
  'https://h.example/a_(b)_c, _d',
  '2*3*4=24',
  'a~b~c',
])('characters in a URL or a word are not markup: %s', (words) => {
  expect([words, isPlainParagraph(parseMarkup(words))]).toEqual([words, true]);
});

test('URLs stay whole in markup, code and named links, and markup works in scripts without spaces', () => {
  expect(parseMarkup('*https://h.example/a_b_c*')).toEqual([
    paragraph({ type: 'strong', children: [text('https://h.example/a_b_c')] }),
  ]);
  expect(parseMarkup('`https://h.example/a_b`')).toEqual([paragraph({ type: 'code', value: 'https://h.example/a_b' })]);
  expect(parseMarkup('[*here*](https://h.example/a_b_c)')).toMatchObject([
    paragraph({ type: 'link', url: 'https://h.example/a_b_c', children: [{ type: 'strong' }] }),
  ]);
  expect(parseMarkup('これは*太字*です')).toMatchObject([
    paragraph(text('これは'), { type: 'strong', children: [text('太字')] }, text('です')),
  ]);
  expect(parseMarkup('**2*3**')).toEqual([paragraph({ type: 'strong', children: [text('2*3')] })]);
});

test('typed HTML, images, headings, escapes and entities stay text', () => {
  for (const words of [
    '<b>bold</b> <script>x</script>',
    '<https://example.org>',
    '# not a heading',
    '¯\\_(ツ)_/¯',
    '&amp; &lt;',
    'a_b_c and 2 * 3 * 4',
    '---',
    '[1]: https://example.org',
  ]) {
    expect([words, isPlainParagraph(parseMarkup(words))]).toEqual([words, true]);
  }
  expect(JSON.stringify(parseMarkup('![x](https://example.org/x.png)'))).not.toContain('"image"');
  expect(parseMarkup('<b>bold</b>')).toEqual([paragraph(text('<b>bold</b>'))]);
});

test('any text is parsed without a noticeable delay', () => {
  const texts = [
    '*a ',
    '[a](b) ',
    '[a](',
    '`a',
    '> a\n',
    '- a\n',
    '~~a ',
    '*a _b ~~c `d [e](',
    '1. a\n',
    '> - a\n',
  ].flatMap((unit) => [1, 20, 50, 100].map((times) => unit.repeat(times)));
  const taken = texts.filter(isMarkupCandidate);
  expect(taken.length).toBeGreaterThan(20);
  const began = process.cpuUsage();
  for (const one of taken) parseMarkup(one);
  // Processor time: some 40 texts, each far below a frame on an idle machine.
  expect(process.cpuUsage(began).user / taken.length).toBeLessThan(50_000);
});
