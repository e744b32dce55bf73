import { VoiceBody } from '../voice/VoiceBody.tsx';
import { FileBody } from '../media/FileBody.tsx';
import { toPictureDisplaySize } from '../media/mediaDisplaySize.ts';
import type { MediaProps } from '../media/mediaProps.ts';
import { MessagePicture } from '../media/MessagePicture.tsx';

/** Picture, video, sound, file or voice note. */
export function MediaBody(props: MediaProps) {
  const { entry, media, conversationId } = props;
  const { width, height } = toPictureDisplaySize(media.info);
  switch (media.kind) {
    case 'image':
    case 'video':
      return (
        <div className="overflow-hidden rounded-[14px]" style={{ aspectRatio: `${width} / ${height}` }}>
          <MessagePicture entry={entry} media={media} conversationId={conversationId} width={width} />
        </div>
      );
    case 'file':
      return <FileBody {...props} />;
    case 'audio':
    case 'voice':
      return <VoiceBody {...props} />;
  }
}
