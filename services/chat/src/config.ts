import { commonConfig, createHostPortSchema, eventLogConfig } from '@nolo/kit/config';
import { z } from 'zod';

/** Configuration, keyed by environment variable. A test compares it with `.env.example`. */
export const configSchema = z.object({
  ...commonConfig,
  ...eventLogConfig,
  MEETING_CHATS_KEPT_DAYS: z.coerce
    .number()
    .int()
    // Meeting chats are retained for 30 days.
    .min(31)
    .max(36_500)
    .default(90)
    .describe('Days without a message after which the conversation of a meeting is deleted.'),
  MESSAGES_KEPT_DAYS: z.coerce
    .number()
    .int()
    .min(1)
    .max(36_500)
    .optional()
    .describe(
      'Days after which messages are deleted from all conversations, with their files, like disappearing ones; never unless set. The gateway needs the same value to show it to people.',
    ),
  IDENTITY_ADDR: createHostPortSchema().describe('Address of the identity service, as host:port.'),
  MEETINGS_ADDR: createHostPortSchema().describe('Address of the meetings service, as host:port.'),
  FILES_ADDR: createHostPortSchema().describe('Address of the files service, as host:port.'),
});

export type ChatConfig = Readonly<z.output<typeof configSchema>>;
