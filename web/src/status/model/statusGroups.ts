import type { StatusAuthor, StatusUpdate } from '@nolo/api';

/** Status updates of one person, in order. */
export interface AuthorStatuses {
  author: StatusAuthor;
  statuses: readonly StatusUpdate[];
  unviewed: number;
}

export interface StatusGroups {
  own: readonly StatusUpdate[];
  /** People with new status updates first, then by latest. */
  recent: readonly AuthorStatuses[];
  muted: readonly AuthorStatuses[];
}

const isThere = (status: StatusUpdate, now: number): boolean => Date.parse(status.expiresAt) > now;

/** Groups the server's list by author, without those expired at `now` (milliseconds, by its clock). */
export function groupStatuses(statuses: readonly StatusUpdate[], selfId: string, now: number): StatusGroups {
  const there = statuses.filter((status) => isThere(status, now));
  const authors = new Map<string, StatusUpdate[]>();
  for (const status of there) {
    const known = authors.get(status.userId);
    if (known) known.push(status);
    else authors.set(status.userId, [status]);
  }
  const own = authors.get(selfId) ?? [];
  authors.delete(selfId);
  const groups = [...authors.values()].flatMap((posted): (AuthorStatuses & { isMuted: boolean })[] => {
    const [first] = posted;
    if (!first) return [];
    const unviewed = posted.filter(({ hasViewed }) => !hasViewed).length;
    return [{ author: first.user, statuses: posted, unviewed, isMuted: first.isMuted }];
  });
  const newestFirst = groups
    .filter(({ isMuted }) => !isMuted)
    .toSorted((one, other) => Number(other.unviewed > 0) - Number(one.unviewed > 0));
  return { own, recent: newestFirst, muted: groups.filter(({ isMuted }) => isMuted) };
}

/** Returns the number of people with unviewed status updates, for the tab's badge. */
export function countAuthorsWithUnviewed({ recent }: StatusGroups): number {
  return recent.filter(({ unviewed }) => unviewed > 0).length;
}

/** Returns when the next one expires, in milliseconds since the epoch, or undefined. */
export function findNextStatusExpiry(statuses: readonly StatusUpdate[], now: number): number | undefined {
  const times = statuses.map(({ expiresAt }) => Date.parse(expiresAt)).filter((time) => time > now);
  return times.length > 0 ? Math.min(...times) : undefined;
}
