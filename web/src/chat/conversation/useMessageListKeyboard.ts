import type { KeyboardEvent, RefObject } from 'react';
import type { VirtuosoHandle } from 'react-virtuoso';
import type { MessageListEntry } from '@nolo/client/chat/timeline';
import { isMenuKey } from '../../shell/useContextMenu.ts';

function articleOf(scroller: HTMLElement | null, key: string): HTMLElement | null {
  return scroller?.querySelector<HTMLElement>(`article[data-key="${CSS.escape(key)}"]`) ?? null;
}

/** Returns the lowest visible message, where the arrow keys start. */
function lowestVisible(scroller: HTMLElement): HTMLElement | undefined {
  const { bottom } = scroller.getBoundingClientRect();
  return [...scroller.querySelectorAll<HTMLElement>('article[data-key]')].findLast(
    (article) => article.getBoundingClientRect().top < bottom - 24,
  );
}

/**
 * Handles the keyboard in the message list: Tab reaches the list, the arrows move between messages, Enter or the menu
 * key opens a message's menu, R replies, Space selects, Escape returns to the composer.
 */
export function useMessageListKeyboard(options: {
  list: RefObject<VirtuosoHandle | null>;
  scroller: RefObject<HTMLElement | null>;
  entries: readonly MessageListEntry[];
  /** Returns true for an entry without an element of its own. */
  isHidden: (key: string) => boolean;
  openMenu: (article: HTMLElement) => void;
  leave: () => void;
  /** Toggles one message during a selection, or all up to it with `through`. */
  toggle: ((key: string, through: boolean) => void) | undefined;
  choose: (choice: 'reply' | 'select', article: HTMLElement) => void;
}): (event: KeyboardEvent<HTMLElement>) => void {
  const { list, scroller, entries, isHidden, openMenu, leave, toggle, choose } = options;
  /** Focuses the entry at `index`, or the next one in steps of `step` that has an element. */
  const focusEntry = (index: number, step: 1 | -1): void => {
    const entry = entries[index];
    if (!entry) return;
    if (isHidden(entry.key)) return focusEntry(index + step, step);
    const article = () => articleOf(scroller.current, entry.key);
    // The browser scrolls to a rendered message. Any other must be rendered first.
    if (article()) article()?.focus();
    else list.current?.scrollIntoView({ index, done: () => article()?.focus() });
  };
  return (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const target = event.target as HTMLElement;
    if (event.key === 'Escape') return leave();
    if (target === scroller.current) {
      const lowest = event.key === 'ArrowUp' ? lowestVisible(target) : undefined;
      if (!lowest) return;
      event.preventDefault();
      return lowest.focus({ preventScroll: true });
    }
    if (target.tagName !== 'ARTICLE') return;
    const key = target.dataset['key'] ?? '';
    const index = entries.findIndex((entry) => entry.key === key);
    if (event.key === ' ' || (toggle && event.key === 'Enter')) {
      if (toggle) toggle(key, event.shiftKey);
      else choose('select', target);
    } else if (event.key === 'Enter' || isMenuKey(event)) openMenu(target);
    else if (event.key.toLowerCase() === 'r' && !toggle) choose('reply', target);
    else if (event.key === 'ArrowUp') focusEntry(index - 1, -1);
    else if (event.key === 'ArrowDown') focusEntry(index + 1, 1);
    else if (event.key === 'End') focusEntry(entries.length - 1, -1);
    else return;
    event.preventDefault();
  };
}
