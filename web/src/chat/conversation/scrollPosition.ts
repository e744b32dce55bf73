import type { MessageListEntry } from '@nolo/client/chat/timeline';
import type { SavedScrollPosition } from '../context/chatContext.ts';

export interface InitialScrollPosition {
  index: number;
  align: 'start' | 'end';
  offset?: number;
}

/** Offset in pixels above the unread marker, which shows that the conversation continues upwards. */
const markerOffset = -96;

/** Offset in pixels above a jump target, which shows the messages before it. */
const jumpOffset = -160;

/**
 * Returns where a list begins: where the user left it or jumped to, otherwise the first unread message, otherwise the
 * end.
 */
export function findInitialScrollPosition(
  entries: readonly MessageListEntry[],
  place: SavedScrollPosition | { seq: number } | undefined,
  unread: number,
): InitialScrollPosition {
  if (place) {
    const index = entries.findIndex((entry) => entry.message?.seq === place.seq);
    if (index >= 0) return { index, align: 'start', offset: 'offset' in place ? place.offset : jumpOffset };
  }
  if (unread >= 0) return { index: unread, align: 'start', offset: markerOffset };
  return { index: Math.max(entries.length - 1, 0), align: 'end' };
}

/** Returns the topmost visible message and how far its top is above the edge. Returns null at the end of the list. */
export function readScrollPosition(
  scroller: HTMLElement,
  entries: readonly MessageListEntry[],
): SavedScrollPosition | null {
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
