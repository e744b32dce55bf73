import { commonConfig, eventLogConfig, flag, listen, loadConfig, secretUrl } from '@nolo/kit/config';
import { z } from 'zod';
import { parseTax, type Tax } from './domain/tax.ts';
import { gatewayConfig, refineGateways } from './gateways/config.ts';

const webAddress = () =>
  z.url({ protocol: /^https?$/, error: 'must be an address beginning with http:// or https://' });

/** Defines the address of a service that counts usage, which meters are compared with every night. */
const heldBy = (service: string, what: string, without = 'that is not done') =>
  listen()
    .optional()
    .describe(
      `Where ${service} takes calls, as host:port, to hold ${what} against what it has. Without it ${without}.`,
    );

/** Everything this service reads from the environment. */
export const configSchema = z
  .object({
    ...commonConfig,
    ...eventLogConfig,
    ...gatewayConfig,
    IDENTITY_ADDR: listen().describe('Where the identity service takes calls, as host:port.'),
    FILES_ADDR: heldBy('files', 'what people keep'),
    SOCIAL_SCHEDULER_ADDR: heldBy('social-scheduler', 'scheduled posts'),
    TRANSCRIBER_ADDR: heldBy(
      'the transcriber',
      'transcribed seconds',
      'that is not done, and the transcription pack is not sold',
    ),
    PUBLIC_URL: webAddress().describe(
      'How Nolo is reached from outside: people and notifications of payments come there.',
    ),
    BILLING_WORKS: flag()
      .prefault('true')
      .describe(
        'Whether this process works off notifications and mail itself; false where workers (src/worker.ts) do.',
      ),
    SMTP_URL: secretUrl('smtp', 'smtps')
      .optional()
      .describe(
        'The mail server that sends receipts and reminders, for example smtps://user:password@mail.example.org. Unless set, demo mode uses the outbox, and production sends no mail.',
      ),
    MAIL_FROM: z
      .string()
      .regex(/^[^\r\n]*@[^\r\n]+$/, 'must be a mail address, or a name with one in angle brackets')
      .optional()
      .describe('Whom mail comes from, for example Nolo <nolo@example.org>; set together with SMTP_URL.'),
    OUTBOX_URL: webAddress()
      .optional()
      .describe('Where the simulators are, in demo mode, for example http://127.0.0.1:8090.'),
    RECEIPT_SELLER: z
      .string()
      .max(500)
      .default('Nolo')
      .describe('Who sells, on receipts: a name, and what else belongs there, with commas between the lines.'),
    RECEIPT_TAX: z
      .string()
      .default('')
      .refine((value) => parseTax(value) !== undefined, 'must be a name and a percentage, such as VAT 15')
      .transform((value): Tax => parseTax(value) ?? { name: '', basisPoints: 0 })
      .describe(
        'The tax that prices include, as name and percentage, such as VAT 15; without it receipts have no tax line.',
      ),
  })
  .superRefine((config, context) => {
    refineGateways(config, context);
    if ((config.SMTP_URL === undefined) === (config.MAIL_FROM === undefined)) return;
    const missing = config.MAIL_FROM === undefined ? 'MAIL_FROM' : 'SMTP_URL';
    const message = 'must be set: SMTP_URL and MAIL_FROM belong together';
    context.addIssue({ code: 'custom', path: [missing], message });
  });

export type BillingConfig = Readonly<z.output<typeof configSchema>>;

/** Returns the features whose meters can be compared with a service. */
export const metersHeldBy = (config: BillingConfig): string[] => [
  ...(config.FILES_ADDR ? ['storageBytes'] : []),
  ...(config.SOCIAL_SCHEDULER_ADDR ? ['scheduledPosts'] : []),
  ...(config.TRANSCRIBER_ADDR ? ['transcriptionSeconds'] : []),
];

/** Reads the configuration. @throws ConfigError with one sentence for each wrong variable. */
export const readConfig = (): BillingConfig => loadConfig(configSchema);
