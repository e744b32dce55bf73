import type { Conversation, Message } from '@nolo/api';
import { useMemo } from 'react';
import { lazyDialog } from '../../ui/lazyDialog.tsx';
import { useDisplayNameOf } from '../words/useDisplayNameOf.ts';
import { LazyEmojiPopover } from '../emoji/LazyEmojiPopover.ts';

const DeleteDialog = lazyDialog(async () => (await import('./DeleteMessagesDialog.tsx')).DeleteMessagesDialog);
const MessageDetailsDialog = lazyDialog(async () => (await import('./MessageDetailsDialog.tsx')).MessageDetailsDialog);
const ReportDialog = lazyDialog(async () => (await import('./ReportDialog.tsx')).ReportDialog);
const ForwardDialog = lazyDialog(async () => (await import('./ForwardDialog.tsx')).ForwardDialog);

/** Overlay of the conversation: at most one at a time. */
export type ConversationOverlayState =
  | { kind: 'delete' | 'hide' | 'forward'; messages: readonly Message[] }
  | { kind: 'details' | 'report'; message: Message }
  | { kind: 'react'; message: Message; article: HTMLElement };

export function ConversationOverlay(props: {
  overlay: ConversationOverlayState;
  conversation: Conversation;
  onReact: (message: Message, emoji: string) => void;
  onClose: () => void;
}) {
  const { overlay, conversation, onReact, onClose } = props;
  const nameOf = useDisplayNameOf();
  switch (overlay.kind) {
    case 'delete':
    case 'hide':
      return <DeleteDialog messages={overlay.messages} forMe={overlay.kind === 'hide'} onClose={onClose} />;
    case 'details':
      return <MessageDetailsDialog message={overlay.message} conversation={conversation} onClose={onClose} />;
    case 'report':
      return (
        <ReportDialog
          kind="message"
          targetId={overlay.message.id}
          reportedId={overlay.message.senderId}
          name={nameOf(overlay.message.senderId)}
          messages={[overlay.message]}
          onClose={onClose}
        />
      );
    case 'forward':
      return <ForwardDialog messages={overlay.messages} onClose={onClose} />;
    case 'react':
      return (
        <ReactionPicker
          article={overlay.article}
          onPick={(emoji) => onReact(overlay.message, emoji)}
          onClose={onClose}
        />
      );
  }
}

interface ReactionPickerProps {
  /** Element of the message. The picker opens beside it and returns the focus to it. */
  article: HTMLElement;
  onPick: (emoji: string) => void;
  onClose: () => void;
}

/** Shows all emoji to react with. */
function ReactionPicker({ article, onPick, onClose }: ReactionPickerProps) {
  const anchor = useMemo(() => {
    const { left, top, width } = (article.querySelector('[data-bubble]') ?? article).getBoundingClientRect();
    // Anchors the picker at the upper edge of the message, which may be off the screen.
    return { current: { getBoundingClientRect: () => new DOMRect(left, Math.max(8, top), width, 1) } };
  }, [article]);
  return (
    <LazyEmojiPopover
      anchor={anchor}
      onPick={(emoji) => {
        onPick(emoji);
        onClose();
      }}
      onClose={onClose}
      focusAfter={() => article}
    />
  );
}
