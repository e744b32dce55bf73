import type { StatusUpdate } from '@nolo/api';
import type { AuthorStatuses } from './statusGroups.ts';

/** Where the viewer is: one status update of one person. */
export interface Place {
  author: AuthorStatuses;
  status: StatusUpdate;
  /** From 0, among those of the person. */
  index: number;
}

/** All that is gone through, in its order. */
export function placesOf(authors: readonly AuthorStatuses[]): readonly Place[] {
  return authors.flatMap((author) => author.statuses.map((status, index) => ({ author, status, index })));
}

/**
 * The place of a status update; where it is gone, as one that expired while it was looked at, that of what came after it
 * in `before`, the order of a moment ago.
 */
export function placeAt(places: readonly Place[], id: string, before: readonly Place[]): Place | undefined {
  const here = places.find(({ status }) => status.id === id);
  if (here) return here;
  const was = before.findIndex(({ status }) => status.id === id);
  const later = was < 0 ? [] : before.slice(was + 1).map(({ status }) => status.id);
  return places.find(({ status }) => later.includes(status.id));
}

const leastMs = 5_000;
const mostMs = 12_000;
const msPerCharacter = 45;

/** How long a text or picture is shown: longer where there is more to read. */
export function shownMs({ content }: Pick<StatusUpdate, 'content'>): number {
  return Math.min(mostMs, Math.max(leastMs, content.length * msPerCharacter));
}
