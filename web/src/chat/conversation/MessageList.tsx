import type { Conversation, Message } from '@nolo/api';
import { ArrowDown } from 'lucide-react';
import { useCallback, useDeferredValue, useEffect, useRef, useState } from 'react';
import { Virtuoso, type VirtuosoHandle } from 'react-virtuoso';
import { useChat } from '../context/chatContext.ts';
import type { Timeline } from '@nolo/client/chat/timeline';
import { classNames } from '../../ui/classNames.ts';
import { lazyDialog } from '../../ui/lazyDialog.tsx';
import { useRemoveSkeletonMessages } from '../../shell/reveal.ts';
import { conversationName } from '../words/conversationName.ts';
import { MessageAnnouncer } from './MessageAnnouncer.tsx';
import { messageListComponents, renderRow } from './messageListComponents.tsx';
import { RowsSettledContext, type MessageListContext } from './messageListContext.ts';
import { findInitialScrollPosition } from './scrollPosition.ts';
import { useSearchHighlights } from './conversationSearch.ts';
import { useKeepScrollPosition } from './useKeepScrollPosition.ts';
import { MessageRowTextsContext, useCreateMessageRowTexts } from '../words/messageRowTexts.ts';
import { getPendingJump, useScrollToJumpTarget, type JumpRequest } from './useScrollToJumpTarget.ts';
import { useListScrollPosition } from './useListScrollPosition.ts';
import { useMessagePresses, type MessagePressHandlers } from './useMessagePresses.ts';
import { endThreshold, usePinToEnd } from './usePinToEnd.ts';
import { toOlderState, useLoadOlderMessages, useLoadMoreOnScroll } from './useLoadMoreOnScroll.ts';
import { useRevealWhenSettled } from './useRevealWhenSettled.ts';
import { useShownEntries } from './useShownEntries.ts';
import type { VisibleMessages } from './useVisibleMessages.ts';
import { useScrollToEnd } from './useScrollToEnd.ts';
import { useSealedRows } from '../sealed/useSealedRows.ts';
import { useTexts } from '../../i18n/texts.ts';
import { conversationTexts } from '../words/conversationTexts.ts';

/* Loaded later, because menus are as large as the list itself. */
const MessageMenu = lazyDialog(async () => (await import('./MessageMenu.tsx')).MessageMenu);

export interface MessageListProps extends MessagePressHandlers {
  conversation: Conversation;
  timeline: Timeline;
  /** Part of the timeline that the list contains. */
  visible: VisibleMessages;
  /** True if the timeline ends before the newest message, after a jump into the past. */
  outside: boolean;
  jump: JumpRequest | null;
}

const noMessages: readonly Message[] = [];

/** Provides the scrolling element. The callback must be stable: the list would measure itself again for another one. */
function useScroller() {
  const scroller = useRef<HTMLElement>(null);
  const takeScroller = useCallback((element: HTMLElement | Window | null) => {
    if (element instanceof HTMLElement) scroller.current = element;
  }, []);
  return { scroller, takeScroller };
}

/**
 * Milliseconds until the list has settled: the library returns to the list's start if row heights change within 150 ms
 * of its last scroll there.
 */
const settlesMs = 200;

/** Blocks presses and scrolling until the list is visible and settled, because the library would scroll back. */
function Cover({ seen }: { seen: boolean }) {
  const [settled, setSettled] = useState(false);
  useEffect(() => {
    if (!seen) return undefined;
    const timer = setTimeout(() => setSettled(true), settlesMs);
    return () => clearTimeout(timer);
  }, [seen]);
  return !settled && <div className="absolute inset-0" />;
}

/** List of a conversation's messages; only those near the screen exist as elements. */
export function MessageList(props: MessageListProps) {
  const { conversation, timeline, visible, outside, jump, selected, onChoose, onReact } = props;
  const { t } = useTexts(conversationTexts);
  const { engine, places } = useChat();
  const { selfId } = engine.store.getState();
  const { id } = conversation;
  const name = conversationName(conversation, t);
  const label = t('conversation:messagesWith', { name });
  const words = useCreateMessageRowTexts();
  const list = useRef<VirtuosoHandle>(null);
  const { scroller, takeScroller } = useScroller();
  const [atBottom, setAtBottom] = useState(!places.has(id));
  const { olderFailed, loadOlder } = useLoadOlderMessages(id);

  const past = outside || visible.hasNewer;
  const shown = useShownEntries(conversation, timeline, {
    visible,
    past,
    more: visible.hasOlder || (timeline.hasOlder && !olderFailed),
    jumpSeq: jump?.seq,
    selfId,
    atBottom,
  });
  const { entries, firstIndex, unreadIndex } = shown;
  const sealed = useSealedRows(conversation, {
    entries,
    hiddenNeighbour: shown.heldBack,
    unreadKey: shown.unreadKey,
    isPast: past,
  });
  const [start] = useState(() =>
    findInitialScrollPosition(
      entries,
      getPendingJump(jump) ?? (visible.run === 0 ? places.get(id) : undefined),
      unreadIndex,
    ),
  );
  const { extent, revealed } = useRevealWhenSettled(scroller, entries, start);
  useRemoveSkeletonMessages(revealed);
  const rowsStand = useDeferredValue(revealed);
  usePinToEnd(scroller, revealed && !past);
  useKeepScrollPosition(scroller, firstIndex, revealed);
  const toEnd = useScrollToEnd(list, scroller);
  useSearchHighlights(id, scroller);
  const highlightedKey = useScrollToJumpTarget(jump, { list, scroller, entries, revealed });

  const onRange = useLoadMoreOnScroll(id, timeline, {
    visible,
    outside,
    entries,
    firstIndex,
    revealed,
    olderFailed,
    loadOlder,
  });
  const place = useListScrollPosition(id, { visible, outside, entries, scroller, toEnd });
  const { handlers, menu, closeMenu } = useMessagePresses(
    { list, scroller, entries, isHidden: sealed.isHidden, conversation, selfId },
    props,
  );
  const onRetry = useCallback((clientMessageId: string) => engine.retry(id, clientMessageId), [engine, id]);
  const onDiscard = useCallback((clientMessageId: string) => engine.discard(id, clientMessageId), [engine, id]);

  const older = toOlderState(visible, timeline, olderFailed);
  const context: MessageListContext = {
    entries,
    albums: shown.albums,
    sealed,
    hiddenNeighbour: shown.heldBack,
    total: firstIndex + entries.length - 1 + visible.rowsAfter,
    conversation,
    selfId,
    nameOf: words.nameOf,
    name,
    label,
    unreadKey: shown.unreadKey,
    menuKey: menu?.key ?? null,
    highlightedKey,
    selected,
    older,
    beginning: older === 'none',
    loadOlder,
    onRetry,
    onDiscard,
  };

  return (
    // Key and press events bubble up from the messages.
    <div className="relative flex min-h-0 flex-1 flex-col" {...handlers}>
      <MessageRowTextsContext value={words}>
        <RowsSettledContext value={rowsStand}>
          <Virtuoso
            ref={list}
            scrollerRef={takeScroller}
            role="group"
            aria-label={label}
            // Includes its header and footer, which move to their places while the list is built.
            className={classNames('min-h-0 flex-1 overscroll-contain outline-offset-[-2px]', !revealed && 'opacity-0')}
            aria-busy={!revealed}
            data={entries}
            context={context}
            components={messageListComponents}
            computeItemKey={(_, entry) => entry.key}
            firstItemIndex={firstIndex}
            initialTopMostItemIndex={start}
            alignToBottom
            increaseViewportBy={extent}
            rangeChanged={onRange}
            followOutput={place.followOutput}
            // Measured before the next paint: corrections above must never be visible as a jump.
            skipAnimationFrameInResizeObserver
            atBottomThreshold={endThreshold}
            atBottomStateChange={setAtBottom}
            isScrolling={place.isScrolling}
            itemContent={(index, entry, current) => renderRow(index, entry, firstIndex, current)}
          />
        </RowsSettledContext>
      </MessageRowTextsContext>
      <Cover seen={revealed} />
      {(!atBottom || past) && <ScrollDownPill count={conversation.unreadCount} onClick={place.toNewest} />}
      <MessageAnnouncer conversation={conversation} messages={outside ? noMessages : timeline.messages} />
      {menu && (
        <MessageMenu
          menu={menu}
          selfId={selfId}
          onClose={closeMenu}
          onChoose={(choice, message) => onChoose(choice, message, menu.origin)}
          onReact={onReact}
        />
      )}
    </div>
  );
}

/** Scrolls back to the newest message while the list is scrolled up, and shows how many arrived meanwhile. */
function ScrollDownPill({ count, onClick }: { count: number; onClick: () => void }) {
  const { t } = useTexts(conversationTexts);
  return (
    <button
      type="button"
      aria-label={count > 0 ? undefined : t('conversation:toNewest')}
      onClick={onClick}
      className={classNames(
        'tap absolute inset-x-0 bottom-3 mx-auto flex h-9 w-fit animate-rise-in items-center justify-center gap-1.5 rounded-full text-13 font-semibold shadow-overlay',
        count > 0 ? 'bg-accent px-4 text-on-accent' : 'min-w-9 border border-line bg-overlay text-muted hover:text-ink',
      )}
    >
      <ArrowDown aria-hidden="true" className="size-[18px]" />
      {count > 0 && <span className="tabular">{t('conversation:newBelow', { count })}</span>}
    </button>
  );
}
