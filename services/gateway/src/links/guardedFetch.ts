import http, { type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import { isAppError } from '@nolo/kit/errors';
import { resolveAllowedAddresses, createPinnedLookup, type OutboundGuard } from '@nolo/kit/outbound';
import { parseLink } from '../domain/linkAddress.ts';
import { createGatewayError } from '../errors.ts';

/** Rules for where a request may go. Tests override them to reach their own server. */
export interface LinkRequestGuard extends OutboundGuard {
  readonly portAllowed: (port: number) => boolean;
  /** True for hosts barred by operators. Absent if none are barred. */
  readonly isBarred?: (hostname: string) => boolean;
}

/** Response of an untrusted server. */
export interface RemoteReply {
  /** Final address after redirects. */
  readonly url: URL;
  /** Media type without parameters, in lower case. Empty if the server does not send it. */
  readonly mediaType: string;
  readonly charset: string | undefined;
  /** Size of the body in bytes, if the server sends it and the body is uncompressed. */
  readonly size: number | undefined;
  /**
   * Decompressed body. Ending the iteration early closes the connection. Fails with `link_too_large` beyond the limit.
   */
  readonly body: AsyncIterable<Buffer>;
  /** Closes the connection when the body is not read. */
  close(): void;
}

interface GuardedFetchOptions {
  readonly accept: string;
  /** Maximum bytes to read, both compressed and uncompressed. */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  /** Requests the body without compression, for files that are stored as they are. */
  readonly uncompressed?: boolean;
}

export type GuardedFetch = (link: URL, options: GuardedFetchOptions) => Promise<RemoteReply>;

const maxRedirects = 5;
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * Fixed user agent, so a site cannot distinguish users: requests carry no cookie, referrer, language, or personal data.
 */
const userAgent = 'Mozilla/5.0 (compatible; Nolo link preview)';

function createLinkUnreachableError(cause?: unknown) {
  return createGatewayError('invalid', 'link_unreachable', 'The page cannot be reached.', undefined, { cause });
}

export function createLinkTooLargeError() {
  return createGatewayError('invalid', 'link_too_large', 'The page is too large.');
}

function createLinkBarredError() {
  return createGatewayError('invalid', 'link_barred', 'The operators have barred this host.');
}

/** Resolves a name to its current addresses and returns the allowed ones, the only ones to connect to. */
async function addressesOf(link: URL, guard: LinkRequestGuard, signal: AbortSignal): Promise<readonly string[]> {
  if (guard.isBarred?.(link.hostname) === true) throw createLinkBarredError();
  const found = await resolveAllowedAddresses(link, guard, signal);
  if (found === 'nowhere') throw createLinkUnreachableError();
  if (found === 'refused')
    throw createGatewayError('invalid', 'link_refused', 'This address is not on the public internet.');
  return found;
}

function request(
  link: URL,
  addresses: readonly string[],
  { accept, signal, uncompressed = false }: GuardedFetchOptions,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const begin = link.protocol === 'https:' ? https.request : http.request;
    begin(link, {
      // Requests share nothing: no connection and no session.
      agent: false,
      lookup: createPinnedLookup(addresses),
      signal,
      maxHeaderSize: 16_384,
      headers: { accept, 'accept-encoding': uncompressed ? 'identity' : 'gzip, br', 'user-agent': userAgent },
    })
      .on('response', resolve)
      // Protocol upgrades are never requested.
      .on('upgrade', (_response, socket) => {
        socket.destroy();
        reject(createLinkUnreachableError());
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

/** Passes chunks through and fails once the limit is exceeded. */
function capped(maxBytes: number) {
  return async function* (chunks: AsyncIterable<Buffer>) {
    let bytes = 0;
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw createLinkTooLargeError();
      yield chunk;
    }
  };
}

/** Limits compressed and decompressed bytes while streaming, so decompression bombs fail early. */
async function* bodyOf(response: IncomingMessage, maxBytes: number): AsyncGenerator<Buffer> {
  const encoding = response.headers['content-encoding']?.trim().toLowerCase() ?? '';
  const decoder =
    encoding === 'gzip' || encoding === 'x-gzip'
      ? createGunzip()
      : encoding === 'br'
        ? createBrotliDecompress()
        : undefined;
  if (!decoder && encoding !== '' && encoding !== 'identity') {
    response.destroy();
    throw createLinkUnreachableError();
  }
  try {
    // The loop below throws errors of either end; `pipeline` merely requires a callback.
    const chunks: Readable = decoder ? pipeline(response, capped(maxBytes), decoder, () => undefined) : response;
    yield* capped(maxBytes)(chunks);
  } catch (error) {
    throw isAppError(error) ? error : createLinkUnreachableError(error);
  } finally {
    response.destroy();
  }
}

/**
 * Fetches user-supplied links from untrusted servers (design section 7). Every address, including those of redirects,
 * is parsed, resolved once, and checked, and the connection uses exactly the checked address. The signal aborts every
 * stage.
 *
 * @throws link_invalid, link_refused, link_barred, link_unreachable.
 */
export function createGuardedFetch(guard: LinkRequestGuard): GuardedFetch {
  return async (link, options) => {
    let url = link;
    for (let hop = 0; hop <= maxRedirects; hop += 1) {
      let response: IncomingMessage;
      try {
        response = await request(url, await addressesOf(url, guard, options.signal), options);
      } catch (error) {
        throw isAppError(error) ? error : createLinkUnreachableError(error);
      }
      const { statusCode = 0, headers } = response;
      if (redirects.has(statusCode) && headers.location !== undefined) {
        response.destroy();
        url = parseLink(headers.location, guard.portAllowed, url);
        continue;
      }
      if (statusCode !== 200) {
        response.destroy();
        throw createLinkUnreachableError();
      }
      const [mediaType = '', ...parameters] = (headers['content-type'] ?? '')
        .split(';')
        .map((parameter) => parameter.trim());
      const charset = parameters.map((parameter) => /^charset="?([^"\s]+)"?$/i.exec(parameter)?.[1]).find(Boolean);
      return {
        url,
        mediaType: mediaType.toLowerCase(),
        charset,
        size: sizeOf(headers),
        body: bodyOf(response, options.maxBytes),
        close: () => response.destroy(),
      };
    }
    throw createGatewayError('invalid', 'link_unreachable', 'The page redirects too many times.');
  };
}
