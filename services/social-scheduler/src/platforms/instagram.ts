import { socialTextCounters, cutText } from '@nolo/rules';
import { z } from 'zod';
import {
  createContainerPublishing,
  createMediaContainer,
  waitUntilMediaContainerFinished,
  type Authorised,
  type MediaContainerApi,
} from './mediaContainers.ts';
import { mapGraphRefusalToError } from './graphErrors.ts';
import { createGraphLogin } from './graphLogin.ts';
import { createPlatformHttpClient, earliestOwnPostTime } from './http.ts';
import type { OAuthApp } from './oauth.ts';
import { PlatformError } from '../domain/PlatformError.ts';
import type { PlatformConnection, PostMedia, Platform, PlatformLimits, PlatformPost } from '../domain/platform.ts';
import { isSameText } from './text.ts';

/** https://developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/ig-user/media (v24.0) */
export const instagramLimits: PlatformLimits = {
  text: 2_200,
  measure: socialTextCounters.instagram,
  needsMedia: true,
  images: 10,
  imageTypes: ['image/jpeg'],
  imageBytes: 8 * 1024 * 1024,
  imageRatio: [4 / 5, 1.91],
  videos: 1,
  videoTypes: ['video/mp4', 'video/quicktime'],
  videoBytes: 300 * 1024 * 1024,
  mixes: true,
  fetches: ['image', 'video'],
  altText: 1_000,
};

const version = 'v24.0';
/** https://developers.facebook.com/docs/instagram-platform/instagram-api-with-instagram-login/business-login */
const me = z.object({ user_id: z.coerce.string(), username: z.string() });
const mediaList = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      caption: z.string().optional(),
      permalink: z.string().optional(),
      timestamp: z.string().optional(),
    }),
  ),
});
const permalink = z.object({ permalink: z.string().optional() });

export interface InstagramOptions extends OAuthApp {
  /** Replaces https://www.instagram.com, https://api.instagram.com, and https://graph.instagram.com. */
  readonly url?: string | undefined;
}

/** Client of professional accounts through the Instagram API with Instagram Login. */
export function createInstagram(options: InstagramOptions): Platform {
  const host = options.url ?? 'https://graph.instagram.com';
  const http = createPlatformHttpClient(mapGraphRefusalToError, options.clock);
  const containers: MediaContainerApi = {
    http,
    graph: `${host}/${version}`,
    path: { make: 'media', publish: 'media_publish' },
    statusField: 'status_code',
  };

  const recent = async ({ tokens }: PlatformConnection, since: Date, signal: AbortSignal) => {
    const { data } = await http.read(`${containers.graph}/me/media`, mediaList, {
      query: { fields: 'id,caption,permalink,timestamp', limit: '50' },
      token: tokens.access,
      signal,
    });
    const from = earliestOwnPostTime(since).getTime();
    return data.filter(
      ({ timestamp }) => timestamp === undefined || new Date(timestamp.replace(/\+0000$/, 'Z')).getTime() >= from,
    );
  };

  return {
    id: 'instagram',
    limits: instagramLimits,
    ...createGraphLogin({
      ...options,
      http,
      host,
      authorizeUrl: `${options.url ?? 'https://www.instagram.com'}/oauth/authorize`,
      tokenUrl: `${options.url ?? 'https://api.instagram.com'}/oauth/access_token`,
      scope: 'instagram_business_basic,instagram_business_content_publish',
      grants: 'ig',
      async readAccount(token, signal) {
        const query = { fields: 'user_id,username' };
        const { user_id: id, username } = await http.read(`${containers.graph}/me`, me, { query, token, signal });
        return { id, name: `@${username}` };
      },
    }),
    ...createContainerPublishing(containers, {
      make: (account, post, authorised) => makeMedia(containers, account, post, authorised),
      async lookUp(connection, post, { since, signal }) {
        const posts = await recent(connection, since, signal);
        const same = posts.find(({ caption = '' }) => isSameText(caption, post.text));
        return same && { id: same.id, address: same.permalink };
      },
      addressOf,
    }),
  };

  /** Returns the post's address, or nothing on failure, because the post is already public. */
  async function addressOf(id: string, authorised: Authorised): Promise<string | undefined> {
    try {
      const query = { fields: 'permalink' };
      return (await http.read(`${containers.graph}/${id}`, permalink, { query, ...authorised })).permalink;
    } catch (error) {
      if (error instanceof PlatformError) return undefined;
      throw error;
    }
  }
}

const fieldsOf = async (media: PostMedia) =>
  media.kind === 'video'
    ? { media_type: 'REELS', video_url: await media.address() }
    : {
        image_url: await media.address(),
        ...(media.altText !== '' && { alt_text: cutText(media.altText, instagramLimits.altText) }),
      };

/** Creates one container, or a carousel of several. */
async function makeMedia(
  containers: MediaContainerApi,
  account: string,
  post: PlatformPost,
  authorised: Authorised,
): Promise<string> {
  const [first, ...more] = post.media;
  if (!first) throw new PlatformError('media_refused', { code: 'media_missing' });
  if (more.length === 0) {
    return await createMediaContainer(
      containers,
      account,
      { caption: post.text, ...(await fieldsOf(first)) },
      authorised,
    );
  }
  const children: string[] = [];
  for (const media of post.media) {
    const item = { ...(await fieldsOf(media)), is_carousel_item: true };
    children.push(
      await createMediaContainer(
        containers,
        account,
        media.kind === 'video' ? { ...item, media_type: 'VIDEO' } : item,
        authorised,
      ),
    );
  }
  for (const child of children) await waitUntilMediaContainerFinished(containers, child, authorised);
  return await createMediaContainer(
    containers,
    account,
    { media_type: 'CAROUSEL', children, caption: post.text },
    authorised,
  );
}
