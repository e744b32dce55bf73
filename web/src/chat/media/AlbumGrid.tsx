import { Suspense, type ReactNode } from 'react';
import { mediaOf } from '@nolo/client/chat/shownMedia';
import type { MessageListEntry } from '@nolo/client/chat/timeline';
import { lazyOptional } from '../../ui/lazyComponents.tsx';

/** Placeholder for a picture. */
const Place = () => <div className="size-full bg-sunken" />;

const Picture = lazyOptional(async () => (await import('./MessagePicture.tsx')).MessagePicture, Place);

export interface AlbumGridProps {
  entries: readonly MessageListEntry[];
  conversationId: string;
  /** Wraps a picture in the list, so that each is a separate message. */
  frame: (entry: MessageListEntry, picture: ReactNode, className: string) => ReactNode;
}

/** Pictures per row for each total: rows of up to three, the first ones larger. */
const rows: Readonly<Record<number, readonly number[]>> = {
  2: [2],
  3: [1, 2],
  4: [2, 2],
  5: [2, 3],
  6: [3, 3],
  7: [2, 2, 3],
  8: [2, 3, 3],
  9: [3, 3, 3],
};

/** Literal class names, so that Tailwind finds them. */
const spans: Readonly<Record<number, string>> = {
  1: 'col-span-6 aspect-[16/10]',
  2: 'col-span-3 aspect-square',
  3: 'col-span-2 aspect-square',
};

/** Returns the number of pictures in the row of this picture. */
function besides(index: number, count: number): number {
  let before = 0;
  for (const row of rows[count] ?? []) {
    if (index < before + row) return row;
    before += row;
  }
  return 3;
}

/** Width in pixels, less if space is short. */
export const albumWidth = 340;

/** Grid of pictures that were sent together. It has its final size before any of them loads. */
export function AlbumGrid({ entries, conversationId, frame }: AlbumGridProps) {
  return (
    <div className="grid max-w-full grid-cols-6 gap-0.5 overflow-hidden rounded-[14px]" style={{ width: albumWidth }}>
      {entries.map((entry, index) => {
        const media = mediaOf(entry);
        const row = besides(index, entries.length);
        const picture = media && (
          <Suspense fallback={<Place />}>
            <Picture entry={entry} media={media} conversationId={conversationId} width={Math.round(albumWidth / row)} />
          </Suspense>
        );
        return frame(entry, picture, spans[row] ?? '');
      })}
    </div>
  );
}
