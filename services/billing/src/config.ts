import {
  commonConfig,
  eventLogConfig,
  createFlagSchema,
  createHostPortSchema,
  loadConfig,
  createSecretUrlSchema,
} from '@nolo/kit/config';
import { z } from 'zod';
import { parseTax, type TaxRate } from './domain/tax.ts';
import { gatewayConfig, requireCompleteGateways } from './gateways/config.ts';

const webAddress = () =>
  z.url({ protocol: /^https?$/, error: 'must be an address beginning with http:// or https://' });

/** Defines the address of a service that counts usage, which meters are compared with every night. */
const meterSourceAddress = (service: string, what: string, without = 'this check is skipped') =>
  createHostPortSchema()
    .optional()
    .describe(`Address of ${service}, as host:port, with which billing reconciles ${what}. Without it, ${without}.`);

/** Everything this service reads from the environment. */
export const configSchema = z
  .object({
    ...commonConfig,
    ...eventLogConfig,
    ...gatewayConfig,
    IDENTITY_ADDR: createHostPortSchema().describe('Address of the identity service, as host:port.'),
    FILES_ADDR: meterSourceAddress('files', 'stored files'),
    SOCIAL_SCHEDULER_ADDR: meterSourceAddress('social-scheduler', 'scheduled posts'),
    TRANSCRIBER_ADDR: meterSourceAddress(
      'the transcriber',
      'transcribed seconds',
      'this check is skipped, and the transcription pack is not sold',
    ),
    PUBLIC_URL: webAddress().describe('Public URL of Nolo, for people and for payment notifications.'),
    BILLING_WORKS: createFlagSchema()
      .prefault('true')
      .describe('Whether this process handles notifications and email itself; false if workers (src/worker.ts) do.'),
    SMTP_URL: createSecretUrlSchema('smtp', 'smtps')
      .optional()
      .describe(
        'Mail server that sends receipts and reminders, for example smtps://user:password@mail.example.org. Without it, demo mode uses the outbox, and production sends no email.',
      ),
    MAIL_FROM: z
      .string()
      .regex(/^[^\r\n]*@[^\r\n]+$/, 'must be an email address, or a name followed by one in angle brackets')
      .optional()
      .describe('Sender of emails, for example Nolo <nolo@example.org>; set together with SMTP_URL.'),
    OUTBOX_URL: webAddress()
      .optional()
      .describe('Address of the simulators in demo mode, for example http://127.0.0.1:8090.'),
    RECEIPT_SELLER: z
      .string()
      .max(500)
      .default('Nolo')
      .describe('Seller on receipts: a name and any further lines, separated by commas.'),
    RECEIPT_TAX: z
      .string()
      .default('')
      .refine((value) => parseTax(value) !== undefined, 'must be a name and a percentage, such as VAT 15')
      .transform((value): TaxRate => parseTax(value) ?? { name: '', basisPoints: 0 })
      .describe(
        'Tax included in prices, as a name and a percentage, such as VAT 15; without it, receipts have no tax line.',
      ),
  })
  .superRefine((config, context) => {
    requireCompleteGateways(config, context);
    if ((config.SMTP_URL === undefined) === (config.MAIL_FROM === undefined)) return;
    const missing = config.MAIL_FROM === undefined ? 'MAIL_FROM' : 'SMTP_URL';
    const message = 'must be set: SMTP_URL and MAIL_FROM are required together';
    context.addIssue({ code: 'custom', path: [missing], message });
  });

export type BillingConfig = Readonly<z.output<typeof configSchema>>;

/** Returns the features whose meters can be compared with a service. */
export const listReconciledFeatures = (config: BillingConfig): string[] => [
  ...(config.FILES_ADDR ? ['storageBytes'] : []),
  ...(config.SOCIAL_SCHEDULER_ADDR ? ['scheduledPosts'] : []),
  ...(config.TRANSCRIBER_ADDR ? ['transcriptionSeconds'] : []),
];

/** Reads the configuration. @throws ConfigError with one sentence for each wrong variable. */
export const readConfig = (): BillingConfig => loadConfig(configSchema);
