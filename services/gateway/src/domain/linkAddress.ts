import { limits } from '@nolo/rules';
import { failGateway } from '../errors.ts';

/**
 * Web pages for everybody are at the ports of http and https. At all others machines talk among themselves, in
 * protocols that an HTTP request can be made to speak; a preview of what lies there is not worth finding out which.
 */
export function isWebPort(port: number): boolean {
  return port === 80 || port === 443;
}

/** The port that is really asked. */
export function portOf({ protocol, port }: URL): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
}

/**
 * An address of the web as it may be fetched, or as a page that was fetched named it. The parser of the URL standard
 * turns every notation of an IPv4 address (octal, hexadecimal, one number) into the usual one.
 *
 * @throws link_invalid for what is none, link_refused for one that is not fetched.
 */
export function parseLink(text: string, portAllowed: (port: number) => boolean, base?: URL): URL {
  const link =
    text.length <= limits.linkLength && URL.canParse(text, base?.href) ? new URL(text, base?.href) : undefined;
  if (!link || !/^https?:$/.test(link.protocol) || link.hostname === '') {
    throw failGateway('invalid', 'link_invalid', 'This is no address of a web page.');
  }
  // Who may use them is not for us to find out, and a page behind a password is not for everybody who sees the preview.
  if (link.username !== '' || link.password !== '') {
    throw failGateway('invalid', 'link_refused', 'Links with a name and a password are not looked at.');
  }
  if (!portAllowed(portOf(link))) {
    throw failGateway('invalid', 'link_refused', 'Only links to the usual ports are looked at.');
  }
  return link;
}
