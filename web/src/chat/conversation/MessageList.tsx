import type { Conversation, Message } from '@nolo/api';
import type { MouseEvent, PointerEvent } from 'react';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Virtuoso } from 'react-virtuoso';
import type { ListRange, VirtuosoHandle } from 'react-virtuoso';
import { useChat } from '../context/chatContext.ts';
import { actionsOf } from '../engine/conversationActions.ts';
import type { PendingMessage, Timeline } from '../engine/timeline.ts';
import { classNames } from '../../ui/classNames.ts';
import { conversationName } from '../words/conversationName.ts';
import { findAlbums } from '../engine/album.ts';
import { firstIndexOf, firstUnread, holdBack, joinEntries } from '../engine/entries.ts';
import { MessageAnnouncer } from './MessageAnnouncer.tsx';
import type { ListContext } from './listContext.ts';
import { listComponents, renderRow } from './messageListParts.tsx';
import { MessageMenu } from './MessageMenu.tsx';
import type { MessageChoice, OpenMenu } from './MessageMenu.tsx';
import { ScrollDownPill } from './ScrollDownPill.tsx';
import { readPlace, startingPlace } from './scrollPlace.ts';
import type { Jump } from './useJumpTo.ts';
import { useHoldPlace } from './useHoldPlace.ts';
import { RowWordsContext, useMakeRowWords } from '../words/rowWords.ts';
import { openJump, useJumpTo } from './useJumpTo.ts';
import { useLongPress } from '../../shell/useLongPress.ts';
import { rightsOf } from './useMessageActions.ts';
import { useMessageKeys } from './useMessageKeys.ts';
import { endThreshold, usePinToEnd } from './usePinToEnd.ts';
import { useReading } from './useReading.ts';
import { useReveal } from './useReveal.ts';
import type { ShownPart } from './useShownPart.ts';
import { useSwipeReply } from './useSwipeReply.ts';
import { useToEnd } from './useToEnd.ts';

export interface MessageListProps {
  conversation: Conversation;
  timeline: Timeline;
  /** What of it the list holds. */
  part: ShownPart;
  /** The timeline ends before the newest message: somebody jumped into the past. */
  outside: boolean;
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

/** So many rows before an end of what it holds, the list takes in more. */
const ahead = 10;
const nonePending: readonly PendingMessage[] = [];
const noMessages: readonly Message[] = [];

/** The messages of a conversation, of which only those near the screen exist as elements. */
export function MessageList(props: MessageListProps) {
  const { conversation, timeline, part, outside, jump, selected, onToggle, onChoose, onReact, onJump, onEscape } =
    props;
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

  const { messages, rowsAfter } = part;
  const past = outside || part.hasNewer;
  const pending = part.hasNewer ? nonePending : timeline.pending;
  const more = part.hasOlder || (timeline.hasOlder && !olderFailed);
  const jumpSeq = jump?.seq;
  const { heldBack, shown: entries } = useMemo(
    () => holdBack(joinEntries(messages, pending, selfId), more, jumpSeq),
    [messages, pending, selfId, more, jumpSeq],
  );
  const firstIndex = useMemo(
    () => firstIndexOf(entries, timeline.messages.at(-1)?.seq ?? 0, rowsAfter),
    [entries, timeline.messages, rowsAfter],
  );
  const readUpTo = useReading(conversation, timeline, atBottom && !past);
  // Where messages before it are here and not shown, the marker may stand above one of those.
  const unreadAfter = part.hasOlder && (readUpTo ?? 0) < (messages[0]?.seq ?? 0) - 1 ? null : readUpTo;
  const unreadIndex = useMemo(() => firstUnread(entries, unreadAfter, selfId), [entries, unreadAfter, selfId]);
  const unreadKey = past ? null : (entries[unreadIndex]?.key ?? null);
  const albums = useMemo(() => findAlbums(entries, unreadKey), [entries, unreadKey]);
  const [start] = useState(() =>
    startingPlace(entries, openJump(jump) ?? (part.run === 0 ? places.get(id) : undefined), unreadIndex),
  );
  const revealed = useReveal(scroller, entries, start);
  usePinToEnd(scroller, revealed && !past);
  useHoldPlace(scroller, firstIndex, revealed);
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
    actionsOf(engine)
      .loadNewer(id)
      .catch(() => {});
  };
  const edges = useRef<ListRange>(null);
  /** Reads on before an end comes into sight, so that what it brings is put where nobody looks. */
  const readOn = (): void => {
    if (!edges.current || !revealed) return;
    const { startIndex, endIndex } = edges.current;
    if (startIndex - firstIndex < ahead) {
      if (part.hasOlder) return part.older();
      if (!olderFailed) loadOlder();
    }
    if (firstIndex + entries.length - endIndex > ahead) return;
    if (part.hasNewer) part.newer();
    else if (outside) loadNewer();
  };
  const latestReadOn = useRef(readOn);
  useEffect(() => {
    latestReadOn.current = readOn;
  });
  useEffect(() => latestReadOn.current(), [entries, revealed, timeline.loadingOlder]);
  const soon = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(soon.current), []);
  const onRetry = useCallback((clientMessageId: string) => engine.retry(id, clientMessageId), [engine, id]);
  const onDiscard = useCallback((clientMessageId: string) => engine.discard(id, clientMessageId), [engine, id]);

  const older = part.hasOlder
    ? 'more'
    : olderFailed
      ? 'failed'
      : timeline.loadingOlder
        ? 'loading'
        : timeline.hasOlder
          ? 'more'
          : 'none';
  const context: ListContext = {
    entries,
    albums,
    heldBack,
    total: firstIndex + entries.length - 1 + rowsAfter,
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
  const articleByKey = (key: string): HTMLElement | null =>
    scroller.current?.querySelector<HTMLElement>(`article[data-key="${CSS.escape(key)}"]`) ?? null;
  const articleOf = (target: EventTarget | null): HTMLElement | null => {
    const place = (target as HTMLElement | null)?.closest<HTMLElement>('article[data-key], [data-of]');
    const { of } = place?.dataset ?? {};
    return of === undefined ? (place ?? null) : articleByKey(of);
  };
  const longPress = useLongPress((target, x, y) => {
    const article = articleOf(target);
    if (article) openMenu(article, x, y);
  });
  const swipe = useSwipeReply((key) => {
    const article = articleByKey(key);
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
    if (place && !outside) places.set(id, place);
    else if (outside || !part.hasNewer) places.delete(id);
  };
  const toNewest = (): void => {
    places.delete(id);
    if (outside) actionsOf(engine).toNewest(id);
    else if (part.hasNewer) part.toNewest();
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
          // Its head and foot as well: they go to their places while the list is made.
          className={classNames('min-h-0 flex-1 overscroll-contain outline-offset-[-2px]', !revealed && 'invisible')}
          data={entries}
          context={context}
          components={listComponents}
          computeItemKey={(_, entry) => entry.key}
          firstItemIndex={firstIndex}
          initialTopMostItemIndex={start}
          alignToBottom
          increaseViewportBy={{ top: 800, bottom: 300 }}
          rangeChanged={(range) => {
            edges.current = range;
            clearTimeout(soon.current);
            // Not while the list puts right what it has just drawn.
            soon.current = setTimeout(() => latestReadOn.current());
          }}
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
      <MessageAnnouncer messages={outside ? noMessages : timeline.messages} />
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
