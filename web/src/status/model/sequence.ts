import type { StatusUpdate } from '@nolo/api';
import type { AuthorStatuses } from './statusGroups.ts';

/** Position of the viewer: one status update of one person. */
export interface Place {
  author: AuthorStatuses;
  status: StatusUpdate;
  /** Index among the person's status updates, from 0. */
  index: number;
}

/** Returns all positions in order. */
export function placesOf(authors: readonly AuthorStatuses[]): readonly Place[] {
  return authors.flatMap((author) => author.statuses.map((status, index) => ({ author, status, index })));
}

/**
 * Returns the position of a status update. If it is gone, for example because it expired while viewed, returns that of
 * the next one in `before`, the previous order.
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

/** Returns the display time of a text or picture in milliseconds, longer for more text. */
export function shownMs({ content }: Pick<StatusUpdate, 'content'>): number {
  return Math.min(mostMs, Math.max(leastMs, content.length * msPerCharacter));
}
