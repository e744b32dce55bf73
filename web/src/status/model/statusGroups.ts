import type { StatusAuthor, StatusUpdate } from '@nolo/api';

/** What one person posted, in its order. */
export interface AuthorStatuses {
  author: StatusAuthor;
  statuses: readonly StatusUpdate[];
  unviewed: number;
}

export interface StatusGroups {
  own: readonly StatusUpdate[];
  /** People with something new first, otherwise who posted latest. */
  recent: readonly AuthorStatuses[];
  muted: readonly AuthorStatuses[];
}

const isThere = (status: StatusUpdate, now: number): boolean => Date.parse(status.expiresAt) > now;

/** Sorts what the server listed by who posted it, without what is over by its clock (`now`, milliseconds). */
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

/** People with something that has not been looked at, as the tab's badge counts them. */
export function countUnviewed({ recent }: StatusGroups): number {
  return recent.filter(({ unviewed }) => unviewed > 0).length;
}

/** When the next of them is over, in milliseconds since the epoch; undefined where there is none. */
export function nextExpiry(statuses: readonly StatusUpdate[], now: number): number | undefined {
  const times = statuses.map(({ expiresAt }) => Date.parse(expiresAt)).filter((time) => time > now);
  return times.length > 0 ? Math.min(...times) : undefined;
}
