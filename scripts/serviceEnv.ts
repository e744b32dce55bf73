import { join } from 'node:path';
import type { MediaWorker } from './mediaWorker/provideMediaWorker.ts';
import { projectRoot } from './paths.ts';
import type { Secrets } from './secrets.ts';

/** Every process of ours that a running Nolo consists of. */
export const serviceNames = [
  'simulators',
  'identity',
  'chat',
  'files',
  'meetings',
  'transcriber',
  'gateway',
  'media-sfu',
] as const;
export type ServiceName = (typeof serviceNames)[number];

/** Those that keep something in Postgres. */
export const databaseServices = ['identity', 'chat', 'files', 'meetings', 'transcriber'] as const;
export type DatabaseService = (typeof databaseServices)[number];

/** What a service is told about the instance it belongs to. */
export interface Surroundings {
  home: string;
  /** The person's own environment, from which settings come. */
  environment: NodeJS.ProcessEnv;
  secrets: Secrets;
  databaseUrls: Record<string, string>;
  redisUrl: string;
  natsUrl: string;
  rpcPorts: Record<DatabaseService, number>;
  /** Who listens to voice notes: what the environment names, the simulators, or nobody. */
  transcription: 'configured' | 'simulated' | undefined;
  simulatorsPort: number;
  /** Public addresses of the gateways; more than one only in tests. */
  publicUrls: string[];
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

/**
 * Variables that belong to some services only: the others do not get them from the person's
 * environment, so that, say, the key of the SMS provider is in one process and not in all.
 */
const owners: [RegExp, ServiceName[]][] = [
  [
    /^(PORT|HOST|PUBLIC_URL|TRUST_PROXY|WEB_DIR|COOKIE_SECRET|SESSION_COOKIE|REPLICA_ID|OUTBOX_PAGE_URL|DRAIN_SECONDS|LINK_PREVIEWS|LINK_IMPORTS|UPLOAD_ORIGIN|BACKGROUND_MODEL_FILE)$/,
    ['gateway'],
  ],
  [/^OIDC_/, ['gateway']],
  [/^(SMS_PROVIDER|OUTBOX_URL|CODE_PEPPER)$/, ['identity']],
  [/^(TWILIO_|SMTP_URL$|MAIL_FROM$)/, ['identity']],
  [/^NOLO_DEMO_CODE$/, ['identity', 'gateway']],
  [/^(FILES_(DRIVER|DIR)$|S3_|AWS_|STORAGE_)/, ['files']],
  [/^UPLOAD_SECRET$/, ['files']],
  [/^(ICE_URLS|TURN_SECRET|MEETING_(PLAN|MINUTES|WARNING_SECONDS)|CALL_RING_SECONDS|ROOM_NODE_PEERS)$/, ['meetings']],
  [/^TRANSCRIBE_/, ['transcriber']],
  [/^MEDIA_SILENT_MS$/, ['meetings', 'media-sfu']],
  [/^(MEDIA_|MEDIASOUP_|RPC_ADDRESS$)/, ['media-sfu']],
  // The administrator's address of the database is for the launcher alone.
  [/^(DATABASE_URL|PG[A-Z]+)$/, []],
];

/** The environment of one process: what the person set, and what the launcher knows better. */
export function serviceEnv(name: ServiceName, around: Surroundings, place: ProcessPlace): Record<string, string> {
  const given = inherited(name, around.environment);
  const simulators = `http://localhost:${String(around.simulatorsPort)}`;
  const demo = {
    NOLO_MODE: 'demo',
    // Frameworks take their careful settings by this, whatever runs the launcher.
    NODE_ENV: 'production',
    NODE_COMPILE_CACHE: join(projectRoot, 'node_modules/.cache/nolo/compile'),
    METRICS_LISTEN: `127.0.0.1:${String(place.metricsPort)}`,
  };
  const common = {
    ...demo,
    REDIS_URL: around.redisUrl,
    NATS_URL: around.natsUrl,
    RPC_SECRET: around.secrets.RPC_SECRET,
    IDENTITY_ADDR: rpcAddress(around, 'identity'),
    CHAT_ADDR: rpcAddress(around, 'chat'),
    FILES_ADDR: rpcAddress(around, 'files'),
    MEETINGS_ADDR: rpcAddress(around, 'meetings'),
  };
  const oidcClient = {
    OIDC_CLIENT_ID: 'nolo',
    OIDC_CLIENT_SECRET: around.secrets.OIDC_CLIENT_SECRET,
  };

  switch (name) {
    case 'simulators':
      return {
        ...given,
        ...demo,
        ...oidcClient,
        SIMULATORS_LISTEN: `127.0.0.1:${String(around.simulatorsPort)}`,
        SIMULATORS_PUBLIC_URL: simulators,
        SIMULATORS_DIR: join(around.home, 'simulators'),
        OIDC_REDIRECT_URIS: around.publicUrls.map((url) => `${url}/api/callback`).join(','),
        OIDC_POST_LOGOUT_REDIRECT_URIS: around.publicUrls.map((url) => `${url}/`).join(','),
        PUBLIC_URL: around.publicUrls[0] ?? '',
      };
    case 'gateway':
      return {
        ...oidcIssuer(given, { OIDC_ISSUER: `${simulators}/oidc`, ...oidcClient }),
        ...common,
        ...(around.environment['SMS_PROVIDER'] === 'twilio' ? {} : { OUTBOX_PAGE_URL: `${simulators}/outbox` }),
        ...(around.transcription === undefined ? {} : { TRANSCRIBER_ADDR: rpcAddress(around, 'transcriber') }),
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
        ...common,
        CODE_PEPPER: around.secrets.CODE_PEPPER,
        DATABASE_URL: databaseUrl(around, name),
        RPC_LISTEN: common.IDENTITY_ADDR,
      };
    case 'chat':
      return {
        ...given,
        ...common,
        DATABASE_URL: databaseUrl(around, name),
        RPC_LISTEN: common.CHAT_ADDR,
      };
    case 'files':
      return {
        FILES_DRIVER: 'folder',
        FILES_DIR: join(around.home, 'files'),
        ...given,
        ...common,
        UPLOAD_SECRET: around.secrets.UPLOAD_SECRET,
        DATABASE_URL: databaseUrl(around, name),
        RPC_LISTEN: common.FILES_ADDR,
      };
    case 'meetings':
      return {
        ...given,
        ...common,
        DATABASE_URL: databaseUrl(around, name),
        RPC_LISTEN: common.MEETINGS_ADDR,
      };
    case 'transcriber':
      return {
        ...(around.transcription === 'simulated' ? simulatedEngine(given, simulators) : given),
        ...common,
        DATABASE_URL: databaseUrl(around, name),
        RPC_LISTEN: rpcAddress(around, name),
      };
    case 'media-sfu': {
      if (place.media === undefined) throw new Error('A media node needs its worker.');
      const { rpcPort, worker, address } = place.media;
      const rpcAddress = `127.0.0.1:${String(rpcPort)}`;
      return {
        // Free ones, for several instances have room on one machine.
        MEDIA_PORT: '0',
        ...address,
        ...given,
        ...demo,
        NATS_URL: around.natsUrl,
        RPC_SECRET: around.secrets.RPC_SECRET,
        RPC_LISTEN: rpcAddress,
        RPC_ADDRESS: rpcAddress,
        MEDIASOUP_WORKER_BIN: worker.binary,
        MEDIA_WORKER_BUILT: worker.built ? '1' : '0',
      };
    }
  }
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

function rpcAddress(around: Surroundings, name: DatabaseService): string {
  return `127.0.0.1:${String(around.rpcPorts[name])}`;
}

/** The environment of a service's migration. */
export function migrationEnv(name: DatabaseService, around: Surroundings): Record<string, string> {
  return serviceEnv(name, around, { metricsPort: 0 });
}

function databaseUrl(around: Surroundings, name: DatabaseService): string {
  const url = around.databaseUrls[name];
  if (url === undefined) throw new Error(`The database was not provisioned for ${name}.`);
  return url;
}

/** The person's provider as a whole, or the simulated one as a whole, never a mixture. */
function oidcIssuer(given: Record<string, string>, simulated: Record<string, string>): Record<string, string> {
  return given['OIDC_ISSUER'] === undefined ? { ...given, ...simulated } : given;
}

function inherited(name: ServiceName, environment: NodeJS.ProcessEnv): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [key, value] of Object.entries(environment)) {
    // Of npm's and jest's own, and of how the launcher itself was started, nothing is passed on.
    if (value === undefined || /^(npm_|NODE_|JEST_|INIT_CWD$)/i.test(key)) continue;
    const owner = owners.find(([pattern]) => pattern.test(key));
    if (owner !== undefined && !owner[1].includes(name)) continue;
    kept[key] = value;
  }
  for (const key of ['NODE_EXTRA_CA_CERTS', 'NODE_USE_ENV_PROXY']) {
    const value = environment[key];
    if (value !== undefined) kept[key] = value;
  }
  return kept;
}
