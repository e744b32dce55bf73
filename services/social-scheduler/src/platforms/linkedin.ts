import { socialTextCounters, cutText } from '@nolo/rules';
import { z } from 'zod';
import {
  createPlatformHttpClient,
  mapStatusToError,
  earliestOwnPostTime,
  parseRetryAfter,
  waitUntilMediaReady,
  type MapRefusalToError,
  type PlatformHttpClient,
} from './http.ts';
import { createOAuthClient, type OAuthApp } from './oauth.ts';
import { PlatformError } from '../domain/PlatformError.ts';
import type {
  AccountGrant,
  HiddenSecret,
  PostMedia,
  Platform,
  PlatformLimits,
  PlatformPost,
} from '../domain/platform.ts';
import { isSameText } from './text.ts';

/**
 * https://learn.microsoft.com/linkedin/marketing/community-management/shares/posts-api, images-api, videos-api (202511)
 */
export const linkedinLimits: PlatformLimits = {
  text: 3_000,
  measure: socialTextCounters.linkedin,
  needsMedia: false,
  images: 20,
  imageTypes: ['image/jpeg', 'image/png', 'image/gif'],
  imageBytes: 10 * 1024 * 1024,
  imagePixels: 36_152_320,
  videos: 1,
  videoTypes: ['video/mp4'],
  videoBytes: 500 * 1024 * 1024,
  mixes: false,
  fetches: [],
  altText: 4_086,
};

const version = '202511';
/** https://learn.microsoft.com/linkedin/shared/api-guide/concepts/error-handling */
const refusal = z.object({
  code: z.string().optional(),
  serviceErrorCode: z.number().optional(),
  message: z.string().optional(),
});
const me = z.object({ sub: z.string(), name: z.string() });
const organisations = z.object({ elements: z.array(z.object({ organization: z.string() })) });
const organisation = z.object({ localizedName: z.string() });
const imageUpload = z.object({ value: z.object({ uploadUrl: z.string(), image: z.string() }) });
const videoUpload = z.object({
  value: z.object({
    video: z.string(),
    uploadToken: z.string(),
    uploadInstructions: z.array(z.object({ uploadUrl: z.string(), firstByte: z.number(), lastByte: z.number() })),
  }),
});
const state = z.object({ status: z.string() });
const posts = z.object({
  elements: z.array(z.object({ id: z.string(), commentary: z.string().optional(), createdAt: z.number().optional() })),
});

const explain: MapRefusalToError = (reply) => {
  const { code, serviceErrorCode, message = '' } = refusal.safeParse(reply.body).data ?? {};
  const details = { status: reply.status, code: code ?? serviceErrorCode };
  if (reply.status === 429) {
    // Limits apply per UTC day, and no header reports it.
    const retryAt = parseRetryAfter(reply) ?? new Date(Math.ceil(reply.at.getTime() / 86_400_000) * 86_400_000);
    return new PlatformError('rate_limited', { ...details, retryAt });
  }
  if ((reply.status === 422 || reply.status === 409) && /duplicate/i.test(`${code} ${message}`)) {
    return new PlatformError('duplicate', details);
  }
  if (/REVOKED|EXPIRED/i.test(code ?? '')) return new PlatformError('authentication_expired', details);
  if (reply.status === 403 && /restricted|suspend/i.test(`${code} ${message}`))
    return new PlatformError('account_suspended', details);
  if (/MAX_LENGTH|too long|length/i.test(`${code} ${message}`)) return new PlatformError('text_too_long', details);
  if (reply.status === 422 && /media|image|video|asset/i.test(message))
    return new PlatformError('media_refused', details);
  if (reply.status === 422) return new PlatformError('content_refused', details);
  return mapStatusToError(reply, details.code);
};

export interface LinkedInOptions extends OAuthApp {
  /** Replaces https://www.linkedin.com and https://api.linkedin.com. */
  readonly url?: string | undefined;
  /** True if the app has the Community Management product and may therefore post as organizations. */
  readonly organisations: boolean;
}

/** Headers that the versioned API requires in every request. */
const headers = { 'linkedin-version': version, 'x-restli-protocol-version': '2.0.0' };

/** Client of LinkedIn's Posts API, as a person or an organization. */
export function createLinkedIn(options: LinkedInOptions): Platform {
  const api = options.url ?? 'https://api.linkedin.com';
  const web = options.url ?? 'https://www.linkedin.com';
  const http = createPlatformHttpClient(explain, options.clock);
  const oauth = createOAuthClient({
    ...options,
    authorizeUrl: `${web}/oauth/v2/authorization`,
    tokenUrl: `${web}/oauth/v2/accessToken`,
    revokeUrl: `${web}/oauth/v2/revoke`,
    issuer: 'https://www.linkedin.com/oauth',
    scope: `openid profile w_member_social${options.organisations ? ' r_organization_social w_organization_social rw_organization_admin' : ''}`,
    pkce: false,
    proof: 'post',
  });

  return {
    id: 'linkedin',
    limits: linkedinLimits,
    connect: {
      kind: 'oauth',
      begin: (beginning) => oauth.begin(beginning),
      async finish(pending, callback, signal) {
        const tokens = await oauth.exchange(pending, callback);
        const { sub, name } = await http.read(`${api}/v2/userinfo`, me, { token: tokens.access, signal });
        const person: AccountGrant = { account: { id: `urn:li:person:${sub}`, name }, tokens };
        if (!options.organisations) return [person];
        const own = await organisationsOf(http, api, { token: tokens.access, signal });
        return [person, ...own.map((account) => ({ account, tokens }))];
      },
    },
    async refresh({ tokens }) {
      // LinkedIn gives refresh tokens to some apps only. Tokens last 60 days.
      if (!tokens.refresh) throw new PlatformError('authentication_expired');
      return await oauth.refresh(tokens.refresh);
    },
    async revoke({ tokens }) {
      await oauth.revoke(tokens.access);
    },
    async publish({ account, tokens }, post, attempt) {
      const authorised = { token: tokens.access, signal: attempt.signal };
      const content = await contentOf(http, api, account.id, post, authorised);
      await attempt.committing();
      const reply = await http.call(`${api}/rest/posts`, {
        method: 'POST',
        headers,
        json: {
          author: account.id,
          commentary: escapeLittle(post.text),
          visibility: 'PUBLIC',
          distribution: { feedDistribution: 'MAIN_FEED', targetEntities: [], thirdPartyDistributionChannels: [] },
          ...(content && { content }),
          lifecycleState: 'PUBLISHED',
          isReshareDisabledByAuthor: false,
        },
        ...authorised,
        commits: true,
      });
      const id = reply.headers.get('x-restli-id');
      if (id === null) throw new PlatformError('platform_down', { code: 'id_missing', mayBeDone: true });
      return { id, address: `https://www.linkedin.com/feed/update/${id}/` };
    },
    async find({ account, tokens }, post, { since, signal }) {
      // LinkedIn lets few apps read a person's posts (r_member_social is closed).
      if (!account.id.startsWith('urn:li:organization:')) return { state: 'unknown' };
      const { elements } = await http.read(`${api}/rest/posts`, posts, {
        query: { q: 'author', author: account.id, count: String(maxPostsPerLookUp), sortBy: 'CREATED' },
        headers: { ...headers, 'x-restli-method': 'FINDER' },
        token: tokens.access,
        signal,
      });
      const same = elements.find(
        ({ commentary = '', createdAt }) =>
          isSameText(unescapeLittle(commentary), post.text) &&
          (createdAt === undefined || createdAt >= earliestOwnPostTime(since).getTime()),
      );
      const reachesBack =
        elements.length < maxPostsPerLookUp ||
        elements.some(({ createdAt = Infinity }) => createdAt < earliestOwnPostTime(since).getTime());
      if (!same) return { state: reachesBack ? 'absent' : 'unknown' };
      return { state: 'published', post: { id: same.id, address: `https://www.linkedin.com/feed/update/${same.id}/` } };
    },
  };
}

/** Maximum posts per query. */
const maxPostsPerLookUp = 50;

type Authorised = { token: HiddenSecret; signal: AbortSignal };

/**
 *
 * https://learn.microsoft.com/linkedin/marketing/community-management/organizations/organization-access-control-by-role
 */
async function organisationsOf(http: PlatformHttpClient, api: string, authorised: Authorised) {
  const { elements } = await http.read(`${api}/rest/organizationAcls`, organisations, {
    query: { q: 'roleAssignee', role: 'ADMINISTRATOR', state: 'APPROVED' },
    headers,
    ...authorised,
  });
  const found: { id: string; name: string }[] = [];
  for (const { organization: id } of elements) {
    const address = `${api}/rest/organizations/${id.split(':').pop() ?? ''}`;
    const { localizedName: name } = await http.read(address, organisation, { headers, ...authorised });
    found.push({ id, name });
  }
  return found;
}

async function contentOf(
  http: PlatformHttpClient,
  api: string,
  owner: string,
  { media }: PlatformPost,
  authorised: Authorised,
) {
  const [first, ...more] = media;
  if (!first) return undefined;
  if (first.kind === 'video') {
    return {
      media: { id: await uploadVideo(http, api, owner, first, authorised), title: cutText(first.altText, 400) },
    };
  }
  const images: { id: string; altText: string }[] = [];
  for (const image of media) {
    const id = await uploadImage(http, api, owner, image, authorised);
    images.push({ id, altText: cutText(image.altText, linkedinLimits.altText) });
  }
  return more.length === 0 ? { media: images[0] } : { multiImage: { images } };
}

async function uploadImage(
  http: PlatformHttpClient,
  api: string,
  owner: string,
  image: PostMedia,
  { token, signal }: Authorised,
): Promise<string> {
  const { value } = await http.read(`${api}/rest/images?action=initializeUpload`, imageUpload, {
    method: 'POST',
    headers,
    json: { initializeUploadRequest: { owner } },
    token,
    signal,
  });
  const body = await image.read(0, image.bytes);
  await http.call(value.uploadUrl, { method: 'PUT', body, headers: { 'content-type': image.mimeType }, token, signal });
  await untilAvailable(http, `${api}/rest/images/${encodeURIComponent(value.image)}`, { token, signal });
  return value.image;
}

async function uploadVideo(
  http: PlatformHttpClient,
  api: string,
  owner: string,
  video: PostMedia,
  { token, signal }: Authorised,
): Promise<string> {
  const { value } = await http.read(`${api}/rest/videos?action=initializeUpload`, videoUpload, {
    method: 'POST',
    headers,
    json: {
      initializeUploadRequest: { owner, fileSizeBytes: video.bytes, uploadCaptions: false, uploadThumbnail: false },
    },
    token,
    signal,
  });
  const uploadedPartIds: string[] = [];
  for (const { uploadUrl, firstByte, lastByte } of value.uploadInstructions) {
    const body = await video.read(firstByte, lastByte + 1);
    const reply = await http.call(uploadUrl, {
      method: 'PUT',
      body,
      headers: { 'content-type': 'application/octet-stream' },
      signal,
    });
    uploadedPartIds.push((reply.headers.get('etag') ?? '').replaceAll('"', ''));
  }
  await http.call(`${api}/rest/videos?action=finalizeUpload`, {
    method: 'POST',
    headers,
    json: { finalizeUploadRequest: { video: value.video, uploadToken: value.uploadToken, uploadedPartIds } },
    token,
    signal,
  });
  await untilAvailable(http, `${api}/rest/videos/${encodeURIComponent(value.video)}`, { token, signal });
  return value.video;
}

/** Waits through the states of images and videos: WAITING_UPLOAD, PROCESSING, AVAILABLE, PROCESSING_FAILED. */
async function untilAvailable(http: PlatformHttpClient, address: string, authorised: Authorised): Promise<void> {
  await waitUntilMediaReady(
    async () => {
      const { status } = await http.read(address, state, { headers, ...authorised });
      if (status === 'AVAILABLE') return { ready: true };
      if (status === 'PROCESSING_FAILED') throw new PlatformError('media_refused', { code: status });
      return { ready: false, waitMs: 2_000 };
    },
    { clock: http.clock, signal: authorised.signal },
  );
}

/** Escapes symbols with a meaning in LinkedIn's "little text". */
const escapeLittle = (text: string): string => text.replace(/[\\|{}@[\]()<>#*_~]/g, (sign) => `\\${sign}`);
const unescapeLittle = (text: string): string => text.replace(/\\([\\|{}@[\]()<>#*_~])/g, '$1');
