import type { Router } from 'express';
import { canFetchMedia } from './fetched.ts';
import { createMeta, metaErrors } from './metaRoutes.ts';
import type { MediaPiece, PlatformSimulation } from './PlatformSimulation.ts';
import { consentPage, createPlatformRouter, toPlatformText } from './platformRouter.ts';
import { threadsLength } from './textLength.ts';

const day = 86_400;

interface Shape {
  readonly name: 'instagram' | 'threads';
  readonly title: string;
  readonly version: string;
  readonly account: { readonly id: string; readonly username: string };
  readonly make: string;
  readonly publish: string;
  readonly list: string;
  /** Field that holds a container's text. */
  readonly text: 'caption' | 'text';
}

/**
 * Instagram API with Instagram Login, v24.0: https://developers.facebook.com/docs/instagram-platform/content-publishing
 */
export const instagramShape: Shape = {
  name: 'instagram',
  title: 'Instagram',
  version: 'v24.0',
  account: { id: '17841405822304914', username: 'example' },
  make: 'media',
  publish: 'media_publish',
  list: 'media',
  text: 'caption',
};

/** Threads API v1.0: https://developers.facebook.com/docs/threads/posts */
export const threadsShape: Shape = {
  name: 'threads',
  title: 'Threads',
  version: 'v1.0',
  account: { id: '17841400000000001', username: 'example' },
  make: 'threads',
  publish: 'threads_publish',
  list: 'threads',
  text: 'text',
};

/** Serves the platforms that publish in two steps, through containers. */
export function containerRoutes(simulation: PlatformSimulation, secret: string, shape: Shape): Router {
  const { name, title, version, account } = shape;
  const { router, on } = createPlatformRouter({ simulation, name, errors: metaErrors });
  const meta = createMeta(simulation, name, secret);
  const longLived = () => ({
    body: {
      access_token: simulation.issue(name, 'access', account.id, 60 * day),
      token_type: 'bearer',
      expires_in: 60 * day,
    },
  });

  router.get('/oauth/authorize', (request, response) => {
    response.send(consentPage(simulation, name, title, new URL(request.url, 'http://simulator').searchParams));
  });
  on('post', '/oauth/access_token', 'token', (call) => {
    meta.mustExchange(call);
    const access_token = simulation.issue(name, 'access', account.id, 3_600);
    if (name === 'threads') return { body: { access_token, user_id: Number(account.id) } };
    const permissions = 'instagram_business_basic,instagram_business_content_publish';
    return { body: { data: [{ access_token, user_id: account.id, permissions }] } };
  });
  on('get', '/access_token', 'token', (call) => {
    meta.mustBeIn(call);
    if (call.query.get('client_secret') !== secret) throw meta.refuse('permission');
    return longLived();
  });
  on('get', '/refresh_access_token', 'refresh', (call) => {
    meta.mustBeIn(call);
    return longLived();
  });
  on('get', `/${version}/me`, 'account', (call) => {
    meta.mustBeIn(call);
    return { body: { id: account.id, user_id: account.id, username: account.username } };
  });
  on('get', `/${version}/me/${shape.list}`, 'find', (call) => {
    meta.mustBeIn(call);
    const data = simulation
      .posts(name)
      .slice(0, 50)
      .map(({ id, text, createdAt }) => ({
        id,
        [shape.text]: text,
        permalink: `https://www.${name}.com/p/${id}/`,
        timestamp: createdAt.replace(/\.\d+Z$/, '+0000'),
      }));
    return { body: { data } };
  });
  publishing(simulation, shape, on, meta);
  return router;
}

function publishing(
  simulation: PlatformSimulation,
  shape: Shape,
  on: ReturnType<typeof createPlatformRouter>['on'],
  meta: ReturnType<typeof createMeta>,
): void {
  const { name, version } = shape;
  const stateOf = (piece: MediaPiece): string => {
    if (piece.publishedAs !== undefined) return 'PUBLISHED';
    return { working: 'IN_PROGRESS', ready: 'FINISHED', failed: 'ERROR' }[simulation.pollPiece(piece)];
  };
  on('post', `/${version}/:user/${shape.make}`, 'container', async (call) => {
    meta.mustBeIn(call);
    const { fields } = call;
    const hasMedia = [fields['image_url'], fields['video_url'], fields['children']].some(
      (value) => value !== undefined,
    );
    if (name === 'instagram' && !hasMedia) throw meta.refuse('media');
    const text = toPlatformText(fields[shape.text]);
    const isTooLong = name === 'instagram' ? [...text].length > 2_200 : threadsLength(text) > 500;
    if (isTooLong) throw meta.refuse('too_long');
    const piece = simulation.addPiece(name, simulation.newId(), fields, call.activeSwitch);
    const address = fields['image_url'] ?? fields['video_url'];
    piece.fails ||= address !== undefined && !(await canFetchMedia(address));
    return { body: { id: piece.id } };
  });
  on('post', `/${version}/:user/${shape.publish}`, 'publish', (call) => {
    const account = meta.mustBeIn(call);
    const piece = simulation.piece(name, toPlatformText(call.fields['creation_id']));
    if (!piece || piece.pollsUntilReady > 0 || piece.fails) throw meta.refuse('media');
    // A container is published once, however often that is requested.
    if (piece.publishedAs === undefined) {
      const media = [piece.fields['image_url'] ?? piece.fields['video_url'] ?? piece.fields['children'] ?? []]
        .flat()
        .map(String);
      const text = toPlatformText(piece.fields[shape.text]);
      piece.publishedAs = simulation.publish(name, { id: simulation.newId(), account, text, media }).id;
    }
    return { body: { id: piece.publishedAs } };
  });
  on('get', `/${version}/:id`, 'status', (call) => {
    meta.mustBeIn(call);
    const id = toPlatformText(call.request.params['id']);
    const piece = simulation.piece(name, id);
    if (!piece) return { body: { id, permalink: `https://www.${name}.com/p/${id}/` } };
    const state = stateOf(piece);
    if (name === 'instagram') return { body: { id, status_code: state } };
    return { body: { id, status: state, ...(state === 'ERROR' && { error_message: 'FAILED_DOWNLOADING_VIDEO' }) } };
  });
}
