import { routes } from '@nolo/api';
import { mustBeKnown } from '@nolo/kit/settings';
import type { Edge } from '../edge.ts';
import { failGateway } from '../errors.ts';
import type { Bind } from '../http/bind.ts';
import { featuresOf } from './features.ts';

export function bindLinkPreviews(bind: Bind, edge: Edge): void {
  bind(routes.createLinkPreview, async ({ body, response }) => {
    const { linkPreviews, limits } = edge;
    if (!featuresOf(edge).linkPreviews)
      throw failGateway('not_found', 'link_previews_off', 'Link previews are not available here.');
    mustBeKnown(edge.settings);
    // The route table limits each account; this limits all accounts together, so we do not burden other sites.
    await limits.consume('linkPreviewsOverall', 'all');
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    return linkPreviews(body.url, gone.signal);
  });
}
