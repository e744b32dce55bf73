/**
 * Where a request came from, as limits count it, behind `hops` proxies of ours: each appends the address it saw to
 * X-Forwarded-For, so what stands further left was written by the client and proves nothing.
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
  return networkOf(nearestFirst[Math.min(hops, nearestFirst.length - 1)] ?? '');
}

/**
 * An IPv4 address as it is, of an IPv6 address the first 64 bits: the rest is the customer's own to choose (RFC 6177),
 * and whoever could change it would have a new budget with each request.
 */
function networkOf(address: string): string {
  const bare = address
    // Some proxies append the port.
    .replace(/^\[(.*)\](:\d+)?$/, '$1')
    .replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1')
    // A socket that listens on both families shows IPv4 like this.
    .replace(/^::ffff:(\d+(?:\.\d+){3})$/i, '$1')
    .replace(/%.*$/, '');
  if (!bare.includes(':') || !URL.canParse(`http://[${bare}]`)) return bare;
  const [head = '', tail = ''] = new URL(`http://[${bare}]`).hostname.slice(1, -1).split('::');
  const [before, after] = [head, tail].map((text) => (text === '' ? [] : text.split(':'))) as [string[], string[]];
  const groups = [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after];
  return `${groups.slice(0, 4).join(':')}::/64`;
}
