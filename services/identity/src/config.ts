import {
  commonConfig,
  eventLogConfig,
  createHostPortSchema,
  Secret,
  createSecretSchema,
  createSecretUrlSchema,
  describePublicDemoProblem,
} from '@nolo/kit/config';
import { parseKeyRing } from '@nolo/kit/keyRing';
import { z } from 'zod';

const webAddress = () =>
  z.url({ protocol: /^https?$/, error: 'must be an address beginning with http:// or https://' });

const budget = (meaning: string) => z.coerce.number().int().positive().optional().describe(meaning);

const codePepper = () =>
  createSecretSchema().describe('Key for hashing verification codes and numbers. Changing it invalidates open codes.');

const smtpUrl = () =>
  createSecretUrlSchema('smtp', 'smtps')
    .optional()
    .describe(
      'Mail server that sends emails about sign-ins and account changes, for example smtps://user:password@mail.example.org. Without it, demo mode uses the outbox, and production sends no email.',
    );

const publicUrl = () =>
  webAddress()
    .optional()
    .describe('Public URL of Nolo, which email invitations link to. Unless set, nobody is invited by email.');

/** Settings that the command line (admin.ts) reads. */
export const adminConfigSchema = z.object({
  DATABASE_URL: commonConfig.DATABASE_URL,
  REDIS_URL: commonConfig.REDIS_URL,
  REDIS_PREFIX: commonConfig.REDIS_PREFIX,
  CODE_PEPPER: codePepper(),
  NOLO_MODE: commonConfig.NOLO_MODE,
  PUBLIC_URL: publicUrl(),
  SMTP_URL: smtpUrl(),
});

/** Environment of this service. Only this file distinguishes demo and production. */
export const configSchema = z
  .object({
    ...commonConfig,
    ...eventLogConfig,
    SMS_PROVIDER: z
      .enum(['outbox', 'twilio'])
      .default('outbox')
      .describe('Sender of verification codes: twilio, or in demo mode outbox, a page of the simulators.'),
    OUTBOX_URL: webAddress()
      .optional()
      .describe('Address of the simulators if SMS_PROVIDER is outbox, for example http://127.0.0.1:8090.'),
    TWILIO_ACCOUNT_SID: z
      .string()
      .regex(/^AC[0-9a-zA-Z]{1,64}$/, 'must begin with AC, as in the Twilio console')
      .optional()
      .describe("The Twilio account's SID."),
    TWILIO_AUTH_TOKEN: createSecretSchema().optional().describe("The Twilio account's auth token."),
    TWILIO_FROM: z
      .string()
      .regex(/^(\+\d{3,15}|MG[0-9a-zA-Z]+)$/, 'must be a number such as +15005550006 or the SID of a messaging service')
      .optional()
      .describe('Number or messaging service that codes are sent from.'),
    TWILIO_API_URL: webAddress().optional().describe('Address that replaces those of Twilio, for tests and proxies.'),
    SMS_PER_DAY: budget('Maximum text messages with codes in 24 hours, to all countries together; 5,000 unless set.'),
    SMS_PER_COUNTRY_DAY: budget('Maximum text messages with codes in 24 hours per country; 1,000 unless set.'),
    SMTP_URL: smtpUrl(),
    MAIL_FROM: z
      .string()
      .regex(/^[^\r\n]*@[^\r\n]+$/, 'must be an email address, or a name followed by one in angle brackets')
      .optional()
      .describe('Sender of emails, for example Nolo <nolo@example.org>; set together with SMTP_URL.'),
    NOLO_DEMO_CODE: z
      .string()
      .regex(/^\d{6}$/, 'must be six digits')
      .optional()
      .describe('Code that signs in everyone in demo mode; 424242 unless set. Refused in production.'),
    GEOIP_DATABASE_FILE: z
      .string()
      .optional()
      .describe(
        'Location database (MaxMind DB, such as GeoLite2-City.mmdb) that shows people in which city and country their devices are; without it, they see the network.',
      ),
    CHAT_ADDR: createHostPortSchema().describe(
      'Address of the chat service, as host:port; it keeps the encrypted vault that follows each device list.',
    ),
    BILLING_ADDR: createHostPortSchema()
      .optional()
      .describe(
        'Address of the billing service, if any, as host:port; it knows whose plan has personal access tokens.',
      ),
    FACTOR_KEYS: z
      .string()
      .refine(
        (text) => parseKeyRing(text) !== undefined,
        'must be name:key pairs separated by commas, each key 32 bytes in Base64',
      )
      .transform((text) => new Secret(text))
      .describe(
        'Keys that encrypt the secrets of second factors, as name:base64; the first one encrypts, the others can still decrypt. Generate one with: openssl rand -base64 32',
      ),
    CODE_PEPPER: codePepper(),
    PUBLIC_URL: publicUrl(),
  })
  .superRefine((config, context) => {
    const refuse = (variable: keyof typeof config, message: string) =>
      context.addIssue({ code: 'custom', path: [variable], message });
    const exposed = describePublicDemoProblem(config);
    if (exposed !== undefined) refuse('PUBLIC_URL', exposed);
    if (config.NOLO_MODE === 'production') {
      if (config.NOLO_DEMO_CODE !== undefined) refuse('NOLO_DEMO_CODE', 'must not be set in production');
      if (config.SMS_PROVIDER === 'outbox') refuse('SMS_PROVIDER', 'must be twilio in production');
    } else if (config.SMS_PROVIDER === 'outbox' && config.OUTBOX_URL === undefined) {
      refuse('OUTBOX_URL', 'must be set when SMS_PROVIDER is outbox');
    }
    if ((config.SMTP_URL === undefined) !== (config.MAIL_FROM === undefined)) {
      refuse(
        config.MAIL_FROM === undefined ? 'MAIL_FROM' : 'SMTP_URL',
        'must be set: SMTP_URL and MAIL_FROM are required together',
      );
    }
    if (config.SMS_PROVIDER === 'twilio') {
      for (const variable of ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_FROM'] as const) {
        if (config[variable] === undefined) refuse(variable, 'must be set when SMS_PROVIDER is twilio');
      }
    }
  });

export type IdentityConfig = Readonly<z.output<typeof configSchema>>;

/** Returns the encryption keys of second-factor secrets; the first one encrypts. */
export const parseFactorKeys = ({ FACTOR_KEYS: keys }: IdentityConfig) => parseKeyRing(keys.reveal()) ?? [];

/** Returns the target of email invitations, or undefined if no email is sent or the target is unknown. */
export function getMailInvitationUrl({
  NOLO_MODE: mode,
  PUBLIC_URL: url,
  SMTP_URL: server,
}: Pick<IdentityConfig, 'NOLO_MODE' | 'PUBLIC_URL' | 'SMTP_URL'>): string | undefined {
  return mode === 'demo' || server !== undefined ? url : undefined;
}

/** Returns the code that signs in everyone. Demo mode only (decision 5). */
export function getDemoCode(config: IdentityConfig): string | undefined {
  return config.NOLO_MODE === 'demo' ? (config.NOLO_DEMO_CODE ?? '424242') : undefined;
}
