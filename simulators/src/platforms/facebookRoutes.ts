import type { Router } from 'express';
import { isFetched } from './fetched.ts';
import { createMeta, metaErrors } from './metaRoutes.ts';
import type { PlatformDesk } from './PlatformDesk.ts';
import { consentPage, createPlatformRouter, provesItself, textOf } from './platformRouter.ts';

const person = '10224994945';
const pages = [
  { id: '134895793791914', name: 'Example Bakery' },
  { id: '134895793791915', name: 'Example Choir' },
];
const day = 86_400;

/** Facebook pages, Graph API v24.0: https://developers.facebook.com/docs/pages-api/posts */
export function facebookRoutes(desk: PlatformDesk, secret: string): Router {
  const { router, on } = createPlatformRouter({ desk, name: 'facebook', errors: metaErrors });
  const meta = createMeta(desk, 'facebook', secret);
  const tokenOf = (account: string, days: number) => desk.issue('facebook', 'access', account, days * day);

  router.get('/v24.0/dialog/oauth', (request, response) => {
    response.send(consentPage(desk, 'facebook', 'Facebook', new URL(request.url, 'http://simulator').searchParams));
  });
  on('post', '/v24.0/oauth/access_token', 'token', (asked) => {
    if (asked.fields['grant_type'] === 'fb_exchange_token') {
      const known = desk.accountOf('facebook', 'access', textOf(asked.fields['fb_exchange_token']));
      if (!provesItself(asked, secret) || known === undefined) throw meta.refuse('expired');
    } else meta.mustExchange(asked);
    return { body: { access_token: tokenOf(person, 60), token_type: 'bearer', expires_in: 60 * day } };
  });
  on('get', '/v24.0/me/accounts', 'account', (asked) => {
    meta.mustBeIn(asked);
    const data = pages.map((page) => ({
      ...page,
      access_token: tokenOf(page.id, 3_650),
      tasks: ['CREATE_CONTENT', 'MANAGE'],
    }));
    return { body: { data, paging: { cursors: { before: 'QVFIU', after: 'QVFIU' } } } };
  });
  on('post', '/v24.0/:page/photos', 'upload', (asked) => {
    meta.mustBeIn(asked);
    return { body: { id: desk.addPiece('facebook', desk.newId(), {}, asked.told).id } };
  });
  on('post', '/v24.0/:page/videos', 'publish', async (asked) => {
    const account = meta.mustBeIn(asked);
    if (!(await isFetched(asked.fields['file_url']))) throw meta.refuse('media');
    const media = [textOf(asked.fields['file_url'])];
    const { id } = desk.publish('facebook', {
      id: desk.newId(),
      account,
      text: textOf(asked.fields['description']),
      media,
    });
    return { body: { id } };
  });
  on('post', '/v24.0/:page/feed', 'publish', (asked) => {
    const account = meta.mustBeIn(asked);
    const text = textOf(asked.fields['message']);
    const attached = (asked.fields['attached_media'] ?? []) as { media_fbid: string }[];
    if (attached.some(({ media_fbid }) => desk.piece('facebook', media_fbid) === undefined)) throw meta.refuse('media');
    if (desk.posts('facebook').some((post) => post.text === text && post.account === account))
      throw meta.refuse('duplicate');
    const id = `${account}_${desk.newId()}`;
    desk.publish('facebook', { id, account, text, media: attached.map(({ media_fbid }) => media_fbid) });
    return { body: { id } };
  });
  on('get', '/v24.0/:page/feed', 'find', (asked) => {
    const account = meta.mustBeIn(asked);
    const from = Number(asked.query.get('since') ?? 0) * 1_000;
    const posts = desk
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
