import ipaddr from 'ipaddr.js';

/**
 * Public by number, but answered by the machine's own host: what hands out credentials to virtual machines at Azure.
 * The same of others lies in ranges that are no unicast addresses of the internet anyway.
 */
const hostAgent = ipaddr.parseCIDR('168.63.129.16/32');

/** All that was ever given out of IPv6 (RFC 4291 section 2.4, and IANA's registry); the rest is not for anybody yet. */
const globalUnicast = ipaddr.parseCIDR('2000::/3');

/** Documentation (RFC 9637), and what translates to IPv4 addresses by rules of a network's own (RFC 8215). */
const notForAnybody = ['3fff::/20', '64:ff9b:1::/48'].map((range) => ipaddr.parseCIDR(range));

/**
 * Whether an address is one of the internet, which anybody may reach, and no other: not this machine, not this network,
 * not a way around to either through addresses that hold an IPv4 address inside (mapped, NAT64, 6to4, Teredo).
 */
export function isPublicAddress(text: string): boolean {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) {
    const address = ipaddr.IPv4.parse(text);
    return address.range() === 'unicast' && !address.match(hostAgent);
  }
  if (!ipaddr.IPv6.isValid(text)) return false;
  const address = ipaddr.IPv6.parse(text);
  return (
    address.zoneId === undefined &&
    address.range() === 'unicast' &&
    address.match(globalUnicast) &&
    !notForAnybody.some((range) => address.match(range))
  );
}
