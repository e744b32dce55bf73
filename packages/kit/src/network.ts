/**
 * Returns the networks in which an address is counted, narrowest first. An IPv4 address is its own network. For an IPv6
 * address, they are the first 64 bits, because the customer controls the rest (RFC 6177), and the first 48 bits,
 * because a single rented server or line often has that much. If callers could choose their budget's key, each request
 * would get a new budget.
 *
 * Accepts an address as a socket or a proxy writes it (with port, zone or brackets), or a narrowest network, as the
 * gateway passes it on. Any other text is counted as it is.
 */
export function networksOf(address: string): readonly string[] {
  const bare = address
    // Proxies may append the port.
    .replace(/^\[(.*)\](:\d+)?$/, '$1')
    .replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1')
    // Sockets that listen on both families write IPv4 addresses like this.
    .replace(/^::ffff:(\d+(?:\.\d+){3})$/i, '$1')
    .replace(/%[^]*$/, '')
    .replace(/\/64$/, '');
  if (!bare.includes(':') || !URL.canParse(`http://[${bare}]`)) return [bare];
  const [head = '', tail = ''] = new URL(`http://[${bare}]`).hostname.slice(1, -1).split('::');
  const [before, after] = [head, tail].map((text) => (text === '' ? [] : text.split(':'))) as [string[], string[]];
  const groups = [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after];
  return [`${groups.slice(0, 4).join(':')}::/64`, `${groups.slice(0, 3).join(':')}::/48`];
}
