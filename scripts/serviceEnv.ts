import { join } from 'node:path';
import type { MediaWorker } from './mediaWorker/provideMediaWorker.ts';
import { projectRoot } from './paths.ts';
import type { InstanceSecrets } from './secrets.ts';
import { addressVariableOf, findServicesOwningVariable, findService } from './services.ts';
import { createSocialPlatformEnv } from './socialPlatformEnv.ts';

/** Facts about the instance that its services receive. */
export interface InstanceSettings {
  home: string;
  /** Person's own environment, the source of settings. */
  environment: NodeJS.ProcessEnv;
  secrets: InstanceSecrets;
  databaseUrls: Record<string, string>;
  redisUrl: string;
  natsUrl: string;
  /** RPC ports by service name. Media nodes have their own. */
  rpcPorts: Record<string, number>;
  /** Transcription engine: the one that the environment names, the simulated one, or none. */
  transcription: 'configured' | 'simulated' | undefined;
  /** Social platforms: those that the environment names, the simulated ones, or none. */
  social: 'configured' | 'simulated' | undefined;
  /** Payment gateways: those that the environment names, the simulated ones, or none (nothing is sold). */
  billing: 'configured' | 'simulated' | undefined;
  /** True if webhooks are enabled. */
  webhooks: boolean;
  simulatorsPort: number;
  /** Public URLs of the gateways; several only in tests. */
  publicUrls: string[];
  /** Folder of the bundled packages from `provideBundledDependencies`. */
  dependencies: string | undefined;
}

/** Settings that distinguish a process from others of its kind. */
export interface ProcessSettings {
  metricsPort: number;
  /** Set for a gateway only. */
  host?: string;
  port?: number;
  publicUrl?: string;
  /** Set for a media node only. */
  media?: { rpcPort: number; worker: MediaWorker; address: Record<string, string> };
}

/** Returns the environment of one process: the person's settings, overridden by what the launcher determines. */
export function createServiceEnv(
  name: string,
  around: InstanceSettings,
  place: ProcessSettings,
): Record<string, string> {
  const given = inherited(name, around.environment);
  const everywhere = {
    NOLO_MODE: 'demo',
    // Selects the safe settings of frameworks, regardless of the launcher's own environment.
    NODE_ENV: 'production',
    NODE_COMPILE_CACHE: join(projectRoot, 'node_modules/.cache/nolo/compile'),
    METRICS_LISTEN: `127.0.0.1:${String(place.metricsPort)}`,
  };
  if (name === 'simulators') return { ...given, ...everywhere, ...simulatorsEnv(around) };
  return { ...ownEnv(name, given, around, place), ...everywhere, ...neededEnv(name, around, place) };
}

/** Returns the addresses that a service needs, from the list of services. */
function neededEnv(name: string, around: InstanceSettings, place: ProcessSettings): Record<string, string> {
  const { stores, calls } = findService(name);
  const env: Record<string, string> = { RPC_SECRET: around.secrets.RPC_SECRET };
  if (stores.includes('postgres')) env['DATABASE_URL'] = databaseUrl(around, name);
  if (stores.includes('redis')) env['REDIS_URL'] = around.redisUrl;
  if (stores.includes('nats')) env['NATS_URL'] = around.natsUrl;
  for (const called of calls)
    if (hasService(called, around)) env[addressVariableOf(called)] = rpcAddress(around, called);
  if (place.media) env['RPC_LISTEN'] = `127.0.0.1:${String(place.media.rpcPort)}`;
  else if (around.rpcPorts[name] !== undefined) env['RPC_LISTEN'] = rpcAddress(around, name);
  return env;
}

/** Returns true if this instance runs the service. */
export function hasService(name: string, { transcription, social, billing, webhooks }: InstanceSettings): boolean {
  if (name === 'transcriber') return transcription !== undefined;
  if (name === 'billing') return billing !== undefined;
  if (name === 'notifications') return webhooks;
  return name !== 'social-scheduler' || social !== undefined;
}

/** Returns the variables that only one service receives, with the person's own settings. */
function ownEnv(
  name: string,
  given: Record<string, string>,
  around: InstanceSettings,
  place: ProcessSettings,
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

function mediaEnv(given: Record<string, string>, { media }: ProcessSettings): Record<string, string> {
  if (media === undefined) throw new Error('A media node needs its worker.');
  return {
    // Free ports, because several instances may run on one machine.
    MEDIA_PORT: '0',
    ...media.address,
    ...given,
    RPC_ADDRESS: `127.0.0.1:${String(media.rpcPort)}`,
    MEDIASOUP_WORKER_BIN: media.worker.binary,
    MEDIA_WORKER_BUILT: media.worker.built ? '1' : '0',
  };
}

function simulatorsUrl({ simulatorsPort }: InstanceSettings): string {
  return `http://localhost:${String(simulatorsPort)}`;
}

function oidcClient({ secrets }: InstanceSettings): Record<string, string> {
  return { OIDC_CLIENT_ID: 'nolo', OIDC_CLIENT_SECRET: secrets.OIDC_CLIENT_SECRET };
}

function simulatorsEnv(around: InstanceSettings): Record<string, string> {
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

/** Returns true if the environment names an engine for voice notes. Without one, there is no transcriber. */
export function hasTranscriptionEngine(environment: NodeJS.ProcessEnv): boolean {
  return ['TRANSCRIBE_URL', 'TRANSCRIBE_MODEL_DIR', 'TRANSCRIBE_COMMAND'].some((name) => Boolean(environment[name]));
}

/** Returns the settings of the simulated engine, which are never mixed with real ones. */
function simulatedEngine(given: Record<string, string>, simulators: string): Record<string, string> {
  const others = Object.entries(given).filter(([name]) => !name.startsWith('TRANSCRIBE_'));
  return {
    ...Object.fromEntries(others),
    TRANSCRIBE_URL: `${simulators}/v1/audio/transcriptions`,
    TRANSCRIBE_API_KEY: 'simulated-transcription-key',
  };
}

/** Variables of social platforms. */
const ofPlatforms: ReadonlySet<string> = new Set(Object.keys(createSocialPlatformEnv(() => '', '')));

/** Returns true if the environment names a social platform. Without one, all of them are simulated. */
export function hasSocialPlatform(environment: NodeJS.ProcessEnv): boolean {
  return Object.entries(environment).some(([name, value]) => ofPlatforms.has(name) && Boolean(value));
}

/** Returns the settings of the simulated platforms, which are never mixed with real ones. */
function simulatedPlatforms(given: Record<string, string>, simulators: string): Record<string, string> {
  return {
    ...Object.fromEntries(Object.entries(given).filter(([name]) => !ofPlatforms.has(name))),
    ...createSocialPlatformEnv((platform) => `${simulators}/platforms/${platform}`, 'simulated-platform-secret'),
  };
}

/** Returns true if the environment names a payment gateway. Without one, both are simulated. */
export function hasPaymentGateway(environment: NodeJS.ProcessEnv): boolean {
  return ['PAYPAL_CLIENT_ID', 'PAYFAST_MERCHANT_ID'].some((name) => Boolean(environment[name]));
}

/** Returns the settings of the simulated gateways, which are never mixed with real ones. */
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

/** Formats a secret of the instance as a key ring with one key. */
const keyRing = (secret: string) => `first:${Buffer.from(secret, 'hex').toString('base64')}`;

function rpcAddress(around: InstanceSettings, name: string): string {
  return `127.0.0.1:${String(around.rpcPorts[name])}`;
}

/** Returns the environment of a service's migration. */
export function createMigrationEnv(name: string, around: InstanceSettings): Record<string, string> {
  return createServiceEnv(name, around, { metricsPort: 0 });
}

function databaseUrl(around: InstanceSettings, name: string): string {
  const url = around.databaseUrls[name];
  if (url === undefined) throw new Error(`No database was provisioned for ${name}.`);
  return url;
}

/** Returns the settings of either the person's provider or the simulated one, never a mixture. */
function oidcIssuer(given: Record<string, string>, simulated: Record<string, string>): Record<string, string> {
  return given['OIDC_ISSUER'] === undefined ? { ...given, ...simulated } : given;
}

function inherited(name: string, environment: NodeJS.ProcessEnv): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [key, value] of Object.entries(environment)) {
    // Variables of npm, jest, and the launcher's own start are not passed on.
    if (value === undefined || /^(npm_|NODE_|JEST_|INIT_CWD$)/i.test(key)) continue;
    // The administrator's database URL is for the launcher only. Secrets such as the SMS provider's key go to a single
    // process.
    if (/^(DATABASE_URL|PG[A-Z]+)$/.test(key) || findServicesOwningVariable(key)?.includes(name) === false) continue;
    kept[key] = value;
  }
  for (const key of ['NODE_EXTRA_CA_CERTS', 'NODE_USE_ENV_PROXY']) {
    const value = environment[key];
    if (value !== undefined) kept[key] = value;
  }
  return kept;
}
