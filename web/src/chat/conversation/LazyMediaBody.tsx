import { Suspense } from 'react';
import { toPictureDisplaySize, type MediaDisplaySize } from '../media/mediaDisplaySize.ts';
import type { MediaProps } from '../media/mediaProps.ts';
import type { ShownMedia } from '@nolo/client/chat/shownMedia';
import { lazyOptional } from '../../ui/lazyComponents.tsx';

const MediaBody = lazyOptional(async () => (await import('./MediaBody.tsx')).MediaBody, Room);

/** Returns the space that a medium needs, before any of it is loaded. */
export function toMediaDisplaySize({ kind, info }: ShownMedia): MediaDisplaySize {
  if (kind === 'image' || kind === 'video') return toPictureDisplaySize(info);
  return { width: 260, height: { file: 48, audio: 64, voice: 44 }[kind] };
}

function Room({ media }: MediaProps) {
  const { width, height } = toMediaDisplaySize(media);
  // A picture with less room becomes narrower, and proportionally lower.
  const room = media.kind === 'image' || media.kind === 'video' ? { aspectRatio: `${width} / ${height}` } : { height };
  return <div className="rounded-[14px] bg-sunken" style={room} />;
}

/**
 * Place of a medium in its bubble. The code that draws it is loaded with the first one, but its space is reserved at
 * once.
 */
export function LazyMediaBody(props: MediaProps) {
  return (
    <div className="max-w-full" style={{ width: toMediaDisplaySize(props.media).width }}>
      <Suspense fallback={<Room {...props} />}>
        <MediaBody {...props} />
      </Suspense>
    </div>
  );
}
