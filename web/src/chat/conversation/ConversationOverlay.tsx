import type { Conversation, Message } from '@nolo/api';
import { useTranslation } from 'react-i18next';
import { lazyDialog } from '../../ui/lazyDialog.tsx';
import { conversationName } from '../words/conversationName.ts';
import { ReactionPicker } from './ReactionPicker.tsx';

const DeleteDialog = lazyDialog(async () => (await import('./DeleteMessagesDialog.tsx')).DeleteMessagesDialog);
const MessageDetailsDialog = lazyDialog(async () => (await import('./MessageDetailsDialog.tsx')).MessageDetailsDialog);
const ReportDialog = lazyDialog(async () => (await import('./ReportDialog.tsx')).ReportDialog);
const ForwardDialog = lazyDialog(async () => (await import('./ForwardDialog.tsx')).ForwardDialog);

/** Overlay of the conversation: at most one at a time. */
export type ConversationOverlayState =
  | { kind: 'delete' | 'hide' | 'forward'; messages: readonly Message[] }
  | { kind: 'details' | 'report'; message: Message }
  | { kind: 'react'; message: Message; article: HTMLElement };

export function ConversationOverlay({
  overlay,
  conversation,
  onReact,
  onClose,
}: {
  overlay: ConversationOverlayState;
  conversation: Conversation;
  onReact: (message: Message, emoji: string) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation();
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
          name={overlay.message.sender?.displayName ?? conversationName(conversation, t)}
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
