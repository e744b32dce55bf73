import { Secret } from '@nolo/kit/config';
import { socialTextCounters, cutText } from '@nolo/rules';
import { z } from 'zod';
import {
  createMediaContainer,
  publishMediaContainer,
  prepareMediaContainer,
  readMediaContainerState,
  waitUntilMediaContainerFinished,
  type MediaContainerApi,
} from './mediaContainers.ts';
import { mapGraphRefusalToError } from './graphErrors.ts';
import { createPlatformHttpClient, secondsFromNow, earliestOwnPostTime } from './http.ts';
import { createPendingConnection, readAuthorizationCode, type OAuthApp } from './oauth.ts';
import { PlatformError } from '../domain/PlatformError.ts';
import type {
  PublishAttempt,
  PlatformConnection,
  PostLookupResult,
  HiddenSecret,
  PostMedia,
  Platform,
  PlatformLimits,
  PlatformPost,
} from '../domain/platform.ts';
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
const one = z.object({ access_token: z.string().min(1), user_id: z.coerce.string() });
const short = z.union([z.object({ data: z.tuple([one]) }).transform(({ data }) => data[0]), one]);
const long = z.object({ access_token: z.string().min(1), expires_in: z.number() });
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

/**
 * Client of professional accounts through the Instagram API with Instagram Login. Its token exchange does not follow
 * RFC 6749.
 */
export function createInstagram(options: InstagramOptions): Platform {
  const host = options.url ?? 'https://graph.instagram.com';
  const http = createPlatformHttpClient(mapGraphRefusalToError, options.clock);
  const containers: MediaContainerApi = {
    http,
    graph: `${host}/${version}`,
    path: { make: 'media', publish: 'media_publish' },
    statusField: 'status_code',
  };

  const begin = ({ redirectUri }: { redirectUri: string }) => {
    const pending = createPendingConnection(redirectUri);
    const address = new URL(`${options.url ?? 'https://www.instagram.com'}/oauth/authorize`);
    address.search = new URLSearchParams({
      client_id: options.clientId,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: 'instagram_business_basic,instagram_business_content_publish',
      state: pending.state,
    }).toString();
    return Promise.resolve({ address: address.href, pending });
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

  /** Finds the post of a published container, which does not report it. */
  const lookUp = async (
    connection: PlatformConnection,
    post: PlatformPost,
    { since, signal }: Pick<PublishAttempt, 'since' | 'signal'>,
  ) => {
    const same = (await recent(connection, since, signal)).find(({ caption = '' }) => isSameText(caption, post.text));
    return same && { id: same.id, address: same.permalink };
  };

  return {
    id: 'instagram',
    limits: instagramLimits,
    connect: {
      kind: 'oauth',
      begin,
      async finish(pending, callback, signal) {
        const first = await http.read(`${options.url ?? 'https://api.instagram.com'}/oauth/access_token`, short, {
          method: 'POST',
          form: {
            client_id: options.clientId,
            client_secret: options.clientSecret.reveal(),
            grant_type: 'authorization_code',
            redirect_uri: pending.redirectUri,
            code: readAuthorizationCode(pending, callback),
          },
          signal,
        });
        const { access_token: access, expires_in: seconds } = await http.read(`${host}/access_token`, long, {
          query: {
            grant_type: 'ig_exchange_token',
            client_secret: options.clientSecret.reveal(),
            access_token: first.access_token,
          },
          signal,
        });
        const tokens = { access: new Secret(access), expiresAt: secondsFromNow(seconds, options.clock.now()) };
        const query = { fields: 'user_id,username' };
        const self = await http.read(`${containers.graph}/me`, me, { query, token: tokens.access, signal });
        return [{ account: { id: self.user_id, name: `@${self.username}` }, tokens }];
      },
    },
    async refresh({ tokens }, signal) {
      const query = { grant_type: 'ig_refresh_token', access_token: tokens.access.reveal() };
      const reply = await http.read(`${host}/refresh_access_token`, long, { query, signal });
      return {
        access: new Secret(reply.access_token),
        expiresAt: secondsFromNow(reply.expires_in, options.clock.now()),
      };
    },
    // The API does not support it; people revoke access in Instagram's settings.
    revoke: () => Promise.resolve(),
    async publish(connection, post, attempt) {
      const { account, tokens } = connection;
      const authorised = { token: tokens.access, signal: attempt.signal };
      const make = () => makeMedia(containers, account.id, post, authorised);
      const { id: container, published } = await prepareMediaContainer(containers, attempt, tokens.access, make);
      if (published) {
        const found = await lookUp(connection, post, attempt);
        return found ?? { id: container };
      }
      await attempt.committing();
      const id = await publishMediaContainer(containers, account.id, container, authorised);
      return { id, address: await addressOf(id, authorised) };
    },
    async find(connection, post, { kept, since, signal }): Promise<PostLookupResult> {
      if (kept === undefined) return { state: 'absent' };
      const { state } = await readMediaContainerState(containers, kept, { token: connection.tokens.access, signal });
      if (state !== 'PUBLISHED') return { state: 'absent' };
      return { state: 'published', post: (await lookUp(connection, post, { since, signal })) ?? { id: kept } };
    },
  };

  /** Returns the post's address, or nothing on failure, because the post is already public. */
  async function addressOf(
    id: string,
    authorised: { token: HiddenSecret; signal: AbortSignal },
  ): Promise<string | undefined> {
    try {
      const query = { fields: 'permalink' };
      return (await http.read(`${containers.graph}/${id}`, permalink, { query, ...authorised })).permalink;
    } catch (error) {
      if (error instanceof PlatformError) return undefined;
      throw error;
    }
  }
}

type Authorised = { token: HiddenSecret; signal: AbortSignal };

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
