import type { Router } from 'express';
import twitter from 'twitter-text';
import type { PlatformDesk } from './PlatformDesk.ts';
import {
  consentPage,
  createPlatformRouter,
  provesItself,
  Refusal,
  takesCode,
  textOf,
  type Answer,
  type Asked,
} from './platformRouter.ts';
import { xLength } from './textLength.ts';

const account = { id: '2244994945', name: 'Example Person', username: 'example' };
const accessSeconds = 7_200;

const problem = (status: number, title: string, detail: string, type = 'about:blank', more: object = {}): Answer => ({
  status,
  headers: { 'content-type': 'application/problem+json' },
  body: { title, detail, type, status, ...more },
});

/** https://docs.x.com/x-api/fundamentals/response-codes-and-errors and /rate-limits (API v2, 2025) */
export const xErrors = (reset: Date): Record<string, Answer> => ({
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
export function xRoutes(desk: PlatformDesk, secret: string): Router {
  const { router, on } = createPlatformRouter({ desk, name: 'twitter', errors: xErrors });
  const refuse = (error: string) => new Refusal(xErrors(desk.now())[error] ?? {});
  const mustBeIn = ({ token }: Asked) => {
    if (desk.accountOf('twitter', 'access', token) === undefined) throw refuse('unauthorized');
  };
  const tokens = (): Answer => ({
    body: {
      token_type: 'bearer',
      expires_in: accessSeconds,
      access_token: desk.issue('twitter', 'access', account.id, accessSeconds),
      scope: 'tweet.read tweet.write users.read media.write offline.access',
      refresh_token: desk.issue('twitter', 'refresh', account.id, 180 * 86_400),
    },
  });

  router.get('/i/oauth2/authorize', (request, response) => {
    const { searchParams } = new URL(request.url, 'http://simulator');
    response.send(consentPage(desk, 'twitter', 'X', searchParams));
  });
  on('post', '/2/oauth2/token', 'token', (asked) => {
    const { fields } = asked;
    if (!provesItself(asked, secret))
      throw new Refusal({
        status: 401,
        body: { error: 'unauthorized_client', error_description: 'Missing valid authorization header' },
      });
    const refresh = textOf(fields['refresh_token']);
    const renews =
      fields['grant_type'] === 'refresh_token' && desk.accountOf('twitter', 'refresh', refresh) !== undefined;
    if (!renews && !takesCode(desk, 'twitter', asked)) {
      throw new Refusal({
        status: 400,
        body: { error: 'invalid_request', error_description: 'Value passed for the token was invalid.' },
      });
    }
    // A refresh token is valid for one use.
    desk.revoke(refresh);
    return tokens();
  });
  on('post', '/2/oauth2/revoke', 'revoke', (asked) => {
    if (!provesItself(asked, secret)) throw new Refusal({ status: 401, body: { error: 'unauthorized_client' } });
    desk.revoke(textOf(asked.fields['token']));
    return { body: { revoked: true } };
  });
  on('get', '/2/users/me', 'account', (asked) => {
    mustBeIn(asked);
    return { body: { data: account } };
  });
  on('post', '/2/tweets', 'publish', (asked) => {
    mustBeIn(asked);
    const text = textOf(asked.fields['text']);
    const { media_ids: media = [] } = (asked.fields['media'] ?? {}) as { media_ids?: string[] };
    if (xLength(text) > 280) throw refuse('too_long');
    if (media.some((id) => desk.piece('twitter', id) === undefined)) throw refuse('media');
    if (desk.posts('twitter').some((post) => post.text === text && post.account === account.id))
      throw refuse('duplicate');
    const { id } = desk.publish('twitter', { id: desk.newId(), account: account.id, text, media });
    return { status: 201, body: { data: { id, text, edit_history_tweet_ids: [id] } } };
  });
  on('get', '/2/users/:id/tweets', 'find', (asked) => {
    mustBeIn(asked);
    const from = asked.query.get('start_time') ?? '';
    const data = desk
      .posts('twitter')
      .filter(({ createdAt }) => createdAt >= from)
      .slice(0, 100);
    if (data.length === 0) return { body: { meta: { result_count: 0 } } };
    return { body: { data: data.map(shown), meta: { result_count: data.length } } };
  });
  mediaRoutes(desk, on, mustBeIn);
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
  desk: PlatformDesk,
  on: ReturnType<typeof createPlatformRouter>['on'],
  mustBeIn: (asked: Asked) => void,
): void {
  const pieceOf = (id: string) => {
    const piece = desk.piece('twitter', id);
    if (!piece) throw new Refusal(xErrors(desk.now())['media'] ?? {});
    return piece;
  };
  const shape = (id: string, state?: object) => ({
    body: { data: { id, media_key: `13_${id}`, expires_after_secs: 86_400, ...(state && { processing_info: state }) } },
  });
  const stateOf = (id: string) => {
    const state = desk.look(pieceOf(id));
    if (state === 'working') return { state: 'in_progress', check_after_secs: 1, progress_percent: 50 };
    if (state === 'failed')
      return { state: 'failed', error: { code: 1, name: 'InvalidMedia', message: 'Unsupported video format' } };
    return { state: 'succeeded', progress_percent: 100 };
  };
  on('post', '/2/media/upload/initialize', 'upload', (asked) => {
    mustBeIn(asked);
    const { id } = desk.addPiece('twitter', desk.newId(), asked.fields, asked.told);
    return shape(id);
  });
  on('post', '/2/media/upload/:id/append', 'upload', (asked) => {
    mustBeIn(asked);
    const file = asked.fields['media'];
    pieceOf(textOf(asked.request.params['id'])).bytes += file instanceof File ? file.size : 0;
    return { status: 200, body: { data: { expires_at: Math.floor(desk.now().getTime() / 1_000) + 86_400 } } };
  });
  on('post', '/2/media/upload/:id/finalize', 'upload', (asked) => {
    mustBeIn(asked);
    const piece = pieceOf(textOf(asked.request.params['id']));
    if (piece.bytes !== piece.fields['total_bytes']) throw new Refusal(xErrors(desk.now())['media'] ?? {});
    return shape(piece.id, piece.looks > 0 || piece.fails ? { state: 'pending', check_after_secs: 1 } : undefined);
  });
  on('get', '/2/media/upload', 'status', (asked) => {
    mustBeIn(asked);
    const id = asked.query.get('media_id') ?? '';
    return shape(id, stateOf(id));
  });
  on('post', '/2/media/metadata', 'upload', (asked) => {
    mustBeIn(asked);
    pieceOf(textOf(asked.fields['id']));
    return { body: { data: { id: asked.fields['id'], associated_metadata: asked.fields['metadata'] } } };
  });
}
