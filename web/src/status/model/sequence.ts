import type { StatusUpdate } from '@nolo/api';
import type { AuthorStatuses } from './statusGroups.ts';

/** Position of the viewer: one status update of one person. */
export interface StatusPosition {
  author: AuthorStatuses;
  status: StatusUpdate;
  index: number;
}

export function listStatusPositions(authors: readonly AuthorStatuses[]): readonly StatusPosition[] {
  return authors.flatMap((author) => author.statuses.map((status, index) => ({ author, status, index })));
}

/**
 * Returns the position of a status update. If it is gone, for example because it expired while viewed, returns that of
 * the next one in `before`, the previous order.
 */
export function findStatusPosition(
  places: readonly StatusPosition[],
  id: string,
  before: readonly StatusPosition[],
): StatusPosition | undefined {
  const here = places.find(({ status }) => status.id === id);
  if (here) return here;
  const was = before.findIndex(({ status }) => status.id === id);
  const later = was < 0 ? [] : before.slice(was + 1).map(({ status }) => status.id);
  return places.find(({ status }) => later.includes(status.id));
}

const minTextStatusMs = 5_000;
const maxTextStatusMs = 12_000;
const msPerCharacter = 45;

/** Returns the display time of a text or picture in milliseconds, longer for more text. */
export function computeShownMs({ content }: Pick<StatusUpdate, 'content'>): number {
  return Math.min(maxTextStatusMs, Math.max(minTextStatusMs, content.length * msPerCharacter));
}
