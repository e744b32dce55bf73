/** Returns a provider's host, by which users know it, without the rest of the address. */
export function toProviderHost(issuer: string): string {
  return URL.canParse(issuer) ? new URL(issuer).host : issuer;
}
