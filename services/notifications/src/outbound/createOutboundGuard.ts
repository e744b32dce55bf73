import { isIP, type BlockList } from 'node:net';
import { isForeignPublicAddress, resolveHost, type OutboundGuard } from '@nolo/kit/outbound';

/**
 * Restricts requests to the public internet on the default web port, because machines use other ports for protocols
 * that a request can be made to speak. Allows all ports in networks that the operator configured.
 */
export function createOutboundGuard(networks: BlockList): OutboundGuard {
  return {
    resolveHost,
    addressAllowed: (address, { port }) =>
      // A URL's port is empty if it is the protocol's default.
      (port === '' && isForeignPublicAddress(address)) ||
      networks.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4'),
  };
}
