/**
 * The networks that an address counts in, narrowest first: an IPv4 address is one of its own; of an IPv6 address they are
 * the first 64 bits, for the rest is the customer's own to choose (RFC 6177), and the first 48, of which one rented
 * server or line often has all. Whoever could choose a budget's key would have a new budget with each request.
 *
 * Takes an address as a socket or a proxy writes it (with port, zone or brackets), or the narrowest network of one, as the
 * gateway hands addresses on. What is no address counts as what it is.
 */
export function networksOf(address: string): readonly string[] {
  const bare = address
    // Some proxies append the port.
    .replace(/^\[(.*)\](:\d+)?$/, '$1')
    .replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1')
    // A socket that listens on both families shows IPv4 like this.
    .replace(/^::ffff:(\d+(?:\.\d+){3})$/i, '$1')
    .replace(/%[^]*$/, '')
    .replace(/\/64$/, '');
  if (!bare.includes(':') || !URL.canParse(`http://[${bare}]`)) return [bare];
  const [head = '', tail = ''] = new URL(`http://[${bare}]`).hostname.slice(1, -1).split('::');
  const [before, after] = [head, tail].map((text) => (text === '' ? [] : text.split(':'))) as [string[], string[]];
  const groups = [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after];
  return [`${groups.slice(0, 4).join(':')}::/64`, `${groups.slice(0, 3).join(':')}::/48`];
}
