import type { Conversation, Message } from '@nolo/api';
import { Suspense, useCallback, useEffect, useRef, useState, type ReactNode } from 'react';
import { useStore } from 'zustand';
import { useChat, useChatState, useDeferredChatState } from '../context/chatContext.ts';
import { getConversationActions } from '@nolo/client/chat/conversationActions';
import { useDocumentTitle } from '../../shell/routeHandle.ts';
import { lacksKeys } from '@nolo/client/chat/sealedRows';
import type { Timeline } from '@nolo/client/chat/timeline';
import { shownTimeline } from '@nolo/client/chat/window';
import type { ChatState } from '@nolo/client/chat/state';
import { runWhenIdle } from '../../ui/scheduler.ts';
import { useCloseOverlayOnBack } from '../../ui/useCloseOverlayOnBack.ts';
import { conversationName } from '../words/conversationName.ts';
import { FileDropArea } from '../media/FileDropArea.tsx';
import { useAttaching } from '../media/useAttaching.ts';
import { viewerStore } from '../media/viewerStore.ts';
import { lazyOptional, lazyOverlay } from '../../ui/lazyComponents.tsx';
import { ChangedIdentities } from './ChangedIdentities.tsx';
import { ConversationHeader } from './ConversationHeader.tsx';
import { ConversationOverlay, type ConversationOverlayState } from './ConversationOverlay.tsx';
import { approverOf } from '@nolo/client/chat/rowOpening';
import { MessageArea } from './MessageArea.tsx';
import { PinnedBanner } from './PinnedBanner.tsx';
import { SearchBar } from './SearchBar.tsx';
import { SelectionBar } from './SelectionBar.tsx';
import { useMessageChoiceHandler } from './useMessageChoiceHandler.ts';
import { useComposerMode } from './useComposerMode.ts';
import { useJumpToMessage } from './useJumpToMessage.ts';
import { getPendingJump } from './useScrollToJumpTarget.ts';
import { toMessageRights, useMessageActions } from './useMessageActions.ts';
import { useOpenConversation } from './useOpenConversation.ts';
import { closeSearch, useIsSearching } from './conversationSearch.ts';
import { useMessageSelection } from './useMessageSelection.ts';
import { useVisibleMessages } from './useVisibleMessages.ts';
import { Button } from '../../ui/Button.tsx';
import { Composer, type ComposerProps } from './Composer.tsx';
import { useBlocking } from './useBlocking.ts';
import { useTexts } from '../../i18n/texts.ts';
import { conversationTexts } from '../words/conversationTexts.ts';

const MediaViewer = lazyOverlay(
  async () => (await import('../media/MediaViewer.tsx')).MediaViewer,
  () => viewerStore.setState({ open: null }),
);

const SendNotice = lazyOptional(async () => (await import('../sealed/SendNotice.tsx')).SendNotice);
const ReplacedCard = lazyOptional(async () => (await import('../sealed/EndedCards.tsx')).ReplacedCard);

/** Returns true if messages to the conversation do not simply go encrypted, or wait. */
const isNoticed = ({ standings, timelines }: ChatState, id: string): boolean =>
  (standings[id]?.send?.state ?? 'sealed') !== 'sealed' ||
  (standings[id]?.outsiders.length ?? 0) > 0 ||
  timelines[id]?.pending.some(({ heldBy }) => heldBy) === true;

const isEnded = ({ standings }: ChatState, id: string): boolean => {
  const send = standings[id]?.send;
  return send?.state === 'blocked' && send.reason === 'ended';
};

const isComing = (timeline: Timeline | undefined): boolean => timeline?.status !== 'ready';

/** Renders the first messages in slices; later ones are not worth it, because scrolling would delay them. */
function useTimeline(id: string): Timeline | undefined {
  return useDeferredChatState(
    useCallback((state: ChatState) => state.timelines[id], [id]),
    isComing,
  );
}

/** Single conversation: its people, its messages, and the composer. */
export function ConversationPane(props: {
  conversation: Conversation;
  /** Alternative header, or none, if the conversation is shown next to something. */
  header?: ReactNode;
  /** Title of that header. */
  title?: string;
}) {
  const { conversation, header = <ConversationHeader conversation={conversation} />, title } = props;
  const { t } = useTexts();
  const { engine, places } = useChat();
  const { selfId } = engine.store.getState();
  const { id } = conversation;
  const name = title ?? conversationName(conversation, t);
  const whole = useTimeline(id);
  const past = useChatState((state) => state.windows[id]);
  const timeline = whole && shownTimeline(whole, past);
  const reopen = useOpenConversation(id);
  const composing = useComposerMode();
  const selection = useMessageSelection(timeline?.messages ?? []);
  const actions = useMessageActions();
  const [overlay, setOverlay] = useState<ConversationOverlayState | null>(null);
  const { jump, jumpTo } = useJumpToMessage(id);
  const visible = useVisibleMessages(timeline, getPendingJump(jump)?.seq, places.get(id)?.seq);
  const attach = useAttaching(conversation);
  const viewed = useStore(viewerStore, ({ open }) => (open?.conversationId === id ? open.key : null));
  const input = useRef<HTMLTextAreaElement>(null);
  const hasHeader = header !== null;
  useCloseOverlayOnBack(selection.keys !== null, selection.end);
  const searching = useIsSearching(id, hasHeader);
  useDocumentTitle(hasHeader ? name : undefined);

  useEffect(() => {
    // Focuses the composer with a mouse; on a phone the keyboard would cover the messages.
    if (matchMedia('(pointer: fine)').matches) input.current?.focus({ preventScroll: true });
    return () => {
      closeSearch();
      viewerStore.setState({ open: null });
    };
  }, []);
  useEffect(() => runWhenIdle(() => void getConversationActions(engine).loadStars()), [engine]);
  const editLast = (): void => {
    const isWritten = (message: Message) =>
      message.senderId === selfId && message.deletedAt === null && approverOf(message) === null;
    const last = whole?.messages.findLast(isWritten);
    if (last && toMessageRights(last, conversation, selfId).edit) composing.edit(last);
  };
  const choose = useMessageChoiceHandler(conversation, { composing, selection, actions, setOverlay });
  const endSelection = (): void => {
    selection.end();
    input.current?.focus();
  };
  const together = (act: (messages: readonly Message[]) => void) => () => {
    act(selection.messages);
    endSelection();
  };

  const deletable = selection.messages.every((message) => toMessageRights(message, conversation, selfId).remove);
  return (
    <FileDropArea name={name} onFiles={composing.edited ? null : attach}>
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
            closeSearch();
            input.current?.focus();
          }}
        />
      )}
      {!searching && timeline?.status === 'ready' && conversation.type !== 'meeting' && (
        <PinnedBanner conversation={conversation} onJump={jumpTo} />
      )}
      <ChangedIdentities conversation={conversation} name={name} />
      <MessageArea
        conversation={conversation}
        timeline={timeline}
        name={name}
        visible={visible}
        outside={past !== undefined}
        jump={jump}
        selected={selection.keys}
        onToggle={selection.toggle}
        onChoose={choose}
        onReact={actions.react}
        onJump={jumpTo}
        onEscape={selection.keys ? endSelection : () => input.current?.focus()}
        onRetry={reopen}
      />
      <ComposerOrReason conversation={conversation} composing={composing} input={input} onEditLast={editLast} />
      {overlay && (
        <ConversationOverlay
          overlay={overlay}
          conversation={conversation}
          onReact={actions.react}
          onClose={() => setOverlay(null)}
        />
      )}
      <Suspense>
        {viewed !== null && <MediaViewer conversation={conversation} timelines={[timeline, whole]} onJump={jumpTo} />}
      </Suspense>
    </FileDropArea>
  );
}

/** Composer, or the reason why it is missing. */
function ComposerOrReason({ conversation, ...composer }: Omit<ComposerProps, 'name'>) {
  const { t } = useTexts(conversationTexts);
  const { otherUser } = conversation;
  const name = conversationName(conversation, t);
  const blocking = useBlocking(conversation.id, otherUser?.id);
  const isSealedConversation = useChatState((state) => lacksKeys(state, conversation.id));
  const needsNotice = useChatState((state) => isNoticed(state, conversation.id));
  const hasEnded = useChatState((state) => isEnded(state, conversation.id));
  if (conversation.type === 'direct' && !otherUser) return <Notice>{t('conversation:accountGone')}</Notice>;
  if (otherUser?.isBlocked) {
    return (
      <Notice>
        {t('conversation:blockedByYou', { name })}
        <Button kind="secondary" size="small" busy={blocking.busy} onClick={() => void blocking.run(false)}>
          {t('conversation:unblock')}
        </Button>
      </Notice>
    );
  }
  if (isSealedConversation) return <Notice>{t('conversation:updateToWrite')}</Notice>;
  if (conversation.isReplaced) {
    return (
      <Suspense>
        <ReplacedCard conversation={conversation} name={name} />
      </Suspense>
    );
  }
  return (
    <>
      {needsNotice && (
        <Suspense>
          <SendNotice conversation={conversation} name={name} />
        </Suspense>
      )}
      {!hasEnded && <Composer {...composer} conversation={conversation} name={name} />}
    </>
  );
}

function Notice({ children }: { children: ReactNode }) {
  return (
    <div
      data-keep-clear
      role="status"
      className="flex min-h-16 shrink-0 flex-wrap items-center justify-center gap-x-4 gap-y-2 border-t border-line bg-panel px-5 pt-3 pb-[calc(0.75rem+env(safe-area-inset-bottom))] text-center text-14 text-muted"
    >
      {children}
    </div>
  );
}
