import { Resolver } from 'node:dns/promises';

/** All addresses of a name, IPv4 first; none where there is no such name. */
export type ResolveHost = (hostname: string, signal: AbortSignal) => Promise<string[]>;

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
