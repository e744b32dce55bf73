import type { Router } from 'express';
import type { PlatformSimulation } from './PlatformSimulation.ts';
import {
  createPlatformRouter,
  PlatformRefusal,
  toPlatformText,
  type PlatformAnswer,
  type PlatformApiCall,
} from './platformRouter.ts';
import { fitsBluesky } from './textLength.ts';

const did = 'did:plc:ewvi7nxzyoun6zhxrhs64oiz';
const handle = 'example.bsky.social';
const accessSeconds = 7_200;

const refusal = (status: number, error: string, message: string): PlatformAnswer => ({
  status,
  body: { error, message },
});

/** https://atproto.com/specs/xrpc#error-responses and https://docs.bsky.app/docs/advanced-guides/rate-limits (2025) */
export const blueskyErrors = (reset: Date): Record<string, PlatformAnswer> => ({
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
export function blueskyRoutes(simulation: PlatformSimulation, password: string): Router {
  const { router, on } = createPlatformRouter({ simulation, name: 'bluesky', errors: blueskyErrors });
  const refuse = (error: string) => new PlatformRefusal(blueskyErrors(simulation.now())[error] ?? {});
  const mustBeIn = ({ token }: PlatformApiCall, kind: 'access' | 'refresh' = 'access') => {
    if (simulation.accountOf('bluesky', kind, token) === undefined) throw refuse('expired');
  };
  const session = () => ({
    body: {
      did,
      handle,
      accessJwt: jwt(simulation, 'access', accessSeconds),
      refreshJwt: jwt(simulation, 'refresh', 60 * 86_400),
      active: true,
    },
  });
  const uriOf = (key: string) => `at://${did}/app.bsky.feed.post/${key}`;

  on('post', '/xrpc/com.atproto.server.createSession', 'token', ({ fields }) => {
    if (toPlatformText(fields['identifier']) !== handle || fields['password'] !== password)
      throw refuse('wrong_password');
    return session();
  });
  on('post', '/xrpc/com.atproto.server.refreshSession', 'refresh', (call) => {
    mustBeIn(call, 'refresh');
    simulation.revoke(call.token ?? '');
    return session();
  });
  on('post', '/xrpc/com.atproto.server.deleteSession', 'revoke', (call) => {
    mustBeIn(call, 'refresh');
    simulation.revoke(call.token ?? '');
    return {};
  });
  on('post', '/xrpc/com.atproto.repo.uploadBlob', 'upload', (call) => {
    mustBeIn(call);
    if (call.bytes.length > 50_000_000) throw refuse('blob_too_large');
    const mimeType = call.request.get('content-type') ?? 'application/octet-stream';
    const { id } = simulation.addPiece('bluesky', `bafkrei${simulation.newId()}`, { mimeType }, call.activeSwitch);
    return { body: { blob: { $type: 'blob', ref: { $link: id }, mimeType, size: call.bytes.length } } };
  });
  on('post', '/xrpc/com.atproto.repo.createRecord', 'publish', (call) => {
    mustBeIn(call);
    const record = (call.fields['record'] ?? {}) as { text?: string };
    const key = toPlatformText(call.fields['rkey']) || simulation.newId();
    const text = record.text ?? '';
    const media = [...JSON.stringify(record).matchAll(/"\$link":"([^"]+)"/g)].map(([, id = '']) => id);
    if (media.some((id) => simulation.piece('bluesky', id) === undefined)) throw refuse('media');
    if (!fitsBluesky(text)) throw refuse('too_long');
    const uri = uriOf(key);
    if (simulation.posts('bluesky').some(({ id }) => id === uri))
      throw new PlatformRefusal(refusal(400, 'InvalidRequest', 'Record already exists'));
    simulation.publish('bluesky', { id: uri, account: did, text, media });
    return { body: { uri, cid: `bafyrei${simulation.newId()}`, validationStatus: 'valid' } };
  });
  on('get', '/xrpc/com.atproto.repo.getRecord', 'find', (call) => {
    mustBeIn(call);
    const uri = uriOf(call.query.get('rkey') ?? '');
    const post = simulation.posts('bluesky').find(({ id }) => id === uri);
    if (!post) throw new PlatformRefusal(refusal(400, 'RecordNotFound', `Could not locate record: ${uri}`));
    return {
      body: { uri, cid: 'bafyrei', value: { $type: 'app.bsky.feed.post', text: post.text, createdAt: post.createdAt } },
    };
  });
  return router;
}

/** Builds the part of a token that clients read: its expiry. */
function jwt(simulation: PlatformSimulation, kind: 'access' | 'refresh', seconds: number): string {
  const encodeSegment = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const exp = Math.floor(simulation.now().getTime() / 1_000) + seconds;
  const token = `${encodeSegment({ alg: 'HS256', typ: 'JWT' })}.${encodeSegment({ sub: did, jti: simulation.newId(), exp })}.simulated`;
  return simulation.keepToken(token, 'bluesky', kind, did, seconds);
}
