import { networksOf } from '@nolo/kit/network';

/**
 * Returns the full client address behind `hops` of our proxies. Each appends the address it saw to X-Forwarded-For, so
 * anything further left was written by the client and proves nothing. Use it to match lists of external addresses;
 * limits use `resolveRateLimitAddress`.
 */
export function resolveClientAddress(
  peer: string | undefined,
  forwardedFor: string | string[] | undefined,
  hops: number,
): string {
  const seen = [forwardedFor ?? []]
    .flat()
    .join(',')
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  const nearestFirst = [peer ?? '', ...seen.reverse()];
  return (
    (nearestFirst[Math.min(hops, nearestFirst.length - 1)] ?? '')
      // Proxies may append the port; a dual-stack socket reports IPv4 addresses as mapped IPv6 ones.
      .replace(/^\[(.*)\](:\d+)?$/, '$1')
      .replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1')
      .replace(/^::ffff:(\d+(?:\.\d+){3})$/i, '$1')
  );
}

/** Returns the client address for limits: an IPv6 address is reduced to its smallest network. */
export function resolveRateLimitAddress(...from: Parameters<typeof resolveClientAddress>): string {
  return networksOf(resolveClientAddress(...from))[0] ?? '';
}
