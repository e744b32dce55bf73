import { socialTextCounters, cutText } from '@nolo/rules';
import { z } from 'zod';
import {
  createPlatformHttpClient,
  parseEpochSecondsHeader,
  mapStatusToError,
  earliestOwnPostTime,
  parseRetryAfter,
  waitUntilMediaReady,
  type MapRefusalToError,
} from './http.ts';
import { createOAuthClient, type OAuthApp } from './oauth.ts';
import { PlatformError } from '../domain/PlatformError.ts';
import type {
  PublishAttempt,
  PlatformConnection,
  PostLookupResult,
  PostMedia,
  Platform,
  PlatformLimits,
  PlatformPost,
} from '../domain/platform.ts';
import { isSameText } from './text.ts';

/**
 * https://docs.x.com/fundamentals/counting-characters and https://docs.x.com/x-api/media/quickstart/best-practices (API
 * v2, 2025)
 */
export const xLimits: PlatformLimits = {
  text: 280,
  measure: socialTextCounters.twitter,
  needsMedia: false,
  images: 4,
  imageTypes: ['image/jpeg', 'image/png', 'image/webp', 'image/gif'],
  imageBytes: 5 * 1024 * 1024,
  videos: 1,
  videoTypes: ['video/mp4', 'video/quicktime'],
  videoBytes: 512 * 1024 * 1024,
  mixes: false,
  fetches: [],
  altText: 1_000,
};

/** https://docs.x.com/x-api/fundamentals/response-codes-and-errors */
const problem = z.object({
  title: z.string().optional(),
  detail: z.string().optional(),
  type: z.string().optional(),
  reason: z.string().optional(),
  errors: z.array(z.looseObject({ message: z.string().optional(), code: z.number().optional() })).optional(),
});
const me = z.object({ data: z.object({ id: z.string(), name: z.string(), username: z.string() }) });
const created = z.object({ data: z.object({ id: z.string() }) });
/** https://docs.x.com/x-api/media/quickstart/media-upload-chunked */
const upload = z.object({
  data: z.object({
    id: z.string(),
    processing_info: z
      .object({
        state: z.string(),
        check_after_secs: z.number().optional(),
        error: z.looseObject({ name: z.string().optional() }).optional(),
      })
      .optional(),
  }),
});
const timeline = z.object({
  data: z
    .array(
      z.object({
        id: z.string(),
        text: z.string(),
        entities: z
          .object({
            urls: z
              .array(
                z.object({ url: z.string(), expanded_url: z.string().optional(), media_key: z.string().optional() }),
              )
              .optional(),
          })
          .optional(),
      }),
    )
    .optional(),
});

/** Maximum posts per query, as permitted by the API. */
const maxPostsPerLookUp = 100;

/** The API permits 1 to 5 MB. */
const chunkBytes = 4 * 1024 * 1024;

const explain: MapRefusalToError = (reply) => {
  const { title = '', detail = '', type = '', errors = [] } = problem.safeParse(reply.body).data ?? {};
  const code = type.split('/').pop() || errors[0]?.code;
  const details = { status: reply.status, code };
  const words = `${title} ${detail} ${errors.map(({ message }) => message ?? '').join(' ')}`;
  if (reply.status === 429) {
    // The monthly cap is named in the error's type, and no header contains its reset.
    const retryAt = parseEpochSecondsHeader(reply.headers, 'x-rate-limit-reset') ?? parseRetryAfter(reply);
    return new PlatformError('rate_limited', { ...details, retryAt });
  }
  if (reply.status === 403 && /duplicate/i.test(words)) return new PlatformError('duplicate', details);
  if (reply.status === 403 && /suspend|locked/i.test(words)) return new PlatformError('account_suspended', details);
  if (/too long|exceed.*length|length.*exceed/i.test(words)) return new PlatformError('text_too_long', details);
  if (reply.status === 400 && /media/i.test(words)) return new PlatformError('media_refused', details);
  if (reply.status === 403 && !/scope|permission|oauth|client-forbidden/i.test(`${words} ${type}`)) {
    return new PlatformError('content_refused', details);
  }
  return mapStatusToError(reply, code);
};

export interface XOptions extends OAuthApp {
  /** Replaces https://x.com and https://api.x.com. */
  readonly url?: string | undefined;
}

/**
 * Client of X's API v2 with OAuth 2.0 and PKCE:
 * https://docs.x.com/fundamentals/authentication/oauth-2-0/authorization-code
 */
export function createX(options: XOptions): Platform {
  const api = options.url ?? 'https://api.x.com';
  const http = createPlatformHttpClient(explain, options.clock);
  const oauth = createOAuthClient({
    ...options,
    authorizeUrl: `${options.url ?? 'https://x.com'}/i/oauth2/authorize`,
    tokenUrl: `${api}/2/oauth2/token`,
    revokeUrl: `${api}/2/oauth2/revoke`,
    scope: 'tweet.read tweet.write users.read media.write offline.access',
    pkce: true,
    proof: 'basic',
  });

  return {
    id: 'twitter',
    limits: xLimits,
    connect: {
      kind: 'oauth',
      begin: (beginning) => oauth.begin(beginning),
      async finish(pending, callback, signal) {
        const tokens = await oauth.exchange(pending, callback);
        const { data } = await http.read(`${api}/2/users/me`, me, { token: tokens.access, signal });
        return [{ account: { id: data.id, name: `@${data.username}` }, tokens }];
      },
    },
    async refresh({ tokens }) {
      // Each refresh token works once.
      if (!tokens.refresh) throw new PlatformError('authentication_expired');
      return await oauth.refresh(tokens.refresh);
    },
    async revoke({ tokens }) {
      await oauth.revoke(tokens.refresh ?? tokens.access);
    },
    async publish({ tokens }, post, attempt) {
      const { access: token } = tokens;
      const { signal } = attempt;
      const ids: string[] = [];
      for (const media of post.media) ids.push(await uploadMedia(http, api, media, { token, signal }));
      await attempt.committing();
      const { data } = await http.read(`${api}/2/tweets`, created, {
        method: 'POST',
        token,
        json: { text: post.text, ...(ids.length > 0 && { media: { media_ids: ids } }) },
        signal,
        commits: true,
      });
      return { id: data.id, address: `https://x.com/i/status/${data.id}` };
    },
    find: (connection, post, attempt) => find(connection, post, attempt),
  };

  /** https://docs.x.com/x-api/users/get-posts; the text contains t.co instead of each link. */
  async function find(
    { account, tokens }: PlatformConnection,
    post: PlatformPost,
    { since, signal }: Pick<PublishAttempt, 'since' | 'signal'>,
  ): Promise<PostLookupResult> {
    const { data = [] } = await http.read(`${api}/2/users/${account.id}/tweets`, timeline, {
      query: {
        max_results: String(maxPostsPerLookUp),
        start_time: earliestOwnPostTime(since)
          .toISOString()
          .replace(/\.\d+Z$/, 'Z'),
        'tweet.fields': 'created_at,entities',
      },
      token: tokens.access,
      signal,
    });
    for (const { id, text, entities } of data) {
      const whole = (entities?.urls ?? []).reduce(
        (written, { url, expanded_url, media_key }) =>
          written.replace(url, () => (media_key ? '' : (expanded_url ?? url))),
        unescapeX(text),
      );
      // X also turns bare hosts into links and adds the scheme.
      if (isSameText(withoutScheme(whole), withoutScheme(post.text)))
        return { state: 'published', post: { id, address: `https://x.com/i/status/${id}` } };
    }
    // Posts beyond one page are unknown.
    return { state: data.length < maxPostsPerLookUp ? 'absent' : 'unknown' };
  }
}

const withoutScheme = (text: string): string => text.replace(/https?:\/\//giu, '');

/** Decodes the three symbols that X encodes as entities. */
const unescapeX = (text: string): string => text.replace(/&lt;/g, '<').replace(/&gt;/g, '>').replace(/&amp;/g, '&');

type Authorised = { token: PlatformConnection['tokens']['access']; signal: AbortSignal };

/** Uploads through INIT, APPEND, FINALIZE, and STATUS until ready, each at its own address since 2025. */
async function uploadMedia(
  http: ReturnType<typeof createPlatformHttpClient>,
  api: string,
  media: PostMedia,
  { token, signal }: Authorised,
): Promise<string> {
  const base = `${api}/2/media/upload`;
  const category =
    media.kind === 'video' ? 'tweet_video' : media.mimeType === 'image/gif' ? 'tweet_gif' : 'tweet_image';
  const json = { media_type: media.mimeType, total_bytes: media.bytes, media_category: category };
  const { data } = await http.read(`${base}/initialize`, upload, { method: 'POST', token, json, signal });
  for (let start = 0, index = 0; start < media.bytes; start += chunkBytes, index += 1) {
    const chunk = await media.read(start, Math.min(start + chunkBytes, media.bytes));
    const body = new FormData();
    body.set('segment_index', String(index));
    body.set('media', new Blob([chunk as Uint8Array<ArrayBuffer>]), 'media');
    await http.call(`${base}/${data.id}/append`, { method: 'POST', token, body, signal });
  }
  let state = await http.read(`${base}/${data.id}/finalize`, upload, { method: 'POST', token, signal });
  await waitUntilMediaReady(
    async () => {
      const {
        state: name,
        check_after_secs: seconds = 1,
        error,
      } = state.data.processing_info ?? { state: 'succeeded' };
      if (name === 'succeeded') return { ready: true };
      if (name === 'failed') throw new PlatformError('media_refused', { code: error?.name });
      state = await http.read(base, upload, { query: { command: 'STATUS', media_id: data.id }, token, signal });
      return { ready: false, waitMs: seconds * 1_000 };
    },
    { clock: http.clock, signal },
  );
  if (media.altText !== '') {
    const text = cutText(media.altText, xLimits.altText);
    const alt = { id: data.id, metadata: { alt_text: { text } } };
    await http.call(`${api}/2/media/metadata`, { method: 'POST', token, json: alt, signal });
  }
  return data.id;
}
