/** @jest-environment jsdom */
import { findRangesOfQuery, findRangesOfWords } from './highlightMatches.ts';

const message = (text: string): HTMLElement => {
  const article = document.createElement('article');
  article.innerHTML = `<div>Author 10</div><button>10 replies</button>
    <div><span data-searched>${text}<span data-unsearched><time>10:10</time></span></span></div>
    <div>0:10</div>`;
  return article;
};
const texts = (ranges: readonly Range[]) => ranges.map(String);

test('only a message’s own text is highlighted, not its time, author or quote', () => {
  expect(texts(findRangesOfWords(message('10 apples'), ['10']))).toEqual(['10']);
  expect(texts(findRangesOfQuery(message('10 apples and 10 pears'), '10'))).toEqual(['10', '10']);
});

test('typed text is highlighted as the message writes it, also across links and bold words', () => {
  expect(texts(findRangesOfQuery(message('İPEK said <b>good</b> morning'), 'ipek SAID good m'))).toEqual([
    'İPEK said good m',
  ]);
  expect(texts(findRangesOfQuery(message('Donau\u00addampf\u00adschiff'), 'dampfschiff'))).toEqual([
    'dampf\u00adschiff',
  ]);
  expect(texts(findRangesOfQuery(message('Straße'), 'strass'))).toEqual(['Straß']);
});

test('a mention is highlighted together with the words around it', () => {
  const article = message('Hi <span data-mention="other" class="font-semibold">@<!-- -->Ada</span>, welcome');
  expect(texts(findRangesOfQuery(article, 'hi @ada, wel'))).toEqual(['Hi @Ada, wel']);
});

test('a file name is highlighted across the place where it may be truncated', () => {
  const name =
    '<span class="flex"><span class="flex"><span class="truncate">rep</span><span class="shrink-0">ort.pdf</span></span></span>';
  expect(texts(findRangesOfQuery(message(name), 'report'))).toEqual(['report']);
  expect(texts(findRangesOfWords(message(name), ['report']))).toEqual(['report']);
});

test('the title and the description of a link preview do not match as one text', () => {
  const article = message('<span class="line-clamp-2">good</span><span class="line-clamp-1">bye</span>');
  expect(findRangesOfQuery(article, 'goodbye')).toEqual([]);
});

test('the words of two blocks do not match as one text', () => {
  const article = message('<p>good</p><p>bye</p>');
  expect(findRangesOfQuery(article, 'goodbye')).toEqual([]);
  expect(texts(findRangesOfWords(article, ['bye']))).toEqual(['bye']);
});

test('an empty query highlights nothing', () => {
  expect(findRangesOfQuery(message('text'), ' \u200b ')).toEqual([]);
});
