import { BlockList, isIP } from 'node:net';
import { commonConfig, flag, listen, loadConfig, Secret } from '@nolo/kit/config';
import { parseKeys } from '@nolo/kit/keyRing';
import { z } from 'zod';

/** Undefined where it cannot be read. */
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

/** Everything this service reads from the environment. */
export const configSchema = z.object({
  ...commonConfig,
  IDENTITY_ADDR: listen().describe('Where the identity service takes calls, as host:port.'),
  CHAT_ADDR: listen().describe('Where the chat service takes calls, as host:port.'),
  MEETINGS_ADDR: listen().describe('Where the meetings service takes calls, as host:port.'),
  STATUS_ADDR: listen().describe('Where the status service takes calls, as host:port.'),
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
  WEBHOOK_NETWORKS: z
    .string()
    .default('')
    .refine(
      (value) => parseNetworks(value) !== undefined,
      'must be networks with commas between them, such as 10.1.0.0/16',
    )
    .transform((value) => parseNetworks(value) ?? new BlockList())
    .describe(
      'Networks that webhooks may lead to besides the public internet, with commas between them, for receivers of your own.',
    ),
  WEBHOOK_WORKS: flag()
    .prefault('true')
    .describe('Whether this process sends webhooks itself; false where workers (src/worker.ts) do.'),
});

export type NotificationsConfig = Readonly<z.output<typeof configSchema>>;

/** @throws ConfigError with one sentence for each wrong variable. */
export const readConfig = (): NotificationsConfig => loadConfig(configSchema);

/** The keys as the ring takes them; the schema has seen to it that they can be read. */
export const webhookKeys = ({ WEBHOOK_KEYS: keys }: NotificationsConfig) => parseKeys(keys.reveal()) ?? [];
