import { Secret } from '@nolo/kit/config';
import { socialTextCounters, cutText } from '@nolo/rules';
import { z } from 'zod';
import {
  createPlatformHttpClient,
  mapStatusToError,
  earliestOwnPostTime,
  parseRetryAfter,
  waitUntilMediaReady,
  dateIfValid,
  type MapRefusalToError,
} from './http.ts';
import { createOAuthClient, type OAuthClient, type AdapterOptions } from './oauth.ts';
import { PlatformError } from '../domain/PlatformError.ts';
import type { PlatformConnection, HiddenSecret, PostMedia, Platform, PlatformLimits } from '../domain/platform.ts';
import { isSameText, extractTextFromHtml } from './text.ts';

/** https://docs.joinmastodon.org/user/posting/ (4.5); servers may permit more */
export const mastodonLimits: PlatformLimits = {
  text: 500,
  measure: socialTextCounters.mastodon,
  needsMedia: false,
  images: 4,
  imageTypes: ['image/jpeg', 'image/png', 'image/gif', 'image/webp'],
  imageBytes: 16 * 1024 * 1024,
  imagePixels: 33_177_600,
  videos: 1,
  videoTypes: ['video/mp4', 'video/quicktime', 'video/webm'],
  videoBytes: 99 * 1024 * 1024,
  mixes: false,
  fetches: [],
  altText: 1_500,
};

const refusal = z.object({ error: z.string().optional() });
const app = z.object({ client_id: z.string().min(1), client_secret: z.string().min(1) });
const me = z.object({ id: z.string(), acct: z.string() });
const status = z.object({ id: z.string(), url: z.string().nullish() });
const attachment = z.object({ id: z.string(), url: z.string().nullish() });
const statuses = z.array(
  z.object({ id: z.string(), url: z.string().nullish(), content: z.string(), created_at: z.string() }),
);

/** https://docs.joinmastodon.org/entities/Error and https://docs.joinmastodon.org/api/rate-limits */
const explain: MapRefusalToError = (reply) => {
  const { error: words = '' } = refusal.safeParse(reply.body).data ?? {};
  const details = { status: reply.status };
  if (reply.status === 429) {
    const reset = dateIfValid(new Date(reply.headers.get('x-ratelimit-reset') ?? Number.NaN));
    return new PlatformError('rate_limited', { ...details, retryAt: reset ?? parseRetryAfter(reply) });
  }
  if (reply.status === 403 && /suspended|disabled|login is currently/i.test(words))
    return new PlatformError('account_suspended', details);
  if (reply.status === 422 && /character limit|too long/i.test(words))
    return new PlatformError('text_too_long', details);
  if (reply.status === 422 && /processing/i.test(words)) return new PlatformError('media_processing', details);
  if (reply.status === 422 && /file|media|content type|attach/i.test(words))
    return new PlatformError('media_refused', details);
  if (reply.status === 422) return new PlatformError('content_refused', details);
  return mapStatusToError(reply);
};

/** Maximum posts per query, as permitted by the API. */
const maxPostsPerLookUp = 40;

/** Registration of our app on a server. Requested once per server and stored by the service. */
export interface MastodonApp {
  readonly clientId: string;
  readonly clientSecret: Secret;
}

export interface MastodonOptions extends AdapterOptions {
  /**
   * Origins of the servers that people may connect. Operators choose them because this service sends requests there.
   */
  readonly servers: readonly string[];
  readonly apps: {
    get(server: string, redirectUri: string): Promise<MastodonApp | undefined>;
    list(server: string): Promise<MastodonApp[]>;
    /** Returns the stored registration, because another process may have been faster. */
    put(server: string, redirectUri: string, app: MastodonApp): Promise<MastodonApp>;
  };
}

const scope = 'read:accounts read:statuses write:statuses write:media';

/** Client of any Mastodon server: https://docs.joinmastodon.org/methods/statuses/#create */
export function createMastodon({ servers, apps, clock }: MastodonOptions): Platform {
  const http = createPlatformHttpClient(explain, clock);

  const allowed = (server: string | undefined): string => {
    const chosen = server ?? servers[0];
    if (chosen === undefined || !servers.includes(chosen))
      throw new PlatformError('refused', { code: 'server_not_allowed' });
    return chosen;
  };

  /** https://docs.joinmastodon.org/methods/apps/#create */
  const register = async (server: string, redirectUri: string, signal: AbortSignal): Promise<MastodonApp> => {
    const reply = await http.read(`${server}/api/v1/apps`, app, {
      method: 'POST',
      json: { client_name: 'Nolo', redirect_uris: redirectUri, scopes: scope, website: new URL(redirectUri).origin },
      signal,
    });
    const made = { clientId: reply.client_id, clientSecret: new Secret(reply.client_secret) };
    return await apps.put(server, redirectUri, made);
  };

  const oauthOf = async (server: string, redirectUri: string, signal: AbortSignal): Promise<OAuthClient> => {
    const known = (await apps.get(server, redirectUri)) ?? (await register(server, redirectUri, signal));
    return createOAuthClient({
      ...known,
      clock,
      authorizeUrl: `${server}/oauth/authorize`,
      tokenUrl: `${server}/oauth/token`,
      scope,
      pkce: true,
      proof: 'post',
    });
  };

  return {
    id: 'mastodon',
    limits: mastodonLimits,
    connect: {
      kind: 'oauth',
      servers,
      async begin({ server, redirectUri, signal }) {
        const chosen = allowed(server);
        const oauth = await oauthOf(chosen, redirectUri, signal);
        return await oauth.begin({ redirectUri, server: chosen });
      },
      async finish(pending, callback, signal) {
        const server = allowed(pending.server);
        const tokens = await (await oauthOf(server, pending.redirectUri, signal)).exchange(pending, callback);
        const { id, acct } = await http.read(`${server}/api/v1/accounts/verify_credentials`, me, {
          token: tokens.access,
          signal,
        });
        return [{ account: { id, name: `@${acct}@${new URL(server).host}`, server }, tokens }];
      },
    },
    // Mastodon tokens do not expire.
    refresh: undefined,
    async revoke({ account, tokens }, signal) {
      const server = allowed(account.server);
      // A token is revoked by the app that it was issued to, regardless of that app's redirect address.
      for (const known of await apps.list(server)) {
        const form = {
          client_id: known.clientId,
          client_secret: known.clientSecret.reveal(),
          token: tokens.access.reveal(),
        };
        await http.call(`${server}/oauth/revoke`, { method: 'POST', form, signal }).catch((error: unknown) => {
          if (!(error instanceof PlatformError) || error.status !== 403) throw error;
        });
      }
    },
    async publish({ account, tokens }, post, attempt) {
      const server = allowed(account.server);
      const authorised = { token: tokens.access, signal: attempt.signal };
      const ids: string[] = [];
      for (const media of post.media) ids.push(await upload(http, server, media, authorised));
      await attempt.committing();
      const { id, url } = await http.read(`${server}/api/v1/statuses`, status, {
        method: 'POST',
        // Repeating the key within an hour returns the existing status.
        headers: { 'idempotency-key': attempt.key },
        json: { status: post.text, visibility: 'public', ...(ids.length > 0 && { media_ids: ids }) },
        ...authorised,
        commits: true,
      });
      return { id, address: url ?? undefined };
    },
    async find({ account, tokens }: PlatformConnection, post, { since, signal }) {
      const server = allowed(account.server);
      const list = await http.read(`${server}/api/v1/accounts/${account.id}/statuses`, statuses, {
        query: { limit: String(maxPostsPerLookUp), exclude_reblogs: 'true' },
        token: tokens.access,
        signal,
      });
      const same = list.find(
        ({ content, created_at: at }) =>
          isSameText(extractTextFromHtml(content), post.text) && new Date(at) >= earliestOwnPostTime(since),
      );
      // A full page of newer posts hides what came before.
      const reachesBack =
        list.length < maxPostsPerLookUp || list.some(({ created_at: at }) => new Date(at) < earliestOwnPostTime(since));
      if (!same) return { state: reachesBack ? 'absent' : 'unknown' };
      return { state: 'published', post: { id: same.id, address: same.url ?? undefined } };
    },
  };
}

/** https://docs.joinmastodon.org/methods/media/#v2: 202 while processing starts, then 206 until it is done. */
async function upload(
  http: ReturnType<typeof createPlatformHttpClient>,
  server: string,
  media: PostMedia,
  authorised: { token: HiddenSecret; signal: AbortSignal },
): Promise<string> {
  const body = new FormData();
  const bytes = (await media.read(0, media.bytes)) as Uint8Array<ArrayBuffer>;
  body.set('file', new Blob([bytes], { type: media.mimeType }), 'media');
  if (media.altText !== '') body.set('description', cutText(media.altText, mastodonLimits.altText));
  const { id, url } = await http.read(`${server}/api/v2/media`, attachment, { method: 'POST', body, ...authorised });
  let ready = url !== null && url !== undefined;
  await waitUntilMediaReady(
    async () => {
      if (ready) return { ready: true };
      ready = (await http.call(`${server}/api/v1/media/${id}`, authorised)).status === 200;
      return ready ? { ready: true } : { ready: false, waitMs: 1_000 };
    },
    { clock: http.clock, signal: authorised.signal },
  );
  return id;
}
