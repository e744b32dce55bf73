import type { Router } from 'express';
import { html } from '../pages/html.ts';
import type { PlatformSimulation } from './PlatformSimulation.ts';
import {
  clientId,
  consentPage,
  createPlatformRouter,
  isAppAuthenticated,
  PlatformRefusal,
  exchangesCode,
  toPlatformText,
  type PlatformAnswer,
  type PlatformApiCall,
} from './platformRouter.ts';
import { mastodonLength } from './textLength.ts';

const account = { id: '108965278956942133', username: 'example', acct: 'example', display_name: 'Example Person' };

/** https://docs.joinmastodon.org/entities/Error and /api/rate-limits (4.5) */
export const mastodonErrors = (reset: Date): Record<string, PlatformAnswer> => ({
  invalid_token: { status: 401, body: { error: 'The access token is invalid' } },
  scope: { status: 403, body: { error: 'This action is outside the authorized scopes' } },
  suspended: { status: 403, body: { error: 'Your login is currently disabled' } },
  blank: { status: 422, body: { error: "Validation failed: Text can't be blank" } },
  too_long: { status: 422, body: { error: 'Validation failed: Text character limit of 500 exceeded' } },
  media: { status: 422, body: { error: 'Validation failed: File content type is invalid, File is invalid' } },
  processing: {
    status: 422,
    body: { error: 'Cannot attach files that have not finished processing. Try again in a moment!' },
  },
  rate_limit: {
    status: 429,
    headers: { 'x-ratelimit-limit': '300', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset.toISOString() },
    body: { error: 'Too many requests' },
  },
  outage: { status: 503, body: { error: 'Service unavailable' } },
});

/** Mastodon 4.5: https://docs.joinmastodon.org/methods/statuses/ */
export function mastodonRoutes(simulation: PlatformSimulation, secret: string): Router {
  const { router, on } = createPlatformRouter({ simulation, name: 'mastodon', errors: mastodonErrors });
  const refuse = (error: string) => new PlatformRefusal(mastodonErrors(simulation.now())[error] ?? {});
  const mustBeIn = ({ token }: PlatformApiCall) => {
    if (simulation.accountOf('mastodon', 'access', token) === undefined) throw refuse('invalid_token');
  };
  const sent = new Map<string, PlatformAnswer>();
  const shown = (id: string, text: string, createdAt: string) => ({
    id,
    created_at: createdAt,
    visibility: 'public',
    uri: `https://mastodon.example/users/example/statuses/${id}`,
    url: `https://mastodon.example/@example/${id}`,
    content: html`<p>${text}</p>`.text.replaceAll('\n', '<br>'),
    account,
  });

  on('post', '/api/v1/apps', 'account', ({ fields }) => ({
    body: {
      id: '563419',
      name: fields['client_name'],
      redirect_uris: [fields['redirect_uris']],
      client_id: clientId,
      client_secret: secret,
    },
  }));
  router.get('/oauth/authorize', (request, response) => {
    response.send(
      consentPage(simulation, 'mastodon', 'Mastodon', new URL(request.url, 'http://simulator').searchParams),
    );
  });
  on('post', '/oauth/token', 'token', (call) => {
    if (!isAppAuthenticated(call, secret))
      throw new PlatformRefusal({ status: 401, body: { error: 'invalid_client' } });
    if (!exchangesCode(simulation, 'mastodon', call))
      throw new PlatformRefusal({ status: 400, body: { error: 'invalid_grant' } });
    const access_token = simulation.issue('mastodon', 'access', account.id, 3_650 * 86_400);
    return {
      body: {
        access_token,
        token_type: 'Bearer',
        scope: 'read write',
        created_at: Math.floor(simulation.now().getTime() / 1_000),
      },
    };
  });
  on('post', '/oauth/revoke', 'revoke', (call) => {
    if (!isAppAuthenticated(call, secret))
      throw new PlatformRefusal({ status: 403, body: { error: 'unauthorized_client' } });
    simulation.revoke(toPlatformText(call.fields['token']));
    return { body: {} };
  });
  on('get', '/api/v1/accounts/verify_credentials', 'account', (call) => {
    mustBeIn(call);
    return { body: account };
  });
  on('post', '/api/v1/statuses', 'publish', (call) => {
    mustBeIn(call);
    const key = call.request.get('idempotency-key') ?? '';
    const before = sent.get(key);
    if (before) return before;
    const text = toPlatformText(call.fields['status']);
    const media = (call.fields['media_ids'] ?? []) as string[];
    if (text === '' && media.length === 0) throw refuse('blank');
    if (mastodonLength(text) > 500) throw refuse('too_long');
    for (const id of media) {
      const piece = simulation.piece('mastodon', id);
      if (!piece || piece.fails) throw refuse('media');
      if (piece.pollsUntilReady > 0) throw refuse('processing');
    }
    const { id, createdAt } = simulation.publish('mastodon', {
      id: simulation.newId(),
      account: account.id,
      text,
      media,
    });
    const answer = { body: shown(id, text, createdAt) };
    if (key !== '') sent.set(key, answer);
    return answer;
  });
  on('get', '/api/v1/accounts/:id/statuses', 'find', (call) => {
    mustBeIn(call);
    return {
      body: simulation
        .posts('mastodon')
        .slice(0, 40)
        .map(({ id, text, createdAt }) => shown(id, text, createdAt)),
    };
  });
  on('post', '/api/v2/media', 'upload', (call) => {
    mustBeIn(call);
    if (!(call.fields['file'] instanceof File)) throw refuse('media');
    const { id, pollsUntilReady } = simulation.addPiece('mastodon', simulation.newId(), {}, call.activeSwitch);
    const url = pollsUntilReady > 0 ? null : `https://mastodon.example/media/${id}`;
    return {
      status: pollsUntilReady > 0 ? 202 : 200,
      body: { id, type: 'image', url, description: call.fields['description'] ?? null },
    };
  });
  on('get', '/api/v1/media/:id', 'status', (call) => {
    mustBeIn(call);
    const id = toPlatformText(call.request.params['id']);
    const piece = simulation.piece('mastodon', id);
    if (!piece) return { status: 404, body: { error: 'Record not found' } };
    const state = simulation.pollPiece(piece);
    if (state === 'failed') throw refuse('media');
    return {
      status: state === 'working' ? 206 : 200,
      body: { id, type: 'image', url: state === 'working' ? null : `https://mastodon.example/media/${id}` },
    };
  });
  return router;
}
