import type { Router } from 'express';
import twitter from 'twitter-text';
import type { PlatformSimulation } from './PlatformSimulation.ts';
import {
  consentPage,
  createPlatformRouter,
  isAppAuthenticated,
  PlatformRefusal,
  exchangesCode,
  toPlatformText,
  type PlatformAnswer,
  type PlatformApiCall,
} from './platformRouter.ts';
import { xLength } from './textLength.ts';

const account = { id: '2244994945', name: 'Example Person', username: 'example' };
const accessSeconds = 7_200;

const problem = (
  status: number,
  title: string,
  detail: string,
  type = 'about:blank',
  more: object = {},
): PlatformAnswer => ({
  status,
  headers: { 'content-type': 'application/problem+json' },
  body: { title, detail, type, status, ...more },
});

/** https://docs.x.com/x-api/fundamentals/response-codes-and-errors and /rate-limits (API v2, 2025) */
export const xErrors = (reset: Date): Record<string, PlatformAnswer> => ({
  unauthorized: problem(401, 'Unauthorized', 'Unauthorized'),
  duplicate: problem(403, 'Forbidden', 'You are not allowed to create a Tweet with duplicate content.'),
  suspended: problem(403, 'Forbidden', 'Your account is suspended and is not permitted to access this feature.'),
  scope: problem(
    403,
    'Client Forbidden',
    'When authenticating requests to the X API v2 endpoints, you must use keys and tokens with the tweet.write scope.',
    'https://api.twitter.com/2/problems/client-forbidden',
    { reason: 'client-not-enrolled' },
  ),
  rate_limit: {
    ...problem(429, 'Too Many Requests', 'Too Many Requests'),
    headers: {
      'x-rate-limit-limit': '100',
      'x-rate-limit-remaining': '0',
      'x-rate-limit-reset': String(Math.ceil(reset.getTime() / 1_000)),
    },
  },
  too_long: problem(
    400,
    'Invalid Request',
    'Your Tweet text is too long. For more information on how Twitter determines text length see https://github.com/twitter/twitter-text.',
  ),
  media: problem(
    400,
    'Invalid Request',
    'Your media IDs are invalid.',
    'https://api.twitter.com/2/problems/invalid-request',
  ),
  outage: problem(503, 'Service Unavailable', 'Service Unavailable'),
});

/** X, API v2: https://docs.x.com/x-api (2025) */
export function xRoutes(simulation: PlatformSimulation, secret: string): Router {
  const { router, on } = createPlatformRouter({ simulation, name: 'twitter', errors: xErrors });
  const refuse = (error: string) => new PlatformRefusal(xErrors(simulation.now())[error] ?? {});
  const mustBeIn = ({ token }: PlatformApiCall) => {
    if (simulation.accountOf('twitter', 'access', token) === undefined) throw refuse('unauthorized');
  };
  const tokens = (): PlatformAnswer => ({
    body: {
      token_type: 'bearer',
      expires_in: accessSeconds,
      access_token: simulation.issue('twitter', 'access', account.id, accessSeconds),
      scope: 'tweet.read tweet.write users.read media.write offline.access',
      refresh_token: simulation.issue('twitter', 'refresh', account.id, 180 * 86_400),
    },
  });

  router.get('/i/oauth2/authorize', (request, response) => {
    const { searchParams } = new URL(request.url, 'http://simulator');
    response.send(consentPage(simulation, 'twitter', 'X', searchParams));
  });
  on('post', '/2/oauth2/token', 'token', (call) => {
    const { fields } = call;
    if (!isAppAuthenticated(call, secret))
      throw new PlatformRefusal({
        status: 401,
        body: { error: 'unauthorized_client', error_description: 'Missing valid authorization header' },
      });
    const refresh = toPlatformText(fields['refresh_token']);
    const renews =
      fields['grant_type'] === 'refresh_token' && simulation.accountOf('twitter', 'refresh', refresh) !== undefined;
    if (!renews && !exchangesCode(simulation, 'twitter', call)) {
      throw new PlatformRefusal({
        status: 400,
        body: { error: 'invalid_request', error_description: 'Value passed for the token was invalid.' },
      });
    }
    // A refresh token is valid for one use.
    simulation.revoke(refresh);
    return tokens();
  });
  on('post', '/2/oauth2/revoke', 'revoke', (call) => {
    if (!isAppAuthenticated(call, secret))
      throw new PlatformRefusal({ status: 401, body: { error: 'unauthorized_client' } });
    simulation.revoke(toPlatformText(call.fields['token']));
    return { body: { revoked: true } };
  });
  on('get', '/2/users/me', 'account', (call) => {
    mustBeIn(call);
    return { body: { data: account } };
  });
  on('post', '/2/tweets', 'publish', (call) => {
    mustBeIn(call);
    const text = toPlatformText(call.fields['text']);
    const { media_ids: media = [] } = (call.fields['media'] ?? {}) as { media_ids?: string[] };
    if (xLength(text) > 280) throw refuse('too_long');
    if (media.some((id) => simulation.piece('twitter', id) === undefined)) throw refuse('media');
    if (simulation.posts('twitter').some((post) => post.text === text && post.account === account.id))
      throw refuse('duplicate');
    const { id } = simulation.publish('twitter', { id: simulation.newId(), account: account.id, text, media });
    return { status: 201, body: { data: { id, text, edit_history_tweet_ids: [id] } } };
  });
  on('get', '/2/users/:id/tweets', 'find', (call) => {
    mustBeIn(call);
    const from = call.query.get('start_time') ?? '';
    const data = simulation
      .posts('twitter')
      .filter(({ createdAt }) => createdAt >= from)
      .slice(0, 100);
    if (data.length === 0) return { body: { meta: { result_count: 0 } } };
    return { body: { data: data.map(shown), meta: { result_count: data.length } } };
  });
  mediaRoutes(simulation, on, mustBeIn);
  return router;
}

/** Returns a post as the API does: with t.co in place of links, and three characters as entities. */
function shown({ id, text, createdAt }: { id: string; text: string; createdAt: string }) {
  const urls: { url: string; expanded_url: string }[] = [];
  let [short, from] = ['', 0];
  for (const { url: written, indices } of twitter.extractUrlsWithIndices(text)) {
    const url = `https://t.co/${id.slice(-6)}${urls.length}`;
    urls.push({ url, expanded_url: /^https?:/i.test(written) ? written : `http://${written}` });
    short += text.slice(from, indices[0]) + url;
    from = indices[1];
  }
  short += text.slice(from);
  const escaped = short.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
  return {
    id,
    text: escaped,
    created_at: createdAt,
    edit_history_tweet_ids: [id],
    ...(urls.length > 0 && { entities: { urls } }),
  };
}

/** https://docs.x.com/x-api/media/quickstart/media-upload-chunked */
function mediaRoutes(
  simulation: PlatformSimulation,
  on: ReturnType<typeof createPlatformRouter>['on'],
  mustBeIn: (call: PlatformApiCall) => void,
): void {
  const pieceOf = (id: string) => {
    const piece = simulation.piece('twitter', id);
    if (!piece) throw new PlatformRefusal(xErrors(simulation.now())['media'] ?? {});
    return piece;
  };
  const shape = (id: string, state?: object) => ({
    body: { data: { id, media_key: `13_${id}`, expires_after_secs: 86_400, ...(state && { processing_info: state }) } },
  });
  const stateOf = (id: string) => {
    const state = simulation.pollPiece(pieceOf(id));
    if (state === 'working') return { state: 'in_progress', check_after_secs: 1, progress_percent: 50 };
    if (state === 'failed')
      return { state: 'failed', error: { code: 1, name: 'InvalidMedia', message: 'Unsupported video format' } };
    return { state: 'succeeded', progress_percent: 100 };
  };
  on('post', '/2/media/upload/initialize', 'upload', (call) => {
    mustBeIn(call);
    const { id } = simulation.addPiece('twitter', simulation.newId(), call.fields, call.activeSwitch);
    return shape(id);
  });
  on('post', '/2/media/upload/:id/append', 'upload', (call) => {
    mustBeIn(call);
    const file = call.fields['media'];
    pieceOf(toPlatformText(call.request.params['id'])).bytes += file instanceof File ? file.size : 0;
    return { status: 200, body: { data: { expires_at: Math.floor(simulation.now().getTime() / 1_000) + 86_400 } } };
  });
  on('post', '/2/media/upload/:id/finalize', 'upload', (call) => {
    mustBeIn(call);
    const piece = pieceOf(toPlatformText(call.request.params['id']));
    if (piece.bytes !== piece.fields['total_bytes'])
      throw new PlatformRefusal(xErrors(simulation.now())['media'] ?? {});
    return shape(
      piece.id,
      piece.pollsUntilReady > 0 || piece.fails ? { state: 'pending', check_after_secs: 1 } : undefined,
    );
  });
  on('get', '/2/media/upload', 'status', (call) => {
    mustBeIn(call);
    const id = call.query.get('media_id') ?? '';
    return shape(id, stateOf(id));
  });
  on('post', '/2/media/metadata', 'upload', (call) => {
    mustBeIn(call);
    pieceOf(toPlatformText(call.fields['id']));
    return { body: { data: { id: call.fields['id'], associated_metadata: call.fields['metadata'] } } };
  });
}
