import { parseId } from '@nolo/kit/ids';
import { socialPlatforms } from '@nolo/rules';
import { createSocialError } from '../errors.ts';
import type { Platforms } from '../platforms/createPlatforms.ts';
import type { Platform, PlatformId } from '../domain/platform.ts';

const wrong = (name: string) => createSocialError('invalid', 'invalid_request', `${name} must be a UUID.`);

export function parseUuid<T extends string = string>(name: string, value: string): T {
  const id = parseId<T>(value);
  if (!id) throw wrong(name);
  return id;
}

export const isPlatformId = (name: string): name is PlatformId => socialPlatforms.some((id) => id === name);

/** @throws AppError platform_unknown if this installation does not offer it */
export function requirePlatform(platforms: Platforms, name: string): Platform {
  const platform = isPlatformId(name) ? platforms.get(name) : undefined;
  if (!platform) throw createSocialError('not_found', 'platform_unknown', 'This platform is not offered here.');
  return platform;
}
