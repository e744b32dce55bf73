import ipaddr from 'ipaddr.js';

/**
 * Publicly numbered, but answered by the machine's own host: Azure's service that issues credentials to virtual
 * machines. Equivalents of other providers are outside the unicast ranges of the internet anyway.
 */
const hostAgent = ipaddr.parseCIDR('168.63.129.16/32');

/** All IPv6 space ever allocated (RFC 4291 section 2.4, and IANA's registry). */
const globalUnicast = ipaddr.parseCIDR('2000::/3');

/** Documentation (RFC 9637), and prefixes for network-specific IPv4 translation (RFC 8215). */
const notForAnybody = ['3fff::/20', '64:ff9b:1::/48'].map((range) => ipaddr.parseCIDR(range));

/**
 * Returns true only for public internet addresses: not this machine, not this network, and no way to either through
 * embedded IPv4 addresses (mapped, NAT64, 6to4, Teredo).
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
