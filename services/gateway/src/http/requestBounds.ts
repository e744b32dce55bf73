import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { createGatewayError } from '../errors.ts';

/**
 * Maximum bytes of a URL with its query; the contracts of routes have smaller limits for its contents. The longest are
 * Chinese file names, with nine bytes for each of their 1,024 characters, and the responses of sign-in providers.
 */
const maxUrlBytes = 12_288;

/** Maximum bytes of a header. Credentials for proxies are long, and Nolo ignores headers that it does not use. */
const maxHeaderBytes = 8_192;

/** Maximum bytes of headers that are parsed here or in a library. None is that long in any valid request. */
const maxParsedHeaderBytes = 1_024;
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
 * Checks the lengths of the URL and the headers before anything else reads them. Node refuses more than 16 KiB of both
 * together.
 *
 * @throws address_too_long, header_too_long
 */
export function checkRequestBounds({ url = '', headers }: Pick<IncomingMessage, 'url' | 'headers'>): void {
  // Node decodes both as latin1, so each character is a byte.
  if (url.length > maxUrlBytes) {
    const words = `The request URL is longer than ${maxUrlBytes} bytes.`;
    throw createGatewayError('invalid', 'address_too_long', words, { maxBytes: maxUrlBytes });
  }
  for (const [header, value = ''] of Object.entries(headers)) {
    // Browsers send the cookies of the whole site, and nobody can shorten them. They are searched in one pass.
    if (header === 'cookie') continue;
    const maxBytes = readHeaders.has(header) ? maxParsedHeaderBytes : maxHeaderBytes;
    const length = typeof value === 'string' ? value.length : value.reduce((sum, one) => sum + one.length, 0);
    if (length <= maxBytes && header.length <= maxParsedHeaderBytes) continue;
    const name = header.slice(0, 100); // Cuts: ASCII
    const words = `The header ${name} is longer than ${length > maxBytes ? maxBytes : maxParsedHeaderBytes} bytes.`;
    throw createGatewayError('invalid', 'header_too_long', words, { header: name });
  }
}

export const enforceRequestBounds: RequestHandler = (request, _response, next) => {
  checkRequestBounds(request);
  next();
};
