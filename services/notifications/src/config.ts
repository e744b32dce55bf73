import { BlockList, isIP } from 'node:net';
import { commonConfig, createFlagSchema, createHostPortSchema, loadConfig, Secret } from '@nolo/kit/config';
import { parseKeyRing } from '@nolo/kit/keyRing';
import { z } from 'zod';
import { deriveVapidKeys } from './domain/vapidKeys.ts';

/** Returns undefined if the text is invalid. */
function parseNetworks(text: string): BlockList | undefined {
  const networks = new BlockList();
  for (const entry of text.split(',').map((one) => one.trim())) {
    if (entry === '') continue;
    const [address = '', bits = ''] = entry.split('/');
    const family = isIP(address);
    if (family === 0 || !/^\d{1,3}$/.test(bits) || Number(bits) > (family === 4 ? 32 : 128)) return undefined;
    networks.addSubnet(address, Number(bits), family === 4 ? 'ipv4' : 'ipv6');
  }
  return networks;
}

const networks = () =>
  z
    .string()
    .default('')
    .refine((value) => parseNetworks(value) !== undefined, 'must be networks separated by commas, such as 10.1.0.0/16')
    .transform((value) => parseNetworks(value) ?? new BlockList());

/** Environment variables of this service. */
export const configSchema = z.object({
  ...commonConfig,
  IDENTITY_ADDR: createHostPortSchema().describe('Address of the identity service, as host:port.'),
  CHAT_ADDR: createHostPortSchema().describe('Address of the chat service, as host:port.'),
  MEETINGS_ADDR: createHostPortSchema().describe('Address of the meetings service, as host:port.'),
  STATUS_ADDR: createHostPortSchema().describe('Address of the status service, as host:port.'),
  FILES_ADDR: createHostPortSchema().describe('Address of the files service, as host:port.'),
  SOCIAL_SCHEDULER_ADDR: createHostPortSchema()
    .optional()
    .describe('Address of social-scheduler, if any, as host:port; webhooks report its posts.'),
  BILLING_ADDR: createHostPortSchema()
    .optional()
    .describe(
      'Address of the billing service, if any, as host:port; it knows who has webhooks, which report changes of plans.',
    ),
  WEBHOOK_KEYS: z
    .string()
    .refine(
      (value) => parseKeyRing(value) !== undefined,
      'must be name:key pairs separated by commas, each key 32 bytes in Base64',
    )
    .transform((value) => new Secret(value))
    .describe(
      'Keys that encrypt webhook secrets, as name:base64; the first encrypts, the others can still decrypt. Make one with: openssl rand -base64 32',
    ),
  WEBHOOK_NETWORKS: networks().describe(
    'Networks that webhooks may reach besides port 443 of the public internet, separated by commas, for your own receivers; all of their ports are allowed. A single public address, such as 203.0.113.7/32, allows its other ports.',
  ),
  WEBHOOK_WORKS: createFlagSchema()
    .prefault('true')
    .describe(
      'Whether this process sends webhooks and push notifications itself; false if workers (src/worker.ts) do.',
    ),
  PUSH_VAPID_KEY: z
    .string()
    .refine((value) => deriveVapidKeys(value) !== undefined, 'must be 32 bytes in Base64url, a P-256 key')
    .transform((value) => new Secret(value))
    .optional()
    .describe(
      'Private key that identifies this installation to browsers (VAPID). Unless set, one is generated at the first start and stored in the database, encrypted under WEBHOOK_KEYS. Changing it ends all subscriptions; browsers subscribe again when the app is opened. Make one with: npx web-push generate-vapid-keys',
    ),
  PUSH_CONTACT: z
    .string()
    .regex(/^(mailto:[^@]+@[^@]+|https:\/\/.+)$/, 'must begin with mailto: or https://')
    .default('mailto:operator@example.org')
    .describe(
      'Contact for push services with questions about what they are sent: an email or web address of the operator.',
    ),
  PUSH_NETWORKS: networks().describe(
    'Networks that push services may be in besides port 443 of the public internet, separated by commas, for your own push service; all of their ports are allowed.',
  ),
});

export type NotificationsConfig = Readonly<z.output<typeof configSchema>>;

/** @throws ConfigError with one sentence per invalid variable. */
export const readConfig = (): NotificationsConfig => loadConfig(configSchema);

/** Returns the keys for the key ring. The schema has validated them. */
export const parseWebhookKeys = ({ WEBHOOK_KEYS: keys }: NotificationsConfig) => parseKeyRing(keys.reveal()) ?? [];

/** Returns the keys that the operator configured, if any. */
export const deriveConfiguredVapidKeys = ({ PUSH_VAPID_KEY: key }: NotificationsConfig) =>
  key && deriveVapidKeys(key.reveal());
