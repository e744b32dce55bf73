import { BlockList, isIP } from 'node:net';
import { commonConfig, flag, listen, loadConfig, Secret } from '@nolo/kit/config';
import { parseKeys } from '@nolo/kit/keyRing';
import { z } from 'zod';
import { vapidKeysOf } from './domain/vapidKeys.ts';

/** Returns undefined if the text is invalid. */
function parseNetworks(text: string): BlockList | undefined {
  const networks = new BlockList();
  for (const part of text.split(',').map((one) => one.trim())) {
    if (part === '') continue;
    const [address = '', bits = ''] = part.split('/');
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
    .refine(
      (value) => parseNetworks(value) !== undefined,
      'must be networks with commas between them, such as 10.1.0.0/16',
    )
    .transform((value) => parseNetworks(value) ?? new BlockList());

/** Environment variables of this service. */
export const configSchema = z.object({
  ...commonConfig,
  IDENTITY_ADDR: listen().describe('Where the identity service takes calls, as host:port.'),
  CHAT_ADDR: listen().describe('Where the chat service takes calls, as host:port.'),
  MEETINGS_ADDR: listen().describe('Where the meetings service takes calls, as host:port.'),
  STATUS_ADDR: listen().describe('Where the status service takes calls, as host:port.'),
  FILES_ADDR: listen().describe('Where the files service takes calls, as host:port.'),
  SOCIAL_SCHEDULER_ADDR: listen()
    .optional()
    .describe('Where social-scheduler takes calls, as host:port, if there is one: webhooks are told of posts.'),
  BILLING_ADDR: listen()
    .optional()
    .describe(
      'Where billing takes calls, as host:port, if there is one: it says who has webhooks, and they are told of plans.',
    ),
  WEBHOOK_KEYS: z
    .string()
    .refine(
      (value) => parseKeys(value) !== undefined,
      'must be name:key pairs with commas between them, each key 32 bytes in Base64',
    )
    .transform((value) => new Secret(value))
    .describe(
      'Keys that secrets of webhooks are encrypted under, as name:base64; the first encrypts, the others still open. Make one with: openssl rand -base64 32',
    ),
  WEBHOOK_NETWORKS: networks().describe(
    'Networks that webhooks may lead to besides port 443 of the public internet, with commas between them, for receivers of your own; all ports are open there. A single address of the internet, such as 203.0.113.7/32, opens its other ports.',
  ),
  WEBHOOK_WORKS: flag()
    .prefault('true')
    .describe('Whether this process sends webhooks and pushes itself; false where workers (src/worker.ts) do.'),
  PUSH_VAPID_KEY: z
    .string()
    .refine((value) => vapidKeysOf(value) !== undefined, 'must be 32 bytes in Base64 for addresses, a key of P-256')
    .transform((value) => new Secret(value))
    .optional()
    .describe(
      'The private key that browsers know this installation by (VAPID). Without one it is made at the first start and kept in the database under WEBHOOK_KEYS. Another one ends all subscriptions, which browsers make anew when the app is opened. Make one with: npx web-push generate-vapid-keys',
    ),
  PUSH_CONTACT: z
    .string()
    .regex(/^(mailto:[^@]+@[^@]+|https:\/\/.+)$/, 'must begin with mailto: or https://')
    .default('mailto:operator@example.org')
    .describe('Whom push services may write to about what they are sent: a mail or web address of the operator.'),
  PUSH_NETWORKS: networks().describe(
    'Networks that push services may be in besides port 443 of the public internet, with commas between them, for one of your own; all ports are open there.',
  ),
});

export type NotificationsConfig = Readonly<z.output<typeof configSchema>>;

/** @throws ConfigError with one sentence per invalid variable. */
export const readConfig = (): NotificationsConfig => loadConfig(configSchema);

/** Returns the keys for the key ring. The schema has validated them. */
export const webhookKeys = ({ WEBHOOK_KEYS: keys }: NotificationsConfig) => parseKeys(keys.reveal()) ?? [];

/** Returns the keys that the operator configured, if any. */
export const configuredVapidKeys = ({ PUSH_VAPID_KEY: key }: NotificationsConfig) => key && vapidKeysOf(key.reveal());
