import type { StatusUpdate } from '@nolo/api';
import type { UnsentMedia } from '@nolo/client/chat/ports';
import { ShareDialog } from '../share/ShareDialog.tsx';
import { useTexts } from '../i18n/texts.ts';
import { statusTexts } from './statusTexts.ts';

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

/** Returns the picture or video as a file, for sharing outside the app. */
function fileOf(url: string): () => Promise<File> {
  return async () => {
    const answer = await fetch(`${url}?full`);
    if (!answer.ok) throw new Error(`Fetching the file of the status update failed with status ${answer.status}.`);
    const blob = await answer.blob();
    return new File([blob], `status:${blob.type.split('/')[1] ?? 'bin'}`, { type: blob.type });
  };
}

/** Shares the user's own status update. It has no link, because non-contacts cannot see it here. */
export function ShareStatusDialog({ status, onClose }: { status: StatusUpdate; onClose: () => void }) {
  const { t } = useTexts(statusTexts);
  const media = mediaOf(status);
  const { content, mediaUrl } = status;
  return (
    <ShareDialog
      title={t('status:viewer.shareTitle')}
      description={t('status:viewer.shareText')}
      shared={{
        name: content,
        text: content,
        ...(media && mediaUrl !== null && { media, file: fileOf(mediaUrl) }),
        post: { entry: 'post', text: content, ...(media && mediaUrl !== null && { media: [mediaUrl] }) },
      }}
      done={{ label: t('status:viewer.shareDone'), onSelect: onClose }}
      onClose={onClose}
    />
  );
}
