import { commonConfig, eventLogConfig, createHostPortSchema } from '@nolo/kit/config';
import { z } from 'zod';

/** Keys are names of environment variables. A test compares them with `.env.example`. */
export const configSchema = z.object({
  ...commonConfig,
  ...eventLogConfig,
  IDENTITY_ADDR: createHostPortSchema().describe('Address of the identity service, as host:port.'),
  CHAT_ADDR: createHostPortSchema().describe('Address of the chat service, as host:port.'),
  FILES_ADDR: createHostPortSchema().describe('Address of the files service, as host:port.'),
});

export type StatusConfig = Readonly<z.output<typeof configSchema>>;
