import type { SocialPlatform } from '@nolo/rules';
import type { PlatformName } from '../simulators/src/platforms/PlatformSimulation.ts';

type CreateVariables = (url: string, clientSecret: string) => Record<string, string>;

const app =
  (name: string): CreateVariables =>
  (url, clientSecret) => ({
    [`${name}_CLIENT_ID`]: 'nolo',
    [`${name}_CLIENT_SECRET`]: clientSecret,
    [`${name}_URL`]: url,
  });

const variables: Readonly<Record<SocialPlatform, CreateVariables>> = {
  twitter: app('X'),
  facebook: app('FACEBOOK'),
  instagram: app('INSTAGRAM'),
  linkedin: (...given) => ({ ...app('LINKEDIN')(...given), LINKEDIN_ORGANISATIONS: 'true' }),
  threads: app('THREADS'),
  mastodon: (url) => ({ MASTODON_SERVERS: url }),
  bluesky: (url) => ({ BLUESKY_URL: url }),
};

/** Returns the variables with which social-scheduler uses the simulated platforms, each at its address. */
export function createSocialPlatformEnv(
  addressOf: (platform: PlatformName) => string,
  clientSecret: string,
): Record<string, string> {
  const names = Object.keys(variables) as SocialPlatform[];
  return Object.assign({}, ...names.map((name) => variables[name](addressOf(name), clientSecret))) as Record<
    string,
    string
  >;
}
