import { parse } from 'tldts';

/**
 * Whether a host is an ending below which people who have nothing to do with each other have their websites, as co.uk and
 * github.io are: barring it would bar all of them (the Public Suffix List, with what companies registered there).
 */
export function isPublicEnding(host: string): boolean {
  const { publicSuffix, isIcann, isPrivate } = parse(host, { allowPrivateDomains: true });
  return publicSuffix === host && (isIcann === true || isPrivate === true);
}

export const whyPublic = (host: string): string =>
  `Many websites share the ending ${host}, and all of them would be blocked. Name a single website.`;
