import { parseActorId, type UserId } from '@nolo/kit/ids';
import type { RpcHandler, RpcHandlers } from '@nolo/kit/rpc';
import type { Brand as BrandMessage, BrandReply, BrandServiceDefinition } from '@nolo/proto/brand';
import { createLimitDetails } from '@nolo/rules';
import { parseBrandColor, parseBrandName, parseLogoPath, type Brand, type BrandEntitlement } from '../domain/brand.ts';
import { findPlanHolder } from '../domain/hostPlan.ts';
import type { Meeting } from '../domain/meeting.ts';
import { createMeetingsError, notBrandOwner } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';

type Handler<Name extends keyof (typeof BrandServiceDefinition)['methods']> = RpcHandler<
  (typeof BrandServiceDefinition)['methods'][Name]
>;
type Needs = Pick<Dependencies, 'brands' | 'brandStandingOf'>;

const toBrandMessage = ({ name, color, logoPath }: Brand): BrandMessage => ({
  name,
  color,
  logoPath: logoPath ?? undefined,
});

/** Returns the current branding of a meeting: its host's, as long as their plan includes branded rooms. */
export async function loadBrand(
  { brands, brandStandingOf }: Needs,
  meeting: Pick<Meeting, 'groupId' | 'hostId' | 'startedBy'>,
): Promise<BrandMessage | undefined> {
  const { ownerId, allowed } = await brandStandingOf(findPlanHolder(meeting));
  const brand = allowed ? await brands.find(ownerId) : undefined;
  return brand && toBrandMessage(brand);
}

const reply = (
  { ownerId, allowed }: BrandEntitlement,
  brand: Brand | undefined,
  former?: string | null,
): BrandReply => ({
  brand: brand && toBrandMessage(brand),
  ownerId,
  shown: allowed && brand !== undefined,
  formerLogoPath: former ?? undefined,
});

/** @throws not_brand_owner */
async function asOwner({ brandStandingOf }: Needs, actorId: UserId): Promise<BrandEntitlement> {
  const standing = await brandStandingOf(actorId);
  if (standing.ownerId !== actorId) throw notBrandOwner();
  return standing;
}

/** @throws not_brand_owner, plan_limit */
async function asEditor(dependencies: Needs, actorId: UserId): Promise<BrandEntitlement> {
  const standing = await asOwner(dependencies, actorId);
  if (standing.allowed) return standing;
  throw createMeetingsError(
    'plan_limited',
    'plan_limit',
    'Your plan does not include branded rooms.',
    createLimitDetails('branding', 0),
  );
}

function getBrand({ brands, brandStandingOf }: Needs): Handler<'getBrand'> {
  return async (request) => {
    const standing = await brandStandingOf(parseActorId(request.actorId));
    return reply(standing, await brands.find(standing.ownerId));
  };
}

function checkBrand(dependencies: Needs): Handler<'checkBrand'> {
  return async (request) => {
    await asEditor(dependencies, parseActorId(request.actorId));
    return {};
  };
}

function setBrand(dependencies: Dependencies): Handler<'setBrand'> {
  return async (request) => {
    const standing = await asEditor(dependencies, parseActorId(request.actorId));
    const wanted = {
      name: parseBrandName(request.name),
      color: parseBrandColor(request.color),
      logoPath: parseLogoPath(request.logoPath),
    };
    const { brand, formerLogo } = await dependencies.brands.set(standing.ownerId, wanted, dependencies.clock.now());
    dependencies.wake();
    return reply(standing, brand, formerLogo);
  };
}

/** Removes a brand. Works under any plan, because a brand created under Business can always be removed. */
function removeBrand(dependencies: Dependencies): Handler<'removeBrand'> {
  return async (request) => {
    const standing = await asOwner(dependencies, parseActorId(request.actorId));
    const formerLogo = await dependencies.brands.remove(standing.ownerId, dependencies.clock.now());
    dependencies.wake();
    return reply(standing, undefined, formerLogo);
  };
}

export function createBrandHandlers(dependencies: Dependencies): RpcHandlers<typeof BrandServiceDefinition> {
  return {
    getBrand: getBrand(dependencies),
    checkBrand: checkBrand(dependencies),
    setBrand: setBrand(dependencies),
    removeBrand: removeBrand(dependencies),
  };
}
