import { parse } from 'tldts';

/**
 * Returns true for hosts like co.uk and github.io, below which unrelated people have websites and which must not be
 * barred (Public Suffix List, including the private section).
 */
export function isPublicSuffix(host: string): boolean {
  const { publicSuffix, isIcann, isPrivate } = parse(host, { allowPrivateDomains: true });
  return publicSuffix === host && (isIcann === true || isPrivate === true);
}

export const describePublicSuffix = (host: string): string =>
  `Many websites share the ending ${host}, and all of them would be blocked. Name a single website.`;
