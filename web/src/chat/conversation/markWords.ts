import { findMarks, writtenNeedles } from '../words/text/needles.ts';

/** The name of the highlight (CSS Custom Highlight API) that app/styles.css colours. */
const highlightName = 'nolo-found';

/** Marks words in a message until others are marked. Where the browser knows no such marks the message has its own. */
export function markWords(article: HTMLElement, words: readonly string[]): void {
  if (!('highlights' in CSS)) return;
  const needles = writtenNeedles(words);
  const highlight = new Highlight();
  const texts = document.createTreeWalker(article, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    for (const [start, end] of findMarks(text.nodeValue ?? '', needles, true) ?? []) {
      const range = new Range();
      range.setStart(text, start);
      range.setEnd(text, end);
      highlight.add(range);
    }
  }
  CSS.highlights.set(highlightName, highlight);
}
