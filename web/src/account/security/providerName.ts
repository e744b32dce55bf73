/** A provider as a person knows it: by its address, without the technical rest. */
export function providerName(issuer: string): string {
  return URL.canParse(issuer) ? new URL(issuer).host : issuer;
}
