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
import type {
  PublishAttempt,
  PlatformConnection,
  HiddenSecret,
  PostMedia,
  Platform,
  PlatformLimits,
  PlatformPost,
  PublishedPost,
} from '../domain/platform.ts';
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
const short = z.object({ access_token: z.string().min(1), user_id: z.coerce.string() });
const long = z.object({ access_token: z.string().min(1), expires_in: z.number() });
const me = z.object({ id: z.string(), username: z.string() });
const list = z.object({
  data: z.array(z.object({ id: z.string(), text: z.string().optional(), permalink: z.string().optional() })),
});

export interface ThreadsOptions extends OAuthApp {
  /** Replaces https://threads.net and https://graph.threads.net. */
  readonly url?: string | undefined;
}

type Authorised = { token: HiddenSecret; signal: AbortSignal };

/**
 * Client of Threads: https://developers.facebook.com/docs/threads/posts. Its token exchange does not follow RFC 6749.
 */
export function createThreads(options: ThreadsOptions): Platform {
  const host = options.url ?? 'https://graph.threads.net';
  const http = createPlatformHttpClient(mapGraphRefusalToError, options.clock);
  const containers: MediaContainerApi = {
    http,
    graph: `${host}/v1.0`,
    path: { make: 'threads', publish: 'threads_publish' },
    statusField: 'status',
  };

  const begin = ({ redirectUri }: { redirectUri: string }) => {
    const pending = createPendingConnection(redirectUri);
    const address = new URL(`${options.url ?? 'https://threads.net'}/oauth/authorize`);
    address.search = new URLSearchParams({
      client_id: options.clientId,
      redirect_uri: redirectUri,
      scope: 'threads_basic,threads_content_publish',
      response_type: 'code',
      state: pending.state,
    }).toString();
    return Promise.resolve({ address: address.href, pending });
  };

  /** https://developers.facebook.com/docs/threads/retrieve-and-discover-posts/retrieve-posts */
  const lookUp = async (
    { tokens }: PlatformConnection,
    post: PlatformPost,
    { since, signal }: Pick<PublishAttempt, 'since' | 'signal'>,
  ): Promise<PublishedPost | undefined> => {
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
  };

  return {
    id: 'threads',
    limits: threadsLimits,
    connect: {
      kind: 'oauth',
      begin,
      async finish(pending, callback, signal) {
        const first = await http.read(`${host}/oauth/access_token`, short, {
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
            grant_type: 'th_exchange_token',
            client_secret: options.clientSecret.reveal(),
            access_token: first.access_token,
          },
          signal,
        });
        const tokens = { access: new Secret(access), expiresAt: secondsFromNow(seconds, options.clock.now()) };
        const self = await http.read(`${containers.graph}/me`, me, {
          query: { fields: 'id,username' },
          token: tokens.access,
          signal,
        });
        return [{ account: { id: self.id, name: `@${self.username}` }, tokens }];
      },
    },
    async refresh({ tokens }, signal) {
      const query = { grant_type: 'th_refresh_token', access_token: tokens.access.reveal() };
      const reply = await http.read(`${host}/refresh_access_token`, long, { query, signal });
      return {
        access: new Secret(reply.access_token),
        expiresAt: secondsFromNow(reply.expires_in, options.clock.now()),
      };
    },
    // The API does not support it; people revoke access in the settings of Threads.
    revoke: () => Promise.resolve(),
    async publish(connection, post, attempt) {
      const { account, tokens } = connection;
      const authorised = { token: tokens.access, signal: attempt.signal };
      const make = () => makeThread(containers, account.id, post, authorised);
      const { id: container, published } = await prepareMediaContainer(containers, attempt, tokens.access, make);
      if (published) return (await lookUp(connection, post, attempt)) ?? { id: container };
      await attempt.committing();
      const id = await publishMediaContainer(containers, account.id, container, authorised);
      return { id };
    },
    async find(connection, post, { kept, since, signal }) {
      if (kept === undefined) return { state: 'absent' };
      const { state } = await readMediaContainerState(containers, kept, { token: connection.tokens.access, signal });
      if (state !== 'PUBLISHED') return { state: 'absent' };
      return { state: 'published', post: (await lookUp(connection, post, { since, signal })) ?? { id: kept } };
    },
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
