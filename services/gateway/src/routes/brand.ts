import { routes, type OwnBrand } from '@nolo/api';
import type { RpcCallOptions } from '@nolo/kit/rpc';
import type { BrandReply } from '@nolo/proto/brand';
import type { GatewayContext } from '../gatewayContext.ts';
import { createGatewayError } from '../errors.ts';
import type { BindRoute } from '../http/routeBinder.ts';
import { pictureTimeoutMs, parseUploadId } from './files.ts';
import { toBrand } from '../mapping/meetings.ts';

const toOwnBrand = ({ brand, ownerId, shown }: BrandReply): OwnBrand => ({
  brand: brand ? toBrand(brand) : null,
  ownerId,
  shown,
});

/** Routes for the name, color, and logo of branded rooms. */
export function bindBrand(
  bind: BindRoute,
  context: Pick<GatewayContext, 'brands' | 'files' | 'publicUrl' | 'log'>,
): void {
  const { brands, files, publicUrl, log } = context;

  const removeLogo = async (objectPath: string | undefined, rpc: RpcCallOptions): Promise<void> => {
    if (objectPath === undefined) return;
    await files
      .removeBrandLogo({ objectPath }, rpc)
      .catch((error: unknown) => log.warn({ err: error }, 'deleting an unused logo failed'));
  };

  /** Returns the path of a new logo, an empty string for no logo, or undefined to keep the current one. */
  const takeLogo = async (
    actorId: string,
    given: string | null | undefined,
    rpc: RpcCallOptions,
  ): Promise<string | undefined> => {
    if (given === undefined || given === null) return given === null ? '' : undefined;
    const uploadId = parseUploadId(given, publicUrl);
    if (uploadId === undefined)
      throw createGatewayError('not_found', 'upload_not_found', 'This upload does not exist.');
    const made = await files.finishBrandLogo({ actorId, uploadId }, { ...rpc, timeoutMs: pictureTimeoutMs });
    return made.objectPath;
  };

  bind(routes.getBrand, async ({ actor, rpc }) => toOwnBrand(await brands.getBrand({ actorId: actor.userId }, rpc)));

  bind(routes.setBrand, async ({ actor, body, rpc }) => {
    const { name, color, logoURL } = body;
    const actorId = actor.userId;
    // Checks permission before creating the logo; meetings checks again when storing it.
    await brands.checkBrand({ actorId }, rpc);
    const logoPath = await takeLogo(actorId, logoURL, rpc);
    const reply = await brands.setBrand({ actorId, name, color, logoPath }, rpc).catch(async (error: unknown) => {
      if (logoPath !== undefined && logoPath !== '') await removeLogo(logoPath, rpc);
      throw error;
    });
    await removeLogo(reply.formerLogoPath, rpc);
    return toOwnBrand(reply);
  });

  bind(routes.removeBrand, async ({ actor, rpc }) => {
    const { formerLogoPath } = await brands.removeBrand({ actorId: actor.userId }, rpc);
    await removeLogo(formerLogoPath, rpc);
  });
}
