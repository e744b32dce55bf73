import { hostSeparatorPattern, splitTextAtLinks } from './links.ts';

/**
 * Hosts that the installation's operators bar: no links lead there, and nothing is fetched from there. A list entry
 * covers the host itself, and with `*.` in front all subdomains too. Names are normalized as in URLs: lower case, DNS
 * form (RFC 3492), without port or trailing dot.
 */

/** Maximum hosts in total, per request and per page, and maximum characters of a name. */
export const barredHostLimits = { hosts: 10_000, atOnce: 100, perPage: 100, nameLength: 253 } as const;

/** Maximum length of URLs that people exchange. */
const maxUrlLength = 2_048;
const withEnding = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)+$/;

/** A loop, because a regular expression would backtrack over many dots. */
function withoutDot(hostname: string): string {
  let end = hostname.length;
  while (hostname[end - 1] === '.') end -= 1;
  return hostname.slice(0, end);
}

/**
 * Returns the host in a text, given by itself or as a URL; undefined if it cannot be barred, such as a public suffix.
 */
export function parseBarrableHost(text: string): string | undefined {
  const named = text.trim().replace(/^\*\./, '');
  const address = /^https?:\/\//i.test(named) ? named : `http://${named}`;
  if (named === '' || address.length > maxUrlLength || !URL.canParse(address)) return undefined;
  const host = withoutDot(new URL(address).hostname);
  return host.length <= barredHostLimits.nameLength && (withEnding.test(host) || host.startsWith('['))
    ? host
    : undefined;
}

/** Returns the list entry of a host. */
export const formatBarredHost = (host: string, withSubdomains: boolean): string =>
  withSubdomains ? `*.${host}` : host;

/** Returns true if the list bars a host, which is normalized as in URLs. */
export function isBarred(list: ReadonlySet<string>, hostname: string): boolean {
  if (list.size === 0) return false;
  const host = withoutDot(hostname);
  if (list.has(host)) return true;
  // Entries are never longer, so positions further left need no lookup.
  for (let at = Math.max(0, host.length - barredHostLimits.nameLength); at !== -1;) {
    if (list.has(`*.${host.slice(at)}`)) return true;
    const dot = host.indexOf('.', at);
    at = dot === -1 ? -1 : dot + 1;
  }
  return false;
}

/** Punctuation after a host in a sentence. The lookbehind makes a search try each run only once. */
const trailingPunctuation = /(?<![.:!?…'’])[.:!?…'’]+$/u;

/** Returns the first barred host in a text, linked or not, because other programs turn bare names into links. */
export function findBarredHost(list: ReadonlySet<string>, text: string): string | undefined {
  if (list.size === 0) return undefined;
  const hosts = splitTextAtLinks(text).flatMap(({ href }) => (href === null ? [] : [new URL(href).hostname]));
  for (const word of text.split(hostSeparatorPattern)) {
    if (word.includes('.')) hosts.push(parseBarrableHost(word.replace(trailingPunctuation, '')) ?? '');
  }
  return hosts.find((host) => isBarred(list, host));
}
