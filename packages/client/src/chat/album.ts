import type { MessageListEntry } from './timeline.ts';
import { approverOf, openingOf } from './rowOpening.ts';
import { mediaOf } from './shownMedia.ts';

/** Maximum milliseconds between two pictures of one grid. */
const togetherMs = 60_000;
/** Maximum pictures in a grid, as many as fit a screen. Further pictures start a new grid. */
const maxAlbumSize = 9;

/** Pictures of each grid in order, by the key of every picture in it. */
export type Albums = ReadonlyMap<string, readonly MessageListEntry[]>;

export const captionOf = ({ message, pending }: MessageListEntry): string => (message ?? pending)?.content ?? '';

/** Returns true for a picture that needs no row of its own: no reply, and neither approved nor rejected. */
function isPlainPicture(entry: MessageListEntry): boolean {
  const { message, pending } = entry;
  const opening = message ? openingOf(message) : undefined;
  // Late messages are folded.
  if (opening?.state === 'open' && opening.late) return false;
  // A grid has no place for the line that says who approved a picture.
  if (message && approverOf(message) !== null) return false;
  if ((!message && !pending) || pending?.state === 'failed') return false;
  const replyTo = message ? message.replyTo : pending?.extras?.replyTo;
  if (replyTo) return false;
  const kind = mediaOf(entry)?.kind;
  return kind === 'image' || kind === 'video';
}

/**
 * Returns true if `entry` continues the grid. The caption of the first picture applies to the grid, so a picture with
 * its own caption starts a new one.
 */
function joins(before: MessageListEntry, entry: MessageListEntry): boolean {
  return (
    captionOf(entry) === '' &&
    before.senderId === entry.senderId &&
    entry.at - before.at <= togetherMs &&
    (before.message?.forwarded ?? false) === (entry.message?.forwarded ?? false) &&
    new Date(before.at).toDateString() === new Date(entry.at).toDateString()
  );
}

/** Returns the number of leading pictures in one run, which the next older page may extend. */
export function countLeadingPictures(entries: readonly MessageListEntry[]): number {
  const end = entries.findIndex((entry, index) => {
    const before = entries[index - 1];
    return !isPlainPicture(entry) || (before !== undefined && !joins(before, entry));
  });
  return end < 0 ? entries.length : end;
}

/** Groups pictures into grids. No grid spans the "new messages" marker. */
export function findAlbums(entries: readonly MessageListEntry[], unreadKey: string | null): Albums {
  const albums = new Map<string, readonly MessageListEntry[]>();
  let run: MessageListEntry[] = [];
  const close = (): void => {
    if (run.length > 1) for (const { key } of run) albums.set(key, run);
    run = [];
  };
  for (const entry of entries) {
    if (!isPlainPicture(entry)) {
      close();
      continue;
    }
    const before = run.at(-1);
    if (before && (entry.key === unreadKey || run.length >= maxAlbumSize || !joins(before, entry))) close();
    run.push(entry);
  }
  close();
  return albums;
}
