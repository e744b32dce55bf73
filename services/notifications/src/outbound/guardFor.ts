import { isIP, type BlockList } from 'node:net';
import { isForeignPublicAddress, resolveHost, type OutboundGuard } from '@nolo/kit/outbound';

/**
 * Lets requests go to the public internet at the port of its web alone, because at other ports machines talk among
 * themselves in protocols that a request can be made to speak; and to networks that the operator named at all ports.
 */
export function guardFor(networks: BlockList): OutboundGuard {
  return {
    resolveHost,
    addressAllowed: (address, { port }) =>
      // A URL names no port that is the usual one of its protocol.
      (port === '' && isForeignPublicAddress(address)) ||
      networks.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4'),
  };
}
