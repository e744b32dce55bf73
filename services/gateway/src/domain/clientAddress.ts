import { networksOf } from '@nolo/kit/network';

/**
 * The whole address that a request came from, behind `hops` proxies of ours: each appends the address it saw to
 * X-Forwarded-For, so what stands further left was written by the client and proves nothing. For what is held against
 * lists of others' addresses; limits count by `clientAddress`.
 */
export function peerAddress(
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
  return (
    (nearestFirst[Math.min(hops, nearestFirst.length - 1)] ?? '')
      // Some proxies append the port; a socket that listens on both families shows IPv4 as a part of IPv6.
      .replace(/^\[(.*)\](:\d+)?$/, '$1')
      .replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1')
      .replace(/^::ffff:(\d+(?:\.\d+){3})$/i, '$1')
  );
}

/** The same as limits count it: an IPv6 address is cut to its narrowest network. */
export function clientAddress(...from: Parameters<typeof peerAddress>): string {
  return networksOf(peerAddress(...from))[0] ?? '';
}
