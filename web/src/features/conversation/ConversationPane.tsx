import type { Conversation, Message } from '@nolo/api';
import { MessageCircle } from 'lucide-react';
import type { ReactNode } from 'react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useChat, useChatState } from '../../app/chatContext.ts';
import { useDocumentTitle } from '../../app/routeHandle.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { conversationName } from '../chats/conversationName.ts';
import { ComposerPlace } from './ComposerPlace.tsx';
import { ConversationHeader } from './ConversationHeader.tsx';
import { DeleteDialog } from './DeleteDialog.tsx';
import { MessageDetailsDialog } from './MessageDetailsDialog.tsx';
import { MessageList } from './MessageList.tsx';
import { mayChange } from './MessageMenu.tsx';
import { MessageSkeleton } from './MessageSkeleton.tsx';
import { TypingRow } from './TypingRow.tsx';
import { useEditing } from './useEditing.ts';

/** Opens the conversation for as long as it is on the screen; answers what to do where that failed. */
function useOpenConversation(id: string): () => void {
  const { engine } = useChat();
  const failed = useChatState((state) => state.timelines[id]?.status === 'error');
  const connected = useChatState((state) => state.connection === 'open');
  const open = useCallback(() => {
    // The timeline says itself that it could not be loaded.
    engine.open(id).catch(() => {});
  }, [engine, id]);
  useEffect(() => {
    open();
    return () => engine.close(id);
  }, [engine, id, open]);
  const wasConnected = useRef(connected);
  useEffect(() => {
    // The line is back, so what failed without it is asked for once more.
    if (failed && connected && !wasConnected.current) open();
    wasConnected.current = connected;
  }, [failed, connected, open]);
  return open;
}

/** Counts how often the loaded run was replaced by one that begins later. */
function useRun(firstSeq: number | undefined): number {
  const [known, setKnown] = useState({ firstSeq, run: 0 });
  if (known.firstSeq === firstSeq) return known.run;
  const replaced = known.firstSeq !== undefined && firstSeq !== undefined && firstSeq > known.firstSeq;
  const run = replaced ? known.run + 1 : known.run;
  setKnown({ firstSeq: firstSeq ?? known.firstSeq, run });
  return run;
}

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
  const { t } = useTranslation();
  const { engine } = useChat();
  const { selfId } = engine.store.getState();
  const { id } = conversation;
  const name = title ?? conversationName(conversation, t);
  const timeline = useChatState((state) => state.timelines[id]);
  const connected = useChatState((state) => state.connection === 'open');
  const run = useRun(timeline?.messages[0]?.seq);
  const reopen = useOpenConversation(id);
  const editing = useEditing();
  const [deleting, setDeleting] = useState<Message | null>(null);
  const [detailed, setDetailed] = useState<Message | null>(null);
  const input = useRef<HTMLTextAreaElement>(null);
  useDocumentTitle(header === null ? undefined : name);

  useEffect(() => {
    // With a mouse one goes on to write; on a phone the keyboard would cover what was said.
    if (matchMedia('(pointer: fine)').matches) input.current?.focus({ preventScroll: true });
  }, []);

  const editLast = (): void => {
    const last = timeline?.messages.findLast((message) => message.senderId === selfId && message.deletedAt === null);
    if (last?.messageType === 'text' && mayChange(last, selfId, Date.now())) editing.begin(last);
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
            title={t('conversation.sayHello', { name })}
            description={t('conversation.beginning', { name })}
          />
          <TypingRow conversation={conversation} />
        </>
      );
    }
    return (
      <MessageList
        // A run that was replaced by a newer one is another list, not the same one with rows taken off its head.
        key={run}
        conversation={conversation}
        timeline={timeline}
        onEdit={editing.begin}
        onDelete={setDeleting}
        onDetails={setDetailed}
        focusComposer={() => input.current?.focus()}
      />
    );
  };
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      {header}
      {body()}
      <ComposerPlace conversation={conversation} editing={editing} input={input} onEditLast={editLast} />
      {deleting && <DeleteDialog message={deleting} onClose={() => setDeleting(null)} />}
      {detailed && (
        <MessageDetailsDialog message={detailed} conversation={conversation} onClose={() => setDetailed(null)} />
      )}
    </div>
  );
}
