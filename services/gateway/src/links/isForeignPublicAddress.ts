import { networkInterfaces } from 'node:os';
import { isPublicAddress } from '../domain/publicAddress.ts';

/**
 * Whether a fetched link may lead there: to the public internet, and not back to this machine by the public address
 * that it may have, where what only trusts its own machine would take the request for one of its own.
 */
export function isForeignPublicAddress(address: string): boolean {
  const own = Object.values(networkInterfaces()).flatMap((addresses = []) => addresses.map((one) => one.address));
  return isPublicAddress(address) && !own.includes(address);
}
