import type { Conversation, Message } from '@nolo/api';
import { useState, type MouseEvent, type PointerEvent, type RefObject } from 'react';
import type { VirtuosoHandle } from 'react-virtuoso';
import type { MessageListEntry } from '@nolo/client/chat/timeline';
import { useContextMenu } from '../../shell/useContextMenu.ts';
import type { MessageChoice, MessageMenuState } from './MessageMenu.tsx';
import { toMessageRights } from './useMessageActions.ts';
import { useMessageListKeyboard } from './useMessageListKeyboard.ts';
import { useSwipeReply } from './useSwipeReply.ts';

/** Handlers of presses in the list. */
export interface MessagePressHandlers {
  /** Selected messages; null while nothing is being selected. */
  selected: ReadonlySet<string> | null;
  onToggle: (key: string, through: boolean) => void;
  onChoose: (choice: MessageChoice, message: Message, article: HTMLElement) => void;
  onReact: (message: Message, emoji: string) => void;
  onJump: (seq: number) => void;
  /** Escape in the list ends the present mode, or returns to the composer. */
  onEscape: () => void;
}

type PointerHandler = (event: PointerEvent<HTMLElement>) => void;

function both(first: PointerHandler, second: PointerHandler): PointerHandler {
  return (event) => {
    first(event);
    second(event);
  };
}

interface PressedList {
  list: RefObject<VirtuosoHandle | null>;
  scroller: RefObject<HTMLElement | null>;
  entries: readonly MessageListEntry[];
  isHidden: (key: string) => boolean;
  conversation: Conversation;
  selfId: string;
}

/** Finds the article of a message among the rendered rows, and the message of an article. */
function articlesOf({ scroller, entries }: PressedList) {
  const byKey = (key: string): HTMLElement | null =>
    scroller.current?.querySelector<HTMLElement>(`article[data-key="${CSS.escape(key)}"]`) ?? null;
  return {
    byKey,
    around(target: EventTarget | null): HTMLElement | null {
      const place = (target as HTMLElement | null)?.closest<HTMLElement>('article[data-key], [data-of]');
      const { of } = place?.dataset ?? {};
      return of === undefined ? (place ?? null) : byKey(of);
    },
    messageOf: (article: HTMLElement | null | undefined): Message | null =>
      entries.find((entry) => entry.key === article?.dataset['key'])?.message ?? null,
  };
}

/** Tracks whose menu is open, and opens it. */
function useOpenMenu({ conversation, selfId }: PressedList, messageOf: (article: HTMLElement) => Message | null) {
  const [menu, setMenu] = useState<MessageMenuState | null>(null);
  const open = (article: HTMLElement, x: number, y: number): void => {
    const message = messageOf(article);
    if (!message) return;
    const rights = toMessageRights(message, conversation, selfId);
    setMenu({ key: article.dataset['key'] ?? '', message, rights, x, y, origin: article });
  };
  return {
    menu,
    open,
    openUnder(article: HTMLElement): void {
      const bubble = article.querySelector('[data-bubble]') ?? article;
      const { left, bottom } = bubble.getBoundingClientRect();
      open(article, left, Math.min(bottom, innerHeight - 8));
    },
    close: () => setMenu(null),
  };
}

/**
 * Handles presses, swipes, and keys on messages. Events bubble up to the list, so that thousands of rows need no
 * listeners. During a selection, they all toggle a message.
 */
export function useMessagePresses(
  pressed: PressedList,
  { selected, onToggle, onChoose, onReact, onJump, onEscape }: MessagePressHandlers,
) {
  const { list, scroller, entries, isHidden, conversation, selfId } = pressed;
  const articles = articlesOf(pressed);
  const { messageOf } = articles;
  const isSelecting = selected !== null;
  const { menu, close, ...menus } = useOpenMenu(pressed, messageOf);
  const openMenu = (article: HTMLElement, x: number, y: number): void => {
    if (!isSelecting) menus.open(article, x, y);
  };
  /** Does nothing unless the article is a message with content. */
  const choose = (choice: Parameters<typeof onChoose>[0], article: HTMLElement | null): void => {
    const message = messageOf(article);
    if (article && message && toMessageRights(message, conversation, selfId).use) onChoose(choice, message, article);
  };
  const openMenuUnder = (article: HTMLElement): void => {
    if (!isSelecting) menus.openUnder(article);
  };
  const onKeyDown = useMessageListKeyboard({
    list,
    scroller,
    entries,
    isHidden,
    openMenu: openMenuUnder,
    leave: onEscape,
    toggle: isSelecting ? onToggle : undefined,
    choose,
  });
  const contextMenu = useContextMenu((target, at) => {
    const article = articles.around(target);
    if (!article) return false;
    if (at) openMenu(article, at.x, at.y);
    else openMenuUnder(article);
    return true;
  });
  const swipe = useSwipeReply((key) => choose('reply', articles.byKey(key)), !isSelecting);

  const onContextMenu = (event: MouseEvent<HTMLElement>): void => {
    // Links and text selections have a browser menu that people need.
    const isLink = (event.target as HTMLElement).closest('a:not([download])') !== null;
    if (!isLink && getSelection()?.isCollapsed !== false) contextMenu.onContextMenu(event);
  };
  const onClickCapture = (event: MouseEvent<HTMLElement>): void => {
    const article = isSelecting ? articles.around(event.target) : null;
    if (!article) return;
    // A selection disables all other presses.
    event.preventDefault();
    event.stopPropagation();
    onToggle(article.dataset['key'] ?? '', event.shiftKey);
  };
  const onClick = (event: MouseEvent<HTMLElement>): void => {
    const article = articles.around(event.target);
    const button = (event.target as HTMLElement).closest<HTMLElement>('button');
    if (!article || !button) return;
    const { quote, reaction } = button.dataset;
    const message = messageOf(article);
    if (quote !== undefined) onJump(Number(quote));
    else if (reaction !== undefined && message) onReact(message, reaction);
    else if (button.dataset['menu'] !== undefined) {
      const { left, bottom } = button.getBoundingClientRect();
      openMenu(article, left, bottom);
    }
  };
  const handlers = {
    onKeyDown,
    onContextMenu,
    onClickCapture,
    onClick,
    onTouchEnd: contextMenu.onTouchEnd,
    onPointerDown: both(contextMenu.onPointerDown, swipe.onPointerDown),
    onPointerMove: both(contextMenu.onPointerMove, swipe.onPointerMove),
    onPointerUp: both(contextMenu.onPointerUp, swipe.onPointerUp),
    onPointerCancel: both(contextMenu.onPointerCancel, swipe.onPointerCancel),
  };
  return { handlers, menu, closeMenu: close };
}
