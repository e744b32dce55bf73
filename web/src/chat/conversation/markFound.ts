import { foldText, foldWithPlaces } from '@nolo/rules';
import { findMarks, writtenNeedles, type Mark } from '../words/text/needles.ts';

/** The name of the highlight (CSS Custom Highlight API) that app/styles.css colours. */
const highlightName = 'nolo-found';

/** What people search of a message is marked so in the page: its text, file name, transcript, and link preview. */
const searched = '[data-searched]';
/** The time and the states of a message stand on the last line of its text. */
const unsearched = '[data-unsearched]';

/**
 * Elements whose text a line break separates from the rest: of spans only those that stand one below the other in what is
 * searched. A mention is a word of its line, and the two halves of a file name are one name.
 */
const blocks = 'p, li, pre, blockquote, div, [data-searched] > span[class]:not([data-mention])';

/** Finds what is to be marked in a text. */
type Find = (text: string) => readonly Mark[];

/** Finds every place of what was typed, as `findMessages` does. */
function findTyped(typed: string): Find {
  const wanted = foldText(typed.trim());
  return (text) => {
    if (wanted === '') return [];
    const { text: folded, starts, ends } = foldWithPlaces(text);
    const marks: Mark[] = [];
    for (let at = folded.indexOf(wanted); at !== -1; at = folded.indexOf(wanted, at + wanted.length)) {
      marks.push([starts[at] ?? 0, ends[at + wanted.length - 1] ?? text.length]);
    }
    return marks;
  };
}

/** Finds words as the index of messages found them, folded. */
function findWords(words: readonly string[]): Find {
  const needles = writtenNeedles(words);
  return (text) => findMarks(text, needles, true) ?? [];
}

/** A part of the text of an element, and where it begins in all of it. */
interface Piece {
  node: Text;
  start: number;
}

/** The text of an element, with a line break between its blocks, and the nodes that it consists of. */
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

/** The ranges of the page in which `find` finds something, in texts of messages within the element. */
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

/** The ranges of what was typed in the texts of messages within the element. */
export const rangesOfTyped = (root: Element, typed: string): Range[] => rangesIn(root, findTyped(typed));

/** The ranges of words, which are folded, in the texts of messages within the element. */
export const rangesOfWords = (root: Element, words: readonly string[]): Range[] => rangesIn(root, findWords(words));

/** Marks ranges until others are marked. A browser without such highlights marks the message alone. */
function highlight(ranges: readonly Range[]): void {
  if (!('highlights' in CSS)) return;
  if (ranges.length === 0) CSS.highlights.delete(highlightName);
  else CSS.highlights.set(highlightName, new Highlight(...ranges));
}

/** Marks words in a message until others are marked. */
export const markWords = (article: Element, words: readonly string[]): void => highlight(rangesOfWords(article, words));

/** Marks what was typed in a list of messages, whichever of them are drawn. Returns what ends it. */
export function followTyped(list: Element, typed: string): () => void {
  let frame = 0;
  const mark = (): void => {
    frame = 0;
    highlight(rangesOfTyped(list, typed));
  };
  const observer = new MutationObserver(() => {
    frame ||= requestAnimationFrame(mark);
  });
  observer.observe(list, { childList: true, subtree: true, characterData: true });
  mark();
  return () => {
    observer.disconnect();
    cancelAnimationFrame(frame);
    highlight([]);
  };
}
