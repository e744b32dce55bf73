import {
  commonConfig,
  createFlagSchema,
  createHostPortSchema,
  loadConfig,
  createSecretSchema,
  describePublicDemoProblem,
} from '@nolo/kit/config';
import { newId } from '@nolo/kit/ids';
import { z } from 'zod';
import { isHostWithin } from './domain/relyingParty.ts';

/** Common configuration without the database and internal RPC, which the gateway does not have. */
const { DATABASE_URL: _database, DATABASE_POOL_MAX: _pool, RPC_LISTEN: _rpc, ...gatewayCommon } = commonConfig;

function isOrigin(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, pathname, search, hash, username, password } = new URL(value);
  return /^https?:$/.test(protocol) && pathname === '/' && `${search}${hash}${username}${password}` === '';
}

/** Schema of an origin: an http or https URL without path, query or credentials. */
const origin = () =>
  z
    .string()
    .refine(isOrigin, 'must be an http or https URL without a path, for example https://nolo.example.org')
    .transform((value) => new URL(value).origin);

const origins = () =>
  z
    .string()
    .transform((value) => value.split(',').map((one) => one.trim()))
    .refine(
      (values) => values.every(isOrigin),
      'must be http or https URLs without paths, separated by commas, for example https://www.payfast.co.za',
    )
    .transform((values) => values.map((value) => new URL(value).origin));

const webAddress = () =>
  z
    .string()
    .refine(
      (value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol),
      'must be an http or https address',
    );

const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be a whole number from ${min} to ${max}`);

function isLoopback(host: string): boolean {
  return (
    host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || host === '::1' || host.startsWith('127.')
  );
}

/** Addresses of the services that the gateway calls. */
const addresses = {
  IDENTITY_ADDR: createHostPortSchema().describe('Address of the identity service, as host:port.'),
  CHAT_ADDR: createHostPortSchema().describe('Address of the chat service, as host:port.'),
  FILES_ADDR: createHostPortSchema().describe('Address of the files service, as host:port.'),
  MEETINGS_ADDR: createHostPortSchema().describe('Address of the meetings service, as host:port.'),
  STATUS_ADDR: createHostPortSchema().describe('Address of the status service, as host:port.'),
  SOCIAL_SCHEDULER_ADDR: createHostPortSchema()
    .optional()
    .describe('Address of social-scheduler, as host:port. Without it, posting to social platforms is not offered.'),
  BILLING_ADDR: createHostPortSchema()
    .optional()
    .describe('Address of the billing service, as host:port. Without it, nothing is sold, and plans limit nothing.'),
  NOTIFICATIONS_ADDR: createHostPortSchema()
    .optional()
    .describe(
      'Address of the notifications service, as host:port. Without it, webhooks and push notifications are not offered.',
    ),
  TRANSCRIBER_ADDR: createHostPortSchema()
    .optional()
    .describe('Address of the transcriber, as host:port. Without it, transcription of voice notes is not offered.'),
};

/**
 * Configuration of the gateway from the environment. The check of variables reads it.
 *
 * @public
 */
export const configSchema = z
  .object({
    ...gatewayCommon,
    HOST: z.string().default('127.0.0.1').describe('Address that the web server listens on.'),
    PORT: wholeNumber(0, 65_535)
      .prefault('8080')
      .describe('Port that the web server listens on; 0 picks any free one.'),
    PUBLIC_URL: origin()
      .optional()
      .describe(
        'URL by which browsers reach this server, for example https://nolo.example.org; http://localhost and PORT unless set.',
      ),
    TRUST_PROXY: wholeNumber(0, 10)
      .prefault('0')
      .describe(
        'Number of proxies in front of the gateway that append to X-Forwarded-For; 0 uses the address of the connection.',
      ),
    WEB_DIR: z.string().default('web/dist').describe('Folder of the built web app.'),
    ...addresses,
    PAYMENT_FORM_ORIGINS: origins()
      .prefault('https://www.payfast.co.za,https://payment.payfast.io,https://sandbox.payfast.co.za')
      .describe(
        'Origins that pages may submit payment forms to, including those they redirect to, separated by commas; PayFast and its sandbox unless set. Used only if there is billing.',
      ),
    COOKIE_SECRET: createSecretSchema(32).describe(
      'Secret that encrypts what a browser carries through a sign-in at the provider; the same on all replicas.',
    ),
    SESSION_COOKIE: z
      .string()
      .regex(/^[A-Za-z0-9_-]{1,64}$/, 'must contain only letters, digits, - and _')
      .default('nolo_session')
      .describe(
        'Name of the session cookie; browsers share cookies between ports, so two installations on one host need two.',
      ),
    PASSKEY_RP_ID: z
      .hostname('must be a host name, for example example.org')
      .optional()
      .describe(
        'Host name that passkeys belong to: that of PUBLIC_URL (the default), or a parent domain of it. Changing it invalidates every passkey.',
      ),
    OIDC_ISSUER: webAddress()
      .optional()
      .describe('Issuer of the OpenID provider; without it, only phone sign-in is available.'),
    OIDC_CLIENT_ID: z.string().optional().describe('Client id of this server at the provider.'),
    OIDC_CLIENT_SECRET: createSecretSchema(8).optional().describe('Secret of the client OIDC_CLIENT_ID.'),
    NOLO_DEMO_CODE: z
      .string()
      .regex(/^\d{6}$/, 'must have six digits')
      .optional()
      .describe('Verification code that demo mode accepts for every number; 424242 unless set. Refused in production.'),
    MAIL_FROM: z
      .string()
      .optional()
      .describe(
        'Same value as for identity, which sends email: if set, people can sign in with a code sent to their address.',
      ),
    OUTBOX_PAGE_URL: webAddress()
      .optional()
      .describe('Page that shows outgoing messages in demo mode; the sign-in screen links to it.'),
    NEW_ACCOUNT_HOURS: wholeNumber(0, 720)
      .prefault('24')
      .describe(
        'Hours for which an account counts as new, and may start fewer conversations and groups and add fewer people; 0 treats all accounts alike.',
      ),
    LINK_PREVIEWS: z
      .enum(['on', 'off'], { error: 'must be on or off' })
      .default('on')
      .transform((value) => value === 'on')
      .describe(
        'Whether people may have the gateway fetch the pages behind links that they send; it then connects to public addresses on ports 80 and 443.',
      ),
    LINK_IMPORTS: z
      .enum(['on', 'off'], { error: 'must be on or off' })
      .default('on')
      .transform((value) => value === 'on')
      .describe(
        'Whether people may have the gateway fetch files from links; it then connects to public addresses on ports 80 and 443.',
      ),
    UPLOAD_ORIGIN: origin()
      .optional()
      .describe('Additional origin to which browsers send uploads: that of S3_PUBLIC_ENDPOINT, if set.'),
    BACKGROUND_MODEL_FILE: z
      .string()
      .optional()
      .describe(
        'Model that separates people from their background (TensorFlow Lite with metadata, for example selfie_segmenter.tflite of MediaPipe), so that browsers can blur backgrounds in calls and meetings. Without it, blurring is not offered.',
      ),
    MEDIA_FRAMES: createFlagSchema()
      .prefault('off')
      .describe(
        'Whether browsers pass every encoded frame of calls and meetings through a worker of the app, where frames will be encrypted; the worker forwards frames unchanged, counts them, and costs processor time on the device.',
      ),
    MESSAGES_KEPT_DAYS: wholeNumber(1, 36_500)
      .optional()
      .describe('Same value as for chat: people see for how many days messages are stored.'),
    DRAIN_SECONDS: wholeNumber(1, 300)
      .prefault('5')
      .describe(
        'Seconds that a stopping gateway may take to move its sockets elsewhere and to finish requests; few sockets take less. The supervisor should wait 5 s longer before it kills the gateway.',
      ),
    REPLICA_ID: z
      .string()
      .regex(/^[A-Za-z0-9_-]{1,64}$/, 'must contain only letters, digits, - and _')
      .optional()
      .describe('Unique name of this replica; generated at each start unless set.'),
  })
  .superRefine((config, context) => {
    const complain = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    const { OIDC_ISSUER, OIDC_CLIENT_ID } = config;
    if (OIDC_ISSUER !== undefined && OIDC_CLIENT_ID === undefined) {
      complain('OIDC_CLIENT_ID', 'must be set together with OIDC_ISSUER');
    }
    if (OIDC_ISSUER?.startsWith('http:') === true) {
      const allowed = config.NOLO_MODE === 'demo' && isLoopback(new URL(OIDC_ISSUER).hostname);
      if (!allowed) complain('OIDC_ISSUER', 'must begin with https:// (http is only for the simulator in demo mode)');
    }
    const { PASSKEY_RP_ID, PUBLIC_URL } = config;
    if (
      PASSKEY_RP_ID !== undefined &&
      PUBLIC_URL !== undefined &&
      !isHostWithin(new URL(PUBLIC_URL).hostname, PASSKEY_RP_ID)
    ) {
      complain('PASSKEY_RP_ID', 'must be the host name of PUBLIC_URL, or a parent domain of it');
    }
    const exposed = describePublicDemoProblem(config);
    if (exposed !== undefined) complain('PUBLIC_URL', exposed);
    if (config.NOLO_MODE === 'demo') return;
    if (config.NOLO_DEMO_CODE !== undefined) complain('NOLO_DEMO_CODE', 'must not be set in production mode');
    if (config.OUTBOX_PAGE_URL !== undefined) complain('OUTBOX_PAGE_URL', 'must not be set in production mode');
    if (config.PUBLIC_URL === undefined) complain('PUBLIC_URL', 'must be set in production mode');
  });

/** Subset that the command line (admin.ts) reads. */
export const adminConfigSchema = z.object({
  REDIS_URL: gatewayCommon.REDIS_URL,
  REDIS_PREFIX: gatewayCommon.REDIS_PREFIX,
  RPC_SECRET: gatewayCommon.RPC_SECRET,
  ...addresses,
});

type Parsed = z.output<typeof configSchema>;

/** Parsed environment with derived values. */
export interface ApiGatewayConfig extends Omit<Parsed, 'REPLICA_ID'> {
  readonly REPLICA_ID: string;
  readonly demo: boolean;
  /** Code for demo mode. Undefined otherwise. */
  readonly demoCode: string | undefined;
}

/** Reads the configuration. @throws ConfigError with one sentence for each wrong variable. */
export function readConfig(env: Readonly<Record<string, string | undefined>> = process.env): ApiGatewayConfig {
  const parsed = loadConfig(configSchema, env);
  const demo = parsed.NOLO_MODE === 'demo';
  return Object.freeze({
    ...parsed,
    REPLICA_ID: parsed.REPLICA_ID ?? newId(),
    demo,
    demoCode: demo ? (parsed.NOLO_DEMO_CODE ?? '424242') : undefined,
  });
}

/** Returns true if only this machine can reach the host. */
export function listensOnLoopback(host: string): boolean {
  return isLoopback(host);
}
