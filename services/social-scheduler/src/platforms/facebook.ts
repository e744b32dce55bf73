import { Secret } from '@nolo/kit/config';
import { socialTextCounters, cutText } from '@nolo/rules';
import { z } from 'zod';
import { mapGraphRefusalToError } from './graphErrors.ts';
import { createPlatformHttpClient, earliestOwnPostTime, type PlatformHttpClient } from './http.ts';
import { createOAuthClient, type OAuthApp } from './oauth.ts';
import type { HiddenSecret, PostMedia, Platform, PlatformLimits, PlatformPost } from '../domain/platform.ts';
import { isSameText } from './text.ts';

/** https://developers.facebook.com/docs/pages-api/posts and /docs/graph-api/reference/page/photos (v24.0) */
export const facebookLimits: PlatformLimits = {
  text: 63_206,
  measure: socialTextCounters.facebook,
  needsMedia: false,
  images: 10,
  imageTypes: ['image/jpeg', 'image/png', 'image/gif'],
  imageBytes: 10 * 1024 * 1024,
  videos: 1,
  videoTypes: ['video/mp4', 'video/quicktime'],
  videoBytes: 1024 * 1024 * 1024,
  mixes: false,
  fetches: ['video'],
  altText: 1_000,
};

const version = 'v24.0';
const longLived = z.object({ access_token: z.string().min(1), expires_in: z.number().optional() });
/** https://developers.facebook.com/docs/graph-api/reference/user/accounts */
const pages = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      access_token: z.string().min(1),
      tasks: z.array(z.string()).optional(),
    }),
  ),
});
const created = z.object({ id: z.string(), post_id: z.string().optional() });
/** Maximum posts per query. */
const maxPostsPerLookUp = 100;

const feed = z.object({
  data: z.array(z.object({ id: z.string(), message: z.string().optional(), permalink_url: z.string().optional() })),
});

export interface FacebookOptions extends OAuthApp {
  /** Replaces https://www.facebook.com and https://graph.facebook.com. */
  readonly url?: string | undefined;
}

/** Client of Facebook pages through the Graph API: https://developers.facebook.com/docs/pages-api */
export function createFacebook(options: FacebookOptions): Platform {
  const graph = `${options.url ?? 'https://graph.facebook.com'}/${version}`;
  const http = createPlatformHttpClient(mapGraphRefusalToError, options.clock);
  const oauth = createOAuthClient({
    ...options,
    authorizeUrl: `${options.url ?? 'https://www.facebook.com'}/${version}/dialog/oauth`,
    tokenUrl: `${graph}/oauth/access_token`,
    scope: 'pages_show_list,pages_read_engagement,pages_manage_posts',
    pkce: false,
    proof: 'post',
  });

  return {
    id: 'facebook',
    limits: facebookLimits,
    connect: {
      kind: 'oauth',
      begin: (beginning) => oauth.begin(beginning),
      async finish(pending, callback, signal) {
        const short = await oauth.exchange(pending, callback);
        // Page tokens last as long as the token that requests them, or forever with a long-lived one.
        const { access_token: long } = await http.read(`${graph}/oauth/access_token`, longLived, {
          method: 'POST',
          form: {
            grant_type: 'fb_exchange_token',
            client_id: options.clientId,
            client_secret: options.clientSecret.reveal(),
            fb_exchange_token: short.access.reveal(),
          },
          signal,
        });
        const { data } = await http.read(`${graph}/me/accounts`, pages, {
          query: { fields: 'id,name,access_token,tasks', limit: '100' },
          token: new Secret(long),
          signal,
        });
        return data
          .filter(({ tasks }) => tasks === undefined || tasks.includes('CREATE_CONTENT'))
          .map(({ id, name, access_token: token }) => ({
            account: { id, name },
            tokens: { access: new Secret(token) },
          }));
      },
    },
    // Page tokens have no expiry of their own and cannot be renewed.
    refresh: undefined,
    // A page's token could only revoke the app's access to all pages of the person, which other connections still use.
    revoke: () => Promise.resolve(),
    async publish({ account, tokens }, post, attempt) {
      const { access: token } = tokens;
      const { signal } = attempt;
      const video = post.media.find(({ kind }) => kind === 'video');
      if (video) {
        const form = { file_url: await video.address(), description: post.text };
        await attempt.committing();
        const { id } = await http.read(`${graph}/${account.id}/videos`, created, {
          method: 'POST',
          form,
          token,
          signal,
          commits: true,
        });
        return { id, address: `https://www.facebook.com/${id}` };
      }
      const photos: string[] = [];
      for (const image of post.media)
        photos.push(await uploadPhoto(http, `${graph}/${account.id}`, image, { token, signal }));
      await attempt.committing();
      const { id } = await http.read(`${graph}/${account.id}/feed`, created, {
        method: 'POST',
        json: {
          message: post.text,
          ...(photos.length > 0 && { attached_media: photos.map((media_fbid) => ({ media_fbid })) }),
        },
        token,
        signal,
        commits: true,
      });
      return { id, address: `https://www.facebook.com/${id}` };
    },
    async find({ account, tokens }, post: PlatformPost, { since, signal }) {
      const { data } = await http.read(`${graph}/${account.id}/feed`, feed, {
        query: {
          fields: 'id,message,permalink_url',
          since: String(Math.floor(earliestOwnPostTime(since).getTime() / 1_000)),
          limit: String(maxPostsPerLookUp),
        },
        token: tokens.access,
        signal,
      });
      const found = data.find(({ message = '' }) => isSameText(message, post.text));
      // Videos that are still processed are not in the feed yet, and beyond one page the content is unknown.
      const unsure = data.length >= maxPostsPerLookUp || post.media.some(({ kind }) => kind === 'video');
      if (!found) return { state: unsure ? 'unknown' : 'absent' };
      return { state: 'published', post: { id: found.id, address: found.permalink_url } };
    },
  };
}

/** Uploads a photo that stays hidden until a post uses it. */
async function uploadPhoto(
  http: PlatformHttpClient,
  page: string,
  image: PostMedia,
  { token, signal }: { token: HiddenSecret; signal: AbortSignal },
): Promise<string> {
  const body = new FormData();
  body.set('published', 'false');
  if (image.altText !== '') body.set('alt_text_custom', cutText(image.altText, facebookLimits.altText));
  const bytes = (await image.read(0, image.bytes)) as Uint8Array<ArrayBuffer>;
  body.set('source', new Blob([bytes], { type: image.mimeType }), 'photo');
  const { id } = await http.read(`${page}/photos`, created, { method: 'POST', body, token, signal });
  return id;
}
