import type { Router } from 'express';
import { canFetchMedia } from './fetched.ts';
import { createMeta, metaErrors } from './metaRoutes.ts';
import type { PlatformSimulation } from './PlatformSimulation.ts';
import { consentPage, createPlatformRouter, isAppAuthenticated, toPlatformText } from './platformRouter.ts';

const person = '10224994945';
const pages = [
  { id: '134895793791914', name: 'Example Bakery' },
  { id: '134895793791915', name: 'Example Choir' },
];
const day = 86_400;

/** Facebook pages, Graph API v24.0: https://developers.facebook.com/docs/pages-api/posts */
export function facebookRoutes(simulation: PlatformSimulation, secret: string): Router {
  const { router, on } = createPlatformRouter({ simulation, name: 'facebook', errors: metaErrors });
  const meta = createMeta(simulation, 'facebook', secret);
  const tokenOf = (account: string, days: number) => simulation.issue('facebook', 'access', account, days * day);

  router.get('/v24.0/dialog/oauth', (request, response) => {
    response.send(
      consentPage(simulation, 'facebook', 'Facebook', new URL(request.url, 'http://simulator').searchParams),
    );
  });
  on('post', '/v24.0/oauth/access_token', 'token', (call) => {
    if (call.fields['grant_type'] === 'fb_exchange_token') {
      const known = simulation.accountOf('facebook', 'access', toPlatformText(call.fields['fb_exchange_token']));
      if (!isAppAuthenticated(call, secret) || known === undefined) throw meta.refuse('expired');
    } else meta.mustExchange(call);
    return { body: { access_token: tokenOf(person, 60), token_type: 'bearer', expires_in: 60 * day } };
  });
  on('get', '/v24.0/me/accounts', 'account', (call) => {
    meta.mustBeIn(call);
    const data = pages.map((page) => ({
      ...page,
      access_token: tokenOf(page.id, 3_650),
      tasks: ['CREATE_CONTENT', 'MANAGE'],
    }));
    return { body: { data, paging: { cursors: { before: 'QVFIU', after: 'QVFIU' } } } };
  });
  on('post', '/v24.0/:page/photos', 'upload', (call) => {
    meta.mustBeIn(call);
    return { body: { id: simulation.addPiece('facebook', simulation.newId(), {}, call.activeSwitch).id } };
  });
  on('post', '/v24.0/:page/videos', 'publish', async (call) => {
    const account = meta.mustBeIn(call);
    if (!(await canFetchMedia(call.fields['file_url']))) throw meta.refuse('media');
    const media = [toPlatformText(call.fields['file_url'])];
    const { id } = simulation.publish('facebook', {
      id: simulation.newId(),
      account,
      text: toPlatformText(call.fields['description']),
      media,
    });
    return { body: { id } };
  });
  on('post', '/v24.0/:page/feed', 'publish', (call) => {
    const account = meta.mustBeIn(call);
    const text = toPlatformText(call.fields['message']);
    const attached = (call.fields['attached_media'] ?? []) as { media_fbid: string }[];
    if (attached.some(({ media_fbid }) => simulation.piece('facebook', media_fbid) === undefined))
      throw meta.refuse('media');
    if (simulation.posts('facebook').some((post) => post.text === text && post.account === account))
      throw meta.refuse('duplicate');
    const id = `${account}_${simulation.newId()}`;
    simulation.publish('facebook', { id, account, text, media: attached.map(({ media_fbid }) => media_fbid) });
    return { body: { id } };
  });
  on('get', '/v24.0/:page/feed', 'find', (call) => {
    const account = meta.mustBeIn(call);
    const from = Number(call.query.get('since') ?? 0) * 1_000;
    const posts = simulation
      .posts('facebook')
      .filter((post) => post.account === account && new Date(post.createdAt).getTime() >= from);
    return {
      body: {
        data: posts
          .slice(0, 100)
          .map(({ id, text }) => ({ id, message: text, permalink_url: `https://www.facebook.com/${id}` })),
      },
    };
  });
  return router;
}
