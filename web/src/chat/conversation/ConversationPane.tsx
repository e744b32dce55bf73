import type { Conversation, Message } from '@nolo/api';
import { MessageCircle } from 'lucide-react';
import type { ReactNode } from 'react';
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'react-router-dom';
import { useStore } from 'zustand';
import { useChat, useChatState } from '../context/chatContext.ts';
import { actionsOf } from '../engine/conversationActions.ts';
import { useDocumentTitle } from '../../shell/routeHandle.ts';
import { toast } from '../../ui/toasts.ts';
import { shownTimeline } from '../engine/window.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { late } from '../../ui/late.tsx';
import { useOverlay } from '../../ui/useOverlay.ts';
import { conversationName } from '../words/conversationName.ts';
import { DropPlace } from '../media/DropPlace.tsx';
import { downloadAddress, mediaOfMessage } from '../engine/shownMedia.ts';
import { useAttaching } from '../media/useAttaching.ts';
import { viewerStore } from '../media/viewerStore.ts';
import { ComposerPlace } from './ComposerPlace.tsx';
import { ConversationHeader } from './ConversationHeader.tsx';
import { MessageList } from './MessageList.tsx';
import type { MessageChoice } from './MessageMenu.tsx';
import { MessageSkeleton } from './MessageSkeleton.tsx';
import { PinnedBanner } from './PinnedBanner.tsx';
import { SearchBar } from './SearchBar.tsx';
import { searchStore } from './searchStore.ts';
import { SelectionBar } from './SelectionBar.tsx';
import { TypingRow } from './TypingRow.tsx';
import { useBeginningWords } from './useBeginningWords.ts';
import { useComposing } from './useComposing.ts';
import type { Jump } from './useJumpTo.ts';
import { openJump } from './useJumpTo.ts';
import { rightsOf, useMessageActions } from './useMessageActions.ts';
import { useMessageWords } from '../words/useMessageWords.ts';
import { useOpenConversation } from './useOpenConversation.ts';
import { pinnedKey } from './usePinned.ts';
import { ReactionPicker } from './ReactionPicker.tsx';
import { useSelection } from './useSelection.ts';
import { useShownPart } from './useShownPart.ts';

const DeleteDialog = late(async () => (await import('./DeleteDialog.tsx')).DeleteDialog);
const MessageDetailsDialog = late(async () => (await import('./MessageDetailsDialog.tsx')).MessageDetailsDialog);
const ForwardDialog = late(async () => (await import('./ForwardDialog.tsx')).ForwardDialog);
const MediaViewer = lazy(async () => ({ default: (await import('../media/MediaViewer.tsx')).MediaViewer }));

/** What lies over the conversation: at most one thing at a time. */
type Overlay =
  | { kind: 'delete' | 'hide' | 'forward'; messages: readonly Message[] }
  | { kind: 'details'; message: Message }
  | { kind: 'react'; message: Message; article: HTMLElement };

/** One conversation: who, what was said, and where one writes. */
export function ConversationPane({
  conversation,
  header = <ConversationHeader conversation={conversation} />,
  title,
}: {
  conversation: Conversation;
  /** Another one, or none, where the conversation stands beside something. */
  header?: ReactNode;
  /** What it is called there. */
  title?: string;
}) {
  const { t } = useMessageWords();
  const { engine, places } = useChat();
  const queryClient = useQueryClient();
  const location = useLocation();
  const { selfId } = engine.store.getState();
  const { id } = conversation;
  const name = title ?? conversationName(conversation, t);
  const whole = useChatState((state) => state.timelines[id]);
  const past = useChatState((state) => state.windows[id]);
  const timeline = whole && shownTimeline(whole, past);
  const connected = useChatState((state) => state.connection === 'open');
  const searching = useStore(searchStore, (state) => state.conversationId === id);
  const reopen = useOpenConversation(id);
  const composing = useComposing();
  const selection = useSelection(timeline?.messages ?? []);
  const actions = useMessageActions();
  const [overlay, setOverlay] = useState<Overlay | null>(null);
  const [jump, setJump] = useState<Jump | null>(null);
  const part = useShownPart(timeline, openJump(jump)?.seq, places.get(id)?.seq);
  const attach = useAttaching(conversation);
  const viewed = useStore(viewerStore, ({ open }) => (open?.conversationId === id ? open.key : null));
  const input = useRef<HTMLTextAreaElement>(null);
  const hasHeader = header !== null;
  useOverlay(selection.keys !== null, selection.end);
  useOverlay(searching, () => searchStore.setState({ conversationId: null }));
  useDocumentTitle(hasHeader ? name : undefined);

  const jumpTo = useCallback(
    (seq: number, focus = true, words?: readonly string[]) => {
      // At once: a list that is made for the past begins where one wants to be.
      setJump({ seq, focus, ...(words && { words }) });
      const fail = (title: string, description?: string): void => {
        setJump(null);
        toast({ kind: 'error', title, ...(description !== undefined && { description }) });
      };
      actionsOf(engine)
        .reveal(id, seq)
        .then((found) => {
          if (!found) fail(t('messages.quoteGone'));
        })
        .catch(() => fail(t('messages.failed.jump'), t('messages.failed.offline')));
    },
    [engine, id, t],
  );
  useEffect(() => {
    void actionsOf(engine).loadStars();
    // With a mouse one goes on to write; on a phone the keyboard would cover what was said.
    if (matchMedia('(pointer: fine)').matches) input.current?.focus({ preventScroll: true });
    return () => {
      searchStore.setState({ conversationId: null });
      viewerStore.setState({ open: null });
    };
  }, [engine]);
  const asked = location.state as { seq?: unknown; words?: readonly string[] } | null;
  useEffect(() => {
    // From a list of messages somewhere else, or from a search.
    const { seq, words } = asked ?? {};
    if (typeof seq !== 'number') return undefined;
    const frame = requestAnimationFrame(() => jumpTo(seq, true, words));
    return () => cancelAnimationFrame(frame);
  }, [asked, location.key, jumpTo]);
  useEffect(() => {
    if (!hasHeader) return undefined;
    const onKey = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'f' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      // A dialog over it keeps the browser's own search.
      if (document.querySelector('[role="dialog"], [role="alertdialog"]')) return;
      event.preventDefault();
      searchStore.setState({ conversationId: id });
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [id, hasHeader]);

  const editLast = (): void => {
    const last = whole?.messages.findLast((message) => message.senderId === selfId && message.deletedAt === null);
    if (last && rightsOf(last, conversation, selfId).edit) composing.edit(last);
  };
  const pin = (message: Message, pinned: boolean): void => {
    actions.pin(message, pinned);
    void queryClient.invalidateQueries({ queryKey: pinnedKey(id) });
  };
  const download = (message: Message): void => {
    const media = mediaOfMessage(message);
    if (!media?.url) return;
    const link = document.createElement('a');
    link.href = downloadAddress(media.url, media.name);
    link.download = media.name ?? '';
    link.click();
  };
  const choose = (choice: MessageChoice, message: Message, article: HTMLElement): void => {
    switch (choice) {
      case 'reply':
        return composing.reply(message);
      case 'edit':
        return composing.edit(message);
      case 'copy':
        return actions.copy([message]);
      case 'download':
        return download(message);
      case 'pin':
      case 'unpin':
        return pin(message, choice === 'pin');
      case 'star':
      case 'unstar':
        return actions.star([message], choice === 'star');
      case 'select':
        return selection.begin(message);
      case 'forward':
      case 'hide':
      case 'delete':
        return setOverlay({ kind: choice, messages: [message] });
      case 'details':
        return setOverlay({ kind: 'details', message });
      case 'moreReactions':
        return setOverlay({ kind: 'react', message, article });
    }
  };
  const beginning = useBeginningWords(conversation, name);
  const closeOverlay = (): void => setOverlay(null);
  const endSelection = (): void => {
    selection.end();
    input.current?.focus();
  };
  const together = (act: (messages: readonly Message[]) => void) => () => {
    act(selection.messages);
    endSelection();
  };

  const body = () => {
    if (timeline === undefined || timeline.status === 'loading') return <MessageSkeleton />;
    if (timeline.status === 'error') {
      return (
        <ErrorState
          className="flex-1"
          title={t('errors.fetchMessages')}
          {...(connected ? {} : { description: t('conversation.notOnDevice') })}
          onRetry={reopen}
        />
      );
    }
    if (timeline.messages.length === 0 && timeline.pending.length === 0) {
      return (
        <>
          <EmptyState
            className="flex-1"
            icon={<MessageCircle />}
            title={t(conversation.type === 'direct' ? 'conversation.sayHello' : 'conversation.group.sayHello', {
              name,
            })}
            description={beginning}
          />
          <TypingRow conversation={conversation} />
        </>
      );
    }
    return (
      <MessageList
        // A run that was replaced by another one is another list, not the same one with rows taken off its ends.
        key={part.run}
        conversation={conversation}
        timeline={timeline}
        part={part}
        outside={past !== undefined}
        jump={jump}
        selected={selection.keys}
        onToggle={selection.toggle}
        onChoose={choose}
        onReact={actions.react}
        onJump={jumpTo}
        onEscape={selection.keys ? endSelection : () => input.current?.focus()}
      />
    );
  };
  const deletable = selection.messages.every((message) => rightsOf(message, conversation, selfId).remove);
  return (
    <DropPlace name={name} onFiles={composing.edited ? null : attach}>
      {selection.keys ? (
        <SelectionBar
          messages={selection.messages}
          deletable={deletable}
          onCopy={together(actions.copy)}
          onForward={together((messages) => setOverlay({ kind: 'forward', messages }))}
          onStar={together((messages) => actions.star(messages, true))}
          onHide={together((messages) => setOverlay({ kind: 'hide', messages }))}
          onDelete={together((messages) => setOverlay({ kind: 'delete', messages }))}
          onEnd={endSelection}
        />
      ) : (
        header
      )}
      {searching && (
        <SearchBar
          conversationId={id}
          timeline={whole}
          onJump={(seq) => jumpTo(seq, false)}
          onClose={() => {
            searchStore.setState({ conversationId: null });
            input.current?.focus();
          }}
        />
      )}
      {!searching && timeline?.status === 'ready' && conversation.type !== 'meeting' && (
        <PinnedBanner conversation={conversation} onJump={jumpTo} />
      )}
      {body()}
      <ComposerPlace conversation={conversation} composing={composing} input={input} onEditLast={editLast} />
      {(overlay?.kind === 'delete' || overlay?.kind === 'hide') && (
        <DeleteDialog messages={overlay.messages} forMe={overlay.kind === 'hide'} onClose={closeOverlay} />
      )}
      {overlay?.kind === 'details' && (
        <MessageDetailsDialog message={overlay.message} conversation={conversation} onClose={closeOverlay} />
      )}
      {overlay?.kind === 'forward' && <ForwardDialog messages={overlay.messages} onClose={closeOverlay} />}
      {overlay?.kind === 'react' && (
        <ReactionPicker
          article={overlay.article}
          onPick={(emoji) => actions.react(overlay.message, emoji)}
          onClose={closeOverlay}
        />
      )}
      <Suspense>
        {viewed !== null && <MediaViewer conversation={conversation} timelines={[timeline, whole]} onJump={jumpTo} />}
      </Suspense>
    </DropPlace>
  );
}
