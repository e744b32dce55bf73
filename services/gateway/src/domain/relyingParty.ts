/** Site that passkeys belong to (WebAuthn, level 3, section 5.1.2). */
export interface RelyingParty {
  readonly id: string;
  /** Origins of pages that may request passkeys. */
  readonly origins: string[];
}

/** Returns true if a host is the given name or one of its subdomains. */
export function isHostWithin(host: string, name: string): boolean {
  return host === name || host.endsWith(`.${name}`);
}

/**
 * Returns the relying party. Browsers store passkeys for names, not addresses, and only over a safe connection: TLS or
 * this machine. Undefined if they would refuse.
 */
export function createRelyingParty(
  publicUrl: string,
  origins: ReadonlySet<string>,
  configured: string | undefined,
): RelyingParty | undefined {
  const { hostname, protocol } = new URL(publicUrl);
  const isAddress = hostname.startsWith('[') || /^[\d.]+$/.test(hostname);
  const isLocal = isHostWithin(hostname, 'localhost');
  if (isAddress || (protocol !== 'https:' && !isLocal)) return undefined;
  const id = configured ?? hostname;
  return { id, origins: [...origins].filter((origin) => isHostWithin(new URL(origin).hostname, id)) };
}
