import { foldText, foldWithPlaces } from '@nolo/rules';
import { findHighlights, toSearchNeedles, type HighlightRange } from '../words/text/needles.ts';

/** Name of the highlight (CSS Custom Highlight API) that app/styles.css colors. */
const highlightName = 'nolo-found';

/** Marks the searchable parts of a message: text, file name, transcript, and link preview. */
const searched = '[data-searched]';
/** Marks a message's time and states, which share the last line of its text. */
const unsearched = '[data-unsearched]';

/**
 * Elements whose text starts a new line. Spans count only if they are stacked in searchable content. A mention is a
 * word of its line, and the two halves of a file name are one name.
 */
const blocks = 'p, li, pre, blockquote, div, [data-searched] > span[class]:not([data-mention])';

/** Finds the places to highlight in a text. */
type Find = (text: string) => readonly HighlightRange[];

/** Finds all occurrences of the query, as `findMessages` does. */
function findTyped(typed: string): Find {
  const wanted = foldText(typed.trim());
  return (text) => {
    if (wanted === '') return [];
    const { text: folded, starts, ends } = foldWithPlaces(text);
    const highlights: HighlightRange[] = [];
    for (let at = folded.indexOf(wanted); at !== -1; at = folded.indexOf(wanted, at + wanted.length)) {
      highlights.push([starts[at] ?? 0, ends[at + wanted.length - 1] ?? text.length]);
    }
    return highlights;
  };
}

/** Finds folded words, as the message index does. */
function findWords(words: readonly string[]): Find {
  const needles = toSearchNeedles(words);
  return (text) => findHighlights(text, needles, true) ?? [];
}

/** Text node of an element, with its offset in the whole text. */
interface Piece {
  node: Text;
  start: number;
}

/** Returns the text of an element, with a line break between blocks, and its text nodes. */
function textOf(element: Element): { text: string; pieces: Piece[] } {
  const nodes = document.createTreeWalker(element, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) =>
    node instanceof Element && node.matches(unsearched) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
  );
  const pieces: Piece[] = [];
  let text = '';
  let block: Element | null = null;
  for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
    if (!(node instanceof Text)) continue;
    const itsBlock = node.parentElement?.closest(blocks) ?? null;
    if (text !== '' && itsBlock !== block) text += '\n';
    block = itsBlock;
    pieces.push({ node, start: text.length });
    text += node.data;
  }
  return { text, pieces };
}

/** Returns the ranges that `find` finds in message texts within the element. */
function rangesIn(root: Element, find: Find): Range[] {
  return [...root.querySelectorAll(searched)].flatMap((element) => {
    const { text, pieces } = textOf(element);
    return find(text).map(([start, end]) => {
      const range = new Range();
      const first = pieces.findLast((piece) => piece.start <= start);
      const last = pieces.findLast((piece) => piece.start < end);
      if (first && last) {
        range.setStart(first.node, Math.min(start - first.start, first.node.length));
        range.setEnd(last.node, Math.min(end - last.start, last.node.length));
      }
      return range;
    });
  });
}

/** Returns the ranges of the typed query in message texts within the element. */
export const findRangesOfQuery = (root: Element, typed: string): Range[] => rangesIn(root, findTyped(typed));

/** Returns the ranges of folded words in message texts within the element. */
export const findRangesOfWords = (root: Element, words: readonly string[]): Range[] => rangesIn(root, findWords(words));

/** Highlights ranges until the next call. Without browser support, only the message is highlighted. */
function highlight(ranges: readonly Range[]): void {
  if (!('highlights' in CSS)) return;
  if (ranges.length === 0) CSS.highlights.delete(highlightName);
  else CSS.highlights.set(highlightName, new Highlight(...ranges));
}

/** Highlights words in a message until the next call. */
export const highlightWords = (article: Element, words: readonly string[]): void =>
  highlight(findRangesOfWords(article, words));

/**
 * Highlights the typed query in a list of messages and follows the rows that are drawn. Returns a function that stops
 * it.
 */
export function highlightQueryInList(list: Element, typed: string): () => void {
  let frame = 0;
  const applyHighlights = (): void => {
    frame = 0;
    highlight(findRangesOfQuery(list, typed));
  };
  const observer = new MutationObserver(() => {
    frame ||= requestAnimationFrame(applyHighlights);
  });
  observer.observe(list, { childList: true, subtree: true, characterData: true });
  applyHighlights();
  return () => {
    observer.disconnect();
    cancelAnimationFrame(frame);
    highlight([]);
  };
}
