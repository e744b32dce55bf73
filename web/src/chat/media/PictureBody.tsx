import { toPictureDisplaySize } from './mediaDisplaySize.ts';
import type { MediaProps } from './mediaProps.ts';
import { MessagePicture } from './MessagePicture.tsx';

/** Picture or video in its bubble, in its reserved space. */
export function PictureBody({ entry, media, conversationId }: MediaProps) {
  const { width, height } = toPictureDisplaySize(media.info);
  return (
    <div className="overflow-hidden rounded-[14px]" style={{ aspectRatio: `${width} / ${height}` }}>
      <MessagePicture entry={entry} media={media} conversationId={conversationId} width={width} />
    </div>
  );
}
