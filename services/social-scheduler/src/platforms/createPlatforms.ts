import type { Clock } from '@nolo/kit/clock';
import { blueskyLimits, createBluesky } from './bluesky.ts';
import { facebookLimits, createFacebook } from './facebook.ts';
import { instagramLimits, createInstagram } from './instagram.ts';
import { linkedinLimits, createLinkedIn } from './linkedin.ts';
import { createMastodon, mastodonLimits, type MastodonOptions } from './mastodon.ts';
import type { OAuthApp } from './oauth.ts';
import type { Platform, PlatformId, PlatformLimits } from '../domain/platform.ts';
import { threadsLimits, createThreads } from './threads.ts';
import { xLimits, createX } from './x.ts';

/** Operator's settings of one platform. `url` replaces the real addresses. */
export interface OAuthPlatformSettings extends Omit<OAuthApp, 'clock'> {
  readonly url?: string | undefined;
}

/** Settings of all platforms. Those without settings are not offered. */
export interface PlatformSettings {
  readonly twitter?: OAuthPlatformSettings | undefined;
  readonly facebook?: OAuthPlatformSettings | undefined;
  readonly instagram?: OAuthPlatformSettings | undefined;
  readonly linkedin?: (OAuthPlatformSettings & { readonly organisations: boolean }) | undefined;
  readonly threads?: OAuthPlatformSettings | undefined;
  readonly mastodon?: { readonly servers: readonly string[] } | undefined;
  readonly bluesky?: { readonly url?: string | undefined } | undefined;
}

/** Limits of every platform, whether or not this installation offers it. */
export const platformLimits: Readonly<Record<PlatformId, PlatformLimits>> = {
  twitter: xLimits,
  facebook: facebookLimits,
  instagram: instagramLimits,
  linkedin: linkedinLimits,
  threads: threadsLimits,
  mastodon: mastodonLimits,
  bluesky: blueskyLimits,
};

export type Platforms = ReadonlyMap<PlatformId, Platform>;

export function createPlatforms(
  settings: PlatformSettings,
  mastodonApps: MastodonOptions['apps'],
  clock: Clock,
): Platforms {
  const { twitter, facebook, instagram, linkedin, threads, mastodon, bluesky } = settings;
  const offered = [
    twitter && createX({ ...twitter, clock }),
    facebook && createFacebook({ ...facebook, clock }),
    instagram && createInstagram({ ...instagram, clock }),
    linkedin && createLinkedIn({ ...linkedin, clock }),
    threads && createThreads({ ...threads, clock }),
    mastodon && createMastodon({ ...mastodon, apps: mastodonApps, clock }),
    bluesky && createBluesky({ ...bluesky, clock }),
  ];
  return new Map(offered.flatMap((platform) => (platform ? [[platform.id, platform] as const] : [])));
}
