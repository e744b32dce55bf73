import { limits } from '@nolo/rules';
import { createGatewayError } from '../errors.ts';

/**
 * Returns true for the ports of http and https, where public web pages are. Other ports are for machines, whose
 * protocols an HTTP request can imitate; no preview justifies that risk.
 */
export function isWebPort(port: number): boolean {
  return port === 80 || port === 443;
}

/** Returns the effective port. */
export function portOf({ protocol, port }: URL): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
}

/**
 * Parses a URL to be fetched, or one found on a fetched page. The parser of the URL standard normalizes every notation
 * of an IPv4 address (octal, hexadecimal, a single number).
 *
 * @throws link_invalid for an invalid one, link_refused for one that is not fetched.
 */
export function parseLink(text: string, portAllowed: (port: number) => boolean, base?: URL): URL {
  const link =
    text.length <= limits.linkLength && URL.canParse(text, base?.href) ? new URL(text, base?.href) : undefined;
  if (!link || !/^https?:$/.test(link.protocol) || link.hostname === '') {
    throw createGatewayError('invalid', 'link_invalid', 'The link must be the URL of a web page.');
  }
  // The gateway must not test credentials, and a page behind a password is not for everyone who sees the preview.
  if (link.username !== '' || link.password !== '') {
    throw createGatewayError('invalid', 'link_refused', 'Links with a user name or a password are not supported.');
  }
  if (!portAllowed(portOf(link))) {
    throw createGatewayError('invalid', 'link_refused', 'Only links to standard ports are supported.');
  }
  return link;
}
