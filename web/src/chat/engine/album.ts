import type { Entry } from './entries.ts';
import { mediaOf } from './shownMedia.ts';

/** Pictures sent within this time of the one before stand together. */
const togetherMs = 60_000;
/** More do not fit a screen; the next ones begin a new grid. */
const mostTogether = 9;

/** Pictures that stand in one grid, by the key of each: all of them, in their order. */
export type Albums = ReadonlyMap<string, readonly Entry[]>;

export const wordsOf = ({ message, pending }: Entry): string => (message ?? pending)?.content ?? '';

/** A picture that answers nothing and was not refused: it needs no room of its own. */
function isPlainPicture(entry: Entry): boolean {
  const { message, pending } = entry;
  if ((!message && !pending) || pending?.state === 'failed') return false;
  const replyTo = message ? message.replyTo : pending?.extras?.replyTo;
  if (replyTo) return false;
  const kind = mediaOf(entry)?.kind;
  return kind === 'image' || kind === 'video';
}

/** What is said with the first picture is said about the grid: one with words of its own begins the next. */
function joins(before: Entry, entry: Entry): boolean {
  return (
    wordsOf(entry) === '' &&
    before.senderId === entry.senderId &&
    entry.at - before.at <= togetherMs &&
    (before.message?.forwarded ?? false) === (entry.message?.forwarded ?? false) &&
    new Date(before.at).toDateString() === new Date(entry.at).toDateString()
  );
}

/** How many pictures at the beginning are one run, of which the older page may bring more. */
export function leadingPictures(entries: readonly Entry[]): number {
  const end = entries.findIndex((entry, index) => {
    const before = entries[index - 1];
    return !isPlainPicture(entry) || (before !== undefined && !joins(before, entry));
  });
  return end < 0 ? entries.length : end;
}

/** Finds the pictures that stand together; nothing is joined over the "new messages" marker. */
export function findAlbums(entries: readonly Entry[], unreadKey: string | null): Albums {
  const albums = new Map<string, readonly Entry[]>();
  let run: Entry[] = [];
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
    if (before && (entry.key === unreadKey || run.length >= mostTogether || !joins(before, entry))) close();
    run.push(entry);
  }
  close();
  return albums;
}
