/** The site that passkeys belong to (WebAuthn, level 3, section 5.1.2). */
export interface RelyingParty {
  readonly id: string;
  /** Of the pages that may ask for them. */
  readonly origins: string[];
}

/** Whether a host is that name or below it. */
export function isWithin(host: string, name: string): boolean {
  return host === name || host.endsWith(`.${name}`);
}

/**
 * Browsers keep passkeys for names, not for addresses, and only where nobody listens: over TLS or on this machine.
 * Undefined where they would refuse.
 */
export function relyingParty(
  publicUrl: string,
  origins: ReadonlySet<string>,
  configured: string | undefined,
): RelyingParty | undefined {
  const { hostname, protocol } = new URL(publicUrl);
  const isAddress = hostname.startsWith('[') || /^[\d.]+$/.test(hostname);
  const isLocal = isWithin(hostname, 'localhost');
  if (isAddress || (protocol !== 'https:' && !isLocal)) return undefined;
  const id = configured ?? hostname;
  return { id, origins: [...origins].filter((origin) => isWithin(new URL(origin).hostname, id)) };
}
