import type { LinkPreview } from '@nolo/api';
import { Semaphore } from '@nolo/kit/semaphore';
import { cleanName, cutText, limits } from '@nolo/rules';
import { fileTypeFromBuffer } from 'file-type';
import { parseLink } from '../domain/linkAddress.ts';
import { createGatewayError } from '../errors.ts';
import { createGuardedFetch, type LinkRequestGuard } from './guardedFetch.ts';
import { readPageHead, type PageHead } from './readPageHead.ts';

/** Time limit of one preview, including redirects and the picture. */
const previewTimeoutMs = 5_000;
/** Maximum concurrent previews in this process. Each may hold a page and a picture in memory. */
const maxConcurrentPreviews = 24;

const pages: ReadonlySet<string> = new Set(['text/html', 'application/xhtml+xml']);
/** Formats that browsers display and that cannot contain scripts. Excludes SVG. */
const pictures: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif']);
/** Bytes of a picture needed to detect its format. */
const magicBytes = 4_100;

/** Returns the text as one line, without invisible or bidirectional control characters. */
function cleanPreviewText(text: string | undefined, maxLength: number): string | null {
  const plain = cleanName(text ?? '');
  if (plain === '') return null;
  const cut = cutText(plain, maxLength, 'codePoints');
  return cut === plain ? plain : `${cutText(plain, maxLength - 1, 'codePoints').trimEnd()}…`;
}

function nothingToShow() {
  return createGatewayError('invalid', 'link_without_preview', 'This page has nothing to preview.');
}

export interface LinkPreviewOptions {
  readonly guard: LinkRequestGuard;
  /** Overrides the time limit for tests. */
  readonly timeLimitMs?: number;
}

export type LinkPreviewer = (link: string, gone: AbortSignal) => Promise<LinkPreview>;

/**
 * Previews the page behind a link for a user who is about to send it. The page's metadata is passed on as text; neither
 * it nor the link is stored.
 */
export function createLinkPreviewer({ guard, timeLimitMs = previewTimeoutMs }: LinkPreviewOptions): LinkPreviewer {
  const fetch = createGuardedFetch(guard);
  const looking = new Semaphore({
    atOnce: maxConcurrentPreviews,
    busy: () =>
      createGatewayError(
        'rate_limited',
        'rate_limited',
        'Too many link previews are in progress. Try again in a moment.',
        undefined,
        {
          retryAfterMs: 1_000,
        },
      ),
  });

  /** Returns a data: address, or null on failure, so a preview without a picture still succeeds. */
  const fetchPicture = async (text: string | undefined, page: URL, signal: AbortSignal): Promise<string | null> => {
    if (text === undefined) return null;
    try {
      const remote = await fetch(parseLink(text.trim(), guard.portAllowed, page), {
        accept: [...pictures].join(', '),
        maxBytes: limits.linkPreviewImageBytes,
        signal,
      });
      if (!pictures.has(remote.mediaType)) {
        remote.close();
        return null;
      }
      const chunks: Buffer[] = [];
      for await (const chunk of remote.body) chunks.push(chunk);
      const bytes = Buffer.concat(chunks);
      // The server's content type is trusted only if the bytes confirm it.
      const kind = (await fileTypeFromBuffer(bytes.subarray(0, magicBytes)))?.mime;
      return kind !== undefined && pictures.has(kind) ? `data:${kind};base64,${bytes.toString('base64')}` : null;
    } catch {
      return null;
    }
  };

  const buildPreview = async (link: URL, signal: AbortSignal): Promise<LinkPreview> => {
    const page = await fetch(link, {
      accept: 'text/html, application/xhtml+xml',
      maxBytes: limits.linkPreviewPageBytes,
      signal,
    });
    if (!pages.has(page.mediaType)) {
      page.close();
      throw nothingToShow();
    }
    const head: PageHead = await readPageHead(page.body, page.charset);
    const preview = {
      url: link.href,
      title: cleanPreviewText(head.title, limits.linkPreviewTitleLength),
      description: cleanPreviewText(head.description, limits.linkPreviewDescriptionLength),
      siteName: cleanPreviewText(head.siteName, limits.linkPreviewSiteLength),
      image: await fetchPicture(head.image, page.url, signal),
    };
    if (preview.title === null && preview.description === null && preview.image === null) throw nothingToShow();
    return preview;
  };

  return async (text, gone) => {
    const link = parseLink(text, guard.portAllowed);
    return await looking.take(() => buildPreview(link, AbortSignal.any([AbortSignal.timeout(timeLimitMs), gone])));
  };
}
