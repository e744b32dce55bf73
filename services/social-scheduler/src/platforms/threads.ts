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
import type { PostMedia, Platform, PlatformLimits, PlatformPost } from '../domain/platform.ts';
import { isSameText } from './text.ts';

/** https://developers.facebook.com/docs/threads/overview (v1.0, 2025) */
export const threadsLimits: PlatformLimits = {
  text: 500,
  measure: socialTextCounters.threads,
  needsMedia: false,
  images: 20,
  imageTypes: ['image/jpeg', 'image/png'],
  imageBytes: 8 * 1024 * 1024,
  imageRatio: [1 / 10, 10],
  videos: 1,
  videoTypes: ['video/mp4', 'video/quicktime'],
  videoBytes: 1024 * 1024 * 1024,
  mixes: true,
  fetches: ['image', 'video'],
  altText: 1_000,
};

/** https://developers.facebook.com/docs/threads/get-started/get-access-tokens-and-permissions */
const me = z.object({ id: z.string(), username: z.string() });
const list = z.object({
  data: z.array(z.object({ id: z.string(), text: z.string().optional(), permalink: z.string().optional() })),
});

export interface ThreadsOptions extends OAuthApp {
  /** Replaces https://threads.net and https://graph.threads.net. */
  readonly url?: string | undefined;
}

/** Client of Threads: https://developers.facebook.com/docs/threads/posts. */
export function createThreads(options: ThreadsOptions): Platform {
  const host = options.url ?? 'https://graph.threads.net';
  const http = createPlatformHttpClient(mapGraphRefusalToError, options.clock);
  const containers: MediaContainerApi = {
    http,
    graph: `${host}/v1.0`,
    path: { make: 'threads', publish: 'threads_publish' },
    statusField: 'status',
  };

  return {
    id: 'threads',
    limits: threadsLimits,
    ...createGraphLogin({
      ...options,
      http,
      host,
      authorizeUrl: `${options.url ?? 'https://threads.net'}/oauth/authorize`,
      tokenUrl: `${host}/oauth/access_token`,
      scope: 'threads_basic,threads_content_publish',
      grants: 'th',
      async readAccount(token, signal) {
        const query = { fields: 'id,username' };
        const { id, username } = await http.read(`${containers.graph}/me`, me, { query, token, signal });
        return { id, name: `@${username}` };
      },
    }),
    ...createContainerPublishing(containers, {
      make: (account, post, authorised) => makeThread(containers, account, post, authorised),
      /** https://developers.facebook.com/docs/threads/retrieve-and-discover-posts/retrieve-posts */
      async lookUp({ tokens }, post, { since, signal }) {
        const { data } = await http.read(`${containers.graph}/me/threads`, list, {
          query: {
            fields: 'id,text,permalink,timestamp',
            since: String(Math.floor(earliestOwnPostTime(since).getTime() / 1_000)),
            limit: '50',
          },
          token: tokens.access,
          signal,
        });
        const same = data.find(({ text = '' }) => isSameText(text, post.text));
        return same && { id: same.id, address: same.permalink };
      },
    }),
  };
}

const fieldsOf = async (media: PostMedia) => ({
  ...(media.kind === 'video'
    ? { media_type: 'VIDEO', video_url: await media.address() }
    : { media_type: 'IMAGE', image_url: await media.address() }),
  ...(media.altText !== '' && { alt_text: cutText(media.altText, threadsLimits.altText) }),
});

async function makeThread(
  containers: MediaContainerApi,
  account: string,
  post: PlatformPost,
  authorised: Authorised,
): Promise<string> {
  const [first, ...more] = post.media;
  const { text } = post;
  if (!first) return await createMediaContainer(containers, account, { media_type: 'TEXT', text }, authorised);
  if (more.length === 0)
    return await createMediaContainer(containers, account, { ...(await fieldsOf(first)), text }, authorised);
  const children: string[] = [];
  for (const media of post.media) {
    children.push(
      await createMediaContainer(
        containers,
        account,
        { ...(await fieldsOf(media)), is_carousel_item: true },
        authorised,
      ),
    );
  }
  for (const child of children) await waitUntilMediaContainerFinished(containers, child, authorised);
  return await createMediaContainer(
    containers,
    account,
    { media_type: 'CAROUSEL', children: children.join(','), text },
    authorised,
  );
}
