import { join } from 'node:path';
import type { MediaWorker } from './mediaWorker/provideMediaWorker.ts';
import { projectRoot } from './paths.ts';
import type { Secrets } from './secrets.ts';
import { addressVariable, ownersOf, serviceNamed } from './services.ts';

/** What a service is told about the instance it belongs to. */
export interface Surroundings {
  home: string;
  /** The person's own environment, from which settings come. */
  environment: NodeJS.ProcessEnv;
  secrets: Secrets;
  databaseUrls: Record<string, string>;
  redisUrl: string;
  natsUrl: string;
  /** Ports for calls, by the service's name; media nodes have their own. */
  rpcPorts: Record<string, number>;
  /** Who listens to voice notes: what the environment names, the simulators, or nobody. */
  transcription: 'configured' | 'simulated' | undefined;
  /** Where posts to social platforms go: those that the environment names, the simulated ones, or nowhere. */
  social: 'configured' | 'simulated' | undefined;
  /** Who takes the money for plans: gateways that the environment names, the simulated ones, or nothing is sold. */
  billing: 'configured' | 'simulated' | undefined;
  /** Whether there are webhooks. */
  webhooks: boolean;
  simulatorsPort: number;
  /** Public addresses of the gateways; more than one only in tests. */
  publicUrls: string[];
  /** Where the packages are that services load, as `provideDependencies` says. */
  dependencies: string | undefined;
}

/** What distinguishes one process from the others of its kind. */
export interface ProcessPlace {
  metricsPort: number;
  /** Only of a gateway. */
  host?: string;
  port?: number;
  publicUrl?: string;
  /** Only of a media node. */
  media?: { rpcPort: number; worker: MediaWorker; address: Record<string, string> };
}

/** The environment of one process: what the person set, and what the launcher knows better. */
export function serviceEnv(name: string, around: Surroundings, place: ProcessPlace): Record<string, string> {
  const given = inherited(name, around.environment);
  const everywhere = {
    NOLO_MODE: 'demo',
    // Frameworks take their careful settings by this, whatever runs the launcher.
    NODE_ENV: 'production',
    NODE_COMPILE_CACHE: join(projectRoot, 'node_modules/.cache/nolo/compile'),
    METRICS_LISTEN: `127.0.0.1:${String(place.metricsPort)}`,
  };
  if (name === 'simulators') return { ...given, ...everywhere, ...simulatorsEnv(around) };
  return { ...ownEnv(name, given, around, place), ...everywhere, ...neededEnv(name, around, place) };
}

/** Addresses of what a service needs, as the list of services says. */
function neededEnv(name: string, around: Surroundings, place: ProcessPlace): Record<string, string> {
  const { stores, calls } = serviceNamed(name);
  const env: Record<string, string> = { RPC_SECRET: around.secrets.RPC_SECRET };
  if (stores.includes('postgres')) env['DATABASE_URL'] = databaseUrl(around, name);
  if (stores.includes('redis')) env['REDIS_URL'] = around.redisUrl;
  if (stores.includes('nats')) env['NATS_URL'] = around.natsUrl;
  for (const called of calls) if (runs(called, around)) env[addressVariable(called)] = rpcAddress(around, called);
  if (place.media) env['RPC_LISTEN'] = `127.0.0.1:${String(place.media.rpcPort)}`;
  else if (around.rpcPorts[name] !== undefined) env['RPC_LISTEN'] = rpcAddress(around, name);
  return env;
}

/** Whether this instance has the service at all. */
export function runs(name: string, { transcription, social, billing, webhooks }: Surroundings): boolean {
  if (name === 'transcriber') return transcription !== undefined;
  if (name === 'billing') return billing !== undefined;
  if (name === 'notifications') return webhooks;
  return name !== 'social-scheduler' || social !== undefined;
}

/** What only one service is given, with the person's own settings. */
function ownEnv(
  name: string,
  given: Record<string, string>,
  around: Surroundings,
  place: ProcessPlace,
): Record<string, string> {
  const simulators = simulatorsUrl(around);
  switch (name) {
    case 'gateway':
      return {
        ...oidcIssuer(given, { OIDC_ISSUER: `${simulators}/oidc`, ...oidcClient(around) }),
        ...(around.environment['SMS_PROVIDER'] === 'twilio' ? {} : { OUTBOX_PAGE_URL: `${simulators}/outbox` }),
        ...(around.billing === 'simulated' ? { PAYMENT_FORM_ORIGINS: simulators } : {}),
        COOKIE_SECRET: around.secrets.COOKIE_SECRET,
        WEB_DIR: given['WEB_DIR'] ?? join(projectRoot, 'web/dist'),
        HOST: place.host ?? '127.0.0.1',
        PORT: String(place.port),
        PUBLIC_URL: place.publicUrl ?? '',
      };
    case 'identity':
      return {
        SMS_PROVIDER: 'outbox',
        OUTBOX_URL: simulators,
        ...given,
        PUBLIC_URL: around.publicUrls[0] ?? '',
        CODE_PEPPER: around.secrets.CODE_PEPPER,
        FACTOR_KEYS: given['FACTOR_KEYS'] ?? keyRing(around.secrets.FACTOR_KEY),
      };
    case 'files':
      return {
        FILES_DRIVER: 'folder',
        FILES_DIR: join(around.home, 'files'),
        ...given,
        UPLOAD_SECRET: around.secrets.UPLOAD_SECRET,
      };
    case 'transcriber':
      return around.transcription === 'simulated' ? simulatedEngine(given, simulators) : given;
    case 'social-scheduler':
      return {
        ...(around.social === 'simulated' ? simulatedPlatforms(given, simulators) : given),
        PUBLIC_URL: around.publicUrls[0] ?? '',
        SOCIAL_TOKEN_KEYS: given['SOCIAL_TOKEN_KEYS'] ?? keyRing(around.secrets.SOCIAL_TOKEN_KEY),
      };
    case 'billing':
      return {
        OUTBOX_URL: simulators,
        ...(around.billing === 'simulated' ? simulatedPayments(given, simulators) : given),
        PUBLIC_URL: around.publicUrls[0] ?? '',
      };
    case 'notifications':
      return { ...given, WEBHOOK_KEYS: given['WEBHOOK_KEYS'] ?? keyRing(around.secrets.WEBHOOK_KEY) };
    case 'media-sfu':
      return mediaEnv(given, place);
    default:
      return given;
  }
}

function mediaEnv(given: Record<string, string>, { media }: ProcessPlace): Record<string, string> {
  if (media === undefined) throw new Error('A media node needs its worker.');
  return {
    // Free ones, for several instances have room on one machine.
    MEDIA_PORT: '0',
    ...media.address,
    ...given,
    RPC_ADDRESS: `127.0.0.1:${String(media.rpcPort)}`,
    MEDIASOUP_WORKER_BIN: media.worker.binary,
    MEDIA_WORKER_BUILT: media.worker.built ? '1' : '0',
  };
}

function simulatorsUrl({ simulatorsPort }: Surroundings): string {
  return `http://localhost:${String(simulatorsPort)}`;
}

function oidcClient({ secrets }: Surroundings): Record<string, string> {
  return { OIDC_CLIENT_ID: 'nolo', OIDC_CLIENT_SECRET: secrets.OIDC_CLIENT_SECRET };
}

function simulatorsEnv(around: Surroundings): Record<string, string> {
  return {
    ...oidcClient(around),
    SIMULATORS_LISTEN: `127.0.0.1:${String(around.simulatorsPort)}`,
    SIMULATORS_PUBLIC_URL: simulatorsUrl(around),
    SIMULATORS_DIR: join(around.home, 'simulators'),
    OIDC_REDIRECT_URIS: around.publicUrls.map((url) => `${url}/api/callback`).join(','),
    OIDC_POST_LOGOUT_REDIRECT_URIS: around.publicUrls.map((url) => `${url}/`).join(','),
    PUBLIC_URL: around.publicUrls[0] ?? '',
    ...(around.billing === 'simulated'
      ? { PAYPAL_WEBHOOK_URL: `${around.publicUrls[0] ?? ''}/api/paypal/notify` }
      : {}),
  };
}

/** Whether the environment names an engine for voice notes; without one there is no transcriber. */
export function namesEngine(environment: NodeJS.ProcessEnv): boolean {
  return ['TRANSCRIBE_URL', 'TRANSCRIBE_MODEL_DIR', 'TRANSCRIBE_COMMAND'].some((name) => Boolean(environment[name]));
}

/** The simulated engine as a whole, never a mixture. */
function simulatedEngine(given: Record<string, string>, simulators: string): Record<string, string> {
  const others = Object.entries(given).filter(([name]) => !name.startsWith('TRANSCRIBE_'));
  return {
    ...Object.fromEntries(others),
    TRANSCRIBE_URL: `${simulators}/v1/audio/transcriptions`,
    TRANSCRIBE_API_KEY: 'simulated-transcription-key',
  };
}

const oauthPlatforms = {
  X: 'twitter',
  FACEBOOK: 'facebook',
  INSTAGRAM: 'instagram',
  LINKEDIN: 'linkedin',
  THREADS: 'threads',
};
const ofPlatforms = new RegExp(`^((${Object.keys(oauthPlatforms).join('|')})_|MASTODON_SERVERS$|BLUESKY_URL$)`);

/** Whether the environment names a social platform; without one all of them are simulated. */
export function namesPlatform(environment: NodeJS.ProcessEnv): boolean {
  return Object.entries(environment).some(([name, value]) => ofPlatforms.test(name) && Boolean(value));
}

/** The simulated platforms as a whole, never a mixture. */
function simulatedPlatforms(given: Record<string, string>, simulators: string): Record<string, string> {
  const at = (platform: string) => `${simulators}/platforms/${platform}`;
  const apps = Object.entries(oauthPlatforms).flatMap(([name, platform]) => [
    [`${name}_CLIENT_ID`, 'nolo'],
    [`${name}_CLIENT_SECRET`, 'simulated-platform-secret'],
    [`${name}_URL`, at(platform)],
  ]);
  return {
    ...Object.fromEntries(Object.entries(given).filter(([name]) => !ofPlatforms.test(name))),
    ...(Object.fromEntries(apps) as Record<string, string>),
    LINKEDIN_ORGANISATIONS: 'true',
    MASTODON_SERVERS: at('mastodon'),
    BLUESKY_URL: at('bluesky'),
  };
}

/** Whether the environment names a payment gateway; without one both are simulated. */
export function namesPayments(environment: NodeJS.ProcessEnv): boolean {
  return ['PAYPAL_CLIENT_ID', 'PAYFAST_MERCHANT_ID'].some((name) => Boolean(environment[name]));
}

/** The simulated gateways as a whole, never a mixture. */
function simulatedPayments(given: Record<string, string>, simulators: string): Record<string, string> {
  const others = Object.entries(given).filter(([name]) => !/^(PAYPAL|PAYFAST)_/.test(name));
  return {
    ...Object.fromEntries(others),
    PAYPAL_URL: `${simulators}/paypal`,
    PAYPAL_CLIENT_ID: 'simulated-paypal-client',
    PAYPAL_CLIENT_SECRET: 'simulated-paypal-secret',
    PAYPAL_WEBHOOK_ID: 'WH-SIMULATED',
    PAYFAST_URL: `${simulators}/payfast`,
    PAYFAST_API_URL: `${simulators}/payfast/api`,
    PAYFAST_MERCHANT_ID: '10000100',
    PAYFAST_MERCHANT_KEY: '46f0cd694581a',
    PAYFAST_PASSPHRASE: 'simulated-passphrase',
    PAYFAST_SOURCES: '127.0.0.1,::1',
  };
}

/** A secret of the instance as the one key of a ring. */
const keyRing = (secret: string) => `first:${Buffer.from(secret, 'hex').toString('base64')}`;

function rpcAddress(around: Surroundings, name: string): string {
  return `127.0.0.1:${String(around.rpcPorts[name])}`;
}

/** The environment of a service's migration. */
export function migrationEnv(name: string, around: Surroundings): Record<string, string> {
  return serviceEnv(name, around, { metricsPort: 0 });
}

function databaseUrl(around: Surroundings, name: string): string {
  const url = around.databaseUrls[name];
  if (url === undefined) throw new Error(`The database was not provisioned for ${name}.`);
  return url;
}

/** The person's provider as a whole, or the simulated one as a whole, never a mixture. */
function oidcIssuer(given: Record<string, string>, simulated: Record<string, string>): Record<string, string> {
  return given['OIDC_ISSUER'] === undefined ? { ...given, ...simulated } : given;
}

function inherited(name: string, environment: NodeJS.ProcessEnv): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [key, value] of Object.entries(environment)) {
    // Of npm's and jest's own, and of how the launcher itself was started, nothing is passed on.
    if (value === undefined || /^(npm_|NODE_|JEST_|INIT_CWD$)/i.test(key)) continue;
    // The administrator's address of the database is for the launcher alone, and a key of the SMS provider, say, is in one
    // process and not in all.
    if (/^(DATABASE_URL|PG[A-Z]+)$/.test(key) || ownersOf(key)?.includes(name) === false) continue;
    kept[key] = value;
  }
  for (const key of ['NODE_EXTRA_CA_CERTS', 'NODE_USE_ENV_PROXY']) {
    const value = environment[key];
    if (value !== undefined) kept[key] = value;
  }
  return kept;
}
