import type { Router } from 'express';
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

const person = { sub: '782bbtaQ', name: 'Example Person' };
const organisation = { id: '2414183', localizedName: 'Example Company' };
const accessSeconds = 60 * 86_400;

const problem = (status: number, code: string, message: string, serviceErrorCode?: number): PlatformAnswer => ({
  status,
  body: { status, code, message, ...(serviceErrorCode === undefined ? {} : { serviceErrorCode }) },
});

/** https://learn.microsoft.com/linkedin/shared/api-guide/concepts/error-handling (202511) */
export const linkedinErrors = (reset: Date): Record<string, PlatformAnswer> => ({
  expired: problem(401, 'EXPIRED_ACCESS_TOKEN', 'The token used in the request has expired', 65602),
  revoked: problem(401, 'REVOKED_ACCESS_TOKEN', 'The token used in the request has been revoked by the user', 65601),
  permission: problem(403, 'ACCESS_DENIED', 'Not enough permissions to access: POST /posts', 100),
  restricted: problem(403, 'MEMBER_RESTRICTED', 'Member is restricted'),
  duplicate: problem(422, 'DUPLICATE_POST', 'Content is a duplicate of urn:li:share:6844785523593134080'),
  media: problem(422, 'UNPROCESSABLE_ENTITY', 'The media asset is not in a valid state'),
  too_long: problem(422, 'FIELD_LENGTH_TOO_LONG', 'ERROR :: /commentary :: length exceeds 3000'),
  refused: problem(422, 'UNPROCESSABLE_ENTITY', 'The post was not accepted'),
  rate_limit: {
    ...problem(
      429,
      'TOO_MANY_REQUESTS',
      'Resource level throttle APPLICATION_AND_MEMBER DAY limit for calls to this resource is reached.',
      101,
    ),
    headers: { 'retry-after': String(Math.max(1, Math.ceil((reset.getTime() - Date.now()) / 1_000))) },
  },
  outage: problem(500, 'INTERNAL_SERVER_ERROR', 'Internal Server Error'),
});

/**
 * LinkedIn, versioned API 202511: https://learn.microsoft.com/linkedin/marketing/community-management/shares/posts-api
 */
export function linkedinRoutes(simulation: PlatformSimulation, secret: string, url: () => string): Router {
  const { router, on } = createPlatformRouter({ simulation, name: 'linkedin', errors: linkedinErrors });
  const refuse = (error: string) => new PlatformRefusal(linkedinErrors(simulation.now())[error] ?? {});
  const mustBeIn = ({ token }: PlatformApiCall) => {
    if (simulation.accountOf('linkedin', 'access', token) === undefined) throw refuse('expired');
  };
  /** Requires a valid token and the header of the versioned API. */
  const mustBeVersioned = (call: PlatformApiCall) => {
    mustBeIn(call);
    if (/^\d{6}$/.test(call.request.get('linkedin-version') ?? '')) return;
    throw new PlatformRefusal(
      problem(
        400,
        'VERSION_MISSING',
        'A version must be present. Please specify a version by adding the LinkedIn-Version header.',
      ),
    );
  };

  router.get('/oauth/v2/authorization', (request, response) => {
    response.send(
      consentPage(simulation, 'linkedin', 'LinkedIn', new URL(request.url, 'http://simulator').searchParams),
    );
  });
  on('post', '/oauth/v2/accessToken', 'token', (call) => {
    const refresh = toPlatformText(call.fields['refresh_token']);
    const renews =
      call.fields['grant_type'] === 'refresh_token' &&
      simulation.accountOf('linkedin', 'refresh', refresh) !== undefined;
    if (!isAppAuthenticated(call, secret) || !(renews || exchangesCode(simulation, 'linkedin', call))) {
      throw new PlatformRefusal({
        status: 400,
        body: {
          error: 'invalid_request',
          error_description: 'Unable to retrieve access token: authorization code not found',
        },
      });
    }
    return {
      body: {
        access_token: simulation.issue('linkedin', 'access', person.sub, accessSeconds),
        expires_in: accessSeconds,
        refresh_token: renews ? refresh : simulation.issue('linkedin', 'refresh', person.sub, 365 * 86_400),
        refresh_token_expires_in: 365 * 86_400,
        scope: 'openid,profile,w_member_social',
        token_type: 'Bearer',
      },
    };
  });
  on('post', '/oauth/v2/revoke', 'revoke', (call) => {
    simulation.revoke(toPlatformText(call.fields['token']));
    return {};
  });
  on('get', '/v2/userinfo', 'account', (call) => {
    mustBeIn(call);
    return { body: person };
  });
  on('get', '/rest/organizationAcls', 'account', (call) => {
    mustBeVersioned(call);
    const element = {
      role: 'ADMINISTRATOR',
      state: 'APPROVED',
      organization: `urn:li:organization:${organisation.id}`,
    };
    return { body: { paging: { start: 0, count: 10 }, elements: [element] } };
  });
  on('get', '/rest/organizations/:id', 'account', (call) => {
    mustBeVersioned(call);
    return { body: { id: Number(organisation.id), localizedName: organisation.localizedName } };
  });
  on('post', '/rest/posts', 'publish', (call) => {
    mustBeVersioned(call);
    const text = toPlatformText(call.fields['commentary']).replace(/\\([\\|{}@[\]()<>#*_~])/g, '$1');
    const account = toPlatformText(call.fields['author']);
    const media = [...JSON.stringify(call.fields['content'] ?? {}).matchAll(/urn:li:(?:image|video):\w+/g)].map(
      ([id]) => id,
    );
    if ([...text].length > 3_000) throw refuse('too_long');
    if (media.some((id) => simulation.piece('linkedin', id) === undefined)) throw refuse('media');
    if (simulation.posts('linkedin').some((post) => post.text === text && post.account === account))
      throw refuse('duplicate');
    const { id } = simulation.publish('linkedin', { id: `urn:li:share:${simulation.newId()}`, account, text, media });
    return { status: 201, headers: { 'x-restli-id': id } };
  });
  on('get', '/rest/posts', 'find', (call) => {
    mustBeVersioned(call);
    const author = call.query.get('author') ?? '';
    // Reading a person's posts needs a permission that few apps have.
    if (!author.startsWith('urn:li:organization:')) throw refuse('permission');
    const elements = simulation
      .posts('linkedin')
      .filter(({ account }) => account === author)
      .slice(0, 50);
    return {
      body: {
        elements: elements.map(({ id, text, createdAt }) => ({
          id,
          commentary: text,
          createdAt: new Date(createdAt).getTime(),
        })),
      },
    };
  });
  uploads(simulation, on, mustBeVersioned, url);
  return router;
}

/** https://learn.microsoft.com/linkedin/marketing/community-management/shares/images-api and videos-api */
function uploads(
  simulation: PlatformSimulation,
  on: ReturnType<typeof createPlatformRouter>['on'],
  mustBeVersioned: (call: PlatformApiCall) => void,
  url: () => string,
): void {
  const stateOf = (id: string): PlatformAnswer => {
    const piece = simulation.piece('linkedin', id);
    if (!piece) return problem(404, 'NOT_FOUND', 'Could not find entity');
    const state =
      piece.bytes === 0
        ? 'WAITING_UPLOAD'
        : { working: 'PROCESSING', ready: 'AVAILABLE', failed: 'PROCESSING_FAILED' }[simulation.pollPiece(piece)];
    return { body: { id, status: state, owner: `urn:li:person:${person.sub}` } };
  };
  for (const kind of ['image', 'video'] as const) {
    on('post', `/rest/${kind}s`, 'upload', (call) => {
      mustBeVersioned(call);
      if (call.query.get('action') === 'finalizeUpload') return {};
      const id = `urn:li:${kind}:C${simulation.newId()}`;
      simulation.addPiece('linkedin', id, {}, call.activeSwitch);
      const uploadUrl = `${url()}/platforms/linkedin/upload/${encodeURIComponent(id)}`;
      if (kind === 'image')
        return {
          body: { value: { uploadUrlExpiresAt: simulation.now().getTime() + 86_400_000, uploadUrl, image: id } },
        };
      const { fileSizeBytes } = (call.fields['initializeUploadRequest'] ?? {}) as { fileSizeBytes?: number };
      const uploadInstructions = [{ uploadUrl, firstByte: 0, lastByte: (fileSizeBytes ?? 1) - 1 }];
      return {
        body: {
          value: {
            uploadUrlsExpireAt: simulation.now().getTime() + 86_400_000,
            video: id,
            uploadInstructions,
            uploadToken: '',
          },
        },
      };
    });
    on('get', `/rest/${kind}s/:id`, 'status', (call) => {
      mustBeVersioned(call);
      return stateOf(toPlatformText(call.request.params['id']));
    });
  }
  on('put', '/upload/:id', 'upload', (call) => {
    const piece = simulation.piece('linkedin', toPlatformText(call.request.params['id']));
    if (!piece) return { status: 404 };
    piece.bytes += call.bytes.length;
    return { status: 201, headers: { etag: `"${piece.id.split(':').pop() ?? ''}"` } };
  });
}
