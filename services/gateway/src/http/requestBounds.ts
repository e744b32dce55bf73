import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { failGateway } from '../errors.ts';

/**
 * Bytes of an address with its query; what it names in it has smaller limits in the contracts of the routes. The longest are
 * the name of a file in Chinese, nine bytes for each of its 1,024 characters, and what sign-in providers send back.
 */
const mostAddressBytes = 12_288;

/** Bytes of a header. Passes of proxies are long, and whatever Nolo does not read is passed over. */
const mostHeaderBytes = 8_192;

/** Bytes of headers that are taken apart, here or in a library. None of them is as long in any request that is served. */
const mostReadHeaderBytes = 1_024;
const readHeaders: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'forwarded',
  'host',
  'if-modified-since',
  'if-none-match',
  'if-range',
  'origin',
  'range',
  'sec-websocket-extensions',
  'sec-websocket-key',
  'sec-websocket-protocol',
  'sec-websocket-version',
  'traceparent',
  'transfer-encoding',
  'upgrade',
  'x-forwarded-for',
]);

/**
 * Holds the address and the headers of a request against their lengths, before anything else reads them. Node refuses a
 * request whose address and headers have more than 16 KiB together.
 *
 * @throws address_too_long, header_too_long
 */
export function checkRequestBounds({ url = '', headers }: Pick<IncomingMessage, 'url' | 'headers'>): void {
  // Node reads both as latin1, so a character is a byte.
  if (url.length > mostAddressBytes) {
    const words = `The address of the request is longer than ${mostAddressBytes} bytes.`;
    throw failGateway('invalid', 'address_too_long', words, { maxBytes: mostAddressBytes });
  }
  for (const [header, value = ''] of Object.entries(headers)) {
    // Browsers send the cookies of all that shares the site, and nobody can shorten them. They are searched in one pass.
    if (header === 'cookie') continue;
    const maxBytes = readHeaders.has(header) ? mostReadHeaderBytes : mostHeaderBytes;
    const length = typeof value === 'string' ? value.length : value.reduce((sum, one) => sum + one.length, 0);
    if (length <= maxBytes && header.length <= mostReadHeaderBytes) continue;
    const name = header.slice(0, 100); // Cuts: ASCII
    const words = `The header ${name} is longer than ${length > maxBytes ? maxBytes : mostReadHeaderBytes} bytes.`;
    throw failGateway('invalid', 'header_too_long', words, { header: name });
  }
}

export const requestBounds: RequestHandler = (request, _response, next) => {
  checkRequestBounds(request);
  next();
};
