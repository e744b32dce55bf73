import type { Conversation, Message } from '@nolo/api';
import type { ComponentProps, MouseEvent } from 'react';
import { useCallback, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Virtuoso } from 'react-virtuoso';
import type { VirtuosoHandle } from 'react-virtuoso';
import { useChat } from '../../app/chatContext.ts';
import type { Timeline } from '../../state/timeline.ts';
import { Button } from '../../ui/Button.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { conversationName } from '../chats/conversationName.ts';
import { deliveryState } from './deliveryState.ts';
import { firstUnread, joinEntries, placeOf } from './entries.ts';
import type { Entry } from './entries.ts';
import { MessageAnnouncer } from './MessageAnnouncer.tsx';
import { mayChange, MessageMenu } from './MessageMenu.tsx';
import type { OpenMenu } from './MessageMenu.tsx';
import { MessageRow } from './MessageRow.tsx';
import { ScrollDownPill } from './ScrollDownPill.tsx';
import { readPlace, startingPlace } from './scrollPlace.ts';
import { TypingRow } from './TypingRow.tsx';
import { useLongPress } from './useLongPress.ts';
import { useMessageKeys } from './useMessageKeys.ts';
import { endThreshold, usePinToEnd } from './usePinToEnd.ts';
import { useReading } from './useReading.ts';
import { useReveal } from './useReveal.ts';

interface ListContext {
  entries: readonly Entry[];
  conversation: Conversation;
  selfId: string;
  name: string;
  ownName: string;
  label: string;
  revealed: boolean;
  unreadKey: string | null;
  menuKey: string | null;
  older: 'none' | 'more' | 'loading' | 'failed';
  beginning: boolean;
  loadOlder: () => void;
  onRetry: (clientMessageId: string) => void;
  onDiscard: (clientMessageId: string) => void;
}

/* Outside of the component: the list would mount everything anew if these were other functions each time. */
const components = {
  List: ({ context, style, ...rest }: ComponentProps<'div'> & { context?: ListContext }) => (
    <div
      {...rest}
      // Not the scroller, for a feed consists of articles only, and that one also has a head and a foot.
      role="feed"
      aria-label={context?.label}
      aria-busy={context?.older === 'loading'}
      style={context?.revealed ? { ...style, visibility: 'visible' } : style}
    />
  ),
  Header: ({ context }: { context?: ListContext }) => (context ? <ListHead {...context} /> : null),
  Footer: ({ context }: { context?: ListContext }) =>
    context ? <TypingRow conversation={context.conversation} /> : null,
};

/** The same height whatever it says, so that the messages below it do not move. */
function ListHead({ older, loadOlder }: ListContext) {
  const { t } = useTranslation();
  return (
    <div className="flex h-12 items-center justify-center gap-2 text-13 text-muted">
      {older === 'loading' && (
        <span role="status" aria-label={t('conversation.loadingOlder')}>
          <Spinner className="size-5" />
        </span>
      )}
      {older === 'failed' && (
        <>
          {t('conversation.olderFailed')}
          <Button kind="quiet" size="small" onClick={loadOlder}>
            {t('common.retry')}
          </Button>
        </>
      )}
    </div>
  );
}

function renderRow(index: number, entry: Entry, firstIndex: number, context: ListContext) {
  const { entries, conversation, selfId, name, ownName, unreadKey, menuKey, beginning } = context;
  const offset = index - firstIndex;
  const own = entry.senderId === selfId;
  const row = (
    <MessageRow
      {...placeOf(entries, offset, unreadKey, !beginning)}
      entry={entry}
      own={own}
      author={own ? ownName : name}
      delivery={deliveryState(entry, conversation, selfId)}
      position={index}
      total={firstIndex + entries.length - 1}
      menuOpen={menuKey === entry.key}
      onRetry={context.onRetry}
      onDiscard={context.onDiscard}
    />
  );
  return offset === 0 && beginning ? (
    <>
      <Beginning name={name} />
      {row}
    </>
  ) : (
    row
  );
}

function Beginning({ name }: { name: string }) {
  const { t } = useTranslation();
  return (
    <p dir="auto" className="px-6 pt-4 pb-2 text-center text-13 text-balance text-muted">
      {t('conversation.beginning', { name })}
    </p>
  );
}

export interface MessageListProps {
  conversation: Conversation;
  timeline: Timeline;
  onEdit: (message: Message) => void;
  onDelete: (message: Message) => void;
  onDetails: (message: Message) => void;
  /** Escape in the list goes back to writing. */
  focusComposer: () => void;
}

/** The messages of a conversation, of which only those near the screen exist as elements. */
export function MessageList({ conversation, timeline, onEdit, onDelete, onDetails, focusComposer }: MessageListProps) {
  const { t } = useTranslation();
  const { engine, places } = useChat();
  const { selfId } = engine.store.getState();
  const { id } = conversation;
  const name = conversationName(conversation, t);
  const label = t('conversation.messagesWith', { name });
  const list = useRef<VirtuosoHandle>(null);
  const scroller = useRef<HTMLElement>(null);
  const [atBottom, setAtBottom] = useState(!places.has(id));
  const [menu, setMenu] = useState<OpenMenu | null>(null);
  const [olderFailed, setOlderFailed] = useState(false);

  const { messages, pending } = timeline;
  const entries = useMemo(() => joinEntries(messages, pending, selfId), [messages, pending, selfId]);
  // seq is dense, so it is the row's number in the whole conversation whatever part of it is loaded.
  const firstIndex = messages[0]?.seq ?? 1;
  const unreadAfter = useReading(conversation, timeline, atBottom);
  const unreadIndex = useMemo(() => firstUnread(entries, unreadAfter, selfId), [entries, unreadAfter, selfId]);
  const [start] = useState(() => startingPlace(entries, places.get(id), unreadIndex));
  const revealed = useReveal(scroller, entries, start);
  usePinToEnd(scroller, revealed);

  const loadOlder = useCallback(() => {
    setOlderFailed(false);
    engine.loadOlder(id).catch(() => setOlderFailed(true));
  }, [engine, id]);

  const onRetry = useCallback((clientMessageId: string) => engine.retry(id, clientMessageId), [engine, id]);
  const onDiscard = useCallback((clientMessageId: string) => engine.discard(id, clientMessageId), [engine, id]);

  const older = olderFailed ? 'failed' : timeline.loadingOlder ? 'loading' : timeline.hasOlder ? 'more' : 'none';
  const context: ListContext = {
    entries,
    conversation,
    selfId,
    name,
    ownName: t('common.you'),
    label,
    revealed,
    unreadKey: entries[unreadIndex]?.key ?? null,
    menuKey: menu?.key ?? null,
    older,
    beginning: older === 'none',
    loadOlder,
    onRetry,
    onDiscard,
  };

  const openMenu = (key: string, origin: HTMLElement, x: number, y: number): void => {
    const message = entries.find((entry) => entry.key === key)?.message;
    if (!message) return;
    setMenu({ key, message, changeable: mayChange(message, selfId, Date.now()), x, y, origin });
  };
  const openMenuAt = (article: HTMLElement): void => {
    const bubble = article.querySelector('[data-bubble]') ?? article;
    const { left, bottom } = bubble.getBoundingClientRect();
    openMenu(article.dataset['key'] ?? '', article, left, Math.min(bottom, innerHeight - 8));
  };
  const onKeyDown = useMessageKeys({
    list,
    scroller,
    entries,
    openMenu: (_, article) => openMenuAt(article),
    leave: focusComposer,
  });
  const longPress = useLongPress((target, x, y) => {
    const article = target.closest<HTMLElement>('article[data-key]');
    if (article) openMenu(article.dataset['key'] ?? '', article, x, y);
  });
  const onContextMenu = (event: MouseEvent<HTMLElement>): void => {
    const target = event.target as HTMLElement;
    const article = target.closest<HTMLElement>('article[data-key]');
    // A link and a selection have a menu of the browser's own that people need.
    if (!article || target.closest('a') || getSelection()?.isCollapsed === false) return;
    event.preventDefault();
    openMenu(article.dataset['key'] ?? '', article, event.clientX, event.clientY);
  };
  const onClick = (event: MouseEvent<HTMLElement>): void => {
    const button = (event.target as HTMLElement).closest<HTMLElement>('button[data-menu]');
    const article = button?.closest<HTMLElement>('article[data-key]');
    if (!button || !article) return;
    const { left, bottom } = button.getBoundingClientRect();
    openMenu(article.dataset['key'] ?? '', article, left, bottom);
  };

  const followOutput = (bottom: boolean): 'smooth' | 'auto' | false => {
    // One's own message is what one wants to see, wherever one was.
    const ownAtEnd = entries.at(-1)?.pending?.state === 'sending';
    if (!bottom) return ownAtEnd ? 'auto' : false;
    const still = document.hidden || matchMedia('(prefers-reduced-motion: reduce)').matches;
    return still ? 'auto' : 'smooth';
  };
  const keepPlace = (): void => {
    const place = scroller.current && readPlace(scroller.current, entries);
    if (place) places.set(id, place);
    else places.delete(id);
  };

  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- keys and presses come up from the messages
    <div
      className="relative flex min-h-0 flex-1 flex-col"
      onKeyDown={onKeyDown}
      onContextMenu={onContextMenu}
      onClick={onClick}
      {...longPress}
    >
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
        components={components}
        computeItemKey={(_, entry) => entry.key}
        firstItemIndex={firstIndex}
        initialTopMostItemIndex={start}
        alignToBottom
        increaseViewportBy={{ top: 800, bottom: 300 }}
        startReached={() => {
          if (!olderFailed) loadOlder();
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
      {!atBottom && (
        <ScrollDownPill
          count={conversation.unreadCount}
          onClick={() => list.current?.scrollToIndex({ index: 'LAST', align: 'end', behavior: 'auto' })}
        />
      )}
      <MessageAnnouncer messages={messages} selfId={selfId} name={name} />
      {menu && (
        <MessageMenu
          menu={menu}
          onClose={() => setMenu(null)}
          onEdit={onEdit}
          onDelete={onDelete}
          onDetails={onDetails}
        />
      )}
    </div>
  );
}
