import {
  commonConfig,
  eventLogConfig,
  createFlagSchema,
  createHostPortSchema,
  loadConfig,
  Secret,
  createSecretSchema,
} from '@nolo/kit/config';
import { z } from 'zod';
import { parseKeyRing } from '@nolo/kit/keyRing';
import { isPubliclyReachable } from '@nolo/kit/reach';
import { socialPlatforms } from '@nolo/rules';
import type { PlatformId } from './domain/platform.ts';
import { platformLimits, type OAuthPlatformSettings, type PlatformSettings } from './platforms/createPlatforms.ts';

const webAddress = () =>
  z.url({ protocol: /^https?$/, error: 'must be an address beginning with http:// or https://' });

const origins = () =>
  z
    .string()
    .transform((value) => value.split(',').map((entry) => entry.trim().replace(/\/$/, '')))
    .refine(
      (list) => list.every((entry) => /^https?:\/\//.test(entry) && URL.canParse(entry)),
      'must be addresses separated by commas',
    );

/** Builds the variables of a platform that uses OAuth. */
function app<Name extends string>(name: Name, where: string) {
  const clientId = z
    .string()
    .min(1)
    .max(500)
    .optional()
    .describe(`Client id of the app at ${where}; the platform is offered only if set.`);
  const clientSecret = createSecretSchema(8).optional().describe('Its secret.');
  const url = webAddress().optional().describe('Address that replaces those of the platform, for tests and proxies.');
  return {
    [`${name}_CLIENT_ID`]: clientId,
    [`${name}_CLIENT_SECRET`]: clientSecret,
    [`${name}_URL`]: url,
  } as Record<`${Name}_CLIENT_ID`, typeof clientId> &
    Record<`${Name}_CLIENT_SECRET`, typeof clientSecret> &
    Record<`${Name}_URL`, typeof url>;
}

const oauthNames = ['X', 'FACEBOOK', 'INSTAGRAM', 'LINKEDIN', 'THREADS'] as const;

/** Environment variables of this service. */
export const configSchema = z
  .object({
    ...commonConfig,
    ...eventLogConfig,
    IDENTITY_ADDR: createHostPortSchema().describe('Address of the identity service, as host:port.'),
    FILES_ADDR: createHostPortSchema().describe('Address of the files service, as host:port.'),
    BILLING_ADDR: createHostPortSchema()
      .optional()
      .describe(
        'Address of the billing service, if any, as host:port; it knows the maximum of platforms and scheduled posts.',
      ),
    PUBLIC_URL: webAddress().describe(
      'Public address of Nolo; Instagram, Threads and Facebook fetch media from signed addresses there.',
    ),
    SOCIAL_TOKEN_KEYS: z
      .string()
      .refine(
        (value) => parseKeyRing(value) !== undefined,
        'must be name:key pairs separated by commas, each key 32 bytes in Base64',
      )
      .transform((value) => new Secret(value))
      .describe(
        'Keys that encrypt platform tokens, as name:base64; the first encrypts, the others can still decrypt. Make one with: openssl rand -base64 32',
      ),
    SOCIAL_PUBLISHES: createFlagSchema()
      .prefault('true')
      .describe('Whether this process publishes posts itself; false if workers (src/worker.ts) do.'),
    ...app('X', 'developer.x.com'),
    ...app('FACEBOOK', 'developers.facebook.com'),
    ...app('INSTAGRAM', 'developers.facebook.com'),
    ...app('LINKEDIN', 'linkedin.com/developers'),
    LINKEDIN_ORGANISATIONS: createFlagSchema()
      .prefault('false')
      .describe(
        'Whether the LinkedIn app has the Community Management product and may therefore post as organisations.',
      ),
    ...app('THREADS', 'developers.facebook.com'),
    MASTODON_SERVERS: origins()
      .optional()
      .describe(
        'Mastodon servers that people may connect to, separated by commas, for example https://mastodon.social. The app registers itself there.',
      ),
    BLUESKY_URL: webAddress()
      .optional()
      .describe(
        'AT protocol server that people may connect to, for example https://bsky.social; Bluesky is offered only if set.',
      ),
  })
  .superRefine((config, context) => {
    for (const name of oauthNames) {
      const [id, key] = [`${name}_CLIENT_ID`, `${name}_CLIENT_SECRET`] as const;
      if ((config[id] === undefined) === (config[key] === undefined)) continue;
      const missing = config[id] === undefined ? id : key;
      context.addIssue({ code: 'custom', path: [missing], message: `must be set: ${id} and ${key} belong together` });
    }
  });

export type SocialConfig = Readonly<z.output<typeof configSchema>>;

/** @throws ConfigError with one sentence per invalid variable. */
export const readConfig = (): SocialConfig => loadConfig(configSchema);

export function readPlatformSettings(config: SocialConfig): PlatformSettings {
  const oauth = (name: (typeof oauthNames)[number]): OAuthPlatformSettings | undefined => {
    const [clientId, clientSecret] = [config[`${name}_CLIENT_ID`], config[`${name}_CLIENT_SECRET`]];
    return clientId === undefined || clientSecret === undefined
      ? undefined
      : { clientId, clientSecret, url: config[`${name}_URL`] };
  };
  const linkedin = oauth('LINKEDIN');
  return {
    twitter: oauth('X'),
    facebook: oauth('FACEBOOK'),
    instagram: oauth('INSTAGRAM'),
    linkedin: linkedin && { ...linkedin, organisations: config.LINKEDIN_ORGANISATIONS },
    threads: oauth('THREADS'),
    mastodon: config.MASTODON_SERVERS && { servers: config.MASTODON_SERVERS },
    bluesky: config.BLUESKY_URL === undefined ? undefined : { url: config.BLUESKY_URL },
  };
}

/**
 * Returns platforms that fetch media from PUBLIC_URL but cannot reach it because it is private. A platform at an
 * address that the operator configured, such as a simulator, counts as inside.
 */
export function listPlatformsOutOfReach(config: SocialConfig): ReadonlySet<PlatformId> {
  if (isPubliclyReachable(config.PUBLIC_URL)) return new Set();
  const settings = readPlatformSettings(config);
  return new Set(
    socialPlatforms.filter((id) => {
      const offered = settings[id];
      const hasOwnAddress = offered && 'url' in offered && offered.url !== undefined;
      return offered && !hasOwnAddress && platformLimits[id].fetches.length > 0;
    }),
  );
}

/** Returns the keys for the key ring. The schema has validated them. */
export const parseTokenKeys = ({ SOCIAL_TOKEN_KEYS: keys }: SocialConfig) => parseKeyRing(keys.reveal()) ?? [];
