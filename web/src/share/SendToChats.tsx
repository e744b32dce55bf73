import { useTranslation } from 'react-i18next';
import { useChat } from '../chat/context/chatContext.ts';
import { ChooseConversationsDialog } from '../chat/conversation/ChooseConversationsDialog.tsx';
import type { UnsentMedia } from '@nolo/client/chat/ports';
import { useMessageWords } from '../chat/words/useMessageWords.ts';

interface SendToChatsProps {
  content: string;
  media: UnsentMedia | undefined;
  onClose: () => void;
}

/** Sends shared content to the chats that the user chooses. */
export function SendToChats({ content, media, onClose }: SendToChatsProps) {
  const { t } = useTranslation();
  useMessageWords();
  const { engine } = useChat();
  return (
    <ChooseConversationsDialog
      title={t('share.chats')}
      onSend={(id) => void engine.send(id, content, { ...(media && { media }) })}
      onClose={onClose}
    />
  );
}
