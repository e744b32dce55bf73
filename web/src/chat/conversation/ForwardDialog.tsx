import type { Message } from '@nolo/api';
import { useChat } from '../context/chatContext.ts';
import { toForwardedMedia } from '@nolo/client/uploads/mediaFields';
import { ChooseConversationsDialog } from './ChooseConversationsDialog.tsx';
import { firstLink } from './linkPreview.ts';
import { useTexts } from '../../i18n/texts.ts';
import { messagesTexts } from '../words/messagesTexts.ts';

/**
 * Dialog to choose the conversations to forward messages to. Their texts and files are sent, and that they were
 * forwarded, but not from whom.
 */
export function ForwardDialog({ messages, onClose }: { messages: readonly Message[]; onClose: () => void }) {
  const { t } = useTexts(messagesTexts);
  const { engine } = useChat();
  const send = (id: string): void => {
    for (const message of messages) {
      const { content, linkPreview } = message;
      const hasLink = firstLink(content) !== null;
      const media = toForwardedMedia(message);
      engine.send(id, content, {
        forwarded: true,
        ...(media && { media }),
        ...(linkPreview !== null && { linkPreview }),
        ...(hasLink && { hasLink }),
      });
    }
  };
  const title =
    messages.length === 1
      ? t('messages:forwardTo.title')
      : t('messages:forwardTo.titleMany', { count: messages.length });
  return <ChooseConversationsDialog title={title} onSend={send} onClose={onClose} />;
}
