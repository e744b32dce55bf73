import type { StatusUpdate } from '@nolo/api';
import { useChat } from '../chat/context/chatContext.ts';
import { ChooseConversationsDialog } from '../chat/conversation/ChooseConversationsDialog.tsx';
import { useMessageWords } from '../chat/words/useMessageWords.ts';
import type { UnsentMedia } from '../chat/engine/ports.ts';
import { useStatusWords } from './useStatusWords.ts';

function mediaOf({ mediaType, mediaUrl, previewUrl, mediaInfo }: StatusUpdate): UnsentMedia | undefined {
  if (mediaType === 'text' || mediaUrl === null) return undefined;
  return {
    messageType: mediaType,
    name: null,
    size: 0,
    info: mediaInfo,
    fields: {
      messageType: mediaType,
      fileUrl: mediaUrl,
      ...(mediaInfo !== null && { mediaInfo }),
      ...(previewUrl !== null && { previewUrl }),
    },
  };
}

/** Sends one's own status update on as a message. */
export function ShareStatusDialog({ status, onClose }: { status: StatusUpdate; onClose: () => void }) {
  const { t } = useStatusWords();
  useMessageWords();
  const { engine } = useChat();
  const media = mediaOf(status);
  return (
    <ChooseConversationsDialog
      title={t('status.viewer.share')}
      onSend={(id) => void engine.send(id, status.content, { ...(media && { media }) })}
      onClose={onClose}
    />
  );
}
