/** Maximum length of an address (RFC 5321, section 4.5.3.1.3). */
const longest = 254;

/**
 * Returns the address if it looks valid, which is all that can be checked without sending to it. Otherwise undefined.
 */
export function parseMailAddress(input: string): string | undefined {
  const address = input.trim();
  return address.length <= longest && /^[^\s@<>,;]+@[^\s@<>,;]+\.[^\s@<>,;.]+$/.test(address) ? address : undefined;
}

/** Returns the key of an address, independent of how it is written. */
export const normalizeMailAddress = (address: string): string => address.normalize('NFKC').toLowerCase();

/** Masks an address to its first letter and domain, because email passes through many hands. */
export function maskMailAddress(address: string): string {
  const at = address.lastIndexOf('@');
  return `${[...address][0] ?? ''}…${at < 0 ? '' : address.slice(at)}`;
}
