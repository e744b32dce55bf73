import http, { type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import { isAppError } from '@nolo/kit/errors';
import { addressesFor, pinnedLookup, type OutboundGuard } from '@nolo/kit/outbound';
import { parseLink } from '../domain/linkAddress.ts';
import { failGateway } from '../errors.ts';

/** What decides where a request may go. Tests put in what lets them reach a server of their own. */
export interface LinkGuard extends OutboundGuard {
  readonly portAllowed: (port: number) => boolean;
  /** Of hosts that operators bar; absent where they bar none. */
  readonly isBarred?: (hostname: string) => boolean;
}

/** The answer of a server that nobody here knows. */
export interface Remote {
  /** Where the last redirect led. */
  readonly url: URL;
  /** Without parameters, in lower case; empty where it is not told. */
  readonly mediaType: string;
  readonly charset: string | undefined;
  /** Bytes of the body, where that is told and not compressed. */
  readonly size: number | undefined;
  /** Uncompressed. Whoever stops reading closes the connection. Fails with `link_too_large` beyond the limit. */
  readonly body: AsyncIterable<Buffer>;
  /** For whoever reads nothing of it. */
  close(): void;
}

export interface FetchOptions {
  readonly accept: string;
  /** Bytes that are read, compressed and uncompressed. */
  readonly mostBytes: number;
  readonly signal: AbortSignal;
  /** What is fetched for its own sake is wanted as it is. */
  readonly uncompressed?: boolean;
}

export type GuardedFetch = (link: URL, options: FetchOptions) => Promise<Remote>;

const mostRedirects = 5;
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Fixed, so that a site sees the same whoever asks: no cookie, no referrer, no language, nothing of the person. */
const userAgent = 'Mozilla/5.0 (compatible; Nolo link preview)';

export function linkUnreachable(cause?: unknown) {
  return failGateway('invalid', 'link_unreachable', 'The page cannot be reached.', undefined, { cause });
}

export function linkTooLarge() {
  return failGateway('invalid', 'link_too_large', 'The page is too large to look at.');
}

export function linkBarred() {
  return failGateway('invalid', 'link_barred', 'The operators have barred this host.');
}

/** The addresses that a name has now, of which only those that are allowed are ever connected to. */
async function addressesOf(link: URL, guard: LinkGuard, signal: AbortSignal): Promise<readonly string[]> {
  if (guard.isBarred?.(link.hostname) === true) throw linkBarred();
  const found = await addressesFor(link, guard, signal);
  if (found === 'nowhere') throw linkUnreachable();
  if (found === 'refused') throw failGateway('invalid', 'link_refused', 'This address is not on the public internet.');
  return found;
}

function request(
  link: URL,
  addresses: readonly string[],
  { accept, signal, uncompressed = false }: FetchOptions,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const begin = link.protocol === 'https:' ? https.request : http.request;
    begin(link, {
      // Nothing of one request is left for the next: no connection, no session.
      agent: false,
      lookup: pinnedLookup(addresses),
      signal,
      maxHeaderSize: 16_384,
      headers: { accept, 'accept-encoding': uncompressed ? 'identity' : 'gzip, br', 'user-agent': userAgent },
    })
      .on('response', resolve)
      // Nobody asked for another protocol.
      .on('upgrade', (_response, socket) => {
        socket.destroy();
        reject(linkUnreachable());
      })
      .on('error', reject)
      .end();
  });
}

function sizeOf(headers: IncomingHttpHeaders): number | undefined {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  const length = /^\d{1,15}$/.test(headers['content-length'] ?? '') ? Number(headers['content-length']) : undefined;
  return encoding === 'identity' || encoding === '' ? length : undefined;
}

/** Passes on what comes until it is too much. */
function capped(mostBytes: number) {
  return async function* (chunks: AsyncIterable<Buffer>) {
    let bytes = 0;
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (bytes > mostBytes) throw linkTooLarge();
      yield chunk;
    }
  };
}

/** Bombs burst early: both what arrives and what becomes of it are counted as they come. */
async function* bodyOf(response: IncomingMessage, mostBytes: number): AsyncGenerator<Buffer> {
  const encoding = response.headers['content-encoding']?.trim().toLowerCase() ?? '';
  const decoder =
    encoding === 'gzip' || encoding === 'x-gzip'
      ? createGunzip()
      : encoding === 'br'
        ? createBrotliDecompress()
        : undefined;
  if (!decoder && encoding !== '' && encoding !== 'identity') {
    response.destroy();
    throw linkUnreachable();
  }
  try {
    // The error of either end comes out of the loop below; the callback is there because there must be one.
    const chunks: Readable = decoder ? pipeline(response, capped(mostBytes), decoder, () => undefined) : response;
    yield* capped(mostBytes)(chunks);
  } catch (error) {
    throw isAppError(error) ? error : linkUnreachable(error);
  } finally {
    response.destroy();
  }
}

/**
 * Fetches what strangers named, from servers that strangers run (design section 7). Each address on the way, the first
 * as well as those of redirects, is parsed, looked up once and checked, and the connection goes to exactly what was
 * checked. The signal ends all of it, wherever it is.
 *
 * @throws link_invalid, link_refused, link_barred, link_unreachable.
 */
export function createGuardedFetch(guard: LinkGuard): GuardedFetch {
  return async (link, options) => {
    let url = link;
    for (let hop = 0; hop <= mostRedirects; hop += 1) {
      let response: IncomingMessage;
      try {
        response = await request(url, await addressesOf(url, guard, options.signal), options);
      } catch (error) {
        throw isAppError(error) ? error : linkUnreachable(error);
      }
      const { statusCode = 0, headers } = response;
      if (redirects.has(statusCode) && headers.location !== undefined) {
        response.destroy();
        url = parseLink(headers.location, guard.portAllowed, url);
        continue;
      }
      if (statusCode !== 200) {
        response.destroy();
        throw linkUnreachable();
      }
      const [mediaType = '', ...parameters] = (headers['content-type'] ?? '').split(';').map((part) => part.trim());
      const charset = parameters.map((part) => /^charset="?([^"\s]+)"?$/i.exec(part)?.[1]).find(Boolean);
      return {
        url,
        mediaType: mediaType.toLowerCase(),
        charset,
        size: sizeOf(headers),
        body: bodyOf(response, options.mostBytes),
        close: () => response.destroy(),
      };
    }
    throw failGateway('invalid', 'link_unreachable', 'The page leads from one address to the next.');
  };
}
