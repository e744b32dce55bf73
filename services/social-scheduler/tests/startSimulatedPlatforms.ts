import { randomUUID } from 'node:crypto';
import { systemClock } from '@nolo/kit/clock';
import { loadConfig, Secret } from '@nolo/kit/config';
import { createLog } from '@nolo/kit/log';
import { createSimulators } from '../../../simulators/src/app.ts';
import { configSchema } from '../../../simulators/src/config.ts';
import { createPlatforms, type PlatformSettings, type Platforms } from '../src/platforms/createPlatforms.ts';
import type { MastodonApp } from '../src/platforms/mastodon.ts';
import type { PublishAttempt, AccountGrant, PostMedia, PlatformId, PlatformPost } from '../src/domain/platform.ts';

export const clientSecret = 'the-secret-of-the-platforms';
export const redirectUri = 'http://localhost:8080/api/social/callback/any';
const never = new AbortController().signal;

export interface SimulatedPost {
  id: string;
  platform: PlatformId;
  account: string;
  text: string;
  media: string[];
}

export const createPlatformSettings = (base: (platform: PlatformId) => string): PlatformSettings => {
  const app = (platform: PlatformId) => ({
    clientId: 'nolo',
    clientSecret: new Secret(clientSecret),
    url: base(platform),
  });
  return {
    twitter: app('twitter'),
    facebook: app('facebook'),
    instagram: app('instagram'),
    linkedin: { ...app('linkedin'), organisations: true },
    threads: app('threads'),
    mastodon: { servers: [base('mastodon')] },
    bluesky: { url: base('bluesky') },
  };
};

/** Stores Mastodon apps in memory. */
export function createMemoryMastodonApps() {
  const known = new Map<string, MastodonApp>();
  return {
    get: (server: string, address: string) => Promise.resolve(known.get(server + address)),
    list: () => Promise.resolve([...known.values()]),
    put(server: string, address: string, app: MastodonApp) {
      known.set(server + address, app);
      return Promise.resolve(app);
    },
  };
}

/** Starts the simulators and the adapters that use them. */
export async function startSimulatedPlatforms() {
  const config = loadConfig(configSchema, {
    OIDC_CLIENT_SECRET: 'a-secret-for-the-tests',
    OIDC_REDIRECT_URIS: 'http://localhost:8080/api/callback',
    SOCIAL_CLIENT_SECRET: clientSecret,
  });
  const simulators = createSimulators({ config, log: createLog({ service: 'simulators', level: 'silent' }) });
  const { url } = await simulators.start();
  const platforms = createPlatforms(
    createPlatformSettings((platform) => `${url}/platforms/${platform}`),
    createMemoryMastodonApps(),
    systemClock,
  );

  const callSimulator = async (path: string, method: 'PUT' | 'POST', body: unknown) => {
    const headers = { 'content-type': 'application/json' };
    const reply = await fetch(`${url}/platforms/${path}`, { method, headers, body: JSON.stringify(body) });
    if (reply.status !== 204) throw new Error(`the simulators responded with ${reply.status}`);
  };
  return {
    url,
    platforms,
    stop: () => simulators.stop(),
    /** Configures the next calls. */
    prepare: (platform: PlatformId, ...switches: object[]) => callSimulator(`${platform}/switches`, 'PUT', switches),
    endTokens: (platform: PlatformId, all = false) => callSimulator(`${platform}/end-tokens`, 'POST', { all }),
    async posts(platform: PlatformId): Promise<SimulatedPost[]> {
      const reply = await fetch(`${url}/platforms/posts?platform=${platform}`);
      return ((await reply.json()) as { posts: SimulatedPost[] }).posts;
    },
    connect: (platform: PlatformId) => connect(platforms, platform),
  };
}

/** Acts as the user: opens the page, approves, and follows the redirect. */
export async function approveConnection(address: string): Promise<URL> {
  const markup = await (await fetch(address)).text();
  const link = /id="allow" href="([^"]+)"/.exec(markup)?.[1] ?? '';
  return new URL(link.replaceAll('&amp;', '&'));
}

async function connect(platforms: Platforms, id: PlatformId): Promise<AccountGrant[]> {
  const platform = platforms.get(id);
  if (!platform) throw new Error(`unknown platform ${id}`);
  if (platform.connect.kind === 'app_password') {
    return [await platform.connect.signIn('example.bsky.social', new Secret(clientSecret), never)];
  }
  const { address, pending } = await platform.connect.begin({ redirectUri, signal: never });
  return await platform.connect.finish(pending, await approveConnection(address), never);
}

/** Creates an image whose address contains its data, for platforms that fetch media. */
export const createTestImage = (address = 'data:image/jpeg;base64,/9j/2Q=='): PostMedia => ({
  kind: 'image',
  mimeType: 'image/jpeg',
  bytes: 2_000,
  altText: 'A loaf of bread',
  read: (start, end) => Promise.resolve(new Uint8Array(Math.min(end, 2_000) - start)),
  address: () => Promise.resolve(address),
});

export const createTestVideo = (): PostMedia => ({
  ...createTestImage('data:video/mp4;base64,AAAAGGZ0eXA='),
  kind: 'video',
  mimeType: 'video/mp4',
});

export const createTestPost = (text: string, ...media: PostMedia[]): PlatformPost => ({ text, media });

/** Creates an attempt that records what it saved and whether it reached the irrevocable request. */
export function createTestAttempt(more: Partial<PublishAttempt> = {}) {
  const attemptRecord: { kept?: string; committed: boolean } = { committed: false };
  const attempt: PublishAttempt = {
    key: randomUUID(),
    since: new Date(),
    kept: undefined,
    keep(what) {
      attemptRecord.kept = what;
      return Promise.resolve();
    },
    committing() {
      attemptRecord.committed = true;
      return Promise.resolve();
    },
    signal: never,
    ...more,
  };
  return { attempt, attemptRecord };
}
