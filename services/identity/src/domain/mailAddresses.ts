/** Longer than any address may be (RFC 5321, section 4.5.3.1.3). */
const longest = 254;

/** What is a mail address as far as can be told without writing to it; undefined for anything else. */
export function parseMailAddress(input: string): string | undefined {
  const address = input.trim();
  return address.length <= longest && /^[^\s@<>,;]+@[^\s@<>,;]+\.[^\s@<>,;.]+$/.test(address) ? address : undefined;
}

/** By what one address is known, however it is written. */
export const mailKey = (address: string): string => address.normalize('NFKC').toLowerCase();

/** Mail passes through many hands, so an address is told by its first letter and where it is. */
export function maskedMail(address: string): string {
  const at = address.lastIndexOf('@');
  return `${[...address][0] ?? ''}…${at < 0 ? '' : address.slice(at)}`;
}
