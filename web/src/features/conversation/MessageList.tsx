import type { Conversation, Message } from '@nolo/api';
import type { MouseEvent, PointerEvent } from 'react';
import { useCallback, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Virtuoso } from 'react-virtuoso';
import type { VirtuosoHandle } from 'react-virtuoso';
import { useChat } from '../../app/chatContext.ts';
import { actionsOf } from '../../state/conversationActions.ts';
import type { Timeline } from '../../state/timeline.ts';
import { conversationName } from '../chats/conversationName.ts';
import { findAlbums } from '../media/album.ts';
import { firstIndexOf, firstUnread, holdBack, joinEntries } from './entries.ts';
import { MessageAnnouncer } from './MessageAnnouncer.tsx';
import type { ListContext } from './listContext.ts';
import { listComponents, renderRow } from './messageListParts.tsx';
import { MessageMenu } from './MessageMenu.tsx';
import type { MessageChoice, OpenMenu } from './MessageMenu.tsx';
import { ScrollDownPill } from './ScrollDownPill.tsx';
import { readPlace, startingPlace } from './scrollPlace.ts';
import type { Jump } from './useJumpTo.ts';
import { RowWordsContext, useMakeRowWords } from './rowWords.ts';
import { openJump, useJumpTo } from './useJumpTo.ts';
import { useLongPress } from './useLongPress.ts';
import { rightsOf } from './useMessageActions.ts';
import { useMessageKeys } from './useMessageKeys.ts';
import { endThreshold, usePinToEnd } from './usePinToEnd.ts';
import { useReading } from './useReading.ts';
import { useReveal } from './useReveal.ts';
import { useSwipeReply } from './useSwipeReply.ts';
import { useToEnd } from './useToEnd.ts';

export interface MessageListProps {
  conversation: Conversation;
  timeline: Timeline;
  /** What is shown ends before the newest message: somebody jumped into the past. */
  past: boolean;
  jump: Jump | null;
  /** Null while nothing is being selected. */
  selected: ReadonlySet<string> | null;
  onToggle: (key: string, through: boolean) => void;
  onChoose: (choice: MessageChoice, message: Message, article: HTMLElement) => void;
  onReact: (message: Message, emoji: string) => void;
  onJump: (seq: number) => void;
  /** Escape in the list ends what is going on, or goes back to writing. */
  onEscape: () => void;
}

/** The messages of a conversation, of which only those near the screen exist as elements. */
export function MessageList(props: MessageListProps) {
  const { conversation, timeline, past, jump, selected, onToggle, onChoose, onReact, onJump, onEscape } = props;
  const { t } = useTranslation();
  const { engine, places } = useChat();
  const { selfId } = engine.store.getState();
  const { id } = conversation;
  const name = conversationName(conversation, t);
  const label = t('conversation.messagesWith', { name });
  const words = useMakeRowWords();
  const list = useRef<VirtuosoHandle>(null);
  const scroller = useRef<HTMLElement>(null);
  const [atBottom, setAtBottom] = useState(!places.has(id));
  const [menu, setMenu] = useState<OpenMenu | null>(null);
  const [olderFailed, setOlderFailed] = useState(false);

  const { messages, pending } = timeline;
  const more = timeline.hasOlder && !olderFailed;
  const { heldBack, shown: entries } = useMemo(
    () => holdBack(joinEntries(messages, pending, selfId), more),
    [messages, pending, selfId, more],
  );
  const firstIndex = useMemo(() => firstIndexOf(entries, messages), [entries, messages]);
  const unreadAfter = useReading(conversation, timeline, atBottom && !past);
  const unreadIndex = useMemo(() => firstUnread(entries, unreadAfter, selfId), [entries, unreadAfter, selfId]);
  const unreadKey = past ? null : (entries[unreadIndex]?.key ?? null);
  const albums = useMemo(() => findAlbums(entries, unreadKey), [entries, unreadKey]);
  const [start] = useState(() => startingPlace(entries, openJump(jump) ?? places.get(id), unreadIndex));
  const revealed = useReveal(scroller, entries, start);
  usePinToEnd(scroller, revealed && !past);
  const toEnd = useToEnd(list, scroller);
  const highlightedKey = useJumpTo(jump, { list, scroller, entries, revealed });

  const loadOlder = useCallback(() => {
    setOlderFailed(false);
    actionsOf(engine)
      .loadOlder(id)
      .catch(() => setOlderFailed(true));
  }, [engine, id]);
  const loadNewer = (): void => {
    // Reaching the end again asks again.
    if (past)
      actionsOf(engine)
        .loadNewer(id)
        .catch(() => {});
  };
  const onRetry = useCallback((clientMessageId: string) => engine.retry(id, clientMessageId), [engine, id]);
  const onDiscard = useCallback((clientMessageId: string) => engine.discard(id, clientMessageId), [engine, id]);

  const older = olderFailed ? 'failed' : timeline.loadingOlder ? 'loading' : timeline.hasOlder ? 'more' : 'none';
  const context: ListContext = {
    entries,
    albums,
    heldBack,
    conversation,
    selfId,
    nameOf: words.nameOf,
    name,
    label,
    revealed,
    unreadKey,
    menuKey: menu?.key ?? null,
    highlightedKey,
    selected,
    older,
    beginning: older === 'none',
    loadOlder,
    onRetry,
    onDiscard,
  };

  const messageOf = (article: HTMLElement | null | undefined): Message | null =>
    entries.find((entry) => entry.key === article?.dataset['key'])?.message ?? null;
  const openMenu = (article: HTMLElement, x: number, y: number): void => {
    const message = messageOf(article);
    if (!message || selected !== null) return;
    const rights = rightsOf(message, conversation, selfId);
    setMenu({ key: article.dataset['key'] ?? '', message, rights, x, y, origin: article });
  };
  const openMenuAt = (article: HTMLElement): void => {
    const bubble = article.querySelector('[data-bubble]') ?? article;
    const { left, bottom } = bubble.getBoundingClientRect();
    openMenu(article, left, Math.min(bottom, innerHeight - 8));
  };
  const onKeyDown = useMessageKeys({
    list,
    scroller,
    entries,
    openMenu: (_, article) => openMenuAt(article),
    leave: onEscape,
    toggle: selected === null ? undefined : onToggle,
    choose: (choice, article) => {
      const message = messageOf(article);
      if (message && rightsOf(message, conversation, selfId).use) onChoose(choice, message, article);
    },
  });
  const articleOf = (target: EventTarget | null): HTMLElement | null =>
    (target as HTMLElement | null)?.closest<HTMLElement>('article[data-key]') ?? null;
  const longPress = useLongPress((target, x, y) => {
    const article = articleOf(target);
    if (article) openMenu(article, x, y);
  });
  const swipe = useSwipeReply((key) => {
    const article = scroller.current?.querySelector<HTMLElement>(`article[data-key="${CSS.escape(key)}"]`);
    const message = messageOf(article);
    if (article && message && rightsOf(message, conversation, selfId).use) onChoose('reply', message, article);
  }, selected === null);
  const touch = {
    onTouchEnd: longPress.onTouchEnd,
    onPointerDown: both(longPress.onPointerDown, swipe.onPointerDown),
    onPointerMove: both(longPress.onPointerMove, swipe.onPointerMove),
    onPointerUp: both(longPress.onPointerUp, swipe.onPointerUp),
    onPointerCancel: both(longPress.onPointerCancel, swipe.onPointerCancel),
  };
  const onContextMenu = (event: MouseEvent<HTMLElement>): void => {
    const target = event.target as HTMLElement;
    const article = articleOf(target);
    // A link and a selection have a menu of the browser's own that people need.
    if (!article || target.closest('a:not([download])') || getSelection()?.isCollapsed === false) return;
    event.preventDefault();
    openMenu(article, event.clientX, event.clientY);
  };
  const onClickCapture = (event: MouseEvent<HTMLElement>): void => {
    const article = selected === null ? null : articleOf(event.target);
    if (!article) return;
    // While messages are being selected, nothing else is pressed.
    event.preventDefault();
    event.stopPropagation();
    onToggle(article.dataset['key'] ?? '', event.shiftKey);
  };
  const onClick = (event: MouseEvent<HTMLElement>): void => {
    const article = articleOf(event.target);
    if (!article) return;
    const button = (event.target as HTMLElement).closest<HTMLElement>('button');
    if (!button) return;
    const { quote, reaction } = button.dataset;
    const message = messageOf(article);
    if (quote !== undefined) onJump(Number(quote));
    else if (reaction !== undefined && message) onReact(message, reaction);
    else if (button.dataset['menu'] !== undefined) {
      const { left, bottom } = button.getBoundingClientRect();
      openMenu(article, left, bottom);
    }
  };

  const followOutput = (bottom: boolean): 'smooth' | 'auto' | false => {
    // Reading on in the past adds below as well, and nobody wants to be taken along.
    if (past) return false;
    // One's own message is what one wants to see, wherever one was.
    const ownAtEnd = entries.at(-1)?.pending?.state === 'sending';
    if (!bottom) return ownAtEnd ? 'auto' : false;
    const still = document.hidden || matchMedia('(prefers-reduced-motion: reduce)').matches;
    return still ? 'auto' : 'smooth';
  };
  const keepPlace = (): void => {
    const place = scroller.current && readPlace(scroller.current, entries);
    if (place && !past) places.set(id, place);
    else places.delete(id);
  };
  const toNewest = (): void => {
    places.delete(id);
    if (past) actionsOf(engine).toNewest(id);
    else toEnd();
  };

  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- keys and presses come up from the messages
    <div
      className="relative flex min-h-0 flex-1 flex-col"
      onKeyDown={onKeyDown}
      onContextMenu={onContextMenu}
      onClickCapture={onClickCapture}
      onClick={onClick}
      {...touch}
    >
      <RowWordsContext value={words}>
        <Virtuoso
          ref={list}
          scrollerRef={(element) => {
            if (element instanceof HTMLElement) scroller.current = element;
          }}
          role="group"
          aria-label={label}
          className="min-h-0 flex-1 overscroll-contain outline-offset-[-2px]"
          data={entries}
          context={context}
          components={listComponents}
          computeItemKey={(_, entry) => entry.key}
          firstItemIndex={firstIndex}
          initialTopMostItemIndex={start}
          alignToBottom
          increaseViewportBy={{ top: 800, bottom: 300 }}
          startReached={() => {
            if (!olderFailed) loadOlder();
          }}
          endReached={loadNewer}
          followOutput={followOutput}
          // Measured before the next paint: corrections to what is above must never be seen as a jump.
          skipAnimationFrameInResizeObserver
          atBottomThreshold={endThreshold}
          atBottomStateChange={setAtBottom}
          isScrolling={(scrolling) => {
            if (!scrolling) keepPlace();
          }}
          itemContent={(index, entry, current) => renderRow(index, entry, firstIndex, current)}
        />
      </RowWordsContext>
      {(!atBottom || past) && <ScrollDownPill count={conversation.unreadCount} onClick={toNewest} />}
      <MessageAnnouncer messages={past ? [] : messages} />
      {menu && (
        <MessageMenu
          menu={menu}
          selfId={selfId}
          onClose={() => setMenu(null)}
          onChoose={(choice, message) => onChoose(choice, message, menu.origin)}
          onReact={onReact}
        />
      )}
    </div>
  );
}

type PointerHandler = (event: PointerEvent<HTMLElement>) => void;

function both(first: PointerHandler, second: PointerHandler): PointerHandler {
  return (event) => {
    first(event);
    second(event);
  };
}
