import { createHash } from 'node:crypto';
import { Secret } from '@nolo/kit/config';
import { socialTextCounters, cutText } from '@nolo/rules';
import { z } from 'zod';
import {
  createPlatformHttpClient,
  parseEpochSecondsHeader,
  mapStatusToError,
  type PlatformHttpCall,
  type MapRefusalToError,
} from './http.ts';
import type { AdapterOptions } from './oauth.ts';
import { PlatformError, type PlatformErrorReason } from '../domain/PlatformError.ts';
import type {
  PublishAttempt,
  PlatformConnection,
  HiddenSecret,
  PostMedia,
  Platform,
  PlatformLimits,
  PlatformTokens,
} from '../domain/platform.ts';
import { findLinkByteRanges } from './text.ts';

/** https://docs.bsky.app/docs/advanced-guides/posts and the lexicon app.bsky.feed.post (2025) */
export const blueskyLimits: PlatformLimits = {
  text: 300,
  measure: socialTextCounters.bluesky,
  needsMedia: false,
  images: 4,
  imageTypes: ['image/jpeg', 'image/png', 'image/webp'],
  imageBytes: 1_000_000,
  videos: 1,
  videoTypes: ['video/mp4'],
  videoBytes: 50_000_000,
  mixes: false,
  fetches: [],
  altText: 2_000,
};

/** https://atproto.com/specs/xrpc#error-responses */
const refusal = z.object({ error: z.string().optional(), message: z.string().optional() });
const session = z.object({
  accessJwt: z.string().min(1),
  refreshJwt: z.string().min(1),
  did: z.string(),
  handle: z.string(),
});
const record = z.object({ uri: z.string(), cid: z.string() });
const blob = z.object({ blob: z.looseObject({ $type: z.literal('blob') }) });

const named: Readonly<Record<string, PlatformErrorReason>> = {
  ExpiredToken: 'authentication_expired',
  InvalidToken: 'authentication_expired',
  AuthenticationRequired: 'authentication_expired',
  AuthFactorTokenRequired: 'permission_missing',
  AuthMissing: 'authentication_expired',
  AccountTakedown: 'account_suspended',
  AccountDeactivated: 'account_suspended',
  AccountSuspended: 'account_suspended',
  RateLimitExceeded: 'rate_limited',
  BlobTooLarge: 'media_refused',
  InvalidMimeType: 'media_refused',
};

const explain: MapRefusalToError = (reply) => {
  const { error: name, message = '' } = refusal.safeParse(reply.body).data ?? {};
  const details = { status: reply.status, code: name };
  const reason = name === undefined ? undefined : named[name];
  if (reply.status === 429 || reason === 'rate_limited') {
    return new PlatformError('rate_limited', {
      ...details,
      retryAt: parseEpochSecondsHeader(reply.headers, 'ratelimit-reset'),
    });
  }
  if (reason) return new PlatformError(reason, details);
  if (reply.status === 400 && /grapheme|too (long|big)|maxLength/i.test(message))
    return new PlatformError('text_too_long', details);
  if (reply.status === 400 && /blob|mime|image|video/i.test(message))
    return new PlatformError('media_refused', details);
  return mapStatusToError(reply, name);
};

export interface BlueskyOptions extends AdapterOptions {
  /** Server of the accounts. https://bsky.social redirects to Bluesky's own. */
  readonly url?: string | undefined;
}

/** Client of the AT protocol with an app password: https://docs.bsky.app/docs/api/com-atproto-server-create-session */
export function createBluesky(options: BlueskyOptions): Platform {
  const service = options.url ?? 'https://bsky.social';
  const http = createPlatformHttpClient(explain, options.clock);
  const xrpc = (name: string) => `${service}/xrpc/${name}`;

  return {
    id: 'bluesky',
    limits: blueskyLimits,
    connect: {
      kind: 'app_password',
      async signIn(name, password, signal) {
        const json = { identifier: name.replace(/^@/, ''), password: password.reveal() };
        const reply = await http.read(xrpc('com.atproto.server.createSession'), session, {
          method: 'POST',
          json,
          signal,
        });
        return { account: { id: reply.did, name: `@${reply.handle}` }, tokens: tokensOf(reply) };
      },
    },
    async refresh({ tokens }, signal) {
      const call: PlatformHttpCall = { method: 'POST', token: tokens.refresh, signal };
      return tokensOf(await http.read(xrpc('com.atproto.server.refreshSession'), session, call));
    },
    async revoke({ tokens }, signal) {
      await http.call(xrpc('com.atproto.server.deleteSession'), { method: 'POST', token: tokens.refresh, signal });
    },
    async publish({ account, tokens }, post, attempt) {
      const authorised = { token: tokens.access, signal: attempt.signal };
      const embed = await embedOf(post.media, authorised);
      const facets = findLinkByteRanges(post.text).map(({ address, start, end }) => ({
        index: { byteStart: start, byteEnd: end },
        features: [{ $type: 'app.bsky.richtext.facet#link', uri: address }],
      }));
      await attempt.committing();
      const { uri } = await http.read(xrpc('com.atproto.repo.createRecord'), record, {
        method: 'POST',
        json: {
          repo: account.id,
          collection,
          rkey: keyOf(attempt),
          record: {
            $type: collection,
            text: post.text,
            createdAt: options.clock.now().toISOString(),
            ...(facets.length > 0 && { facets }),
            ...(embed && { embed }),
          },
        },
        ...authorised,
        commits: true,
      });
      return { id: uri, address: pageOf(account.id, uri) };
    },
    async find({ account, tokens }: PlatformConnection, _post, attempt) {
      try {
        const { uri } = await http.read(xrpc('com.atproto.repo.getRecord'), z.object({ uri: z.string() }), {
          query: { repo: account.id, collection, rkey: keyOf(attempt) },
          token: tokens.access,
          signal: attempt.signal,
        });
        return { state: 'published', post: { id: uri, address: pageOf(account.id, uri) } };
      } catch (error) {
        if (error instanceof PlatformError && error.code === 'RecordNotFound') return { state: 'absent' };
        throw error;
      }
    },
  };

  async function embedOf(media: readonly PostMedia[], authorised: { token: HiddenSecret; signal: AbortSignal }) {
    const [first] = media;
    if (!first) return undefined;
    const put = async (one: PostMedia) => {
      const body = await one.read(0, one.bytes);
      const headers = { 'content-type': one.mimeType };
      const call: PlatformHttpCall = { method: 'POST', body, headers, ...authorised };
      return (await http.read(xrpc('com.atproto.repo.uploadBlob'), blob, call)).blob;
    };
    const altOf = ({ altText }: PostMedia) => cutText(altText, blueskyLimits.altText);
    if (first.kind === 'video') {
      return { $type: 'app.bsky.embed.video', video: await put(first), alt: altOf(first) };
    }
    const images: object[] = [];
    for (const image of media) images.push({ image: await put(image), alt: altOf(image) });
    return { $type: 'app.bsky.embed.images', images };
  }
}

const collection = 'app.bsky.feed.post';

function tokensOf({ accessJwt, refreshJwt }: z.output<typeof session>): PlatformTokens {
  return { access: new Secret(accessJwt), refresh: new Secret(refreshJwt), expiresAt: endOf(accessJwt) };
}

/** Reads the expiry from an access token, which lasts minutes. */
function endOf(jwt: string): Date | undefined {
  try {
    const claims = JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString()) as { exp?: unknown };
    return typeof claims.exp === 'number' ? new Date(claims.exp * 1_000) : undefined;
  } catch {
    return undefined;
  }
}

const base32 = '234567abcdefghijklmnopqrstuvwxyz';

/**
 * Returns the record's key, a TID (https://atproto.com/specs/tid), derived from the time of the first attempt and the
 * delivery's ID. Every attempt requests the same record, of which there cannot be two.
 */
function keyOf({ since, key }: Pick<PublishAttempt, 'since' | 'key'>): string {
  const digest = createHash('sha256').update(key).digest();
  const micros = BigInt(since.getTime()) * 1_000n + BigInt(digest.readUInt16BE(0) % 1_000);
  let value = (micros << 10n) | BigInt(digest.readUInt16BE(2) % 1_024);
  let written = '';
  for (let index = 0; index < 13; index += 1) {
    written = base32.charAt(Number(value & 31n)) + written;
    value >>= 5n;
  }
  return written;
}

const pageOf = (did: string, uri: string): string =>
  `https://bsky.app/profile/${did}/post/${uri.split('/').pop() ?? ''}`;
