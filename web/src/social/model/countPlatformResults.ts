import type { SocialPost } from '@nolo/api';

/** Counts the platforms of a post, and those where every chosen account has published it. */
export function countPlatformResults(deliveries: SocialPost['deliveries']): { done: number; count: number } {
  const platforms = new Set(deliveries.map(({ platform }) => platform));
  const unfinished = new Set(deliveries.filter(({ state }) => state !== 'published').map(({ platform }) => platform));
  return { done: platforms.size - unfinished.size, count: platforms.size };
}
