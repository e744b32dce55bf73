/** Marker before the token in a link. */
const marker = '#add=';

/** Returns the token in an address's fragment, or null. */
export function readContactToken(hash: string): string | null {
  return /^[\w-]{22}$/.exec(hash.startsWith(marker) ? hash.slice(marker.length) : '')?.[0] ?? null;
}

/** Returns the token in a scanned code, or null if it is not a link of this installation. */
export function readContactTokenFromCode(code: string, origin: string): string | null {
  const address = URL.parse(code.trim());
  return address?.origin === origin && address.pathname === '/contacts' ? readContactToken(address.hash) : null;
}
