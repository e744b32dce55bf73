import type { ScrollPlace } from '../context/chatContext.ts';
import type { Entry } from '../engine/entries.ts';

export interface StartingPlace {
  index: number;
  align: 'start' | 'end';
  offset?: number;
}

/** Room above the unread marker, so that it is seen that the conversation goes on upwards. */
const markerOffset = -96;

/** What is jumped to stands this far below the edge at first, with what was said before it. */
const jumpOffset = -160;

/** Where a list begins: where it was left or jumped to, or else at the first unread message, or else at its end. */
export function startingPlace(
  entries: readonly Entry[],
  place: ScrollPlace | { seq: number } | undefined,
  unread: number,
): StartingPlace {
  if (place) {
    const index = entries.findIndex((entry) => entry.message?.seq === place.seq);
    if (index >= 0) return { index, align: 'start', offset: 'offset' in place ? place.offset : jumpOffset };
  }
  if (unread >= 0) return { index: unread, align: 'start', offset: markerOffset };
  return { index: Math.max(entries.length - 1, 0), align: 'end' };
}

/** The topmost message on the screen and how far its top lies above the edge; null at the end of the list. */
export function readPlace(scroller: HTMLElement, entries: readonly Entry[]): ScrollPlace | null {
  if (scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < 48) return null;
  const { top } = scroller.getBoundingClientRect();
  for (const article of scroller.querySelectorAll<HTMLElement>('article[data-key]')) {
    const item = article.closest('[data-index]') ?? article;
    const box = item.getBoundingClientRect();
    if (box.bottom <= top + 1) continue;
    const seq = entries.find((entry) => entry.key === article.dataset['key'])?.message?.seq;
    return seq === undefined ? null : { seq, offset: Math.round(top - box.top) };
  }
  return null;
}
