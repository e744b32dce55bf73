import { betweenAddresses, findLinks } from './links.ts';

/**
 * Hosts that operators of an installation bar: nothing leads there, and nothing is fetched from there. In a list a host
 * stands for itself, and with `*.` before it for all below it as well. Names are as URLs have them: in lower case, in the
 * spelling of domain names (RFC 3492), and without a port or a dot at the end.
 */

/** How many there are at most, how many are barred at a time, how many a page shows, and characters of a name. */
export const barredHostLimits = { hosts: 10_000, atOnce: 100, perPage: 100, nameLength: 253 } as const;

/** No address that people exchange is longer. */
const mostLength = 2_048;
const withEnding = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)+$/;

/** A loop, because a regular expression would try the end of each of many dots. */
function withoutDot(hostname: string): string {
  let end = hostname.length;
  while (hostname[end - 1] === '.') end -= 1;
  return hostname.slice(0, end);
}

/** The host that somebody names, by itself or in an address; undefined where none can be barred by that, as by an ending. */
export function readHost(text: string): string | undefined {
  const named = text.trim().replace(/^\*\./, '');
  const address = /^https?:\/\//i.test(named) ? named : `http://${named}`;
  if (named === '' || address.length > mostLength || !URL.canParse(address)) return undefined;
  const host = withoutDot(new URL(address).hostname);
  return host.length <= barredHostLimits.nameLength && (withEnding.test(host) || host.startsWith('['))
    ? host
    : undefined;
}

/** As it stands in the list. */
export const barredEntry = (host: string, withSubdomains: boolean): string => (withSubdomains ? `*.${host}` : host);

/** Whether the list bars a host, as URLs have it. */
export function isBarred(list: ReadonlySet<string>, hostname: string): boolean {
  if (list.size === 0) return false;
  const host = withoutDot(hostname);
  if (list.has(host)) return true;
  // No entry is longer, so what stands further left need not be looked for.
  for (let at = Math.max(0, host.length - barredHostLimits.nameLength); at !== -1;) {
    if (list.has(`*.${host.slice(at)}`)) return true;
    const dot = host.indexOf('.', at);
    at = dot === -1 ? -1 : dot + 1;
  }
  return false;
}

/** Marks of the sentence after a host. The lookbehind makes a search try each run of them once. */
const marksAtEnd = /(?<![.:!?…'’])[.:!?…'’]+$/u;

/** The first barred host that a text names, whether as a link or not: others make links of bare names, too. */
export function barredHostIn(list: ReadonlySet<string>, text: string): string | undefined {
  if (list.size === 0) return undefined;
  const hosts = findLinks(text).flatMap(({ href }) => (href === null ? [] : [new URL(href).hostname]));
  for (const word of text.split(betweenAddresses)) {
    if (word.includes('.')) hosts.push(readHost(word.replace(marksAtEnd, '')) ?? '');
  }
  return hosts.find((host) => isBarred(list, host));
}
