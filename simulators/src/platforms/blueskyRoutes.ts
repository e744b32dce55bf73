import type { Router } from 'express';
import type { PlatformDesk } from './PlatformDesk.ts';
import { createPlatformRouter, Refusal, textOf, type Answer, type Asked } from './platformRouter.ts';
import { fitsBluesky } from './textLength.ts';

const did = 'did:plc:ewvi7nxzyoun6zhxrhs64oiz';
const handle = 'example.bsky.social';
const accessSeconds = 7_200;

const refusal = (status: number, error: string, message: string): Answer => ({ status, body: { error, message } });

/** https://atproto.com/specs/xrpc#error-responses and https://docs.bsky.app/docs/advanced-guides/rate-limits (2025) */
export const blueskyErrors = (reset: Date): Record<string, Answer> => ({
  expired: refusal(400, 'ExpiredToken', 'Token has expired'),
  invalid_token: refusal(400, 'InvalidToken', 'Token could not be verified'),
  wrong_password: refusal(401, 'AuthenticationRequired', 'Invalid identifier or password'),
  second_factor: refusal(401, 'AuthFactorTokenRequired', 'A sign in code has been sent to your email address'),
  takedown: refusal(401, 'AccountTakedown', 'Account has been taken down'),
  too_long: refusal(
    400,
    'InvalidRequest',
    'Invalid app.bsky.feed.post record: Record/text must not be longer than 300 graphemes',
  ),
  media: refusal(400, 'InvalidMimeType', 'Wrong mimetype of blob'),
  blob_too_large: refusal(400, 'BlobTooLarge', 'This file is too large. It is 2MB but the maximum size is 1MB.'),
  rate_limit: {
    ...refusal(429, 'RateLimitExceeded', 'Rate Limit Exceeded'),
    headers: {
      'ratelimit-limit': '1666',
      'ratelimit-remaining': '0',
      'ratelimit-reset': String(Math.ceil(reset.getTime() / 1_000)),
      'ratelimit-policy': '1666;w=3600',
    },
  },
  outage: refusal(502, 'UpstreamFailure', 'Upstream Failure'),
});

/** Simulates a PDS of the AT protocol: https://docs.bsky.app/docs/api/com-atproto-repo-create-record */
export function blueskyRoutes(desk: PlatformDesk, password: string): Router {
  const { router, on } = createPlatformRouter({ desk, name: 'bluesky', errors: blueskyErrors });
  const refuse = (error: string) => new Refusal(blueskyErrors(desk.now())[error] ?? {});
  const mustBeIn = ({ token }: Asked, kind: 'access' | 'refresh' = 'access') => {
    if (desk.accountOf('bluesky', kind, token) === undefined) throw refuse('expired');
  };
  const session = () => ({
    body: {
      did,
      handle,
      accessJwt: jwt(desk, 'access', accessSeconds),
      refreshJwt: jwt(desk, 'refresh', 60 * 86_400),
      active: true,
    },
  });
  const uriOf = (key: string) => `at://${did}/app.bsky.feed.post/${key}`;

  on('post', '/xrpc/com.atproto.server.createSession', 'token', ({ fields }) => {
    if (textOf(fields['identifier']) !== handle || fields['password'] !== password) throw refuse('wrong_password');
    return session();
  });
  on('post', '/xrpc/com.atproto.server.refreshSession', 'refresh', (asked) => {
    mustBeIn(asked, 'refresh');
    desk.revoke(asked.token ?? '');
    return session();
  });
  on('post', '/xrpc/com.atproto.server.deleteSession', 'revoke', (asked) => {
    mustBeIn(asked, 'refresh');
    desk.revoke(asked.token ?? '');
    return {};
  });
  on('post', '/xrpc/com.atproto.repo.uploadBlob', 'upload', (asked) => {
    mustBeIn(asked);
    if (asked.bytes.length > 50_000_000) throw refuse('blob_too_large');
    const mimeType = asked.request.get('content-type') ?? 'application/octet-stream';
    const { id } = desk.addPiece('bluesky', `bafkrei${desk.newId()}`, { mimeType }, asked.told);
    return { body: { blob: { $type: 'blob', ref: { $link: id }, mimeType, size: asked.bytes.length } } };
  });
  on('post', '/xrpc/com.atproto.repo.createRecord', 'publish', (asked) => {
    mustBeIn(asked);
    const record = (asked.fields['record'] ?? {}) as { text?: string };
    const key = textOf(asked.fields['rkey']) || desk.newId();
    const text = record.text ?? '';
    const media = [...JSON.stringify(record).matchAll(/"\$link":"([^"]+)"/g)].map(([, id = '']) => id);
    if (media.some((id) => desk.piece('bluesky', id) === undefined)) throw refuse('media');
    if (!fitsBluesky(text)) throw refuse('too_long');
    const uri = uriOf(key);
    if (desk.posts('bluesky').some(({ id }) => id === uri))
      throw new Refusal(refusal(400, 'InvalidRequest', 'Record already exists'));
    desk.publish('bluesky', { id: uri, account: did, text, media });
    return { body: { uri, cid: `bafyrei${desk.newId()}`, validationStatus: 'valid' } };
  });
  on('get', '/xrpc/com.atproto.repo.getRecord', 'find', (asked) => {
    mustBeIn(asked);
    const uri = uriOf(asked.query.get('rkey') ?? '');
    const post = desk.posts('bluesky').find(({ id }) => id === uri);
    if (!post) throw new Refusal(refusal(400, 'RecordNotFound', `Could not locate record: ${uri}`));
    return {
      body: { uri, cid: 'bafyrei', value: { $type: 'app.bsky.feed.post', text: post.text, createdAt: post.createdAt } },
    };
  });
  return router;
}

/** Builds the part of a token that clients read: its expiry. */
function jwt(desk: PlatformDesk, kind: 'access' | 'refresh', seconds: number): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const exp = Math.floor(desk.now().getTime() / 1_000) + seconds;
  const token = `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ sub: did, jti: desk.newId(), exp })}.simulated`;
  return desk.keepToken(token, 'bluesky', kind, did, seconds);
}
