/**
 * The address that a request came from, behind `hops` proxies of ours: each appends the address it saw to
 * X-Forwarded-For, so what stands further left was written by the client and proves nothing.
 */
export function clientAddress(peer: string | undefined, forwardedFor: string | undefined, hops: number): string {
  const seen = (forwardedFor ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const nearestFirst = [peer ?? '', ...seen.reverse()];
  return nearestFirst[Math.min(hops, nearestFirst.length - 1)] ?? '';
}
