import { useChat } from '../chat/context/chatContext.ts';
import { ChooseConversationsDialog } from '../chat/conversation/ChooseConversationsDialog.tsx';
import type { UnsentMedia } from '@nolo/client/chat/ports';
import { useTexts } from '../i18n/texts.ts';
import { shareTexts } from './shareTexts.ts';

export function SendToChats(props: { content: string; media: UnsentMedia | undefined; onClose: () => void }) {
  const { content, media, onClose } = props;
  const { t } = useTexts(shareTexts);
  const { engine } = useChat();
  return (
    <ChooseConversationsDialog
      title={t('share:chats')}
      onSend={(id) => void engine.send(id, content, { ...(media && { media }) })}
      onClose={onClose}
    />
  );
}
