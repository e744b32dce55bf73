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

/** Settings of platforms that need others than an OAuth app. */
interface SpecialSettings {
  readonly linkedin: OAuthPlatformSettings & { readonly organisations: boolean };
  readonly mastodon: { readonly servers: readonly string[] };
  readonly bluesky: { readonly url: string };
}

/** Settings of all platforms. Those without settings are not offered. */
export type PlatformSettings = {
  readonly [Id in PlatformId]:
    (Id extends keyof SpecialSettings ? SpecialSettings[Id] : OAuthPlatformSettings) | undefined;
};

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

/** Ways in which people connect to each platform. */
export const connectKinds: Readonly<Record<PlatformId, Platform['connect']['kind']>> = {
  twitter: 'oauth',
  facebook: 'oauth',
  instagram: 'oauth',
  linkedin: 'oauth',
  threads: 'oauth',
  mastodon: 'oauth',
  bluesky: 'app_password',
};

export type Platforms = ReadonlyMap<PlatformId, Platform>;

export function createPlatforms(
  settings: PlatformSettings,
  mastodonApps: MastodonOptions['apps'],
  clock: Clock,
): Platforms {
  const { twitter, facebook, instagram, linkedin, threads, mastodon, bluesky } = settings;
  const offered: Readonly<Record<PlatformId, Platform | undefined>> = {
    twitter: twitter && createX({ ...twitter, clock }),
    facebook: facebook && createFacebook({ ...facebook, clock }),
    instagram: instagram && createInstagram({ ...instagram, clock }),
    linkedin: linkedin && createLinkedIn({ ...linkedin, clock }),
    threads: threads && createThreads({ ...threads, clock }),
    mastodon: mastodon && createMastodon({ ...mastodon, apps: mastodonApps, clock }),
    bluesky: bluesky && createBluesky({ ...bluesky, clock }),
  };
  return new Map(Object.values(offered).flatMap((platform) => (platform ? [[platform.id, platform] as const] : [])));
}
