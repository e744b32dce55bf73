import { isIP } from 'node:net';
import { createFlagSchema, createSecretSchema } from '@nolo/kit/config';
import { z } from 'zod';

const webAddress = () =>
  z.url({ protocol: /^https?$/, error: 'must be an address beginning with http:// or https://' });

/** Host names, addresses and ranges (`197.97.145.144/28`). */
const source = /^(?:[0-9a-fA-F.:]+\/\d{1,3}|[0-9A-Za-z.:-]+)$/;

function isSource(value: string): boolean {
  const [address = '', bits] = value.split('/');
  if (!source.test(value)) return false;
  return bits === undefined || (isIP(address) !== 0 && Number(bits) <= (isIP(address) === 4 ? 32 : 128));
}

/** Host name, with a port unless it is 443. */
const hostName = /^[0-9a-z.-]+(?::\d{1,5})?$/;

/**
 * Hosts of PayFast's own example, and the addresses that it publishes: https://developers.payfast.co.za/docs#ports-ips
 * (five entries, as quoted by maintained integrations in 2026).
 */
const documentedSources =
  'www.payfast.co.za,sandbox.payfast.co.za,w1w.payfast.co.za,w2w.payfast.co.za,197.97.145.144/28,41.74.179.192/27,102.216.36.0/28,102.216.36.128/28,144.126.193.139';

/** Environment variables of the payment gateways, spread into the service's schema. */
export const gatewayConfig = {
  PAYPAL_URL: webAddress()
    .prefault('https://api-m.paypal.com')
    .describe("PayPal's REST API; its sandbox is https://api-m.sandbox.paypal.com."),
  PAYPAL_CLIENT_ID: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('Client id of the app at developer.paypal.com; without it, PayPal is not offered.'),
  PAYPAL_CLIENT_SECRET: createSecretSchema(8).optional().describe('Its secret.'),
  PAYPAL_WEBHOOK_ID: z
    .string()
    .min(1)
    .max(50)
    .optional()
    .describe('Id of the webhook registered at PayPal for PUBLIC_URL/api/paypal/notify.'),
  PAYPAL_CERT_HOSTS: z
    .string()
    .transform((value) => value.split(',').map((entry) => entry.trim()))
    .refine((list) => list.every((one) => hostName.test(one)), 'must be host names separated by commas')
    .prefault('api.paypal.com,api.sandbox.paypal.com,api-m.paypal.com,api-m.sandbox.paypal.com')
    .describe(
      'Hosts from which PayPal serves its webhook certificates, separated by commas; a webhook that names another host is refused.',
    ),
  PAYFAST_SANDBOX: createFlagSchema()
    .prefault('false')
    .describe("Whether to use PayFast's sandbox, where no money moves."),
  PAYFAST_URL: webAddress().optional().describe('Address that replaces those of PayFast, for tests and proxies.'),
  PAYFAST_API_URL: webAddress()
    .prefault('https://api.payfast.co.za')
    .describe("PayFast's API, for refunds and for looking up payments without a notification."),
  PAYFAST_MERCHANT_ID: z
    .string()
    .regex(/^\d{1,10}$/, 'must be up to 10 digits')
    .optional()
    .describe('Merchant id at PayFast; without it, PayFast is not offered.'),
  PAYFAST_MERCHANT_KEY: createSecretSchema(8).optional().describe('Key of the PayFast merchant.'),
  PAYFAST_PASSPHRASE: createSecretSchema(8)
    .optional()
    .describe('Passphrase of the PayFast merchant, as set at PayFast; without one, anyone could sign.'),
  PAYFAST_SOURCES: z
    .string()
    .transform((value) => value.split(',').map((entry) => entry.trim()))
    .refine((list) => list.every(isSource), 'must be host names, addresses, or ranges separated by commas')
    .prefault(documentedSources)
    .describe("Sources of PayFast's notifications: host names, addresses and ranges, separated by commas."),
};

const schema = z.object(gatewayConfig);
export type GatewayConfig = Readonly<z.output<typeof schema>>;

const together = [
  ['PAYPAL_CLIENT_ID', 'PAYPAL_CLIENT_SECRET', 'PAYPAL_WEBHOOK_ID'],
  ['PAYFAST_MERCHANT_ID', 'PAYFAST_MERCHANT_KEY', 'PAYFAST_PASSPHRASE'],
] as const satisfies (keyof GatewayConfig)[][];

/** Validates gateways in the superRefine of the service's schema: each is configured completely or not at all. */
export function requireCompleteGateways(config: GatewayConfig, context: z.core.$RefinementCtx): void {
  for (const names of together) {
    const missing = names.filter((name) => config[name] === undefined);
    if (missing.length === 0 || missing.length === names.length) continue;
    for (const name of missing) {
      context.addIssue({
        code: 'custom',
        path: [name],
        message: `must be set: ${names.join(', ')} are required together`,
      });
    }
  }
}
