import { limits, sanitizeFileName } from '@nolo/rules';
import { parseLink } from '../domain/linkAddress.ts';
import {
  createGuardedFetch,
  createLinkTooLargeError,
  type LinkRequestGuard,
  type RemoteReply,
} from '../links/guardedFetch.ts';

/** Remote file as described by its server; unverified until it is stored. */
interface RemoteFile {
  readonly name: string;
  readonly type: string;
  readonly size: number | undefined;
  readonly remote: RemoteReply;
}

export type FetchFile = (link: string, signal: AbortSignal) => Promise<RemoteFile>;

/** Returns the last path segment of the address after redirects. */
function nameOf({ pathname, hostname }: URL): string {
  const last = pathname.split('/').findLast((pathSegment) => pathSegment !== '') ?? '';
  try {
    return sanitizeFileName(last === '' ? hostname : decodeURIComponent(last));
  } catch {
    return sanitizeFileName(last);
  }
}

/**
 * Fetches files the way link previews fetch pages (design section 7): public addresses only, with every redirect
 * checked.
 */
export function createFetchFile(guard: LinkRequestGuard): FetchFile {
  const fetch = createGuardedFetch(guard);
  return async (link, signal) => {
    const remote = await fetch(parseLink(link, guard.portAllowed), {
      accept: '*/*',
      maxBytes: limits.importBytes,
      uncompressed: true,
      signal,
    });
    if ((remote.size ?? 0) > limits.importBytes) {
      remote.close();
      throw createLinkTooLargeError();
    }
    return {
      name: nameOf(remote.url),
      type: remote.mediaType === '' ? 'application/octet-stream' : remote.mediaType,
      size: remote.size,
      remote,
    };
  };
}
