import { Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { networkInterfaces } from 'node:os';
import { isPublicAddress } from './publicAddress.ts';

export { isPublicAddress };

/** All addresses of a name, IPv4 first; none where there is no such name. */
export type ResolveHost = (hostname: string, signal: AbortSignal) => Promise<string[]>;

/** What decides where a request to an address that a stranger named may go. */
export interface OutboundGuard {
  readonly resolveHost: ResolveHost;
  /** Whether a request for the URL may go to an address of its host. */
  readonly addressAllowed: (address: string, url: URL) => boolean;
}

const mostAddresses = 6;

/**
 * Asks the name servers themselves: the system's look-up would also search its own domains and its hosts file, which
 * name nothing that is public, cannot be ended, and holds one of the few threads that files and passwords need too.
 */
export const resolveHost: ResolveHost = async (hostname, signal) => {
  signal.throwIfAborted();
  const resolver = new Resolver({ timeout: 1_500, tries: 2 });
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const found = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    return found.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  } finally {
    signal.removeEventListener('abort', cancel);
  }
};

/**
 * Whether an address that a stranger named may lead there: to the public internet, and not back to this machine by the
 * public address that it may have, where what only trusts its own machine would take the request for one of its own.
 */
export function isForeignPublicAddress(address: string): boolean {
  const own = Object.values(networkInterfaces()).flatMap((addresses = []) => addresses.map((one) => one.address));
  return isPublicAddress(address) && !own.includes(address);
}

/** Where a host may be reached: its addresses that are allowed; `nowhere` where it has none, `refused` where none is. */
export async function addressesFor(
  url: URL,
  guard: OutboundGuard,
  signal: AbortSignal,
): Promise<readonly string[] | 'nowhere' | 'refused'> {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const found = isIP(host) === 0 ? await guard.resolveHost(host, signal) : [host];
  if (found.length === 0) return 'nowhere';
  const allowed = found.filter((address) => guard.addressAllowed(address, url)).slice(0, mostAddresses);
  return allowed.length === 0 ? 'refused' : allowed;
}

/** Answers what was found before, so that a name cannot change its mind between the check and the connection. */
export function pinnedLookup(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_hostname, { all }, callback) => {
    const [first] = found;
    if (all === true) callback(null, found);
    else callback(null, first?.address ?? '', first?.family);
  };
}
