/** @jest-environment jsdom */
import { rangesOfTyped, rangesOfWords } from './markFound.ts';

const message = (text: string): HTMLElement => {
  const article = document.createElement('article');
  article.innerHTML = `<div>Author 10</div><button>10 replies</button>
    <div><span data-searched>${text}<span data-unsearched><time>10:10</time></span></span></div>
    <div>0:10</div>`;
  return article;
};
const texts = (ranges: readonly Range[]) => ranges.map(String);

test("only a message's own text is marked, and not its time, author, or quote", () => {
  expect(texts(rangesOfWords(message('10 apples'), ['10']))).toEqual(['10']);
  expect(texts(rangesOfTyped(message('10 apples and 10 pears'), '10'))).toEqual(['10', '10']);
});

test('what was typed is marked as the text writes it, also across links and bold words', () => {
  expect(texts(rangesOfTyped(message('İPEK said <b>good</b> morning'), 'ipek SAID good m'))).toEqual([
    'İPEK said good m',
  ]);
  expect(texts(rangesOfTyped(message('Donau\u00addampf\u00adschiff'), 'dampfschiff'))).toEqual(['dampf\u00adschiff']);
  expect(texts(rangesOfTyped(message('Straße'), 'strass'))).toEqual(['Straß']);
});

test('words of two blocks are not taken for one', () => {
  const article = message('<p>good</p><p>bye</p>');
  expect(rangesOfTyped(article, 'goodbye')).toEqual([]);
  expect(texts(rangesOfWords(article, ['bye']))).toEqual(['bye']);
});

test('nothing typed marks nothing', () => {
  expect(rangesOfTyped(message('text'), ' \u200b ')).toEqual([]);
});
