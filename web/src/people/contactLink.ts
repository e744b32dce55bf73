/** What stands in a link before the token that finds whom it is of. */
const marker = '#add=';

/** The token in an address that somebody was given, or null. */
export function tokenIn(hash: string): string | null {
  return /^[\w-]{22}$/.exec(hash.startsWith(marker) ? hash.slice(marker.length) : '')?.[0] ?? null;
}

/** The token in what a code says, or null where it is no link of the Nolo at this origin. */
export function tokenInCode(code: string, origin: string): string | null {
  const address = URL.parse(code.trim());
  return address?.origin === origin && address.pathname === '/contacts' ? tokenIn(address.hash) : null;
}
