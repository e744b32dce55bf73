import type { Router } from 'express';
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

const person = { sub: '782bbtaQ', name: 'Example Person' };
const organisation = { id: '2414183', localizedName: 'Example Company' };
const accessSeconds = 60 * 86_400;

const problem = (status: number, code: string, message: string, serviceErrorCode?: number): Answer => ({
  status,
  body: { status, code, message, ...(serviceErrorCode === undefined ? {} : { serviceErrorCode }) },
});

/** https://learn.microsoft.com/linkedin/shared/api-guide/concepts/error-handling (202511) */
export const linkedinErrors = (reset: Date): Record<string, Answer> => ({
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

/** LinkedIn, versioned API 202511: https://learn.microsoft.com/linkedin/marketing/community-management/shares/posts-api */
export function linkedinRoutes(desk: PlatformDesk, secret: string, url: () => string): Router {
  const { router, on } = createPlatformRouter({ desk, name: 'linkedin', errors: linkedinErrors });
  const refuse = (error: string) => new Refusal(linkedinErrors(desk.now())[error] ?? {});
  const mustBeIn = ({ token }: Asked) => {
    if (desk.accountOf('linkedin', 'access', token) === undefined) throw refuse('expired');
  };
  /** Requires a valid token and the header of the versioned API. */
  const mustBeVersioned = (asked: Asked) => {
    mustBeIn(asked);
    if (/^\d{6}$/.test(asked.request.get('linkedin-version') ?? '')) return;
    throw new Refusal(
      problem(
        400,
        'VERSION_MISSING',
        'A version must be present. Please specify a version by adding the LinkedIn-Version header.',
      ),
    );
  };

  router.get('/oauth/v2/authorization', (request, response) => {
    response.send(consentPage(desk, 'linkedin', 'LinkedIn', new URL(request.url, 'http://simulator').searchParams));
  });
  on('post', '/oauth/v2/accessToken', 'token', (asked) => {
    const refresh = textOf(asked.fields['refresh_token']);
    const renews =
      asked.fields['grant_type'] === 'refresh_token' && desk.accountOf('linkedin', 'refresh', refresh) !== undefined;
    if (!provesItself(asked, secret) || !(renews || takesCode(desk, 'linkedin', asked))) {
      throw new Refusal({
        status: 400,
        body: {
          error: 'invalid_request',
          error_description: 'Unable to retrieve access token: authorization code not found',
        },
      });
    }
    return {
      body: {
        access_token: desk.issue('linkedin', 'access', person.sub, accessSeconds),
        expires_in: accessSeconds,
        refresh_token: renews ? refresh : desk.issue('linkedin', 'refresh', person.sub, 365 * 86_400),
        refresh_token_expires_in: 365 * 86_400,
        scope: 'openid,profile,w_member_social',
        token_type: 'Bearer',
      },
    };
  });
  on('post', '/oauth/v2/revoke', 'revoke', (asked) => {
    desk.revoke(textOf(asked.fields['token']));
    return {};
  });
  on('get', '/v2/userinfo', 'account', (asked) => {
    mustBeIn(asked);
    return { body: person };
  });
  on('get', '/rest/organizationAcls', 'account', (asked) => {
    mustBeVersioned(asked);
    const element = {
      role: 'ADMINISTRATOR',
      state: 'APPROVED',
      organization: `urn:li:organization:${organisation.id}`,
    };
    return { body: { paging: { start: 0, count: 10 }, elements: [element] } };
  });
  on('get', '/rest/organizations/:id', 'account', (asked) => {
    mustBeVersioned(asked);
    return { body: { id: Number(organisation.id), localizedName: organisation.localizedName } };
  });
  on('post', '/rest/posts', 'publish', (asked) => {
    mustBeVersioned(asked);
    const text = textOf(asked.fields['commentary']).replace(/\\([\\|{}@[\]()<>#*_~])/g, '$1');
    const account = textOf(asked.fields['author']);
    const media = [...JSON.stringify(asked.fields['content'] ?? {}).matchAll(/urn:li:(?:image|video):\w+/g)].map(
      ([id]) => id,
    );
    if ([...text].length > 3_000) throw refuse('too_long');
    if (media.some((id) => desk.piece('linkedin', id) === undefined)) throw refuse('media');
    if (desk.posts('linkedin').some((post) => post.text === text && post.account === account))
      throw refuse('duplicate');
    const { id } = desk.publish('linkedin', { id: `urn:li:share:${desk.newId()}`, account, text, media });
    return { status: 201, headers: { 'x-restli-id': id } };
  });
  on('get', '/rest/posts', 'find', (asked) => {
    mustBeVersioned(asked);
    const author = asked.query.get('author') ?? '';
    // Reading a person's posts needs a permission that few apps have.
    if (!author.startsWith('urn:li:organization:')) throw refuse('permission');
    const elements = desk
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
  uploads(desk, on, mustBeVersioned, url);
  return router;
}

/** https://learn.microsoft.com/linkedin/marketing/community-management/shares/images-api and videos-api */
function uploads(
  desk: PlatformDesk,
  on: ReturnType<typeof createPlatformRouter>['on'],
  mustBeVersioned: (asked: Asked) => void,
  url: () => string,
): void {
  const stateOf = (id: string): Answer => {
    const piece = desk.piece('linkedin', id);
    if (!piece) return problem(404, 'NOT_FOUND', 'Could not find entity');
    const state =
      piece.bytes === 0
        ? 'WAITING_UPLOAD'
        : { working: 'PROCESSING', ready: 'AVAILABLE', failed: 'PROCESSING_FAILED' }[desk.look(piece)];
    return { body: { id, status: state, owner: `urn:li:person:${person.sub}` } };
  };
  for (const kind of ['image', 'video'] as const) {
    on('post', `/rest/${kind}s`, 'upload', (asked) => {
      mustBeVersioned(asked);
      if (asked.query.get('action') === 'finalizeUpload') return {};
      const id = `urn:li:${kind}:C${desk.newId()}`;
      desk.addPiece('linkedin', id, {}, asked.told);
      const uploadUrl = `${url()}/platforms/linkedin/upload/${encodeURIComponent(id)}`;
      if (kind === 'image')
        return { body: { value: { uploadUrlExpiresAt: desk.now().getTime() + 86_400_000, uploadUrl, image: id } } };
      const { fileSizeBytes } = (asked.fields['initializeUploadRequest'] ?? {}) as { fileSizeBytes?: number };
      const uploadInstructions = [{ uploadUrl, firstByte: 0, lastByte: (fileSizeBytes ?? 1) - 1 }];
      return {
        body: {
          value: {
            uploadUrlsExpireAt: desk.now().getTime() + 86_400_000,
            video: id,
            uploadInstructions,
            uploadToken: '',
          },
        },
      };
    });
    on('get', `/rest/${kind}s/:id`, 'status', (asked) => {
      mustBeVersioned(asked);
      return stateOf(textOf(asked.request.params['id']));
    });
  }
  on('put', '/upload/:id', 'upload', (asked) => {
    const piece = desk.piece('linkedin', textOf(asked.request.params['id']));
    if (!piece) return { status: 404 };
    piece.bytes += asked.bytes.length;
    return { status: 201, headers: { etag: `"${piece.id.split(':').pop() ?? ''}"` } };
  });
}
