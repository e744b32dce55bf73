import { Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { networkInterfaces } from 'node:os';
import { isPublicAddress } from './publicAddress.ts';

export { isPublicAddress };

/** Resolves a name to all of its addresses, IPv4 first; empty if the name does not exist. */
export type ResolveHost = (hostname: string, signal: AbortSignal) => Promise<string[]>;

/** Policy for requests to URLs that come from untrusted users. */
export interface OutboundGuard {
  readonly resolveHost: ResolveHost;
  /** Returns true if a request for the URL may connect to an address of its host. */
  readonly addressAllowed: (address: string, url: URL) => boolean;
}

const maxAddressesTried = 6;

/**
 * Queries the name servers directly. The system's lookup would also search its own domains and hosts file, which
 * contain nothing public; it cannot be canceled, and occupies one of the few threads that file access and password
 * hashing need too.
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
 * Returns true if an untrusted address may be contacted: on the public internet, and not this machine's own public
 * address, because services that trust the local machine would treat the request as their own.
 */
export function isForeignPublicAddress(address: string): boolean {
  const own = Object.values(networkInterfaces()).flatMap((addresses = []) => addresses.map((one) => one.address));
  return isPublicAddress(address) && !own.includes(address);
}

/** Returns the allowed addresses of a host; `nowhere` if it has no address, `refused` if all are disallowed. */
export async function resolveAllowedAddresses(
  url: URL,
  guard: OutboundGuard,
  signal: AbortSignal,
): Promise<readonly string[] | 'nowhere' | 'refused'> {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const found = isIP(host) === 0 ? await guard.resolveHost(host, signal) : [host];
  if (found.length === 0) return 'nowhere';
  const allowed = found.filter((address) => guard.addressAllowed(address, url)).slice(0, maxAddressesTried);
  return allowed.length === 0 ? 'refused' : allowed;
}

/** Returns a lookup with fixed results, so that a name cannot change between the check and the connection. */
export function createPinnedLookup(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_hostname, { all }, callback) => {
    const [first] = found;
    if (all === true) callback(null, found);
    else callback(null, first?.address ?? '', first?.family);
  };
}
