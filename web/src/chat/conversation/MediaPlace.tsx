import { lazy, Suspense } from 'react';
import type { Box } from '../media/mediaBox.ts';
import { pictureBox } from '../media/mediaBox.ts';
import type { MediaProps } from '../media/mediaProps.ts';
import type { ShownMedia } from '../engine/shownMedia.ts';

const MediaBody = lazy(async () => ({ default: (await import('./MediaBody.tsx')).MediaBody }));

/** How much room a medium takes, before anything of it is here. */
export function boxOf({ kind, info }: ShownMedia): Box {
  if (kind === 'image' || kind === 'video') return pictureBox(info);
  return { width: 260, height: { file: 48, audio: 64, voice: 44 }[kind] };
}

/** Where a medium stands in its bubble. What draws it comes over the line with the first; its room is there at once. */
export function MediaPlace(props: MediaProps) {
  const { kind } = props.media;
  const { width, height } = boxOf(props.media);
  // A picture becomes narrower where there is less room, and lower with it.
  const room = kind === 'image' || kind === 'video' ? { aspectRatio: `${width} / ${height}` } : { height };
  return (
    <div className="max-w-full" style={{ width }}>
      <Suspense fallback={<div className="rounded-[14px] bg-sunken" style={room} />}>
        <MediaBody {...props} />
      </Suspense>
    </div>
  );
}
