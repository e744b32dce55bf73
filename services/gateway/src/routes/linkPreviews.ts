import { routes } from '@nolo/api';
import { requireKnownSettings } from '@nolo/installation/settings';
import type { GatewayContext } from '../gatewayContext.ts';
import { createGatewayError } from '../errors.ts';
import type { BindRoute } from '../http/routeBinder.ts';
import { featuresOf } from '../mapping/features.ts';

export function bindLinkPreviews(
  bind: BindRoute,
  context: Pick<GatewayContext, 'linkPreviews' | 'limits' | 'config' | 'relyingParty' | 'settings'>,
): void {
  bind(routes.createLinkPreview, async ({ body, response }) => {
    const { linkPreviews, limits } = context;
    if (!featuresOf(context).linkPreviews)
      throw createGatewayError('not_found', 'link_previews_off', 'Link previews are not available here.');
    requireKnownSettings(context.settings);
    // The route table limits each account; this limits all accounts together, so we do not burden other sites.
    await limits.consume('linkPreviewsOverall', 'all');
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    return linkPreviews(body.url, gone.signal);
  });
}
