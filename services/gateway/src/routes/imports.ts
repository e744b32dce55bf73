import { routes } from '@nolo/api';
import { requireKnownSettings } from '@nolo/installation/settings';
import { createLimitDetails } from '@nolo/rules';
import { parseLink } from '../domain/linkAddress.ts';
import type { GatewayContext } from '../gatewayContext.ts';
import { createGatewayError } from '../errors.ts';
import type { BindRoute } from '../http/routeBinder.ts';
import { featuresOf } from '../mapping/features.ts';

/** Time limit for describing the file behind a link. */
const linkMetaTimeoutMs = 10_000;

export function bindImports(
  bind: BindRoute,
  context: Pick<GatewayContext, 'imports' | 'config' | 'relyingParty' | 'settings' | 'sharedFiles'>,
): void {
  const importing = () => {
    const { imports } = context;
    if (!featuresOf(context).linkImports)
      throw createGatewayError('not_found', 'imports_off', 'File imports from links are not available here.');
    requireKnownSettings(context.settings);
    return imports;
  };

  bind(routes.getLinkMeta, async ({ body, response }) => {
    const { fetchFile } = importing();
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const signal = AbortSignal.any([AbortSignal.timeout(linkMetaTimeoutMs), gone.signal]);
    const { name, type, size, remote } = await fetchFile(body.url, signal);
    remote.close();
    return { name, type, size: size ?? null };
  });

  bind(routes.importLink, async ({ actor, body, rpc }) => {
    const { orders, portAllowed } = importing();
    if (body.protocol !== undefined && body.protocol !== 's3-multipart') {
      throw createGatewayError('invalid', 'protocol_unsupported', 'The protocol must be s3-multipart.');
    }
    // Checks everything possible before fetching, while errors can still have an HTTP status.
    const url = parseLink(body.url, portAllowed).href;
    const { used, limit } = await context.sharedFiles.getUsage({ actorId: actor.userId }, rpc);
    if (limit !== undefined && (used + (body.size ?? 0) > limit || used >= limit)) {
      throw createGatewayError('plan_limited', 'storage_full_plan', 'Your storage is full.', {
        ...createLimitDetails('storageBytes', limit, used),
      });
    }
    const { name = '', kind = '' } = body.metadata ?? {};
    return { token: await orders.place({ userId: actor.userId, url, name, kind }) };
  });
}
