import { networksOf } from '@nolo/kit/network';

/**
 * Where a request came from, as limits count it, behind `hops` proxies of ours: each appends the address it saw to
 * X-Forwarded-For, so what stands further left was written by the client and proves nothing. An IPv6 address is cut to
 * its narrowest network.
 */
export function clientAddress(
  peer: string | undefined,
  forwardedFor: string | string[] | undefined,
  hops: number,
): string {
  const seen = [forwardedFor ?? []]
    .flat()
    .join(',')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const nearestFirst = [peer ?? '', ...seen.reverse()];
  return networksOf(nearestFirst[Math.min(hops, nearestFirst.length - 1)] ?? '')[0] ?? '';
}
