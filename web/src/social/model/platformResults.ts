import type { SocialPost } from '@nolo/api';

/** How many platforms a post goes to, and at how many of them every chosen account has it. */
export function platformResults(deliveries: SocialPost['deliveries']): { done: number; count: number } {
  const platforms = new Set(deliveries.map(({ platform }) => platform));
  const unfinished = new Set(deliveries.filter(({ state }) => state !== 'published').map(({ platform }) => platform));
  return { done: platforms.size - unfinished.size, count: platforms.size };
}
