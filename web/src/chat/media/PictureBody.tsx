import { pictureBox } from './mediaBox.ts';
import type { MediaProps } from './mediaProps.ts';
import { Picture } from './Picture.tsx';

/** A picture or a video in its bubble, in the room that was kept for it. */
export function PictureBody({ entry, media, conversationId }: MediaProps) {
  const { width, height } = pictureBox(media.info);
  return (
    <div className="overflow-hidden rounded-[14px]" style={{ aspectRatio: `${width} / ${height}` }}>
      <Picture entry={entry} media={media} conversationId={conversationId} width={width} />
    </div>
  );
}
