import { formatHostPort, createFlagSchema, createHostPortSchema, createSecretSchema } from '@nolo/kit/config';
import { z } from 'zod';

const addresses = () =>
  z
    .string()
    .transform((value) =>
      value
        .split(',')
        .map((entry) => entry.trim())
        .filter((entry) => entry !== ''),
    )
    .refine(
      (list) => list.every((entry) => /^https?:/.test(entry) && URL.canParse(entry)),
      'must be http or https addresses, separated by commas',
    );

/** Everything the simulators read from the environment. */
export const configSchema = z.object({
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('Minimum level of log entries.'),
  SIMULATORS_LISTEN: createHostPortSchema()
    .prefault('127.0.0.1:0')
    .describe('Address on which the simulators listen, as host:port. They are unprotected, so keep it on loopback.'),
  SIMULATORS_PUBLIC_URL: z
    .string()
    .refine(
      (value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol),
      'must be an http or https address',
    )
    .refine((value) => URL.canParse(value) && new URL(value).pathname === '/', 'must have no path')
    .transform((value) => new URL(value).origin)
    .optional()
    .describe(
      'Address at which browsers and services reach the simulators; http://localhost with the listening port unless set.',
    ),
  SIMULATORS_DIR: z
    .string()
    .optional()
    .describe('Folder for the signing keys, so that they survive a restart; new keys at every start unless set.'),
  SIMULATORS_TRUST_PROXY: createFlagSchema()
    .prefault('false')
    .describe('Whether a proxy in front of the simulators sets X-Forwarded-Proto.'),
  OIDC_CLIENT_ID: z.string().default('nolo').describe('Client that may request sign-ins from the OpenID simulator.'),
  OIDC_CLIENT_SECRET: createSecretSchema().describe("That client's secret."),
  OIDC_REDIRECT_URIS: addresses().describe('Addresses to which sign-ins may return, separated by commas.'),
  OIDC_POST_LOGOUT_REDIRECT_URIS: addresses()
    .prefault('')
    .describe('Addresses to which the browser may return after logging out, separated by commas.'),
  TWILIO_ACCOUNT_SID: z
    .string()
    .regex(/^AC[0-9a-f]{32}$/, 'must be AC followed by 32 hexadecimal digits')
    .default('AC00000000000000000000000000000000')
    .describe('Account known to the Twilio simulator.'),
  TWILIO_AUTH_TOKEN: createSecretSchema().prefault('simulated-auth-token').describe("That account's token."),
  TRANSCRIBE_API_KEY: createSecretSchema()
    .prefault('simulated-transcription-key')
    .describe('Key that the transcription simulator accepts.'),
  SOCIAL_CLIENT_SECRET: createSecretSchema()
    .prefault('simulated-platform-secret')
    .describe('Secret of the client nolo on the social platforms, and app password of example.bsky.social on Bluesky.'),
  PAYPAL_CLIENT_ID: z
    .string()
    .min(1)
    .max(200)
    .default('simulated-paypal-client')
    .describe('Client known to the PayPal simulator.'),
  PAYPAL_CLIENT_SECRET: createSecretSchema(8).prefault('simulated-paypal-secret').describe("That client's secret."),
  PAYPAL_WEBHOOK_ID: z
    .string()
    .min(1)
    .max(50)
    .default('WH-SIMULATED')
    .describe('Id of the webhook that the PayPal simulator signs for.'),
  PAYPAL_WEBHOOK_URL: z
    .url({ protocol: /^https?$/, error: 'must be an address beginning with http:// or https://' })
    .optional()
    .describe(
      "Target of the PayPal simulator's webhooks, such as https://nolo.example/api/paypal/notify; none unless set.",
    ),
  PAYFAST_MERCHANT_ID: z
    .string()
    .regex(/^\d{1,10}$/, 'must be up to 10 digits')
    .default('10000100')
    .describe('Merchant known to the PayFast simulator.'),
  PAYFAST_MERCHANT_KEY: createSecretSchema(8).prefault('46f0cd694581a').describe("That merchant's key."),
  PAYFAST_PASSPHRASE: createSecretSchema(8).prefault('simulated-passphrase').describe("That merchant's passphrase."),
});

export type SimulatorsConfig = Readonly<z.output<typeof configSchema>>;

/** Returns the address that browsers use, once the port is known. */
export function publicUrlOf(config: SimulatorsConfig, port: number): string {
  if (config.SIMULATORS_PUBLIC_URL) return config.SIMULATORS_PUBLIC_URL;
  const { host } = config.SIMULATORS_LISTEN;
  const loopback = host === '127.0.0.1' || host === '0.0.0.0' || host === '::' || host === '::1';
  return `http://${formatHostPort({ host: loopback ? 'localhost' : host, port })}`;
}
